"""Widgets of single blocks: text, heading, rule. They paint themselves. GUI thread.

A block lays itself out for the width of the column (`fit`), shows a changed block without
painting more than what changed, and answers which text stands where, for selecting.
"""

from typing import cast

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFocusEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from ui.chat.buttons import paint_ring
from ui.chat.ink import Ink
from ui.chat.nodes import Block, Container, Heading, Paragraph, Text
from ui.chat.plain import linear, units
from ui.chat.textrun import Range, TextRun
from ui.theme.fonts import Role

BLEED = 16
"""A block's widget is this much wider than the column on both sides, for marks and rings."""
_QUOTE = 17
_ITEM = 22


class BlockWidget(QWidget):
    """Base of all blocks. `lead` is the space above, `bars` how many quote bars cross it."""

    def __init__(self, ink: Ink, block: Block, parent: QWidget) -> None:
        super().__init__(parent)
        self.ink = ink
        self.block = block
        self.lead = 0
        self.bars = 0
        self.chosen: Range | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_StaticContents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    # --- what each kind of block does ---------------------------------------------------------

    def fit(self, width: int) -> int:
        """Lays out for a column `width` pixels wide; returns the height without `lead`."""
        raise NotImplementedError

    def show_block(self, block: Block) -> int:
        """Shows a changed block of the same kind at the same width; returns as `fit`."""
        raise NotImplementedError

    def takes(self, block: Block) -> bool:  # noqa: ARG002
        """Whether `show_block` can show `block`, which is of the same kind."""
        return True

    def position_at(self, point: QPoint) -> int:
        """Offset into `linear(block)`, in UTF-16 units, nearest to `point`."""
        return 0 if point.y() < self.height() // 2 else self.length()

    def link_at(self, point: QPoint) -> str:  # noqa: ARG002 - most blocks have no links
        return ""

    def end_point(self) -> QPoint | None:
        """Where the lamp dot stands while this block grows; None: under the block."""
        return None

    # --- for all ------------------------------------------------------------------------------

    def length(self) -> int:
        return units(linear(self.block))

    def choose(self, chosen: Range | None) -> None:
        """Highlights a range of the text."""
        if chosen != self.chosen:
            self.chosen = chosen
            self.update()

    def indent(self) -> int:
        """Width of the containers beside the block."""
        return sum(self.ink.px(_width(container)) for container in self.block.path)

    def content(self) -> QRect:
        """The rectangle of the block itself, without containers, lead and bleed."""
        left = self.indent()
        width = self.width() - 2 * BLEED - left
        x = BLEED if self.right_to_left() else BLEED + left
        return QRect(x, self.lead, width, self.height() - self.lead)

    def right_to_left(self) -> bool:
        return False

    def paint_path(self, painter: QPainter) -> None:
        """Quote bars and the bullet or number."""
        x = BLEED
        for depth, container in enumerate(self.block.path):
            width = self.ink.px(_width(container))
            if container.quote:
                top = 0 if depth < self.bars else self.lead
                bar = QRect(x, top, 3, self.height() - top)
                painter.fillRect(self._mirrored(bar), self.ink.colours.line)
            elif container.marker:
                self._paint_marker(
                    painter, QRect(x, self.lead, width, self._first_line()), container
                )
            x += width

    def _first_line(self) -> int:
        return self.ink.line(Role.READING)

    def _mirrored(self, rect: QRect) -> QRect:
        if self.right_to_left():
            rect.moveLeft(self.width() - rect.right() - 1)
        return rect

    def _paint_marker(self, painter: QPainter, box: QRect, container: Container) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if container.checked is not None:
            self._paint_box(painter, self._mirrored(box), container.checked)
        elif container.marker in "•◦":
            self._paint_bullet(painter, self._mirrored(box), container.marker == "•")
        else:
            self._paint_number(painter, box, container.marker)

    def _paint_bullet(self, painter: QPainter, box: QRect, filled: bool) -> None:
        colour = self.ink.colours.text3
        centre = QPointF(box.center().x() - self.ink.px(2) + 0.5, box.center().y() + 0.5)
        painter.setPen(Qt.PenStyle.NoPen if filled else colour)
        painter.setBrush(colour if filled else Qt.BrushStyle.NoBrush)
        radius = self.ink.px(5) / 2
        painter.drawEllipse(centre, radius, radius)

    def _paint_number(self, painter: QPainter, box: QRect, number: str) -> None:
        box.setRight(box.right() - self.ink.px(5))
        box.setLeft(box.left() - BLEED)
        painter.setFont(self.ink.font(Role.READING))
        painter.setPen(self.ink.colours.text3)
        baseline = self._baseline()
        width = self.ink.metrics(Role.READING).horizontalAdvance(number)
        rect = self._mirrored(box)
        x = rect.left() if self.right_to_left() else rect.right() - width
        painter.drawText(QPointF(x, self.lead + baseline), number)

    def _baseline(self) -> float:
        metrics = self.ink.metrics(Role.READING)
        return (self._first_line() - metrics.height()) / 2 + metrics.ascent()

    def _paint_box(self, painter: QPainter, box: QRect, checked: bool) -> None:
        size = self.ink.px(14)
        colours = self.ink.colours
        square = QRectF(box.left() + 0.5, box.center().y() - size / 2 + 0.5, size, size)
        painter.setPen(colours.accent if checked else colours.line)
        painter.setBrush(colours.accent if checked else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(square, 4, 4)
        if checked:
            pen = painter.pen()
            pen.setColor(colours.on_accent)
            pen.setWidthF(1.75)
            painter.setPen(pen)
            x, y, u = square.x(), square.y(), size / 14
            tick = [QPointF(x + a * u, y + b * u) for a, b in ((3.5, 7.5), (6, 10), (10.5, 4.5))]
            painter.drawPolyline(tick)

    # The turn decides what a press, a move or a release means.

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.ignore()


def _width(container: Container) -> int:
    return _QUOTE if container.quote else _ITEM


class TextBlock(BlockWidget):
    """A paragraph or a heading."""

    def __init__(self, ink: Ink, block: Block, parent: QWidget) -> None:
        super().__init__(ink, block, parent)
        self._run = TextRun(ink, self._role())
        self._run.set_text(self._text())
        self.focused_number = -1
        self.setMouseTracking(True)

    def _role(self) -> Role:
        if isinstance(self.block, Heading):
            return self.ink.heading(self.block.level)
        return Role.QUOTE if self._is_quoted() else Role.READING

    def _text(self) -> Text:
        return cast("Heading | Paragraph", self.block).text

    def _is_quoted(self) -> bool:
        return any(container.quote for container in self.block.path)

    def _colour(self) -> QColor:
        return self.ink.colours.text2 if self._is_quoted() else self.ink.colours.text

    def _first_line(self) -> int:
        return self._run.line_height

    def right_to_left(self) -> bool:
        return self._run.right_to_left

    def fit(self, width: int) -> int:
        self._run.lay_out(max(40, width - self.indent()))
        self.update()
        return self._run.height

    def show_block(self, block: Block) -> int:
        same_path = block.path == self.block.path
        self.block = block
        from_y = self._run.replace(self._text())
        self.update(QRect(0, self.lead + int(from_y) if same_path else 0, self.width(), 1 << 20))
        return self._run.height

    def _origin(self) -> QPointF:
        return QPointF(self.content().topLeft())

    def position_at(self, point: QPoint) -> int:
        return self._run.position_at(QPointF(point) - self._origin())

    def link_at(self, point: QPoint) -> str:
        return self._run.link_at(QPointF(point) - self._origin())

    def links(self) -> list[tuple[int, int, str]]:
        return self._run.links

    def focus_link(self, number: int) -> None:
        """The keyboard stands on a link."""
        self.focused_number = number
        self.update()

    @property
    def focused_link(self) -> tuple[int, int, str] | None:
        links = self._run.links
        return links[self.focused_number] if 0 <= self.focused_number < len(links) else None

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: ARG002
        self.focus_link(-1)

    def end_point(self) -> QPoint:
        return (self._run.end_point() + self._origin()).toPoint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self.block.path:
            self.paint_path(painter)
        clip = QRectF(event.rect())
        self._run.draw(painter, self._origin(), clip, self._colour(), self.chosen)
        if link := self.focused_link:
            for rect in self._run.rects(link[0], link[1]):
                ring = rect.translated(self._origin()).adjusted(-3, 0, 3, 0)
                paint_ring(painter, ring, 6, self.ink.colours.focus)
        painter.end()


class RuleBlock(BlockWidget):
    """A line across the column."""

    def fit(self, width: int) -> int:  # noqa: ARG002
        return 1

    def show_block(self, block: Block) -> int:
        self.block = block
        self.update()
        return 1

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        self.paint_path(painter)
        painter.fillRect(self.content(), self.ink.colours.border)
        painter.end()
