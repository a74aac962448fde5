"""The field of the composer: plain text only, 1 to 8 lines high, quick whatever is pasted."""

import time

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QInputMethodEvent,
    QKeyEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextEdit

from ui.chat.draft import FIELD_LIMIT
from ui.theme.fonts import Role
from ui.theme.theme import Theme

_MOST_LINES = 8
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class ComposerField(QTextEdit):
    """Enter sends, Shift+Enter starts a line. A very long paste is handed on as `long_pasted`."""

    submitted = Signal()
    long_pasted = Signal(str)
    up_wished = Signal()
    focus_changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._room = 100_000
        self.last_key_s = float("-inf")
        """When the last key came, on the monotonic clock."""
        self.setObjectName("composer")
        self.setAcceptRichText(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(0)
        self.document().contentsChanged.connect(self.fit)
        self.document().documentLayout().documentSizeChanged.connect(self.fit)
        theme.changed.connect(self.restyle)
        self.restyle()

    # --- text ----------------------------------------------------------------------------------

    def put(self, text: str) -> None:
        """Show `text`, the cursor at its end. There is nothing to undo then."""
        self.setPlainText(text)
        self._space_lines()
        self.moveCursor(QTextCursor.MoveOperation.End)
        self.ensureCursorVisible()

    def _space_lines(self) -> None:
        spacing = QTextBlockFormat()
        height = self._theme.line_height(Role.READING)
        spacing.setLineHeight(height, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        everything = QTextCursor(self.document())
        everything.select(QTextCursor.SelectionType.Document)
        self.document().setUndoRedoEnabled(False)
        everything.mergeBlockFormat(spacing)
        self.document().setUndoRedoEnabled(True)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasText() and not any(url.isLocalFile() for url in source.urls())

    def insertFromMimeData(self, source: QMimeData) -> None:
        text = source.text().replace("\r\n", "\n").replace("\0", "")
        if len(text) + self.document().characterCount() > FIELD_LIMIT:
            self.long_pasted.emit(text)
        else:
            self.textCursor().insertText(text)
            self.ensureCursorVisible()

    # --- keys ----------------------------------------------------------------------------------

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self.last_key_s = time.monotonic()
        super().inputMethodEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.last_key_s = time.monotonic()
        plain = event.modifiers() in {
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.KeypadModifier,
        }
        if event.key() in _ENTER and plain:
            self.submitted.emit()
        elif event.key() == Qt.Key.Key_Up and plain and self.document().isEmpty():
            self.up_wished.emit()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_changed.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focus_changed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.document().size().height() <= self.height():
            self.verticalScrollBar().setValue(0)

    # --- height --------------------------------------------------------------------------------

    def set_room(self, pixels: int) -> None:
        """The most height there is for the field."""
        self._room = pixels
        self.fit()

    def fit(self) -> None:
        line = self._theme.line_height(Role.READING)
        most = max(line, min(_MOST_LINES * line, self._room // line * line))
        wanted = round(self.document().size().height())
        height = max(line, min(wanted, most))
        policy = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(
            policy.ScrollBarAsNeeded if wanted > most else policy.ScrollBarAlwaysOff
        )
        if height != self.height():
            self.setFixedHeight(height)

    def restyle(self) -> None:
        self.setFont(self._theme.font(Role.READING))
        self._space_lines()
        palette = self.palette()
        palette.setColor(palette.ColorRole.Base, self._theme.colours.raised)
        palette.setColor(palette.ColorRole.Text, self._theme.colours.text)
        palette.setColor(palette.ColorRole.PlaceholderText, self._theme.colours.text3)
        self.setPalette(palette)
        self.fit()
