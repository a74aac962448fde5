"""What a person can do in the window, one method each, whatever button or key it came from.

GUI thread. Whatever may wait for the disk goes through the bridge.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QPoint, Qt
from PySide6.QtWidgets import QApplication, QWidget

from app import settings
from app.container import Container
from engine.errors import EngineError
from ui.bridge import Bridge
from ui.chat.controller import ConversationController
from ui.error_words import Action
from ui.models.failures import same_failure
from ui.shell import commands, dialogs
from ui.shell.chat_menu import ChatMenu, copy_text
from ui.shell.chats import ChatList
from ui.shell.frame import Frame
from ui.shell.model_state import ModelState
from ui.shell.page import Page
from ui.shell.places import CHAT, MODELS, SETTINGS, Places
from ui.shell.sidebar import Sidebar
from ui.shell.stage import PageStage
from ui.theme.theme import Theme

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The widgets of the window and the presenters behind them."""

    theme: Theme
    frame: Frame
    sidebar: Sidebar
    page: Page
    places: Places
    stage: PageStage
    chats: ChatList
    conversation: ConversationController
    model: ModelState


class Desk:
    """Turns wishes into calls of the presenters and services."""

    def __init__(self, window: QWidget, parts: Parts, container: Container, bridge: Bridge) -> None:
        self._window = window
        self._parts = parts
        self._container = container
        self._bridge = bridge
        self._menu = ChatMenu(parts.theme, parts.chats, parts.page.toast, window)

    # --- conversations -------------------------------------------------------------------------

    def new_chat(self) -> None:
        self._parts.sidebar.search.clear()  # else the new chat would not be in the list
        if self._parts.conversation.shown is not None:
            self._parts.conversation.new_chat()
        self._back_to_page()

    def open_chat(self, conversation_id: str) -> None:
        self._parts.conversation.open(conversation_id)
        self._back_to_page()

    def next_chat(self, step: int) -> None:
        found = self._parts.chats.neighbour(step)
        if found:
            self.open_chat(found)

    def _back_to_page(self) -> None:
        self._parts.frame.close_overlay()
        self._parts.places.back()
        self._parts.page.composer.field.setFocus()

    def to_composer(self) -> None:
        self._parts.places.back()
        self._parts.page.composer.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # --- places --------------------------------------------------------------------------------

    def go(self, name: str) -> None:
        """Show a page beside the chat."""
        if self._parts.places.go(name):
            self._parts.frame.close_overlay()
            self._parts.places.take_focus()

    def place_changed(self, name: str) -> None:
        self._parts.sidebar.show_place(name)
        self._parts.chats.mark_away(away=name != CHAT)
        if name == CHAT:
            self._parts.page.settle_toast()

    def search_chats(self) -> None:
        if self._parts.places.here == SETTINGS:  # which stands where the chats are listed
            self._parts.places.back()
        self._parts.frame.set_open(True)
        self._parts.sidebar.focus_search()

    def rename(self) -> None:
        """The conversation that has the focus in the list, else the one that is shown."""
        listed = self._parts.sidebar.list
        current = listed.current_id() if listed.hasFocus() else None
        if current:
            listed.rename(current)
        else:
            self.rename_shown()

    def rename_shown(self) -> None:
        if self._parts.conversation.shown:
            self._parts.page.header.begin_rename()

    def rename_to(self, title: str) -> None:
        if self._parts.conversation.shown:
            self._parts.chats.rename(self._parts.conversation.shown, title)

    def undo_delete(self, conversation_id: str, was_shown: bool) -> None:
        def back() -> None:
            if was_shown:
                self.open_chat(conversation_id)

        self._parts.chats.restore(conversation_id, back)

    def header_menu(self, place: QPoint) -> None:
        shown = self._parts.chats.get(self._parts.conversation.shown)
        if shown:
            self._menu.show(shown, place, self.rename_shown)

    def sidebar_menu(self, conversation_id: str, place: QPoint) -> None:
        listed = self._parts.chats.get(conversation_id)
        if listed:
            self._menu.show(listed, place, lambda: self._parts.sidebar.list.rename(listed.id))

    # --- the answer ----------------------------------------------------------------------------

    def copy_turn(self, turn_id: str) -> None:
        copy_text(self._parts.conversation.text_of(turn_id), self._parts.page.toast)

    def copy_answer(self) -> None:
        copy_text(self._parts.conversation.last_answer(), self._parts.page.toast)

    def open_link(self, address: str) -> None:
        if dialogs.ask_to_open(self._parts.theme, address, self._window) is None:
            said = translate("Toast", "Snug does not open this kind of link")
            self._parts.page.toast.say("info", said)

    def act(self, action: Action) -> None:
        """What the button of a message stands for; the button itself is gone by then."""
        self.to_composer()
        match action:
            case Action.ANSWER_AGAIN:
                self._parts.conversation.try_again()
            case Action.START_AGAIN:
                self._parts.conversation.continue_reply()
            case Action.LOAD_AGAIN | Action.TRY_ONCE_MORE:
                self._parts.model.start_again()
            case Action.EDIT_MESSAGE:
                self._parts.stage.begin_edit()
            case Action.MAKE_ROOM:
                self._parts.model.make_room()
            case Action.SHOW_MODELS:
                self.go(MODELS)

    def show_details(self, title: str, details: str) -> None:
        dialogs.show_details(self._parts.theme, title, details, self._window)

    # --- the model -----------------------------------------------------------------------------

    def prepare_model(self, *, by_person: bool = False, anyway: bool = False) -> None:
        chat = self._container.chat
        if by_person:
            self._parts.model.person_asked()
        self._work(lambda: chat.prepare(by_person=by_person, anyway=anyway))

    def use_model(self, path: Path | None, context_length: int | None = None) -> None:
        """Answer with the model in `path` from now on; None is the starter."""
        models, chat = self._container.models, self._container.chat

        def change() -> None:
            models.use(path, context_length)
            chat.prepare(by_person=True)

        self._parts.model.person_asked()
        self._work(change)

    def answer_failed(self, error: EngineError) -> None:
        """Answer the question on the page, if it was not answered because of `error`. Whatever
        was asked of the model before is done before."""
        if same_failure(self._parts.conversation.failure, error):
            self._parts.conversation.continue_reply()

    def cancel_loading(self) -> None:
        self._parts.page.loading.say_stopping()
        self._container.chat.cancel_loading()
        self.to_composer()

    def _work(self, work: Callable[[], None]) -> None:
        self._bridge.run(work, lambda _: None, self._parts.stage.show_trouble)

    # --- the window ----------------------------------------------------------------------------

    def escape(self) -> None:
        """Close what lies on top, else leave editing, else stop."""
        page = self._parts.page
        if self._parts.frame.overlay_open:
            self._parts.frame.close_overlay()
            self._sidebar_opener.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif commands.holds(page.toast, QApplication.focusWidget()):
            page.toast.dismiss()
        elif self._parts.places.away:
            self.to_composer()
        elif self._parts.stage.cancel_edit():
            pass
        elif self._parts.model.loading and not self._parts.conversation.busy:
            self.cancel_loading()
        else:
            self._parts.conversation.stop()

    def toggle_sidebar(self) -> None:
        frame, opener = self._parts.frame, self._sidebar_opener
        had_focus = commands.holds(self._parts.sidebar, QApplication.focusWidget())
        opener_had_focus = opener.hasFocus()
        frame.toggle()
        if frame.is_wide:
            self.keep(settings.SIDEBAR_OPEN, self._parts.sidebar.isVisible())
        reason = Qt.FocusReason.ShortcutFocusReason
        if had_focus and not self._parts.sidebar.isVisible():
            opener.setFocus(reason)
        elif opener_had_focus or frame.overlay_open:
            self._parts.sidebar.toggle.setFocus(reason)

    @property
    def _sidebar_opener(self) -> QWidget:
        places, header = self._parts.places, self._parts.page.header
        return places.bar.show_sidebar if places.away else header.show_sidebar

    def next_region(self) -> None:
        page, beside = self._parts.page, self._parts.places.page
        chat = [page.header, page.content, page.composer]
        regions = [self._parts.sidebar, *([beside] if beside else chat)]
        found = commands.next_region(regions, QApplication.focusWidget())
        if found:
            commands.focus_first(found)

    def scale(self, direction: int) -> None:
        """One step larger or smaller; 0 is back to 100 percent."""
        theme = self._parts.theme
        steps = settings.TEXT_SCALE_PERCENT.choices
        percent = commands.next_scale(steps, theme.scale_percent, direction) if direction else 100
        theme.set_scale(percent)
        self.keep(settings.TEXT_SCALE_PERCENT, percent)
        said = translate("Toast", "Text size {n} percent").format(n=percent)
        self._parts.page.toast.say("a-large-small", said)

    def keep(self, setting: settings.Setting[settings.T], value: settings.T) -> None:
        """Remember a setting. The person goes on undisturbed if that does not work."""
        kept = self._container.settings
        self._bridge.run(lambda: kept.set(setting, value), lambda _: None, lambda _: None)
