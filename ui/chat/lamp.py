"""The lamp dot that breathes after the last word while Snug writes. GUI thread."""

from math import cos, pi

from PySide6.QtCore import QElapsedTimer, QEvent, QPointF, Qt, QTimer
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import QWidget

from ui.chat.ink import Ink

SIZE = 14
_PERIOD_MS = 1200
_STEP_MS = 100


class LampDot(QWidget):
    """12 px wide; opaque, so that a breath repaints nothing behind it, and only while seen."""

    def __init__(self, ink: Ink, parent: QWidget) -> None:
        super().__init__(parent)
        self._ink = ink
        self._clock = QElapsedTimer()
        self._clock.start()
        self._timer = QTimer(self, interval=_STEP_MS)
        self._timer.timeout.connect(self.update)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.resize(SIZE, SIZE)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: ARG002
        self._timer.start()

    def hideEvent(self, event: QHideEvent | QEvent) -> None:  # noqa: ARG002
        self._timer.stop()

    def _light(self) -> float:
        """45 to 100 %."""
        phase = (self._clock.elapsed() % _PERIOD_MS) / _PERIOD_MS
        return 0.725 + 0.275 * cos(2 * pi * phase)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._ink.colours.window)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(self._light())
        painter.setBrush(self._ink.colours.lamp)
        painter.setPen(QPen(self._ink.colours.lamp_edge, 1.5))
        painter.drawEllipse(QPointF(SIZE / 2, SIZE / 2), 5.25, 5.25)
        painter.end()
