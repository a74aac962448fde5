"""The lamp: a dot that says Snug is working here. It breathes, unless less movement is wished."""

import math
import time

from PySide6.QtCore import QObject, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from ui.theme.theme import Theme

_PERIOD_S = 1.2
_STEP_MS = 100
"""Ten small repaints a second: an answer is written at the same time, on the same cores."""


class Breath(QObject):
    """The rhythm that all lamps of a window share; runs only while somebody needs it."""

    ticked = Signal()

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._users: set[str] = set()
        self._timer = QTimer(self)
        self._timer.setInterval(_STEP_MS)
        self._timer.timeout.connect(self.ticked)

    def need(self, user: str, needed: bool) -> None:
        """`user` shows a lamp, or no longer does."""
        (self._users.add if needed else self._users.discard)(user)
        if not self._users or self._theme.still:
            self._timer.stop()
        elif not self._timer.isActive():
            self._timer.start()

    @property
    def strength(self) -> float:
        """From 0.45 to 1."""
        if not self._timer.isActive():
            return 1.0
        wave = math.cos(2 * math.pi * time.monotonic() / _PERIOD_S)
        return 0.725 + 0.275 * wave


def paint_lamp(
    painter: QPainter, centre: QPointF, size: float, theme: Theme, strength: float
) -> None:
    """A dot of `size` pixels around `centre`."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    fill = QColor(theme.colours.lamp)
    fill.setAlphaF(strength)
    painter.setPen(QPen(theme.colours.lamp_edge, 1.5))
    painter.setBrush(fill)
    painter.drawEllipse(centre, size / 2 - 0.75, size / 2 - 0.75)
    painter.restore()


class Lamp(QWidget):
    """The dot as a widget of its own; visible means working."""

    def __init__(self, theme: Theme, breath: Breath, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._breath = breath
        self.setObjectName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFixedSize(12, 12)
        breath.ticked.connect(self.update)
        self.hide()

    def set_working(self, working: bool) -> None:
        self.setVisible(working)
        self._breath.need(self.objectName(), working)

    def paintEvent(self, _event: object) -> None:
        painter = QPainter(self)
        paint_lamp(painter, QPointF(6, 6), 10, self._theme, self._breath.strength)
        painter.end()
