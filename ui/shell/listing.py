"""The sidebar as its presenter sees it: rows, titles, and the toast with Undo."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication

from app.conversations.values import Conversation
from ui import messages
from ui.shell.groups import Row
from ui.shell.page import Page
from ui.shell.sidebar import Sidebar

translate = QCoreApplication.translate


class SidebarView:
    """The `ListView` of the window."""

    def __init__(
        self,
        sidebar: Sidebar,
        page: Page,
        changed: Callable[[Conversation], None],
        undo: Callable[[str, bool], None],
    ) -> None:
        self._sidebar = sidebar
        self._page = page
        self._changed = changed
        self._undo = undo

    def show_rows(self, listed: Sequence[Row], *, searching: bool) -> None:
        self._sidebar.show_rows(listed, searching=searching)

    def conversation_changed(self, conversation: Conversation) -> None:
        self._changed(conversation)

    def conversation_deleted(self, conversation_id: str, *, was_shown: bool) -> None:
        self._page.toast.say(
            "trash-2",
            translate("Toast", "Chat deleted"),
            undo=lambda: self._undo(conversation_id, was_shown),
        )

    def show_trouble(self, error: Exception) -> None:
        self._page.banner.put("trouble", messages.of_error(error))
