"""Lets a question open by itself only when nobody is typing, for its keys would answer it.

GUI thread.
"""

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication, QLineEdit

from ui.chat.composer_field import ComposerField

STILL_S = 1.0
_LOOK_EVERY_MS = 200


class StillHands(QObject):
    """`wait` opens when the keys rest; it gives up where something new is being written."""

    def __init__(
        self, field: ComposerField, parent: QObject, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(parent)
        self._field = field
        self._clock = clock
        self._since_s = clock()
        self._then: Callable[[], None] | None = None
        self._look = QTimer(self)
        self._look.setInterval(_LOOK_EVERY_MS)
        self._look.timeout.connect(self._try)

    def mark(self) -> None:
        """What is typed from now on is new, and what waited is out of date."""
        self._since_s = self._clock()
        self.drop()

    def drop(self) -> None:
        self._then = None
        self._look.stop()

    def wait(self, then: Callable[[], None]) -> None:
        self._then = then
        self._try()

    def _try(self) -> None:
        then = self._then
        if then is None or self._occupied():
            self.drop()
        elif self._clock() - self._field.last_key_s < STILL_S:
            self._look.start()
        else:
            self.drop()
            then()

    def _occupied(self) -> bool:
        """Something is open, or being written."""
        if QApplication.activeModalWidget() or QApplication.activePopupWidget():
            return True
        if isinstance(QApplication.focusWidget(), QLineEdit):
            return True
        written = not self._field.document().isEmpty()
        return written and self._field.last_key_s > self._since_s
