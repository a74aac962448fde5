"""Brings the painted window to life: presenters, services, keys. GUI thread.

It wires and decides nothing; whatever may wait for the disk goes through the bridge.
"""

from datetime import datetime
from typing import TYPE_CHECKING

from app import settings
from app.container import Container
from app.conversations.values import Conversation
from app.errors import DatabaseSetAside
from app.events import Event, ModelChosen, ModelReady
from ui import messages
from ui.bridge import Bridge
from ui.chat.controller import ConversationController
from ui.shell import commands, speech
from ui.shell.bringing import Bringing
from ui.shell.chats import ChatList
from ui.shell.desk import Desk, Parts
from ui.shell.elsewhere import Elsewhere
from ui.shell.listing import SidebarView
from ui.shell.model_state import ModelState
from ui.shell.models_place import ModelsPlace
from ui.shell.places import MODELS, SETTINGS
from ui.shell.settings_place import SettingsPlace
from ui.shell.stage import PageStage
from ui.shell.transcript import LazyTranscript, load_view_module
from ui.shell.window import Window

if TYPE_CHECKING:
    from ui.chat.view import ConversationView


class Workbench:
    """Everything between the window and the container."""

    def __init__(self, window: Window, container: Container) -> None:
        self.window = window
        self.bridge = Bridge(container.events, container.worker)
        self._container = container
        page = window.page
        page.add_notices(self._announce)
        window.places.carry(page.toast, page.toast.settle)
        self.transcript = LazyTranscript(window.theme, self._transcript_made)
        self.stage = PageStage(page, self._announce, self._page_changed)
        self.chats = self._make_chats()
        self.conversation = self._make_conversation()
        self.stage.attach(self.conversation, self.chats.mark_writing)
        self.model = ModelState(window.theme, page, window)
        self.desk = Desk(window, self._parts(), container, self.bridge)
        self.model.attach(self.desk)
        self.stage.tell_too_big = self.model.tell_too_big
        self.stage.tell_asked = self.model.person_asked
        self.elsewhere = self._make_elsewhere()
        self.models = self._make_models()
        fail = self.stage.show_trouble
        self.bringing = Bringing(window, container, self.bridge, self.models, fail)
        to_chat = self.desk.to_composer
        self.settings = SettingsPlace(window, container, self.bridge, self.elsewhere, to_chat)
        self._connect_page()
        self._connect_sidebar()
        self._bind_keys()
        self._order_focus()

    def _make_chats(self) -> ChatList:
        sidebar, page = self.window.sidebar, self.window.page
        view = SidebarView(sidebar, page, self._conversation_changed, self._undo_delete)
        return ChatList(
            run=self.bridge.run,
            conversations=self._container.conversations,
            view=view,
            now=lambda: datetime.now().astimezone(),
        )

    def _make_conversation(self) -> ConversationController:
        return ConversationController(
            run=self.bridge.run,
            store=self._container.conversations,
            chat=self._container.chat,
            transcript=self.transcript,
            stage=self.stage,
        )

    def _make_elsewhere(self) -> Elsewhere:
        window, chat = self.window, self._container.chat
        made = Elsewhere(window.theme, window.page, window, self._container.remote, self.bridge)
        made.moved = self.model.moved
        made.last_address = lambda: self._container.settings.get(settings.REMOTE_ADDRESS)
        made.prepare = lambda: chat.prepare(by_person=True)
        made.leave = chat.cancel_loading
        made.fail = self.stage.show_trouble
        self.model.place = lambda: made.place
        self.model.elsewhere_wished = made.open
        self.model.here_wished = made.come_back
        window.page.strip.here_wished.connect(made.come_back)
        return made

    def _make_models(self) -> ModelsPlace:
        desk = self.desk
        made = ModelsPlace(
            self.window,
            self._container,
            self.bridge,
            lambda: desk.prepare_model(by_person=True),
            desk.to_composer,
        )
        self.model.list_models = made.list_models
        self.model.use_wished = made.use
        self.model.more_wished = lambda: desk.go(MODELS)
        return made

    def _parts(self) -> Parts:
        return Parts(
            theme=self.window.theme,
            frame=self.window.frame,
            sidebar=self.window.sidebar,
            page=self.window.page,
            places=self.window.places,
            stage=self.stage,
            chats=self.chats,
            conversation=self.conversation,
            model=self.model,
        )

    def _connect_page(self) -> None:
        desk, page = self.desk, self.window.page
        page.header.show_sidebar.clicked.connect(desk.toggle_sidebar)
        page.header.new_chat.clicked.connect(desk.new_chat)
        page.header.renamed.connect(desk.rename_to)
        page.header.pill.clicked.connect(self.model.show_card)
        page.loading.cancel_wished.connect(desk.cancel_loading)
        page.header.menu_wished.connect(desk.header_menu)
        page.composer.stop_wished.connect(self.conversation.stop)
        page.banner.action_wished.connect(desk.act)
        page.banner.closed.connect(desk.to_composer)
        page.banner.details_wished.connect(desk.show_details)
        self.window.closing.connect(self._end)
        self.bridge.listen(self._happened)

    def _connect_sidebar(self) -> None:
        desk, chats, sidebar = self.desk, self.chats, self.window.sidebar
        sidebar.toggle_wished.connect(desk.toggle_sidebar)
        sidebar.new_chat_wished.connect(desk.new_chat)
        sidebar.search_changed.connect(chats.search)
        sidebar.model.renamed.connect(chats.rename)
        sidebar.list.opened.connect(desk.open_chat)
        sidebar.list.delete_wished.connect(chats.delete)
        sidebar.list.menu_wished.connect(desk.sidebar_menu)
        sidebar.list.end_neared.connect(chats.load_more)
        sidebar.models_wished.connect(lambda: desk.go(MODELS))
        sidebar.settings_wished.connect(lambda: desk.go(SETTINGS))
        places = self.window.places
        places.changed.connect(desk.place_changed)
        places.sidebar_wished.connect(desk.toggle_sidebar)
        places.back_wished.connect(desk.to_composer)

    def _bind_keys(self) -> None:
        desk = self.desk
        commands.bind(
            self.window,
            [
                ("Ctrl+N", desk.new_chat),
                ("Ctrl+K", desk.search_chats),
                ("Ctrl+L", desk.to_composer),
                ("Ctrl+R", self.conversation.try_again),
                ("Ctrl+Shift+C", desk.copy_answer),
                ("Ctrl+B", desk.toggle_sidebar),
                ("Ctrl+Shift+D", lambda: desk.go(MODELS)),
                ("Ctrl+,", lambda: desk.go(SETTINGS)),
                ("Ctrl+Shift+M", self.model.show_card),
                ("Ctrl+Tab", lambda: desk.next_chat(1)),
                ("Ctrl+Shift+Tab", lambda: desk.next_chat(-1)),
                ("F2", desk.rename),
                ("F6", desk.next_region),
                ("Esc", desk.escape),
                ("Ctrl++", lambda: desk.scale(1)),
                ("Ctrl+=", lambda: desk.scale(1)),
                ("Ctrl+-", lambda: desk.scale(-1)),
                ("Ctrl+0", lambda: desk.scale(0)),
                ("Ctrl+Q", self.window.close),
            ],
        )

    def _order_focus(self) -> None:
        sidebar, page = self.window.sidebar, self.window.page
        content = [page.transcript] if page.transcript else page.welcome.starters
        commands.order_focus(
            [
                *(sidebar.toggle, sidebar.new_chat, sidebar.search, sidebar.list),
                *sidebar.ways,
                *page.banner.buttons,
                page.loading.cancel,
                *(page.header.show_sidebar, page.header.new_chat),
                *(page.header.pill, page.header.menu),
                *content,
                *(page.composer.field, page.composer.send, page.composer.stop),
                page.strip.here,
                page.toast.button,
            ]
        )

    def _transcript_made(self, view: "ConversationView") -> None:
        view.copy_requested.connect(self.desk.copy_turn)
        view.retry_requested.connect(lambda _turn: self.conversation.try_again())
        view.edit_requested.connect(self.stage.begin_edit)
        view.continue_requested.connect(lambda _turn: self.conversation.continue_reply())
        view.link_activated.connect(self.desk.open_link)
        self.window.page.set_transcript(view)
        self._order_focus()

    # --- start and end -------------------------------------------------------------------------

    def begin(self) -> None:
        """Bring the conversations, the last one open, and the model; all off this thread."""
        fail = self.stage.show_trouble
        self.elsewhere.begin()
        self.bridge.run(self._container.conversations.tidy, lambda _: self._tidied(), fail)
        self.bridge.run(load_view_module, lambda _: None, fail)
        self.desk.prepare_model()
        self.window.page.composer.listen()
        aside = self._container.database.moved_aside
        if aside is not None:
            told = messages.of_error(DatabaseSetAside(aside))
            self.window.page.banner.put("set_aside", told)
        if self.window.sidebar.wished_early:  # before anybody was here to listen
            self.desk.go(self.window.sidebar.wished_early)

    def _tidied(self) -> None:
        self.chats.load_more(self._open_last)
        self.models.begin()

    def _open_last(self) -> None:
        last = self._container.settings.get(settings.LAST_CONVERSATION)
        if self.chats.get(last) and self.conversation.shown is None and self.stage.unsent.empty:
            self.conversation.open(last)
        unsent = self._container.settings.get(settings.UNSENT_TEXT)
        if unsent and self.stage.unsent.empty:
            self.window.page.composer.add(unsent)

    def _end(self) -> None:
        unsent = "" if self.stage.editing else self.stage.unsent.text
        self.desk.keep(settings.UNSENT_TEXT, unsent[: settings.UNSENT_TEXT.limit])
        self.desk.keep(settings.WINDOW_GEOMETRY, self.window.place)
        self.elsewhere.end()
        self.models.end()
        self.settings.end()
        self.bridge.close()

    # --- what happens --------------------------------------------------------------------------

    def _happened(self, event: Event) -> None:
        self.chats.handle(event)
        self.conversation.handle(event)
        self.model.handle(event)
        self.models.handle(event)
        if isinstance(event, ModelChosen):
            self.elsewhere.begin()  # whichever computer answered before
            self.window.page.banner.drop("gone")
        elif isinstance(event, ModelReady) and self._container.models.fell_back is not None:
            self.window.page.banner.put("gone", messages.of_fallen_back())

    def _page_changed(self, conversation_id: str | None) -> None:
        self.chats.mark_shown(conversation_id)
        shown = self.chats.get(conversation_id)
        self.window.show_title(shown.title if shown else "")
        self.desk.keep(settings.LAST_CONVERSATION, conversation_id or "")

    def _conversation_changed(self, conversation: Conversation) -> None:
        if conversation.id == self.conversation.shown:
            self.window.show_title(conversation.title)

    def _undo_delete(self, conversation_id: str, was_shown: bool) -> None:
        self.desk.undo_delete(conversation_id, was_shown)

    def _announce(self, words: str) -> None:
        speech.announce(self.window, words)
