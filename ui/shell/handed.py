"""Files that come from outside the window: named at the start, by a second start, or by macOS,
which sends an event for each. They are kept until somebody can look at them. GUI thread.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from app.show_request import ShowRequests

_LOOK_EVERY_MS = 1000

Bring = Callable[[Sequence[Path]], None]


class Application(QApplication):
    """Hears what macOS wants to have opened. No filter: it would see every event of a window."""

    file_came = Signal()

    def __init__(self, arguments: list[str]) -> None:
        super().__init__(arguments)
        self.files: list[Path] = []
        """What came and nobody took yet."""

    def event(self, event: QEvent) -> bool:
        if not isinstance(event, QFileOpenEvent):
            return super().event(event)
        if event.file():  # an address has none
            self.files.append(Path(event.file()))
            self.file_came.emit()
        return True


class Handed(QObject):
    """Made before the window, for files may come before there is one. While a question is open they
    wait, so that no other one opens above it."""

    asked = Signal()
    """A second start, or the system, wants the window to be seen."""

    def __init__(self, app: QApplication, requests: ShowRequests, first: Sequence[Path]) -> None:
        super().__init__(app)
        self._app = app
        self._requests = requests
        self._waiting = list(first)
        self._bring: Bring | None = None
        self._clock = QTimer(self)
        self._clock.setTimerType(Qt.TimerType.VeryCoarseTimer)
        self._clock.timeout.connect(self._look)
        if isinstance(app, Application):
            app.file_came.connect(self._from_system, Qt.ConnectionType.QueuedConnection)
            self._from_system()

    def watch(self) -> None:
        """From now on, look once a second."""
        self._clock.start(_LOOK_EVERY_MS)

    def bring_to(self, bring: Bring) -> None:
        """From now on there is somebody who looks at them."""
        self._bring = bring
        self._try()

    def end(self) -> None:
        """The window closes."""
        self._clock.stop()
        self._bring = None

    def _from_system(self) -> None:
        """Several come one after the other, and are looked at together."""
        if isinstance(self._app, Application) and self._app.files:
            self._waiting.extend(self._app.files)
            self._app.files.clear()
            self.asked.emit()
            self._try()

    def _look(self) -> None:
        files = self._requests.taken()
        if files is not None:
            self._waiting.extend(files)
            self.asked.emit()
        self._try()

    def _try(self) -> None:
        if self._bring is None or not self._waiting or QApplication.activeModalWidget():
            return
        files, self._waiting = [*dict.fromkeys(self._waiting)], []
        self._bring(files)
