"""What lies around the transcript, as the presenter sees it: drafts, editing, hints, banners.

GUI thread. It decides nothing about conversations; it keeps what a person has typed.
"""

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QCoreApplication

from app.conversations.values import Turn
from engine.errors import DoesNotFit, EngineError
from ui import messages
from ui.chat.contracts import Activity
from ui.chat.draft import Draft, Drafts
from ui.models.patience import Patience, stopping_words
from ui.shell.page import Page

translate = QCoreApplication.translate


class Presenter(Protocol):
    """What is asked of the `ConversationController`."""

    @property
    def busy(self) -> bool: ...
    def send(self, text: str) -> bool: ...
    def edit_last(self, text: str) -> bool: ...
    def last_message(self) -> Turn | None: ...
    def last_answer(self) -> str: ...
    def text_of(self, turn_id: str) -> str: ...


class PageStage:
    """The `Stage` of the window. `shown` is told of every change of page."""

    def __init__(
        self,
        page: Page,
        announce: Callable[[str], None],
        shown: Callable[[str | None], None],
    ) -> None:
        self._page = page
        self._announce = announce
        self._tell_shown = shown
        self._drafts = Drafts()
        self._shown: str | None = None
        self._activity = Activity.IDLE
        self._set_aside: Draft | None = None
        """The draft that waits while the last message is edited."""
        self._before_edit = Draft()
        self._said_wait = False
        self.presenter: Presenter
        self.tell_writing: Callable[[frozenset[str]], None]
        self.tell_too_big: Callable[[DoesNotFit], None]
        self.tell_asked: Callable[[], None]
        """A question waits for its answer."""
        self._patience = Patience(page, self._hint)

    def attach(self, presenter: Presenter, tell_writing: Callable[[frozenset[str]], None]) -> None:
        """From here on, what a person writes is taken."""
        self.presenter = presenter
        self.tell_writing = tell_writing
        self._page.composer.submitted.connect(self._submit)
        self._page.composer.edit_last_wished.connect(self.begin_edit)
        self._page.composer.changed.connect(self._typed)
        self._page.welcome.started.connect(self._begin_with)
        self._page.loading.stopping_changed.connect(self._hint)
        self._hint()

    @property
    def editing(self) -> bool:
        return self._set_aside is not None

    @property
    def unsent(self) -> Draft:
        return self._page.composer.draft

    # --- Stage ---------------------------------------------------------------------------------

    def conversation_opened(self, conversation_id: str | None) -> None:
        self._drafts.put(self._shown, self._left_behind())
        self._set_aside = None
        self._shown = conversation_id
        self._page.composer.show_draft(self._drafts.get(conversation_id))
        if conversation_id is None:
            self._page.show_welcome()
        else:
            self._page.show_conversation()
        self._tell_shown(conversation_id)
        self._hint()

    def conversation_started(self, conversation_id: str) -> None:
        self._drafts.put(None, Draft())
        self._shown = conversation_id
        self._page.show_conversation()
        self._tell_shown(conversation_id)
        self._hint()

    def show_activity(self, activity: Activity) -> None:
        before, self._activity = self._activity, activity
        self._page.composer.set_working(working=activity is not Activity.IDLE)
        self._page.composer.set_stopping(stopping=activity is Activity.STOPPING)
        self._follow(activity)
        if activity is Activity.WRITING and before is not Activity.READING:
            self._announce(translate("Status", "Snug is writing"))
        if activity is Activity.IDLE and before in {Activity.WRITING, Activity.STOPPING}:
            self._announce(self.presenter.last_answer())
        self._said_wait = False
        self._hint()

    def _follow(self, activity: Activity) -> None:
        self._patience.end()
        if activity is Activity.WAITING:
            self.tell_asked()
        elif activity is Activity.STOPPING:
            self._patience.begin()
            self._page.loading.say_stopping()

    def show_writing(self, conversation_ids: frozenset[str]) -> None:
        self.tell_writing(conversation_ids)

    def show_trouble(self, error: Exception) -> None:
        if isinstance(error, DoesNotFit):
            self.tell_too_big(error)
            return
        if isinstance(error, EngineError):  # the load that failed has told of it too
            self._page.banner.drop("model")
        message = messages.of_error(error, self._page.header.pill.model)
        self._page.banner.put("trouble", message)

    def show_trimmed(self, _dropped_turns: int) -> None:
        self._page.banner.put("trimmed", messages.of_trimmed())

    def clear_trouble(self) -> None:
        self._page.banner.drop("trouble")
        self._page.banner.drop("trimmed")

    def taken(self, conversation_id: str | None, text: str) -> None:
        if conversation_id != self._shown:
            kept = self._drafts.get(conversation_id)
            self._drafts.put(conversation_id, kept.without_sent(text))
            return
        left = self._page.composer.draft.without_sent(text)
        aside, self._set_aside = self._set_aside, None
        self._page.composer.show_draft(aside if aside and left.empty else left)
        self._hint()

    # --- writing -------------------------------------------------------------------------------

    def _submit(self, text: str) -> None:
        take = self.presenter.edit_last if self.editing else self.presenter.send
        if self.presenter.busy:
            self._said_wait = True
            self._hint()
            return
        take(text)  # `taken` clears the field when it is stored; a kill before loses nothing
        self._hint()

    def begin_edit(self, turn_id: str = "") -> None:
        """Put the newest message into the field, or an older one as a new message."""
        last = self.presenter.last_message()
        composer = self._page.composer
        if last is None or self.presenter.busy:
            self._said_wait = self.presenter.busy
            self._hint()
            return
        if turn_id and turn_id != last.id:
            composer.add(self.presenter.text_of(turn_id))
        elif not self.editing:
            self._set_aside = composer.draft
            self._before_edit = Draft().with_text(last.text)
            composer.show_draft(self._before_edit)
        composer.field.setFocus()
        self._hint()

    def cancel_edit(self) -> bool:
        """Leave the message as it was; False if none is edited."""
        aside, self._set_aside = self._set_aside, None
        if aside is None:
            return False
        self._page.composer.show_draft(aside)
        self._hint()
        return True

    def _left_behind(self) -> Draft:
        """What waits here for the person's return: a changed message too, as a new one."""
        written, aside = self._page.composer.draft, self._set_aside
        if aside is None:
            return written
        return aside if written in {self._before_edit, Draft()} else aside.with_text(written.text)

    def _begin_with(self, words: str) -> None:
        self._page.composer.show_draft(self._page.composer.draft.with_text(words))
        self._page.composer.field.setFocus()

    # --- hints ---------------------------------------------------------------------------------

    def _typed(self) -> None:
        if self._activity is Activity.IDLE:
            self._hint()

    def _hint(self) -> None:
        hint = self._hint_now()
        self._page.strip.say(hint)
        ask = translate("Composer", "Ask anything")
        follow_up = translate("Composer", "Ask a follow-up")
        self._page.composer.set_hint(ask if self._shown is None else follow_up, hint)

    def _hint_now(self) -> str:
        said_wait = self._said_wait and self._activity is not Activity.STOPPING
        if said_wait and self._activity is not Activity.IDLE:
            return translate("Status", "Wait, or press Esc to stop")
        match self._activity:
            case Activity.WAITING:
                return translate("Status", "Getting ready… press Esc to stop")
            case Activity.READING:
                return translate("Status", "Reading… press Esc to stop")
            case Activity.WRITING:
                return translate("Status", "Writing… press Esc to stop")
            case Activity.STOPPING:
                return stopping_words(lost=self._patience.lost)
            case Activity.IDLE:
                return self._page.loading.stopping or self._hint_at_rest()

    def _hint_at_rest(self) -> str:
        if self.editing:
            return translate("Status", "Editing your last message. Esc leaves it as it was")
        if self._shown is None and self._page.composer.draft.empty:
            return translate("Status", "Answers can be wrong. Check what matters.")
        return translate("Status", "Enter to send, Shift+Enter for a new line")
