"""Decides what the conversation page shows: which conversation, which one is writing.

No Qt here, and everything runs on the GUI thread. Every piece of work is bound to the visit it
was started on, so a late result or event of one conversation never shows in another.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from app.conversations.values import Turn, TurnState
from app.events import (
    ConversationDeleted,
    Event,
    HistoryTrimmed,
    PromptRead,
    ReplyEnded,
    ReplyGrew,
    TurnAdded,
    TurnsRemoved,
)
from engine.errors import Cancelled
from engine.types.chat import Role
from ui.chat.contracts import Activity, Chat, Run, Stage, Transcript, Turns
from ui.chat.live import (
    Failures,
    LiveReplies,
    applied,
    conversation_of,
    is_reply,
    reconciled,
)


@dataclass(slots=True)
class _Page:
    """One visit to a conversation, or to an empty chat."""

    conversation_id: str | None = None
    turns: list[Turn] | None = None
    """None while they are read or, in an empty chat, until the first message is stored."""
    missed: tuple[Event, ...] = ()
    """What happened meanwhile."""
    in_flight: bool = False
    stop_wished: bool = False


class ConversationController:
    """The presenter of the conversation page."""

    def __init__(
        self, *, run: Run, store: Turns, chat: Chat, transcript: Transcript, stage: Stage
    ) -> None:
        self._run = run
        self._store = store
        self._chat = chat
        self._transcript = transcript
        self._stage = stage
        self._page = _Page()
        self._live = LiveReplies()
        self._awaited: set[str] = set()
        self._reading: set[str] = set()
        self._failures = Failures()
        self._told: tuple[Activity, frozenset[str]] = (Activity.IDLE, frozenset())

    # --- what is shown -----------------------------------------------------------------------

    @property
    def shown(self) -> str | None:
        """The conversation on the page; None in an empty chat."""
        return self._page.conversation_id

    @property
    def activity(self) -> Activity:
        shown = self.shown
        if self._live.is_stopping(shown) or (self._page.in_flight and self._page.stop_wished):
            return Activity.STOPPING
        if shown is not None and shown in self._reading:
            return Activity.READING
        if self._live.of(shown):
            return Activity.WRITING
        return Activity.WAITING if self._page.in_flight or shown in self._awaited else Activity.IDLE

    @property
    def busy(self) -> bool:
        return self.activity is not Activity.IDLE

    @property
    def failure(self) -> Exception | None:
        """Why the newest reply here has failed, since the program was started."""
        return self._failures.of(self.shown)

    def text_of(self, turn_id: str) -> str:
        """All of a turn of the shown conversation as it stands, "" if it is not there."""
        live = self._live.of(self.shown)
        if live and live.turn_id == turn_id:
            return live.text
        return next((turn.text for turn in self._turns if turn.id == turn_id), "")

    def last_answer(self) -> str:
        """The newest answer that has words, else ""."""
        texts = (self.text_of(turn.id) for turn in reversed(self._turns) if is_reply(turn))
        return next((text for text in texts if text), "")

    def last_message(self) -> Turn | None:
        """The person's newest message."""
        mine = (turn for turn in reversed(self._turns) if turn.role is Role.USER)
        return next(mine, None)

    @property
    def _turns(self) -> list[Turn]:
        return self._page.turns or []

    # --- going from one conversation to another ------------------------------------------------

    def new_chat(self) -> None:
        self._turn_to(_Page())

    def open(self, conversation_id: str) -> None:
        if conversation_id == self.shown:
            return
        self._turn_to(_Page(conversation_id=conversation_id))
        page = self._page
        self._run(
            lambda: self._store.turns(conversation_id),
            partial(self._loaded, page),
            partial(self._not_loaded, page),
        )

    def _turn_to(self, page: _Page) -> None:
        self._page = page
        self._transcript.clear()
        self._stage.clear_trouble()
        self._stage.conversation_opened(page.conversation_id)
        self._tell()

    def _loaded(self, page: _Page, turns: Sequence[Turn]) -> None:
        if page is self._page:
            self._show(turns)

    def _not_loaded(self, page: _Page, error: Exception) -> None:
        if page is self._page:
            self.new_chat()
        self._stage.show_trouble(error)

    def _show(self, turns: Sequence[Turn]) -> None:
        page = self._page
        missed, page.missed = page.missed, ()
        page.turns = reconciled(turns, missed, self._live.of(self.shown))
        self._transcript.show_turns(page.turns)
        for event in missed:
            self._tell_of(event)
        self._tell()

    # --- what the person asks for --------------------------------------------------------------

    def send(self, text: str) -> bool:
        """Send a message; False if it must wait, because Snug is still busy here."""
        if self.busy or not text.strip():
            return False
        conversation_id = self.shown
        self._ask(lambda: self._chat.send(conversation_id, text), text)
        return True

    def edit_last(self, text: str) -> bool:
        """Replace the newest message and have it answered anew; False as in `send`."""
        shown = self.shown
        if shown is None or self.busy or not text.strip():
            return False
        self._ask(lambda: self._chat.edit_last(shown, text), text)
        return True

    def try_again(self) -> None:
        shown = self.shown
        if shown is not None and not self.busy and self._turns:
            self._ask(lambda: self._chat.try_again(shown))

    def continue_reply(self) -> None:
        shown = self.shown
        if shown is not None and not self.busy and self._turns:
            self._ask(lambda: self._chat.continue_reply(shown))

    def stop(self) -> None:
        """Stop what is written or awaited here; what is there so far stays."""
        self._page.stop_wished = self._page.in_flight
        if self.shown is not None and self.busy:
            self._stop(self.shown)
        self._tell()

    def _stop(self, conversation_id: str) -> None:
        self._awaited.discard(conversation_id)
        self._live.stop(conversation_id)
        self._chat.stop(conversation_id)

    def _ask(self, work: Callable[[], str | None], text: str = "") -> None:
        self._stage.clear_trouble()
        page = self._page
        page.in_flight, page.stop_wished = True, False
        if self.shown is not None:
            self._awaited.add(self.shown)
        self._tell()
        self._run(work, partial(self._asked, page, text), partial(self._not_asked, page))

    def _asked(self, page: _Page, text: str, conversation_id: str | None) -> None:
        page.in_flight = False
        if text:
            self._stage.taken(page.conversation_id, text)
        wanted = page.conversation_id or conversation_id
        if wanted and page.stop_wished:
            self._stop(wanted)
        if page is self._page and page.conversation_id is None and wanted:
            self._adopt(wanted)
        self._tell()

    def _adopt(self, conversation_id: str) -> None:
        """The empty chat got its id: show what has happened to it since it was sent."""
        page = self._page
        page.conversation_id = conversation_id
        page.missed = tuple(e for e in page.missed if conversation_of(e) == conversation_id)
        answered = any(isinstance(e, TurnAdded) and is_reply(e.turn) for e in page.missed)
        if not answered and not page.stop_wished:
            self._awaited.add(conversation_id)
        self._stage.conversation_started(conversation_id)
        self._show(())

    def _not_asked(self, page: _Page, error: Exception) -> None:
        page.in_flight = False
        self._awaited.discard(page.conversation_id or "")
        self._stage.show_trouble(error)
        self._tell()

    # --- what happens --------------------------------------------------------------------------

    def handle(self, event: Event) -> None:
        """Take an event of any conversation."""
        conversation_id = conversation_of(event)
        if conversation_id is None:
            return
        self._follow(event, conversation_id)
        if self.shown == conversation_id:
            self._happened_here(event)
        elif self.shown is None and self._page.in_flight:
            self._page.missed += (event,)
        self._tell()

    def _follow(self, event: Event, conversation_id: str) -> None:
        """Who is writing, whether it is shown or not."""
        self._failures.note(event, conversation_id)
        match event:
            case TurnAdded(turn=turn) if is_reply(turn) and turn.state is TurnState.PARTIAL:
                self._live.begin(turn)
                self._awaited.discard(conversation_id)
            case PromptRead(fraction=fraction) if fraction < 1:
                self._reading.add(conversation_id)
            case PromptRead():
                self._reading.discard(conversation_id)
            case ReplyGrew():
                self._live.grow(event, self._turns if conversation_id == self.shown else ())
                self._awaited.discard(conversation_id)
                self._reading.discard(conversation_id)
            case ReplyEnded() | ConversationDeleted():
                self._live.end(conversation_id)
                self._awaited.discard(conversation_id)
                self._reading.discard(conversation_id)
            case _:
                pass

    def _happened_here(self, event: Event) -> None:
        if isinstance(event, ConversationDeleted):
            self.new_chat()
        elif self._page.turns is None:
            self._page.missed += (event,)
        else:
            known = {turn.id for turn in self._page.turns}
            self._page.turns = applied(self._page.turns, event)
            self._paint(event, known)
            self._tell_of(event)

    def _paint(self, event: Event, known: set[str]) -> None:
        match event:
            case TurnAdded(turn=turn) if turn.id not in known:
                self._transcript.add_turn(turn)
            case ReplyGrew(turn_id=turn_id, text=text) if turn_id in known:
                self._transcript.grow(turn_id, text)
            case ReplyEnded(turn=turn):
                if turn.id not in known:
                    self._transcript.add_turn(turn)
                self._transcript.end_turn(turn)
            case TurnsRemoved(first_position=first):
                self._transcript.remove_from(first)
            case _:
                pass

    def _tell_of(self, event: Event) -> None:
        match event:
            case ReplyEnded(error=error) if error is not None and not isinstance(error, Cancelled):
                self._stage.show_trouble(error)
            case HistoryTrimmed(dropped_turns=dropped):
                self._stage.show_trimmed(dropped)
            case _:
                pass

    def _tell(self) -> None:
        now = (self.activity, self._live.conversations | self._awaited)
        before, self._told = self._told, now
        if now[0] is not before[0]:
            self._stage.show_activity(now[0])
        if now[1] != before[1]:
            self._stage.show_writing(now[1])
