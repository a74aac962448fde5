"""Code: lines that do not wrap, painted only where they are seen. GUI thread.

Costs nothing per line that is off screen, so 100,000 lines are as quick as ten.
"""

from collections.abc import Iterator
from heapq import nlargest
from itertools import accumulate
from time import monotonic
from typing import cast

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QTextCharFormat, QTextLayout, QWheelEvent
from PySide6.QtWidgets import QWidget

from ui.chat import highlight, words
from ui.chat.frame import FramedBlock
from ui.chat.ink import Ink
from ui.chat.nodes import Block, Code
from ui.chat.pasteblock import is_paste
from ui.chat.plain import linear, units
from ui.chat.sidescroll import SideScroll
from ui.chat.textrun import Range, format_range
from ui.theme.fonts import Role

_LONGEST_LINE = 2000
"""Longer lines are broken for display; copying gives the line as it was."""
_STEP_S = 0.003
_UNBROKEN = 1e6
_KEPT_LAYOUTS = 300


def display_lines(text: str) -> list[str]:
    """Lines to paint, each with its line break if it has one."""
    lines = [line + "\n" for line in text.split("\n")]
    if max(map(len, lines)) > _LONGEST_LINE:
        lines = [
            line[i : i + _LONGEST_LINE]
            for line in lines
            for i in range(0, len(line), _LONGEST_LINE)
        ]
    lines[-1] = lines[-1].removesuffix("\n")
    return lines


