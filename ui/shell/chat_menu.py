"""What can be done to one conversation, from the sidebar or the header."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QPoint
from PySide6.QtGui import QGuiApplication, QIcon, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from app.conversations.markdown import ExportWords
from app.conversations.values import Conversation
from ui.shell.chats import ChatList
from ui.shell.toast import Toast
from ui.theme.icons import icon
from ui.theme.theme import Theme

translate = QCoreApplication.translate


def export_words() -> ExportWords:
    return ExportWords(
        user=translate("Export", "You"),
        assistant=translate("Export", "Snug"),
        system=translate("Export", "Instructions"),
        unfinished=translate("Export", "This answer is not finished."),
    )


def copy_text(text: str, toast: Toast) -> None:
    """Onto the clipboard, as plain text."""
    if text:
        QGuiApplication.clipboard().setText(text)
        toast.say("check", translate("Toast", "Copied"))


class ChatMenu:
    """Builds the menu anew each time; `rename` puts a field where the menu was asked for."""

    def __init__(self, theme: Theme, chats: ChatList, toast: Toast, parent: QWidget) -> None:
        self._theme = theme
        self._chats = chats
        self._toast = toast
        self._parent = parent

    def show(self, conversation: Conversation, place: QPoint, rename: Callable[[], None]) -> QMenu:
        menu = QMenu(self._parent)
        menu.setObjectName("chatActions")
        menu.setFont(self._parent.font())
        pin = (
            translate("ChatMenu", "Unpin") if conversation.pinned else translate("ChatMenu", "Pin")
        )
        self._add(menu, "pencil", translate("ChatMenu", "Rename"), rename, "F2")
        self._add(menu, "pin", pin, lambda: self._chats.toggle_pin(conversation.id))
        self._add(
            menu,
            "copy",
            translate("ChatMenu", "Copy as Markdown"),
            lambda: self._copy(conversation),
        )
        menu.addSeparator()
        delete = translate("ChatMenu", "Delete")
        self._add(menu, "trash-2", delete, lambda: self._chats.delete(conversation.id), "Del")
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(place)
        return menu

    def _add(
        self, menu: QMenu, icon_name: str, text: str, work: Callable[[], None], keys: str = ""
    ) -> None:
        ratio = self._parent.devicePixelRatioF()
        action = menu.addAction(QIcon(icon(icon_name, self._theme.colours.text2, 18, ratio)), text)
        action.setObjectName(f"chat-{icon_name}")
        action.triggered.connect(lambda _checked=False: work())
        if keys:
            action.setShortcut(QKeySequence(keys))

    def _copy(self, conversation: Conversation) -> None:
        self._chats.markdown(
            conversation.id, export_words(), lambda text: copy_text(text, self._toast)
        )
