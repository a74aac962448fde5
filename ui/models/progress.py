"""The calm line under the header while a model takes its time to load, with a way to cancel.

It shows a `ModelNow`; a load that is quick never shows. GUI thread.
"""

import time
from collections.abc import Callable
from typing import assert_never

from PySide6.QtCore import QCoreApplication, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from engine.types.models import LoadStage
from ui.models.now import ModelNow, Phase
from ui.plan_words import joined
from ui.theme.buttons import TextButton
from ui.theme.direction import margins
from ui.theme.fonts import Role
from ui.theme.lamp import Breath, Lamp
from ui.theme.theme import Theme

translate = QCoreApplication.translate

APPEARS_AFTER_MS = 800
_BAR = 3
_LEAST_FRACTION = 0.1
_LEAST_S = 1.0
_WHOLE = 100


def seconds_left(elapsed_s: float, fraction: float) -> int | None:
    """How long the rest may take, if enough has happened to tell."""
    if fraction < _LEAST_FRACTION or elapsed_s < _LEAST_S:
        return None
    return max(1, round(elapsed_s * (1 - fraction) / fraction))


def stage_words(now: ModelNow) -> str:
    match now.stage:
        case LoadStage.CHECKING:
            return translate("Loading", "Checking…")
        case LoadStage.REHEARSING:
            return translate("Loading", "Trying it out first…")
        case LoadStage.LOADING:
            words = translate("Loading", "Loading…")
            return words if now.percent is None else f"{words} {now.percent}%"
        case _:
            assert_never(now.stage)


class LoadingLine(QWidget):
    """Shows itself when a load has lasted a while, and goes when it is over."""

    cancel_wished = Signal()

    def __init__(
        self,
        theme: Theme,
        breath: Breath,
        announce: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self._theme = theme
        self._announce = announce
        self._clock = clock
        self._now = ModelNow()
        self._began_s = 0.0
        self.setObjectName("loadingLine")
        self._lamp = Lamp(theme, breath, "loadingLamp", self)
        self._words = QLabel()
        self._words.setObjectName("loadingText")
        self._words.setTextFormat(Qt.TextFormat.PlainText)
        self._words.setWordWrap(True)
        self._words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.cancel = TextButton(theme, "loadingCancel", translate("Loading", "Cancel"), "quiet")
        self.cancel.describe(translate("Loading", "Cancel loading"), "Esc")
        self.cancel.clicked.connect(self.cancel_wished)
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(APPEARS_AFTER_MS)
        self._wait.timeout.connect(self._appear)
        self._lay_out()
        theme.changed.connect(self._restyle)
        self._restyle()
        self.hide()

    def _lay_out(self) -> None:
        line = QHBoxLayout(self)
        line.setContentsMargins(margins(24, 4, 12, 4 + _BAR))
        line.setSpacing(12)
        line.addWidget(self._lamp)
        line.addWidget(self._words, 1)
        line.addWidget(self.cancel)

    def show_now(self, now: ModelNow) -> None:
        was, self._now = self._now, now
        if now.phase is not Phase.LOADING:
            self._wait.stop()
            self._lamp.set_working(False)
            self.hide()
            return
        if was.phase is not Phase.LOADING or was.name != now.name:
            self._wait.start()
        if was.stage is not now.stage or was.phase is not Phase.LOADING:
            self._began_s = self._clock()
        if self.isVisible():
            self._say()

    def _appear(self) -> None:
        self._lamp.set_working(True)
        self.show()
        self._say()
        self._announce(self._words.text())

    def _say(self) -> None:
        words = joined(self._ready_words(), stage_words(self._now))
        if words != self._words.text():
            self._words.setText(words)
            self.setAccessibleName(words)
            self.update()

    def _ready_words(self) -> str:
        left = None
        if self._now.stage is LoadStage.LOADING:
            left = seconds_left(self._clock() - self._began_s, self._now.fraction)
        if left is None:
            words = translate("Loading", "Getting {model} ready…")
        elif left == 1:
            words = translate("Loading", "Getting {model} ready… about one second.")
        else:
            words = translate("Loading", "Getting {model} ready… about {n} seconds.")
        return words.format(model=self._now.name, n=left)

    def _restyle(self) -> None:
        self._words.setFont(self._theme.font(Role.SECOND))
        palette = self._words.palette()
        palette.setColor(palette.ColorRole.WindowText, self._theme.colours.text2)
        self._words.setPalette(palette)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self._theme.px(44) + _BAR)

    def paintEvent(self, _event: QPaintEvent) -> None:
        c = self._theme.colours
        painter = QPainter(self)
        painter.fillRect(self.rect(), c.window)
        bar = QRectF(0, self.height() - _BAR, self.width(), _BAR)
        painter.fillRect(bar, c.border if self._theme.high_contrast else c.slot)
        done = bar.width() * (self._now.percent or 0) / _WHOLE
        if self.isRightToLeft():
            bar.setLeft(bar.right() - done)
        else:
            bar.setWidth(done)
        painter.fillRect(bar, c.accent)
        painter.end()
