"""Imports what the first answer needs while the window has nothing to do. GUI thread.

Reading Markdown takes some 50 ms to import. The window must be on screen before that, and the
first answer must not wait for it; so it is done in parts, a moment after the window has come up.
"""

from importlib import import_module

from PySide6.QtCore import QObject, QTimer

_PARTS = (
    "linkify_it",
    "markdown_it.ruler",
    "markdown_it.rules_inline.state_inline",
    "markdown_it.rules_inline",
    "markdown_it.rules_block",
    "markdown_it",
    "ui.chat.stream",
    "pygments.lexer",
    "ui.chat.codeblock",
    "ui.chat.tableblock",
    "pygments.lexers.python",  # what most code in answers is
)
_BEGIN_MS = 400
_NEXT_MS = 30


class WarmUp(QObject):
    """One import a tick, then nothing any more."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._left = list(_PARTS)
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._step)

    def start(self) -> None:
        if self._left and not self._timer.isActive():
            self._timer.start(_BEGIN_MS)

    def _step(self) -> None:
        import_module(self._left.pop(0))
        if self._left:
            self._timer.start(_NEXT_MS)
