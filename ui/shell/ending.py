"""The end of the program, in any state, within three seconds.

The window is hidden at once; replies are stopped and stored on a thread of their own, so that
the GUI thread never waits for the engine.
"""

import os
import signal
import sys
from collections.abc import Callable
from threading import Thread

from PySide6.QtCore import QObject, QSocketNotifier, QTimer, Signal

_ENGINE_S = 2.0
_ALL_MS = 2600
"""When this has passed, the process ends whatever is still busy. What was stored is stored."""


class Ending(QObject):
    """`begin` may be called from every side; it ends things once."""

    over = Signal()

    def __init__(self, close: Callable[[float], bool]) -> None:
        super().__init__()
        self._close = close
        self._thread: Thread | None = None
        self.clean = False
        """Everything ended by itself; else the process must not wait for its threads."""

    def begin(self) -> None:
        if self._thread is None:
            QTimer.singleShot(_ALL_MS, self.over.emit)
            self._thread = Thread(target=self._end, name="snug-end", daemon=True)
            self._thread.start()

    def wait(self) -> None:
        """After the event loop: a thread that is still within Qt when Python ends would take the
        process down with it."""
        if self.clean and self._thread is not None:
            self._thread.join()

    def _end(self) -> None:
        self.clean = self._close(_ENGINE_S)
        self.over.emit()


class SystemSignals(QObject):
    """SIGTERM, SIGINT and SIGHUP as a Qt signal; the event loop would not notice them by itself."""

    asked_to_end = Signal()

    def __init__(self) -> None:
        super().__init__()
        for number in (signal.SIGTERM, signal.SIGINT, *_hangup()):
            signal.signal(number, self._noticed)
        if sys.platform == "win32":
            self._tick = QTimer(self)  # gives Python a chance to run its handlers
            self._tick.start(300)
        else:
            self._listen()

    def _listen(self) -> None:
        reading, writing = os.pipe()
        os.set_blocking(reading, False)
        os.set_blocking(writing, False)
        signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        self._notifier = QSocketNotifier(reading, QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(lambda: os.read(reading, 64))

    def _noticed(self, _number: int, _frame: object) -> None:
        self.asked_to_end.emit()


def _hangup() -> tuple[signal.Signals, ...]:
    """SIGHUP, where there is one and nobody (`nohup`) wants it to be ignored."""
    found = [signal.Signals["SIGHUP"]] if hasattr(signal, "SIGHUP") else []
    return tuple(number for number in found if signal.getsignal(number) is not signal.SIG_IGN)
