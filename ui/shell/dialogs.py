"""The two small dialogs of the first window: where a link leads, and the details of a message."""

from PySide6.QtCore import QCoreApplication, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QDialog, QWidget

from ui.theme.dialog import Dialog
from ui.theme.fonts import Role
from ui.theme.style import sheet
from ui.theme.theme import Theme

translate = QCoreApplication.translate

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
