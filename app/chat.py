"""Asking and answering: the use cases around one reply.

The person's turn is on disk before the engine hears of it, and the reply is stored while it is
written. Called from the worker's thread; answers come as events from the inference thread. Every
reply is bound to the turn it fills, so that nothing can end up in another conversation.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Lock

from app.conversations.checkpoint import ReplyCheckpoint
from app.conversations.store import ConversationStore
from app.conversations.titles import title_from
from app.conversations.values import Turn, TurnState
from app.errors import NothingToAnswer, ReplyRunning, StorageError
from app.events import (
    ConversationDeleted,
    ConversationSaved,
    Event,
    EventBus,
    HistoryTrimmed,
    ModelFailed,
    ModelLoading,
    ModelReady,
    PromptRead,
    ReplyEnded,
    ReplyGrew,
    StorageFailed,
    TurnAdded,
    TurnsRemoved,
)
from app.models import ModelChoice
from engine.errors import Cancelled, EngineError
from engine.ports import GenerationEvent, Host
from engine.types.cancel import CancelToken
from engine.types.chat import Message, Role
from engine.types.generation import (
    ContextTrimmed,
    Finished,
    FinishReason,
    GenerationRequest,
    PromptProgress,
    Sampling,
    TextDelta,
)
from engine.types.models import Failed, Loaded, LoadEvent, LoadProgress

log = logging.getLogger("snug.chat")

_STATES = {
    FinishReason.STOP: TurnState.COMPLETE,
    FinishReason.LENGTH: TurnState.CUT,
    FinishReason.CONTEXT: TurnState.CUT,
    FinishReason.CANCELLED: TurnState.STOPPED,
}


_SECOND_TRY_TEMPERATURE = 0.6


@dataclass(slots=True, kw_only=True)
class _Reply:
    """A reply on its way. `begun` once the engine works on it."""

    turn: Turn
    cancel: CancelToken = field(default_factory=CancelToken)
    begun: bool = False


def _as_it_is(sampling: Sampling) -> Sampling:
    return sampling


def _warmer(sampling: Sampling) -> Sampling:
    """Another try should not say the same again."""
    return replace(sampling, temperature=max(sampling.temperature, _SECOND_TRY_TEMPERATURE))


class ChatService:
    """Sends what a person says to the model and keeps what comes back."""

    def __init__(
        self,
        *,
        store: ConversationStore,
        host: Host,
        events: EventBus,
        choose_model: Callable[[], ModelChoice],
    ) -> None:
        self._store = store
        self._host = host
        self._events = events
        self._choose_model = choose_model
        self._checkpoint = ReplyCheckpoint(store, self._storage_failed)
        self._replies: dict[str, _Reply] = {}
        self._lock = Lock()
        self._loading = CancelToken()
        events.subscribe(self._on_event)

    # --- what a person does -----------------------------------------------------------------

    def send(self, conversation_id: str | None, text: str) -> str:
        """Say `text` and ask for a reply; None starts a conversation. Returns its id.

        Raises `ReplyRunning`, `ConversationMissing` or `StorageError`; then nothing was said.
        """
        self._refuse_while_running(conversation_id)
        if conversation_id is None:
            title = title_from(text, fallback="")  # the window has a word for that
            conversation, turn = self._store.begin(title, text)
            self._events.publish(ConversationSaved(conversation=conversation))
        else:
            turn = self._store.add_turn(conversation_id, role=Role.USER, text=text)
        self._events.publish(TurnAdded(turn=turn))
        self._answer(turn.conversation_id)
        return turn.conversation_id

    def try_again(self, conversation_id: str) -> None:
        """Replace the last reply. Raises `ReplyRunning`, `NothingToAnswer` or `StorageError`."""
        self._refuse_while_running(conversation_id)
        turns = self._store.turns(conversation_id)
        question = _last_question(turns)
        self._remove_from(conversation_id, question.position + 1)
        self._answer(conversation_id, _warmer)

    def edit_last(self, conversation_id: str, text: str) -> None:
        """Replace the person's last turn, and what followed it, and ask again."""
        self._refuse_while_running(conversation_id)
        question = _last_question(self._store.turns(conversation_id))
        turn = self._store.replace_from(conversation_id, question.position, text)
        self._events.publish(
            TurnsRemoved(conversation_id=conversation_id, first_position=question.position)
        )
        self._events.publish(TurnAdded(turn=turn))
        self._answer(conversation_id)

    def continue_reply(self, conversation_id: str) -> None:
        """Go on with the last reply where it stopped."""
        self._refuse_while_running(conversation_id)
        turns = self._store.turns(conversation_id)
        if not turns or turns[-1].role is not Role.ASSISTANT or not turns[-1].text:
            self.try_again(conversation_id)
            return
        last = turns[-1]
        self._store.update_turn(last.id, last.text, TurnState.PARTIAL)
        self._events.publish(
            TurnsRemoved(conversation_id=conversation_id, first_position=last.position)
        )
        self._start(_as_partial(last), turns)

    def stop(self, conversation_id: str) -> None:
        """End the reply that is being written there, keeping its text. Quick."""
        with self._lock:
            reply = self._replies.get(conversation_id)
        if reply is None:
            return
        reply.cancel.cancel()
        if not reply.begun:  # it may be waiting for the model: then that is not wanted either
            self._loading.cancel()
            self._loading = CancelToken()

    def prepare(self) -> None:
        """Load the model ahead of the first question. Quick; tells by events."""
        self._load(self._tell_loading)

    def close(self, timeout_s: float) -> bool:
        """Stop everything and store it. False if that took too long."""
        self._loading.cancel()
        with self._lock:
            replies = list(self._replies.values())
        for reply in replies:
            reply.cancel.cancel()
        ended = self._host.close(timeout_s)
        return self._checkpoint.close() and ended

    # --- one reply --------------------------------------------------------------------------

    def _refuse_while_running(self, conversation_id: str | None) -> None:
        with self._lock:
            if conversation_id in self._replies:
                raise ReplyRunning(str(conversation_id))

    def _remove_from(self, conversation_id: str, position: int) -> None:
        self._store.remove_turns_from(conversation_id, position)
        self._events.publish(TurnsRemoved(conversation_id=conversation_id, first_position=position))

    def _answer(
        self, conversation_id: str, adjust: Callable[[Sampling], Sampling] = _as_it_is
    ) -> None:
        turns = self._store.turns(conversation_id)
        turn = self._store.add_turn(
            conversation_id, role=Role.ASSISTANT, text="", state=TurnState.PARTIAL
        )
        self._start(turn, turns, adjust)

    def _start(
        self,
        turn: Turn,
        turns: tuple[Turn, ...],
        adjust: Callable[[Sampling], Sampling] = _as_it_is,
    ) -> None:
        reply = _Reply(turn=turn)
        with self._lock:
            self._replies[turn.conversation_id] = reply
        self._events.publish(TurnAdded(turn=turn))
        choice = self._load(partial(self._on_load, reply))
        if choice is None:
            return
        request = GenerationRequest(
            messages=_messages(choice.system, turns), sampling=adjust(choice.sampling)
        )
        self._host.generate(request, partial(self._on_generation, reply), reply.cancel)

    def _load(self, deliver: Callable[[LoadEvent], None]) -> ModelChoice | None:
        try:
            choice = self._choose_model()
        except EngineError as error:
            deliver(Failed(error=error))
            return None
        self._host.load(choice.spec, partial(self._named, choice.name, deliver), self._loading)
        return choice

    def _named(self, name: str, deliver: Callable[[LoadEvent], None], event: LoadEvent) -> None:
        if isinstance(event, LoadProgress):
            self._events.publish(ModelLoading(name=name, fraction=event.fraction))
        deliver(event)

    def _tell_loading(self, event: LoadEvent) -> None:
        if isinstance(event, Loaded):
            self._events.publish(ModelReady(info=event.info))
        elif isinstance(event, Failed) and not isinstance(event.error, Cancelled):
            self._events.publish(ModelFailed(error=event.error))

    # --- on the inference thread ------------------------------------------------------------

    def _on_load(self, reply: _Reply, event: LoadEvent) -> None:
        self._tell_loading(event)
        if isinstance(event, Failed):
            self._fail(reply, event.error)

    def _on_generation(self, reply: _Reply, event: GenerationEvent) -> None:
        if not self._is_current(reply):
            return
        if not reply.begun:
            reply.begun = True
            self._checkpoint.begin(reply.turn)
        conversation_id = reply.turn.conversation_id
        match event:
            case TextDelta(text=text):
                self._checkpoint.append(text)
                self._events.publish(
                    ReplyGrew(conversation_id=conversation_id, turn_id=reply.turn.id, text=text)
                )
            case PromptProgress(done_tokens=done, total_tokens=total):
                self._events.publish(
                    PromptRead(conversation_id=conversation_id, fraction=done / max(total, 1))
                )
            case ContextTrimmed(dropped_messages=dropped):
                self._events.publish(
                    HistoryTrimmed(conversation_id=conversation_id, dropped_turns=dropped)
                )
            case Finished(reason=reason):
                self._end(reply, _STATES[reason], None)
            case Failed(error=error):
                self._fail(reply, error)

    def _is_current(self, reply: _Reply) -> bool:
        with self._lock:
            return self._replies.get(reply.turn.conversation_id) is reply

    def _fail(self, reply: _Reply, error: EngineError) -> None:
        if isinstance(error, Cancelled):
            self._end(reply, TurnState.STOPPED, None)
        else:
            self._end(reply, TurnState.FAILED, error)

    def _end(self, reply: _Reply, state: TurnState, error: EngineError | None) -> None:
        if not reply.begun:
            self._checkpoint.begin(reply.turn)
        turn = self._checkpoint.finish(state)
        with self._lock:
            self._replies.pop(turn.conversation_id, None)
        self._events.publish(ReplyEnded(turn=turn, error=error))

    def _storage_failed(self, error: StorageError) -> None:
        self._events.publish(StorageFailed(detail=str(error)))

    def _on_event(self, event: Event) -> None:
        if isinstance(event, ConversationDeleted):
            self.stop(event.conversation_id)


def _last_question(turns: tuple[Turn, ...]) -> Turn:
    for turn in reversed(turns):
        if turn.role is Role.USER:
            return turn
    raise NothingToAnswer


def _as_partial(turn: Turn) -> Turn:
    return replace(turn, state=TurnState.PARTIAL)


def _messages(system: str, turns: tuple[Turn, ...]) -> tuple[Message, ...]:
    """What the model is told: every turn with text in it, also replies that were cut short."""
    before = (Message(role=Role.SYSTEM, content=system),) if system else ()
    return before + tuple(Message(role=turn.role, content=turn.text) for turn in turns if turn.text)
