"""The calm line under the header while a model takes its time to load, with a way to cancel.

It shows a `ModelNow`; a load that is quick never shows. GUI thread.
"""

import math
import time
from collections.abc import Callable
from typing import assert_never

from PySide6.QtCore import QCoreApplication, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from engine.types.models import LoadStage
from ui.models.now import ModelNow, Phase
from ui.models.patience import Patience, stopping_words
from ui.plan_words import joined, short_name
from ui.theme.buttons import TextButton
from ui.theme.direction import margins
from ui.theme.fonts import Role
from ui.theme.lamp import Breath, Lamp
from ui.theme.theme import Theme

translate = QCoreApplication.translate

APPEARS_AFTER_MS = 800
_BAR = 3
_TICK_MS = 1000
_LEAST_FRACTION = 0.1
_LEAST_S = 1.0
_WHOLE = 100
_STEP_S = 5
_MINUTE_S = 60
_WORSE = 1.5
"""How much longer it must take than was said until more is said again."""


def seconds_left(elapsed_s: float, fraction: float) -> float | None:
    """How long the rest may take, if enough has happened to tell."""
    if fraction < _LEAST_FRACTION or elapsed_s < _LEAST_S:
        return None
    return elapsed_s * (1 - fraction) / fraction


def left_words(left_s: float) -> str:
    """The sentence, with {model} still in it."""
    if left_s > 1.5 * _MINUTE_S:
        words = translate("Loading", "Getting {model} ready… about {n} minutes.")
        return words.replace("{n}", str(round(left_s / _MINUTE_S)))
    if left_s > _MINUTE_S:
        return translate("Loading", "Getting {model} ready… about one minute.")
    steps = max(1, math.ceil(left_s / _STEP_S))
    words = translate("Loading", "Getting {model} ready… about {n} seconds.")
    return words.replace("{n}", str(steps * _STEP_S))


class TimeLeft:
    """Counts down to an end that progress makes known; goes up only if it was far too hopeful."""

    def __init__(self, now_s: float) -> None:
        self._began_s = now_s
        self._end_s: float | None = None

    def progressed(self, now_s: float, fraction: float) -> None:
        left_s = seconds_left(now_s - self._began_s, fraction)
        if left_s is None:
            return
        said_s = self.at(now_s)
        if said_s is None or left_s < said_s or left_s > _WORSE * said_s + _STEP_S:
            self._end_s = now_s + left_s

    def at(self, now_s: float) -> float | None:
        return None if self._end_s is None else max(0.0, self._end_s - now_s)


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
    stopping_changed = Signal()

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
        self._left = TimeLeft(clock())
        self._stopping = False
        self._patience = Patience(self, self._say_it_is_lost)
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
        self._tick = QTimer(self)
        self._tick.setInterval(_TICK_MS)
        self._tick.timeout.connect(self._say)
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
            self._end()
            return
        if was.phase is not Phase.LOADING or was.name != now.name:
            self._wait.start()
        if was.stage is not now.stage or was.phase is not Phase.LOADING:
            self._left = TimeLeft(self._clock())
        if now.stage is LoadStage.LOADING:
            self._left.progressed(self._clock(), now.fraction)
        if self.isVisible():
            self._say()

    def say_stopping(self) -> None:
        """A person has cancelled; it may take a moment until the engine hears of it."""
        if self._now.phase is not Phase.LOADING or self._stopping:
            return
        self._stopping = True
        self.cancel.setEnabled(False)
        self._patience.begin()
        self._say()
        self.stopping_changed.emit()

    @property
    def stopping(self) -> str:
        """What there is to say of a load that was cancelled, "" without one."""
        return stopping_words(lost=self._patience.lost) if self._stopping else ""

    def _say_it_is_lost(self) -> None:
        self._say()
        self._announce(self.stopping)
        self.stopping_changed.emit()

    def _end(self) -> None:
        self._wait.stop()
        self._tick.stop()
        self._patience.end()
        self.cancel.setEnabled(True)
        self._lamp.set_working(False)
        self.hide()
        if self._stopping:
            self._stopping = False
            self.stopping_changed.emit()

    def _appear(self) -> None:
        self._lamp.set_working(True)
        self._tick.start()
        self.show()
        self._say()
        self._announce(self._words.text())

    def _say(self) -> None:
        words = self._words_now()
        if words != self._words.text():
            self._words.setText(words)
            self.setAccessibleName(words)
            self.update()

    def _words_now(self) -> str:
        if self._stopping:
            return self.stopping
        return joined(self._ready_words(), stage_words(self._now))

    def _ready_words(self) -> str:
        left_s = self._left.at(self._clock())
        ready = translate("Loading", "Getting {model} ready…")
        words = ready if left_s is None else left_words(left_s)
        return words.replace("{model}", short_name(self._now.name))

    def _restyle(self) -> None:
        self._words.setFont(self._theme.font(Role.SECOND))
        palette = self._words.palette()
        palette.setColor(palette.ColorRole.WindowText, self._theme.colours.text2)
        self._words.setPalette(palette)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self._theme.px(44) + self._bar)

    @property
    def _bar(self) -> int:
        """With its border, in high contrast."""
        return _BAR + 2 if self._theme.high_contrast else _BAR

    def paintEvent(self, _event: QPaintEvent) -> None:
        c = self._theme.colours
        painter = QPainter(self)
        painter.fillRect(self.rect(), c.window)
        bar = QRectF(0, self.height() - self._bar, self.width(), self._bar)
        whole = bar.adjusted(0.5, 0.5, -0.5, -0.5)
        painter.fillRect(bar, c.slot)
        done = bar.width() * (self._now.percent or 0) / _WHOLE
        if self.isRightToLeft():
            bar.setLeft(bar.right() - done)
        else:
            bar.setWidth(done)
        painter.fillRect(bar, c.accent)
        if self._theme.high_contrast:
            painter.setPen(c.border)
            painter.drawRect(whole)
        painter.end()
