"""Collects Python's garbage on the GUI thread, and nowhere else.

Python collects cycles on whichever thread happens to allocate. If a widget or timer is in one, its
C++ half would be destroyed there, and Qt dies of that. So the automatic collector is off from
before the window until the end, and a timer of the GUI thread does its work: the young often,
which takes less than a millisecond; the old rarely. What was there at the start is set aside for
good, so that even a full collection stays short.
"""

import gc

from PySide6.QtCore import QObject, Qt, QTimer

_EVERY_MS = 2_000
_YOUNG = 1
_OLD = 2
_OLD_EVERY = 30
"""So a full collection comes once a minute."""


class Litter(QObject):
    """Begins with `begin`, once the services are there; ends with its parent or with `end`."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._turns = 0
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.VeryCoarseTimer)
        self._timer.timeout.connect(self.collect)

    def begin(self) -> None:
        gc.disable()
        gc.freeze()  # uncollected: that would take 50 ms now, to win next to nothing
        self._timer.start(_EVERY_MS)

    def collect(self) -> None:
        self._turns += 1
        gc.collect(_OLD if self._turns % _OLD_EVERY == 0 else _YOUNG)

    def end(self) -> None:
        self._timer.stop()
        gc.unfreeze()
        gc.enable()
