"""Blocks in a frame with a head: label on one side, Copy on the other. GUI thread."""

from PySide6.QtCore import QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QWidget

from ui.chat import words
from ui.chat.blocks import BlockWidget
from ui.chat.buttons import Button
from ui.chat.ink import Ink
from ui.chat.nodes import Block
from ui.chat.plain import linear
from ui.theme.fonts import Role

RADIUS = 10
_COPIED_MS = 2000


class FramedBlock(BlockWidget):
    """A sunken frame. Without a head (`head_height` 0) Copy stands beside the only line."""

    def __init__(self, ink: Ink, block: Block, parent: QWidget) -> None:
        super().__init__(ink, block, parent)
        self.copy_button = Button(ink, self, image="copy", word=words.copy())
        self.copy_button.name("copyCode", words.copy_code())
        self.copy_button.clicked.connect(self._copy)
        self._back = QTimer(self, singleShot=True, interval=_COPIED_MS)
        self._back.timeout.connect(self._rest)

    def label(self) -> str:
        raise NotImplementedError

    def head_height(self) -> int:
        return self.ink.px(36)

    def name(self) -> None:
        self.setAccessibleName(words.code(self.label()))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(linear(self.block))
        self.copy_button.show_as("check", words.copied())
        self.place_button()
        self._back.start()

    def _rest(self) -> None:
        self.copy_button.show_as("copy", words.copy())
        self.place_button()

    def place_button(self) -> None:
        box = self.content()
        size = self.copy_button.size()
        height = self.head_height() or box.height()
        x = box.right() + 1 - size.width() - 6
        self.copy_button.move(x, box.top() + (height - size.height()) // 2)

    def resizeEvent(self, event: object) -> None:  # noqa: ARG002
        self.place_button()

    def body(self) -> QRect:
        """Where the code or text stands."""
        box = self.content()
        return box.adjusted(15, self.head_height() + 12, -15, -12)

    def paint_frame(self, painter: QPainter) -> None:
        """Frame, fill, head line and label."""
        colours, box = self.ink.colours, QRectF(self.content())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colours.border, 1))
        painter.setBrush(colours.sunken)
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        if self.head_height():
            y = box.top() + self.head_height()
            painter.fillRect(QRectF(box.left() + 1, y, box.width() - 2, 1), colours.border)
            painter.setPen(colours.text2)
            painter.setFont(self.ink.font(Role.SECOND))
            room = QRectF(box.left() + 15, box.top(), box.width() - 130, self.head_height())
            label = self.ink.metrics(Role.SECOND).elidedText(
                self.label(), Qt.TextElideMode.ElideRight, room.width()
            )
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, label)


def clip_inside(painter: QPainter, box: QRect) -> None:
    """Nothing is painted beyond the rounded frame `box`."""
    path = QPainterPath()
    path.addRoundedRect(QRectF(box).adjusted(1, 1, -1, -1), RADIUS - 1, RADIUS - 1)
    painter.setClipPath(path, Qt.ClipOperation.IntersectClip)
