"""What the dialog for another computer is made of: a note on a soft ground, a field, its label."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QSizePolicy, QWidget

from ui.theme.dialog import words
from ui.theme.direction import margins
from ui.theme.fonts import Role
from ui.theme.icons import icon
from ui.theme.theme import Theme

_ICONS = {"info": "info", "warn": "triangle-alert", "bad": "circle-alert"}
_ICON = 18
_PADDING = 12
_LEAD = _PADDING + _ICON + 10


class Note(QWidget):
    """One or two sentences that must not be overlooked, with their sign."""

    def __init__(self, theme: Theme, name: str, tone: str) -> None:
        super().__init__()
        self._theme = theme
        self._tone = tone
        self.setObjectName(name)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._words = words(theme, "", Role.SECOND, theme.colours.text)
        line = QHBoxLayout(self)
        line.setContentsMargins(margins(_LEAD, 10, _PADDING, 10))
        line.addWidget(self._words)

    @property
    def text(self) -> str:
        return self._words.text()

    def say(self, text: str, tone: str) -> None:
        self._tone = tone
        self._words.setText(text)
        self.setAccessibleName(text)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        c = self._theme.colours
        ink = getattr(c, self._tone)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(QPen(ink if self._theme.high_contrast else getattr(c, f"{self._tone}_soft")))
        painter.setBrush(getattr(c, f"{self._tone}_soft"))
        painter.drawRoundedRect(box, 9, 9)
        sign = icon(_ICONS[self._tone], ink, _ICON, self.devicePixelRatioF())
        x = self.width() - _PADDING - _ICON if self.isRightToLeft() else _PADDING
        first_line = self._words.y() + self._words.fontMetrics().height() // 2
        painter.drawPixmap(x, max(10, first_line - _ICON // 2), sign)
        painter.end()


def field(theme: Theme, name: str, label: str) -> QLineEdit:
    made = QLineEdit()
    made.setObjectName(name)
    made.setAccessibleName(label)
    made.setFont(theme.font(Role.CONTROL))
    made.setMinimumHeight(theme.px(36))
    return made


def label(theme: Theme, text: str, of: QWidget) -> QLabel:
    """Named text above a field."""
    made = words(theme, text, Role.CELL_HEAD)
    made.setBuddy(of)
    return made
