"""Text that is meant to be pasted elsewhere: a letter, an e-mail. Wrapped, in the reading font."""

from typing import cast

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from ui.chat import words
from ui.chat.frame import FramedBlock
from ui.chat.ink import Ink
from ui.chat.nodes import Block, Code, Text
from ui.chat.plain import linear
from ui.chat.textrun import TextRun

LABELS = {"message", "email", "e-mail", "mail", "letter"}
LONGEST = 8000
"""Longer ones are shown as code, which needs no layout off screen."""


def is_paste(block: Code) -> bool:
    return block.label.lower() in LABELS and len(block.text) <= LONGEST


class PasteBlock(FramedBlock):
    def __init__(self, ink: Ink, block: Code, parent: QWidget) -> None:
        super().__init__(ink, block, parent)
        self._run = TextRun(ink)
        self._run.set_text(Text(linear(block)))
        self.name()

    def label(self) -> str:
        known = {"message": words.message_label()}
        label = cast("Code", self.block).label.lower()
        return known.get(label, label.capitalize())

    def takes(self, block: Block) -> bool:
        return isinstance(block, Code) and is_paste(block)

    def _height(self) -> int:
        return self.head_height() + 24 + self._run.height

    def fit(self, width: int) -> int:
        self._run.lay_out(max(40, width - self.indent() - 30))
        self.update()
        return self._height()

    def show_block(self, block: Block) -> int:
        self.block = block
        top = int(self._run.replace(Text(linear(block))))
        self.update(QRect(0, self.body().top() + top, self.width(), 1 << 20))
        return self._height()

    def position_at(self, point: QPoint) -> int:
        return self._run.position_at(QPointF(point - self.body().topLeft()))

    def end_point(self) -> QPoint:
        return (self._run.end_point() + QPointF(self.body().topLeft())).toPoint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.paint_path(painter)
        self.paint_frame(painter)
        at = QPointF(self.body().topLeft())
        self._run.draw(painter, at, QRectF(event.rect()), self.ink.colours.text, self.chosen)
        painter.end()
