"""The window: wires presenters, views and services together. Decisions live in the presenters.

GUI thread. Whatever may wait for the disk goes through the bridge.
"""

from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QCoreApplication, QSize, Signal
from PySide6.QtGui import QCloseEvent, QIcon, QPaintEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QWidget

from app import settings
from app.container import Container
from app.conversations.values import Conversation
from app.events import Event
from ui.bridge import Bridge
from ui.chat.controller import ConversationController
from ui.shell import commands, speech
from ui.shell.chats import ChatList
from ui.shell.desk import Desk, Parts
from ui.shell.frame import Frame
from ui.shell.listing import SidebarView
from ui.shell.model_state import ModelState
from ui.shell.page import Page
from ui.shell.sidebar import Sidebar, shown_keys
from ui.shell.stage import PageStage
from ui.shell.transcript import LazyTranscript, load_view_module
from ui.theme.icons import logo
from ui.theme.lamp import Breath
from ui.theme.style import palette, sheet
from ui.theme.theme import Theme

if TYPE_CHECKING:
    from ui.chat.view import ConversationView

translate = QCoreApplication.translate

_FIRST_SIZE = QSize(1200, 800)
_LEAST_SIZE = QSize(720, 520)


class Window(QWidget):
    """Built and shown first; `begin` brings the conversations and the model after that."""

    closing = Signal()
    painted = Signal()
    """It is on the screen for the first time."""

    def __init__(self, container: Container, bridge: Bridge, theme: Theme) -> None:
        super().__init__()
        self._container = container
        self._bridge = bridge
        self._theme = theme
        self._was_painted = False
        self.setObjectName("window")
        self.setWindowTitle("Snug")
        self.setWindowIcon(QIcon(logo(64, 1.0)))
        self.setMinimumSize(_LEAST_SIZE)
        breath = Breath(theme, self)
        self.page = Page(theme, breath, self._announce)
        self.sidebar = Sidebar(theme, breath)
        self.frame = Frame(theme, self.sidebar, self.page)
        self.transcript = LazyTranscript(theme, self._transcript_made)
        self.stage = PageStage(self.page, self._announce, self._page_changed)
        self.chats = self._make_chats()
        self.conversation = self._make_conversation()
        self.stage.presenter = self.conversation
        self.stage.tell_writing = self.chats.mark_writing
        self._model = ModelState(self.page)
        self.desk = Desk(self, self._parts(), container, bridge)
        self._lay_out()
        self._connect_page()
        self._connect_sidebar()
        self._bind_keys()
        self._restyle()
        self._restore()

    # --- building ------------------------------------------------------------------------------

    def _make_chats(self) -> ChatList:
        view = SidebarView(
            self.sidebar,
            self.page,
            self._conversation_changed,
            self._undo_delete,
        )
        return ChatList(
            run=self._bridge.run,
            conversations=self._container.conversations,
            view=view,
            now=lambda: datetime.now().astimezone(),
        )

    def _make_conversation(self) -> ConversationController:
        return ConversationController(
            run=self._bridge.run,
            store=self._container.conversations,
            chat=self._container.chat,
            transcript=self.transcript,
            stage=self.stage,
        )

    def _parts(self) -> Parts:
        return Parts(
            theme=self._theme,
            frame=self.frame,
            sidebar=self.sidebar,
            page=self.page,
            stage=self.stage,
            chats=self.chats,
            conversation=self.conversation,
        )

    def _lay_out(self) -> None:
        whole = QHBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.frame)
        keys = shown_keys("Ctrl+B")
        self.sidebar.toggle.describe(translate("Sidebar", "Hide sidebar"), keys)
        self.page.header.show_sidebar.describe(translate("Sidebar", "Show sidebar"), keys)

    def _connect_page(self) -> None:
        desk, header, banner = self.desk, self.page.header, self.page.banner
        header.show_sidebar.clicked.connect(desk.toggle_sidebar)
        header.new_chat.clicked.connect(desk.new_chat)
        header.renamed.connect(desk.rename_to)
        header.menu_wished.connect(desk.header_menu)
        self.page.composer.stop_wished.connect(self.conversation.stop)
        banner.action_wished.connect(desk.act)
        banner.details_wished.connect(desk.show_details)
        self.frame.sidebar_changed.connect(lambda beside: header.set_narrow(narrow=not beside))
        self._bridge.listen(self._happened)
        self._theme.changed.connect(self._restyle)

    def _connect_sidebar(self) -> None:
        desk, chats, sidebar = self.desk, self.chats, self.sidebar
        sidebar.toggle_wished.connect(desk.toggle_sidebar)
        sidebar.new_chat_wished.connect(desk.new_chat)
        sidebar.search_changed.connect(chats.search)
        sidebar.model.renamed.connect(chats.rename)
        sidebar.list.opened.connect(desk.open_chat)
        sidebar.list.delete_wished.connect(chats.delete)
        sidebar.list.menu_wished.connect(desk.sidebar_menu)
        sidebar.list.end_neared.connect(chats.load_more)

    def _bind_keys(self) -> None:
        desk = self.desk
        commands.bind(
            self,
            [
                ("Ctrl+N", desk.new_chat),
                ("Ctrl+K", desk.search_chats),
                ("Ctrl+L", self.page.composer.field.setFocus),
                ("Ctrl+R", self.conversation.try_again),
                ("Ctrl+Shift+C", desk.copy_answer),
                ("Ctrl+B", desk.toggle_sidebar),
                ("Ctrl+Tab", lambda: desk.next_chat(1)),
                ("Ctrl+Shift+Tab", lambda: desk.next_chat(-1)),
                ("F2", desk.rename_shown),
                ("F6", desk.next_region),
                ("Esc", desk.escape),
                ("Ctrl++", lambda: desk.scale(1)),
                ("Ctrl+=", lambda: desk.scale(1)),
                ("Ctrl+-", lambda: desk.scale(-1)),
                ("Ctrl+0", lambda: desk.scale(0)),
                ("Ctrl+Q", self.close),
            ],
        )

    def _transcript_made(self, view: "ConversationView") -> None:
        view.copy_requested.connect(self.desk.copy_turn)
        view.retry_requested.connect(lambda _turn: self.conversation.try_again())
        view.edit_requested.connect(self.stage.begin_edit)
        view.continue_requested.connect(lambda _turn: self.conversation.continue_reply())
        view.link_activated.connect(self.desk.open_link)
        self.page.set_transcript(view)

    # --- start and end -------------------------------------------------------------------------

    def begin(self) -> None:
        """Bring the conversations, the last one open, and the model; all off this thread."""
        fail = self.stage.show_trouble
        self._bridge.run(self._container.conversations.tidy, lambda _: self._tidied(), fail)
        self._bridge.run(load_view_module, lambda _: None, fail)
        self.desk.prepare_model()

    def _tidied(self) -> None:
        self.chats.load_more()
        last = self._container.settings.get(settings.LAST_CONVERSATION)
        if last and self.conversation.shown is None and self.stage.unsent.empty:
            self.conversation.open(last)

    def _restore(self) -> None:
        self.resize(_FIRST_SIZE)
        kept = self._container.settings
        geometry = kept.get(settings.WINDOW_GEOMETRY)
        if geometry:
            self.restoreGeometry(QByteArray.fromBase64(geometry.encode("ascii", "replace")))
        self.frame.set_open(kept.get(settings.SIDEBAR_OPEN))
        self.page.show_welcome()
        self.page.header.show_title("")
        self.page.composer.field.setFocus()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._was_painted:
            self._was_painted = True
            self.painted.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        geometry = self.saveGeometry().toBase64()
        self.desk.keep(settings.WINDOW_GEOMETRY, bytes(geometry.data()).decode("ascii"))
        event.accept()
        self.closing.emit()

    # --- what happens --------------------------------------------------------------------------

    def _happened(self, event: Event) -> None:
        self.chats.handle(event)
        self.conversation.handle(event)
        self._model.handle(event)

    def _page_changed(self, conversation_id: str | None) -> None:
        self.chats.mark_shown(conversation_id)
        shown = self.chats.get(conversation_id)
        self._show_title(shown.title if shown else "")
        self.desk.keep(settings.LAST_CONVERSATION, conversation_id or "")

    def _conversation_changed(self, conversation: Conversation) -> None:
        if conversation.id == self.conversation.shown:
            self._show_title(conversation.title)

    def _undo_delete(self, conversation_id: str, was_shown: bool) -> None:
        self.desk.undo_delete(conversation_id, was_shown)

    def _show_title(self, title: str) -> None:
        self.page.header.show_title(title)
        self.setWindowTitle(f"{title} – Snug" if title else "Snug")

    def _announce(self, words: str) -> None:
        speech.announce(self, words)

    def _restyle(self) -> None:
        QApplication.setPalette(palette(self._theme.colours))
        self.setStyleSheet(sheet(self._theme))
