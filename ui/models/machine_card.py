"""What this computer has for models: its memory, and how much of that Snug uses and may use.

It shows a `MemoryNow`. GUI thread.
"""

import math

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.memory import MemoryNow
from ui.models.row_parts import ElidedLabel
from ui.theme.dialog import words
from ui.theme.direction import margins
from ui.theme.fonts import Role
from ui.theme.icons import icon
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_GB = 2**30
_ROUNDING = 1e-6
_ICON = 28
_BAR_WIDTH = 232
_BAR_HEIGHT = 16


def _about(size_bytes: int) -> str:
    """Rounded down: whole GB, below 10 with one digit, below 1 in MB."""
    size = size_bytes / _GB
    if size >= 10:
        return f"{math.floor(size)} GB"
    if size >= 1:
        return f"{math.floor(size * 10 + _ROUNDING) / 10:.1f}".removesuffix(".0") + " GB"
    return f"{size_bytes // 2**20 // 10 * 10} MB"


def total_words(memory: MemoryNow) -> str:
    total = math.ceil(memory.total_bytes / _GB - 0.25)  # firmware keeps a little for itself
    return translate("Machine", "This computer has {a} GB of memory").format(a=total)


def usable_words(memory: MemoryNow) -> str:
    words = translate(
        "Machine",
        "Snug can use about {a} of it right now. Your other programs have the rest.",
    )
    return words.format(a=_about(memory.usable_bytes))


def used_words(memory: MemoryNow) -> str:
    if memory.used_bytes <= 0:
        return translate("Machine", "Snug uses none now")
    return translate("Machine", "{a} used by Snug").format(a=_about(memory.used_bytes))


class MemoryBar(QWidget):
    """Used by Snug, of what it may use."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._part = 0.0
        self.setObjectName("memoryBar")
        self.setFixedHeight(_BAR_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_part(self, part: float, label: str) -> None:
        self._part = max(0.0, min(1.0, part))
        self.setAccessibleName(label)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        c = self._theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect())
        edge = self._theme.high_contrast
        painter.setPen(QPen(c.border, 1) if edge else Qt.PenStyle.NoPen)
        painter.setBrush(c.slot)
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5) if edge else box, 8, 8)
        if self._part > 0:
            width = max(12.0, (box.width() - 4) * self._part)
            left = box.right() - 2 - width if self.isRightToLeft() else box.left() + 2
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(c.accent)
            painter.drawRoundedRect(QRectF(left, 2, width, box.height() - 4), 6, 6)
        painter.end()


class MachineCard(QWidget):
    """With little room the bar stands below the words."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName("machineCard")
        self._title = words(theme, "", Role.HEADING)
        self._line = words(theme, "", Role.SECOND, theme.colours.text2)
        self._used = ElidedLabel(theme, Role.CAPTION, "text2")
        self._left = ElidedLabel(theme, Role.CAPTION, "text2")
        self._bar = MemoryBar(theme)
        self._bar_box = QWidget()
        self._line_up = QHBoxLayout(self)
        self._lay_out()
        theme.changed.connect(self._restyle)
        self._restyle()
        self.hide()

    def _lay_out(self) -> None:
        text = QVBoxLayout()
        text.setSpacing(1)
        text.addStretch(1)
        text.addWidget(self._title)
        text.addWidget(self._line)
        text.addStretch(1)
        labels = QHBoxLayout()
        labels.setSpacing(8)
        labels.addWidget(self._used)
        labels.addWidget(self._left)
        column = QVBoxLayout(self._bar_box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addStretch(1)
        column.addLayout(labels)
        column.addWidget(self._bar)
        column.addStretch(1)
        self._line_up.setContentsMargins(margins(61, 14, 21, 14))
        self._line_up.setSpacing(20)
        self._line_up.addLayout(text, 1)
        self._line_up.addWidget(self._bar_box)

    def show_memory(self, memory: MemoryNow) -> None:
        self._title.setText(total_words(memory))
        self._line.setText(usable_words(memory))
        used = used_words(memory)
        left = translate("Machine", "{a} left").format(a=_about(memory.left_bytes))
        self._used.say(used)
        self._left.say(left, at_end=True)
        part = memory.used_bytes / memory.usable_bytes if memory.usable_bytes else 0.0
        self._bar.show_part(part, f"{used}, {left}")
        self.setAccessibleName(self._title.text())
        self.setAccessibleDescription(self._line.text())
        self.show()

    def set_narrow(self, *, narrow: bool) -> None:
        down = QBoxLayout.Direction.TopToBottom
        beside = QBoxLayout.Direction.LeftToRight
        self._line_up.setDirection(down if narrow else beside)
        self._line_up.setSpacing(12 if narrow else 20)
        if narrow:
            self._bar_box.setMinimumWidth(0)
            self._bar_box.setMaximumWidth(16_777_215)
        else:
            self._bar_box.setFixedWidth(self._theme.px(_BAR_WIDTH))

    def _restyle(self) -> None:
        theme = self._theme
        for label, role, ink in (
            (self._title, Role.HEADING, theme.colours.text),
            (self._line, Role.SECOND, theme.colours.text2),
        ):
            label.setFont(theme.font(role))
            palette = label.palette()
            palette.setColor(palette.ColorRole.WindowText, ink)
            label.setPalette(palette)
        self.setMinimumHeight(theme.px(76))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        c = self._theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = self._theme.high_contrast
        painter.setPen(QPen(c.border, 1) if edge else Qt.PenStyle.NoPen)
        painter.setBrush(c.sunken)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(box, 12, 12)
        pixmap = icon("laptop", c.text2, _ICON, self.devicePixelRatioF())
        x = self.width() - 19 - _ICON if self.isRightToLeft() else 19
        words_at = self._title.geometry().united(self._line.geometry()).center().y()
        painter.drawPixmap(QPointF(x, round(words_at - _ICON / 2)), pixmap)
        painter.end()
