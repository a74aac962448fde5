"""The dialog that lets another computer answer: its address, a key, the models it has, and back.

It shows an `Inquiry` and says what is wished; what is asked of whom is decided in `asking.py`.
GUI thread.
"""

from PySide6.QtCore import QCoreApplication, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from engine.errors import KeyRefused
from engine.types.remote import RemoteModel
from ui import messages
from ui.models.asking import Inquiry
from ui.models.elsewhere import place_words, trouble_words, warning_words
from ui.models.elsewhere_parts import Note, field, label
from ui.models.found import FoundModels
from ui.theme.buttons import RING, TextButton
from ui.theme.choices import FoldButton
from ui.theme.dialog import Dialog, text_box, words
from ui.theme.direction import margins
from ui.theme.fonts import Role
from ui.theme.switch import Switch
from ui.theme.theme import Theme

translate = QCoreApplication.translate


_PAUSE_MS = 400
"""After so long without a key, an address may be whole."""


class ElsewhereDialog(Dialog):
    """Nothing is sent before Find models is pressed, and nothing changes before Use it is."""

    edited = Signal(str)
    """The address is another."""
    key_edited = Signal()
    find_wished = Signal(str, str)
    stop_wished = Signal()
    """Enough of looking."""
    use_wished = Signal(str)
    here_wished = Signal()
    offline_wished = Signal(bool)

    def __init__(
        self, theme: Theme, parent: QWidget, current: RemoteModel | None, address: str
    ) -> None:
        super().__init__(theme, "elsewhere", parent)
        title = translate("Elsewhere", "Let another computer answer")
        self.setWindowTitle(title)
        self._current = current
        self._now = Inquiry(address=address)
        self._offline = False
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self._address_written)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._put(words(theme, title, Role.TITLE))
        self._add_intro()
        self._in_use = self._add_in_use()
        self._warning = Note(theme, "elsewhereWarning", "warn")
        self._put(self._warning)
        self.address = self._add_field("elsewhereAddress", translate("Elsewhere", "Address"))
        self.address.setPlaceholderText("http://name:8080/v1")
        self.address.setText(address)
        self.key = self._add_field("elsewhereKey", translate("Elsewhere", "Key, if it wants one"))
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.search = self._add_search()
        self._trouble = Note(theme, "elsewhereTrouble", "bad")
        self._trouble_box = self._put(self._trouble)
        self._add_details()
        self.found = FoundModels(theme)
        self._found_box = self._put(self.found)
        self.offline = self._add_offline()
        close = self.add_button("elsewhereClose", translate("Elsewhere", "Close"), "secondary")
        self.use = self.add_button("elsewhereUse", translate("Elsewhere", "Use it"), "primary")
        close.clicked.connect(self.reject)
        self._connect()
        self._fill()
        self.finish(self.address)

    # --- the parts -----------------------------------------------------------------------------

    def _put(self, *widgets: QWidget) -> QWidget:
        """In line with the buttons, which keep room for their ring. Returns what holds them."""
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(RING, 0, RING, 0)
        column.setSpacing(4)
        for widget in widgets:
            column.addWidget(widget)
        self._column.addWidget(box)
        return box

    def _add_intro(self) -> None:
        said = translate(
            "Elsewhere",
            "A computer with more memory can run larger models. A program for it must be running"
            " there, such as Ollama, vLLM or llama-server.",
        )
        self._put(words(self._theme, said, Role.SECOND, self._theme.colours.text2))

    def _add_in_use(self) -> QWidget:
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        self._in_use_words = words(self._theme, "", Role.CONTROL)
        self._in_use_words.setContentsMargins(margins(RING, 0, 0, 0))
        self.here = TextButton(
            self._theme,
            "elsewhereHere",
            translate("Elsewhere", "Answer on this computer again"),
            "secondary",
        )
        self.here.setAccessibleName(self.here.text())
        column.addWidget(self._in_use_words)
        column.addWidget(self.here, 0, Qt.AlignmentFlag.AlignLeading)
        self._column.addWidget(box)
        return box

    def _add_field(self, name: str, text: str) -> QLineEdit:
        made = field(self._theme, name, text)
        self._put(label(self._theme, text, made), made)
        return made

    def _add_search(self) -> TextButton:
        line = QHBoxLayout()
        line.setSpacing(8)
        button = TextButton(self._theme, "elsewhereFind", "", "secondary")
        self._progress = words(self._theme, "", Role.SECOND, self._theme.colours.text2)
        self._progress.setObjectName("elsewhereProgress")
        line.addWidget(button)
        line.addWidget(self._progress, 1)
        self._column.addLayout(line)
        return button

    def _add_details(self) -> None:
        said = translate("Elsewhere", "Details")
        self._fold = FoldButton(self._theme, "elsewhereFold", said)
        self._box = text_box(self._theme, "", "elsewhereDetails", said)
        self._column.addWidget(self._fold, 0, Qt.AlignmentFlag.AlignLeading)
        self._details_box = self._put(self._box)

    def _add_offline(self) -> Switch:
        made = Switch(
            self._theme,
            "stayOffline",
            translate("Elsewhere", "Stay offline"),
            translate("Elsewhere", "Snug connects to no other computer while this is on."),
        )
        self._column.addWidget(made)
        return made

    def _connect(self) -> None:
        self.address.textEdited.connect(lambda _: self._address_edited())
        self.key.textEdited.connect(lambda _: self.key_edited.emit())
        for edit in (self.address, self.key):
            edit.returnPressed.connect(self._find)
        self.search.clicked.connect(self._find_or_stop)
        self.found.changed.connect(self._weigh)
        self.found.taken.connect(self.use.click)
        self.use.clicked.connect(self._use)
        self.here.clicked.connect(self._go_back)
        self.offline.clicked.connect(self.offline_wished)
        self._fold.toggled.connect(self._folded)

    # --- what is shown -------------------------------------------------------------------------

    def show_inquiry(self, now: Inquiry) -> None:
        before, self._now = self._now, now
        if now.answered and not before.answered:
            self.found.show_models(now.models, self._current.model if self._current else "")
        self._fill()
        if now.answered and not before.answered:
            self.found.take_focus()
            self.reveal(self._found_box)
        elif now.error is not None and now.error is not before.error:
            self._say_trouble(now.error)

    def show_place(self, current: RemoteModel | None, *, offline: bool) -> None:
        """What is in use, and whether anything may be."""
        self._current, self._offline = current, offline
        self.offline.setChecked(offline)
        self._fill()

    def _fill(self) -> None:
        now, free = self._now, not self._offline
        self._fill_in_use()
        said = warning_words(self.address.text(), offline=self._offline)
        self._warning.say(said, "info" if self._offline else "warn")
        for widget in (self.address, self.key):
            widget.setEnabled(free)
        self.key.setPlaceholderText(self._key_hint())
        self._fill_search()
        self._progress.setText(self._progress_words())
        self._trouble_box.setVisible(now.error is not None and free)
        self._fold.setVisible(now.error is not None and free)
        if now.error is None or not free:
            self._fold.setChecked(False)
        self._details_box.setVisible(self._fold.isChecked())
        self._found_box.setVisible(now.answered and free)
        self.found.setVisible(now.answered)
        self._weigh()
        self.fit()

    def _fill_in_use(self) -> None:
        self._in_use.setVisible(self._current is not None)
        if self._current is not None:
            said = translate("Elsewhere", "In use now: {model}").format(model=self._current.model)
            self._in_use_words.setText(f"{said}\n{place_words(self._current)}")

    def _key_hint(self) -> str:
        if self._now.has_key:
            return translate("Elsewhere", "The key for this address is kept already")
        return translate("Elsewhere", "Kept in this computer’s keychain, if it has one")

    def _fill_search(self) -> None:
        text = (
            translate("Elsewhere", "Stop looking")
            if self._now.looking
            else translate("Elsewhere", "Find models")
        )
        self.search.setText(text)
        self.search.setAccessibleName(text)
        self.search.updateGeometry()
        has_address = bool(self.address.text().strip())
        self.search.setEnabled(has_address and not self._offline)

    def _progress_words(self) -> str:
        if self._now.looking:
            return translate("Elsewhere", "Asking that computer…")
        count = len(self._now.models)
        if count == 1:
            return translate("Elsewhere", "One model found")
        if count:
            return translate("Elsewhere", "{n} models found").format(n=count)
        return ""

    def _say_trouble(self, error: Exception) -> None:
        self._trouble.say(trouble_words(error), "bad")
        self._box.setPlainText(messages.of_error(error).details)
        self.fit()
        wanted = self.key if isinstance(error, KeyRefused) else self.address
        wanted.setFocus(Qt.FocusReason.OtherFocusReason)
        self.reveal(self._trouble)

    def _weigh(self) -> None:
        self.use.setEnabled(bool(self.found.chosen) and not self._offline)

    def _folded(self, is_open: bool) -> None:
        self._details_box.setVisible(is_open)
        self.fit()
        if is_open:
            self.reveal(self._details_box)

    # --- what is wished ------------------------------------------------------------------------

    def _address_edited(self) -> None:
        if self.address.text().strip() != self._now.address:
            self.edited.emit("")  # what was found is of another address
        self._pause.start()
        self._fill()

    def _address_written(self) -> None:
        self.edited.emit(self.address.text())

    def _find(self) -> None:
        if self.search.isEnabled() and not self._now.looking:
            self.find_wished.emit(self.address.text(), self.key.text())

    def _find_or_stop(self) -> None:
        if self._now.looking:
            self.stop_wished.emit()
        else:
            self._find()

    def _use(self) -> None:
        chosen = self.found.chosen
        if chosen:
            self.use_wished.emit(chosen)
            self.accept()

    def _go_back(self) -> None:
        self.here_wished.emit()
        self.accept()
