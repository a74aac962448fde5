"""The two small dialogs of the first window: where a link leads, and the details of a message."""

from PySide6.QtCore import QCoreApplication, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from ui.theme.buttons import PaintedButton, TextButton
from ui.theme.fonts import Role
from ui.theme.style import palette, sheet
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_WIDTH = 480
_SCHEMES = {"http", "https", "mailto"}


def allowed(address: str) -> QUrl | None:
    """The address as a URL, if it is of a kind that Snug opens. Nothing else ever is."""
    url = QUrl(address, QUrl.ParsingMode.TolerantMode)
    if not url.isValid() or url.scheme().lower() not in _SCHEMES:
        return None
    return url if url.scheme().lower() == "mailto" or url.host() else None


def shown_address(url: QUrl) -> str:
    """The whole address as it will be opened: encoded, so that no letter can pose as another."""
    return bytes(url.toEncoded().data()).decode("ascii", "replace")


class Dialog(QDialog):
    """A title, a text to read in full, and buttons; the safe choice has the focus, Esc cancels."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName(name)
        self.setModal(True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setPalette(palette(theme.colours))
        self.setFixedWidth(theme.px(_WIDTH))
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(24, 24, 20, 20)
        self._column.setSpacing(12)
        self._buttons = QHBoxLayout()
        self._buttons.addStretch(1)

    def add_words(self, text: str, role: Role) -> None:
        words = QLabel(text)
        words.setTextFormat(Qt.TextFormat.PlainText)
        words.setWordWrap(True)
        words.setFont(self._theme.font(role))
        self._column.addWidget(words)

    def add_box(self, text: str, name: str, label: str) -> QPlainTextEdit:
        """Text to select, wrapped anywhere so that no part of it is out of sight."""
        box = QPlainTextEdit(text)
        box.setObjectName(name)
        box.setAccessibleName(label)
        box.setReadOnly(True)
        box.setTabChangesFocus(True)
        box.setFont(self._theme.font(Role.CODE))
        box.setWordWrapMode(box.wordWrapMode().WrapAnywhere)
        box.setFixedHeight(self._theme.px(104))
        self._column.addWidget(box)
        return box

    def add_button(self, name: str, text: str, kind: str) -> TextButton:
        button = TextButton(self._theme, name, text, kind)
        button.setAccessibleName(text)
        self._buttons.addWidget(button)
        return button

    def finish(self, safe: PaintedButton) -> None:
        self._column.addLayout(self._buttons)
        safe.setFocus(Qt.FocusReason.OtherFocusReason)
        self.open()


def ask_to_open(theme: Theme, address: str, parent: QWidget) -> QDialog | None:
    """Show where a link leads before it is opened. None if it is of a kind that is never opened."""
    url = allowed(address)
    if url is None:
        return None
    dialog = Dialog(theme, "linkDialog", parent)
    title = translate("LinkDialog", "Open this address?")
    dialog.setWindowTitle(title)
    dialog.add_words(title, Role.TITLE)
    dialog.add_words(
        translate("LinkDialog", "It opens outside Snug. Nothing from this chat is sent."),
        Role.SECOND,
    )
    dialog.add_box(shown_address(url), "linkAddress", translate("LinkDialog", "Address"))
    cancel = dialog.add_button("linkCancel", translate("LinkDialog", "Cancel"), "secondary")
    go = dialog.add_button("linkOpen", translate("LinkDialog", "Open"), "primary")
    cancel.clicked.connect(dialog.reject)
    go.clicked.connect(dialog.accept)
    dialog.accepted.connect(lambda: QDesktopServices.openUrl(url))
    dialog.finish(cancel)
    return dialog


def show_details(theme: Theme, title: str, details: str, parent: QWidget) -> QDialog:
    """The exact words of a failure, to read or to copy."""
    dialog = Dialog(theme, "detailsDialog", parent)
    dialog.setWindowTitle(translate("DetailsDialog", "Details"))
    dialog.add_words(title, Role.TITLE)
    dialog.add_box(details, "detailsText", translate("DetailsDialog", "Details"))
    copy = dialog.add_button("detailsCopy", translate("DetailsDialog", "Copy"), "secondary")
    close = dialog.add_button("detailsClose", translate("DetailsDialog", "Close"), "primary")
    copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(details))
    close.clicked.connect(dialog.accept)
    dialog.finish(close)
    return dialog


def tell(theme: Theme, title: str, sentence: str, details: str) -> QDialog:
    """A message before there is a window."""
    dialog = Dialog(theme, "messageDialog", None)
    dialog.setStyleSheet(sheet(theme))
    dialog.setWindowTitle("Snug")
    dialog.add_words(title, Role.TITLE)
    dialog.add_words(sentence, Role.SECOND)
    if details:
        dialog.add_box(details, "detailsText", translate("DetailsDialog", "Details"))
    close = dialog.add_button("messageClose", translate("DetailsDialog", "Close"), "primary")
    close.clicked.connect(dialog.accept)
    dialog.finish(close)
    return dialog
