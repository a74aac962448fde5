"""How long an engine may take to stop until a person should know that it does not answer.

GUI thread.
"""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QObject, QTimer

translate = QCoreApplication.translate

PATIENCE_MS = 10_000


def stopping_words(*, lost: bool) -> str:
    if lost:
        return translate("Status", "The model does not answer. It is safe to close Snug.")
    return translate("Status", "Stopping…")


class Patience(QObject):
    """`lost` once `begin` was too long ago; `tell` hears of it. `end` gives it back."""

    def __init__(self, parent: QObject, tell: Callable[[], None]) -> None:
        super().__init__(parent)
        self.lost = False
        self._tell = tell
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(PATIENCE_MS)
        self._wait.timeout.connect(self.lose)

    def begin(self) -> None:
        self.end()
        self._wait.start()

    def end(self) -> None:
        self._wait.stop()
        self.lost = False

    def lose(self) -> None:
        self.lost = True
        self._tell()
