"""What the person said: plain text in a bubble at the far side. GUI thread."""

from typing import cast

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from ui.chat.blocks import BLEED, BlockWidget
from ui.chat.ink import Ink
from ui.chat.nodes import Block, Said
from ui.chat.textrun import TextRun

_RADIUS = 16
_SIDE = 16
_EDGE = 10
_WIDEST = 600


class Bubble(BlockWidget):
    """One piece of a message. A long message is several, which look like one bubble."""

    def __init__(self, ink: Ink, block: Said, parent: QWidget) -> None:
        super().__init__(ink, block, parent)
        self._run = TextRun(ink)
        self._run.set_text(block.text)
        self._bubble_width = 0

    def _said(self) -> Said:
        return cast("Said", self.block)

    def fit(self, width: int) -> int:
        widest = min(max(_WIDEST, self.ink.px(_WIDEST)), width * 4 // 5)
        self._run.lay_out(widest - 2 * _SIDE)
        whole = self._said().last and self._said().joint is None
        natural = int(self._run.natural_width) + 1 + 2 * _SIDE
        self._bubble_width = min(widest, natural) if whole else widest
        if self._run.right_to_left:
            self._run.lay_out(self._bubble_width - 2 * _SIDE)
        self.update()
        return self._run.height + self._edge_above() + (_EDGE + 2 if self._said().last else 0)

    def _edge_above(self) -> int:
        return _EDGE if self._said().joint is None else 0

    def show_block(self, block: Block) -> int:
        self.block = block
        self._run.set_text(self._said().text)
        return self.fit(self.width() - 2 * BLEED)

    def box(self) -> QRect:
        """The bubble within the widget."""
        right = self.width() - BLEED
        if self.isRightToLeft():
            right = BLEED + self._bubble_width
        return QRect(right - self._bubble_width, 0, self._bubble_width, self.height())

    def _origin(self) -> QPointF:
        return QPointF(self.box().left() + _SIDE, self._edge_above())

    def position_at(self, point: QPoint) -> int:
        return self._run.position_at(QPointF(point) - self._origin())

    def _shape(self) -> QPainterPath:
        """Round where the message begins and ends, straight where a piece meets the next."""
        box = QRectF(self.box())
        if self.ink.contrast:
            box.adjust(0.5, 0.5, -0.5, -0.5)
        if self._said().joint is not None:
            box.setTop(box.top() - 2 * _RADIUS)
        if not self._said().last:
            box.setBottom(box.bottom() + 2 * _RADIUS)
        path = QPainterPath()
        path.addRoundedRect(box, _RADIUS, _RADIUS)
        return path

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = self.ink.colours
        painter.setPen(QPen(colours.border, 1) if self.ink.contrast else Qt.PenStyle.NoPen)
        painter.setBrush(colours.bubble)
        painter.drawPath(self._shape())
        self._run.draw(painter, self._origin(), QRectF(event.rect()), colours.text, self.chosen)
        painter.end()