class CodeBlock(FramedBlock):
    def __init__(self, ink: Ink, block: Code, parent: QWidget) -> None:
        super().__init__(ink, block, parent)
        self._lines = display_lines(linear(block))
        self._starts: list[int] | None = None
        self._widest = self._measure(self._lines)
        self._colours: dict[int, list[highlight.Piece]] = {}
        self._layouts: dict[int, QTextLayout] = {}
        self._lexing: Iterator[tuple[int, list[highlight.Piece]]] | None = None
        self._lexed_at = 0.0
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._lex_step)
        self._side = SideScroll(self, ink)
        self._formats = {k: self._format(k) for k in ("key", "str", "num", "com", "fn")}
        self.name()
        if block.label:
            self._timer.start(0)

    def takes(self, block: Block) -> bool:
        return isinstance(block, Code) and block.label == self._code().label and not is_paste(block)

    def _code(self) -> Code:
        return cast("Code", self.block)

    def label(self) -> str:
        return highlight.plain_label(self._code().label) or words.code_label()

    def head_height(self) -> int:
        return super().head_height() if len(self._lines) > 1 else 0

    def _measure(self, lines: list[str]) -> float:
        """Width of the widest line; only those longest in characters or bytes are measured."""
        metrics = self.ink.metrics(Role.CODE)
        longest = nlargest(4, lines, key=len)
        if not all(map(str.isascii, lines)):
            longest += nlargest(4, lines, key=lambda line: len(line.encode()))
        tab = "    "
        return max(metrics.horizontalAdvance(x.rstrip("\n").replace("\t", tab)) for x in longest)

    # --- size ---------------------------------------------------------------------------------

    def fit(self, width: int) -> int:
        inner = width - self.indent() - 30
        if len(self._lines) == 1:
            inner -= self.copy_button.width()
        self._side.set_widths(round(self._widest), inner)
        self.update()
        return self._height()

    def _height(self) -> int:
        if len(self._lines) == 1:
            return max(44, self._line() + 22) + self._side.height
        return self.head_height() + 24 + len(self._lines) * self._line() + self._side.height

    def _line(self) -> int:
        return self.ink.line(Role.CODE)

    def body(self) -> QRect:
        box = super().body()
        if len(self._lines) == 1:
            box.setTop(
                self.content().top() + (self._height() - self._side.height - self._line()) // 2
            )
            box.setRight(box.right() - self.copy_button.width())
        return box

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)
        box = self.content()
        self._side.place(box.left() + 8, box.bottom(), box.width() - 16)

    # --- growing ------------------------------------------------------------------------------

    def show_block(self, block: Block) -> int:
        old, self.block = linear(self.block), block
        new = linear(block)
        first = len(self._lines) - 1
        if new.startswith(old) and (first or "\n" not in new):
            at = new.rfind("\n", 0, len(old)) + 1
            while first and not self._lines[first - 1].endswith("\n"):
                first -= 1
            fresh = display_lines(new[at:])
            self._lines[first:] = fresh
            self._widest = max(self._widest, self._measure(fresh))
        else:
            first, self._lines = 0, display_lines(new)
            self._widest = self._measure(self._lines)
            self._colours.clear()
        self._changed(first)
        return self.fit_again()

    def fit_again(self) -> int:
        inner = self.body().width()
        self._side.set_widths(round(self._widest), inner)
        return self._height()

    def _changed(self, first: int) -> None:
        """Lines from `first` on are new."""
        self._starts = None
        for index in [i for i in self._layouts if i >= first]:
            del self._layouts[index]
        label = self._code().label
        for index in range(first, min(len(self._lines), first + 4) if label else first):
            self._colours[index] = highlight.pieces_of_line(label, self._lines[index].rstrip("\n"))
        top = self.body().top() + first * self._line() if first else 0
        self.update(QRect(0, top, self.width(), 1 << 20))
        if label and not self._timer.isActive() and self._lexing is None:
            self._timer.start(max(0, round((self._lexed_at - monotonic()) * 1000)))

    # --- colours ------------------------------------------------------------------------------

    def _format(self, kind: str) -> QTextCharFormat:
        made = QTextCharFormat()
        made.setForeground(self.ink.code_colour(kind))
        return made

    def _lex_step(self) -> None:
        """A few milliseconds of lexing; then again, until all lines have their colours."""
        if self._lexing is None:
            if max(map(len, self._lines)) >= _LONGEST_LINE:
                return  # lines on screen are not those of the source
            self._lexing = highlight.pieces_by_line(self._code().label, linear(self.block))
        end = monotonic() + _STEP_S
        for index, pieces in self._lexing:
            self._colour(index, pieces)
            if monotonic() > end:
                self._timer.start(5)
                return
        self._lexing = None
        self._lexed_at = monotonic() + max(1.0, len(self._lines) / 100)

    def _colour(self, index: int, pieces: list[highlight.Piece]) -> None:
        if index < len(self._lines) and self._colours.get(index) != pieces:
            self._colours[index] = pieces
            self._layouts.pop(index, None)
            y = self.body().top() + index * self._line()
            self.update(0, y, self.width(), self._line())

    # --- text ---------------------------------------------------------------------------------

    def _layout(self, index: int) -> QTextLayout:
        found = self._layouts.get(index)
        if found is None:
            if len(self._layouts) > _KEPT_LAYOUTS:
                self._layouts.clear()
            found = self._layouts[index] = self._lay_out(index)
        return found

    def _lay_out(self, index: int) -> QTextLayout:
        text = self._lines[index].rstrip("\n")
        made = QTextLayout(text, self.ink.font(Role.CODE))
        option = made.textOption()
        option.setWrapMode(option.WrapMode.NoWrap)
        option.setTabStopDistance(4 * self.ink.mono_width)
        made.setTextOption(option)
        made.setFormats(
            [
                format_range(units(text[:a]), units(text[:b]), self._formats[kind])
                for a, b, kind in self._colours.get(index, ())
            ]
        )
        made.beginLayout()
        line = made.createLine()
        line.setLineWidth(_UNBROKEN)
        metrics = self.ink.metrics(Role.CODE)
        baseline = (self._line() - metrics.height()) / 2 + metrics.ascent()
        line.setPosition(QPointF(0, baseline - line.ascent()))
        made.endLayout()
        return made

    def _line_starts(self) -> list[int]:
        if self._starts is None:
            self._starts = list(accumulate((units(line) for line in self._lines), initial=0))
        return self._starts

    def position_at(self, point: QPoint) -> int:
        body = self.body()
        index = max(0, min((point.y() - body.top()) // self._line(), len(self._lines) - 1))
        line = self._layout(index).lineAt(0)
        return self._line_starts()[index] + line.xToCursor(
            float(point.x() - body.left() + self._side.offset)
        )

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._side.wheel(event)

    def scroll_sideways(self, pixels: int) -> bool:
        return self._side.step(pixels)

    def end_point(self) -> QPoint | None:
        return None

    # --- painting -----------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.paint_path(painter)
        self.paint_frame(painter)
        body, clip = self.body(), event.rect()
        painter.setClipRect(body.adjusted(-8, -8, 8, 8))
        painter.setPen(self.ink.colours.text)
        first = max(0, (clip.top() - body.top()) // self._line())
        last = min(len(self._lines), (clip.bottom() - body.top()) // self._line() + 1)
        for index in range(first, last):
            self._paint_line(painter, body, index)
        painter.end()

    def _paint_line(self, painter: QPainter, body: QRect, index: int) -> None:
        at = QPointF(body.left() - self._side.offset, body.top() + index * self._line())
        chosen = self._chosen_in(index) if self.chosen else None
        ranges = [format_range(*chosen, self.ink.selection())] if chosen else []
        self._layout(index).draw(painter, at, ranges, QRectF())

    def _chosen_in(self, index: int) -> Range | None:
        if self.chosen is None:
            return None
        starts = self._line_starts()
        start, end = (x - starts[index] for x in self.chosen)
        end = min(end, units(self._lines[index].rstrip("\n")))
        return (max(0, start), end) if max(0, start) < end else None
