"""Where a person writes: the field, long texts held beside it, and Send or Stop.

It only emits; typing goes on while Snug writes. What has been written is never thrown away here.
"""

from PySide6.QtCore import QCoreApplication, QRectF, Qt, Signal
from PySide6.QtGui import QMoveEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from ui.chat.composer_field import ComposerField
from ui.chat.draft import Draft
from ui.theme.buttons import RING, IconButton, RoundButton
from ui.theme.direction import margins
from ui.theme.fonts import Role
from ui.theme.icons import icon
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_SHARE_OF_HEIGHT = 0.4


def long_text_label(text: str) -> str:
    """What stands on the chip of a held text."""
    thousands = max(1, round(len(text) / 1000))
    return translate("Composer", "Long text, {n} thousand characters").format(n=thousands)


class HeldText(QWidget):
    """A chip for one long text; ✕ takes it away."""

    removed = Signal()

    def __init__(self, theme: Theme, text: str, number: int) -> None:
        super().__init__()
        self._theme = theme
        label = long_text_label(text)
        self.setObjectName(f"heldText-{number}")
        self.setAccessibleName(label)
        words = QLabel(label)
        words.setFont(theme.font(Role.SECOND))
        remove = IconButton(theme, f"removeHeldText-{number}", "x", size=24)
        remove.describe(translate("Composer", "Remove {file}").format(file=label))
        remove.clicked.connect(self.removed)
        line = QHBoxLayout(self)
        line.setContentsMargins(margins(34, 0, 2, 0))
        line.addWidget(words)
        line.addWidget(remove)
        self.setFixedHeight(theme.px(34))

    def paintEvent(self, _event: QPaintEvent) -> None:
        c = self._theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(c.control, 1))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        y = self.height() // 2 - 8
        x = self.width() - 26 if self.isRightToLeft() else 10
        painter.drawPixmap(x, y, icon("file-text", c.text2, 16, self.devicePixelRatioF()))
        painter.end()


class Composer(QWidget):
    """`submitted` carries the whole text; it stays in place until `clear` or `show_draft`."""

    submitted = Signal(str)
    stop_wished = Signal()
    edit_last_wished = Signal()
    changed = Signal()
    moved = Signal()
    """Its place or size is another."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._listened_to = False
        self._wished = False
        self._held: tuple[str, ...] = ()
        self.setObjectName("composerFrame")
        self.field = ComposerField(theme)
        self.field.setAccessibleName(translate("Composer", "Message"))
        self.send = RoundButton(theme, "send", "arrow-up")
        self.send.describe(translate("Composer", "Send"), "Enter")
        self.stop = RoundButton(theme, "stop", "square")
        self.stop.describe(translate("Composer", "Stop"), "Esc")
        self._chips = QHBoxLayout()
        self._lay_out()
        self._connect()
        self.set_working(working=False)

    def _lay_out(self) -> None:
        self._chips.setContentsMargins(0, 0, 0, 0)
        self._chips.setSpacing(8)
        self._chips.addStretch(1)
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(self.field, 1, Qt.AlignmentFlag.AlignVCenter)
        for button in (self.send, self.stop):
            line.addWidget(button, 0, Qt.AlignmentFlag.AlignBottom)
        column = QVBoxLayout(self)
        column.setContentsMargins(margins(20, 8 - RING, 8 - RING, 8 - RING))
        column.setSpacing(4)
        column.addLayout(self._chips)
        column.addLayout(line)
        self.setFocusProxy(self.field)

    def _connect(self) -> None:
        self.field.submitted.connect(self._submit)
        self.field.long_pasted.connect(self._hold)
        self.field.up_wished.connect(self._up)
        self.field.focus_changed.connect(self.update)
        self.field.textChanged.connect(self._changed)
        self.send.clicked.connect(self._submit)
        self.stop.clicked.connect(self.stop_wished)
        self._theme.changed.connect(self.update)

    # --- what is written -----------------------------------------------------------------------

    @property
    def draft(self) -> Draft:
        return Draft(typed=self.field.toPlainText(), held=self._held)

    def show_draft(self, draft: Draft) -> None:
        self._set_held(draft.held)
        self.field.put(draft.typed)

    def add(self, text: str) -> None:
        """`text` after what is written already."""
        self.show_draft(self.draft.with_text(text))

    def clear(self) -> None:
        self.show_draft(Draft())

    def _hold(self, text: str) -> None:
        self._set_held((*self._held, text))

    def _set_held(self, held: tuple[str, ...]) -> None:
        self._held = held
        while self._chips.count() > 1:
            item = self._chips.takeAt(0)
            chip = item.widget() if item else None
            if chip is not None:
                chip.hide()
                chip.deleteLater()
        for number, text in enumerate(held):
            chip = HeldText(self._theme, text, number)
            chip.removed.connect(lambda gone=number: self._drop(gone))
            self._chips.insertWidget(number, chip)
        self._changed()

    def _drop(self, number: int) -> None:
        self._set_held(self.draft.without_held(number).held)
        self.field.setFocus()

    # --- state ---------------------------------------------------------------------------------

    def set_working(self, *, working: bool) -> None:
        """While Snug works the button is Stop; it keeps the keyboard's focus if it had it."""
        had_focus = self.send.hasFocus() or self.stop.hasFocus()
        self.send.setVisible(not working)
        self.stop.setVisible(working)
        if had_focus:
            self.field.setFocus()
        self._changed()

    def set_stopping(self, *, stopping: bool) -> None:
        """Once is enough; the keys go where they can be used."""
        if stopping and self.stop.hasFocus():
            self.field.setFocus()
        self.stop.setEnabled(not stopping)

    def set_hint(self, placeholder: str, description: str) -> None:
        self.field.setPlaceholderText(placeholder)
        self.field.setAccessibleDescription(description)

    def set_window_height(self, pixels: int) -> None:
        self.field.set_room(int(pixels * _SHARE_OF_HEIGHT))

    def listen(self) -> None:
        """Somebody takes what is submitted from now on, and what was submitted before."""
        self._listened_to = True
        if self._wished:
            self._submit()

    def _submit(self) -> None:
        self._wished = not self._listened_to
        if self._listened_to and not self.draft.empty:
            self.submitted.emit(self.draft.text)

    def _up(self) -> None:
        if not self._held:
            self.edit_last_wished.emit()

    def _changed(self) -> None:
        blank = self.field.document().isEmpty() and not self._held
        self.send.setEnabled(not blank)
        self.changed.emit()

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self.moved.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.moved.emit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        c = self._theme.colours
        focused = self.field.hasFocus()
        width = 2 if focused else 1
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(c.accent if focused else c.line, width))
        painter.setBrush(c.raised)
        inset = width / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), 16, 16)
        painter.end()
