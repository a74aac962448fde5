"""One reply from its empty turn to its last word: the model is asked, and listened to.

`start` comes from the worker's thread, `stop` from any, the engine's events from the inference
thread. What grows in the checkpoint belongs to the inference thread alone. Every reply is bound to
the turn it fills, so that nothing ends up in another conversation, and however a reply ends, its
conversation is free.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Lock

from app.conversations.checkpoint import ReplyCheckpoint
from app.conversations.store import ConversationStore
from app.conversations.values import Turn, TurnState
from app.errors import ReplyRunning, StorageError
from app.events import (
    EventBus,
    HistoryTrimmed,
    PromptRead,
    ReplyEnded,
    ReplyGrew,
    StorageFailed,
)
from app.loading import Loading
from app.models import ModelService
from engine.errors import Cancelled, EngineError
from engine.ports import GenerationEvent, Keeper
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
from engine.types.models import Failed

_STATES = {
    FinishReason.STOP: TurnState.COMPLETE,
    FinishReason.LENGTH: TurnState.CUT,
    FinishReason.CONTEXT: TurnState.CUT,
    FinishReason.CANCELLED: TurnState.STOPPED,
}

Adjust = Callable[[Sampling], Sampling]


@dataclass(slots=True, kw_only=True, eq=False)
class _Reply:
    """A reply on its way, by `model`. `begun` once the engine works on it."""

    turn: Turn
    model: str = ""
    cancel: CancelToken = field(default_factory=CancelToken)
    begun: bool = False


class Answering:
    """Owns the replies that are on their way."""

    def __init__(
        self,
        store: ConversationStore,
        keeper: Keeper,
        events: EventBus,
        models: ModelService,
    ) -> None:
        self._keeper = keeper
        self._events = events
        self._loading = Loading(keeper, events, models)
        self._checkpoint = ReplyCheckpoint(store, self._storage_failed)
        self._replies: dict[str, _Reply] = {}
        self._lock = Lock()

    def refuse_while_running(self, conversation_id: str | None) -> None:
        """Raises `ReplyRunning` while the conversation is being answered."""
        with self._lock:
            if conversation_id in self._replies:
                raise ReplyRunning(str(conversation_id))

    def start(self, turn: Turn, turns: tuple[Turn, ...], adjust: Adjust) -> None:
        """Fill the PARTIAL `turn` with a reply to `turns`. Raises nothing; it ends as an event."""
        reply = _Reply(turn=turn)
        with self._lock:
            self._replies[turn.conversation_id] = reply
        choice = self._loading.choose()
        if isinstance(choice, EngineError):
            self._fail(reply, choice)
            return
        reply.model = choice.name
        request = replace(choice.request, by_person=True)
        self._loading.load(choice, request, reply.cancel, partial(self._on_load, reply))
        question = GenerationRequest(
            messages=_messages(choice.system, turns), sampling=adjust(choice.sampling)
        )
        self._keeper.generate(question, partial(self._on_generation, reply), reply.cancel)

    def stop(self, conversation_id: str) -> None:
        """End the reply that is being written there, keeping its text. Quick.

        One that is not begun ends now: it may wait for another chat's, or for a long load.
        """
        with self._lock:
            reply = self._replies.get(conversation_id)
        if reply is None:
            return
        reply.cancel.cancel()
        if self._take_unbegun(reply):
            self._loading.cancel()  # it may be waiting for a load that nobody else asked for
            self._end_unbegun(reply, TurnState.STOPPED, None, quick=True)

    def cancel_loading(self) -> None:
        """Stop a load that is on its way, and replies that wait for it. Quick."""
        with self._lock:
            waiting = [key for key, reply in self._replies.items() if not reply.begun]
        self._loading.cancel()
        for conversation_id in waiting:
            self.stop(conversation_id)

    def prepare(self, *, by_person: bool = False, anyway: bool = False) -> None:
        """Load the model ahead of the first question; tells by events."""
        self._loading.prepare(by_person=by_person, anyway=anyway)

    def stop_all(self) -> None:
        """Ask every reply and load to end."""
        self._loading.cancel()
        with self._lock:
            running = list(self._replies)
        for conversation_id in running:
            self.stop(conversation_id)

    def close(self, timeout_s: float) -> bool:
        """Stop everything and store it. False if that took too long."""
        self.stop_all()
        ended = self._keeper.close(timeout_s)
        return self._checkpoint.close() and ended

    # --- on the inference thread ----------------------------------------------------------------

    def _on_load(self, reply: _Reply, error: EngineError | None) -> None:
        if error is not None:
            reply.cancel.cancel()  # another model may still be loaded: it is not to answer
            self._fail(reply, error)

    def _on_generation(self, reply: _Reply, event: GenerationEvent) -> None:
        if not self._is_begun(reply):
            return
        match event:
            case TextDelta(text=text):
                self._checkpoint.append(text)
                self._grew(reply.turn, text)
            case Finished(reason=reason, stats=stats):
                self._end_begun(reply, _STATES[reason], None, stats.tokens_per_s)
            case Failed(error=error):
                self._fail(reply, error)
            case PromptProgress() | ContextTrimmed():
                self._tell_reading(reply.turn.conversation_id, event)

    def _is_begun(self, reply: _Reply) -> bool:
        """Begins the reply with its first event. False for one that was ended meanwhile."""
        with self._lock:
            if self._replies.get(reply.turn.conversation_id) is not reply:
                return False
            first, reply.begun = not reply.begun, True
        if first:
            reply.turn = replace(reply.turn, model=reply.model)
            self._checkpoint.begin(reply.turn)
        return True

    def _grew(self, turn: Turn, text: str) -> None:
        self._events.publish(
            ReplyGrew(conversation_id=turn.conversation_id, turn_id=turn.id, text=text)
        )

    def _tell_reading(self, conversation_id: str, event: PromptProgress | ContextTrimmed) -> None:
        if isinstance(event, PromptProgress):
            fraction = event.done_tokens / max(event.total_tokens, 1)
            self._events.publish(PromptRead(conversation_id=conversation_id, fraction=fraction))
        else:
            dropped = event.dropped_messages
            self._events.publish(
                HistoryTrimmed(conversation_id=conversation_id, dropped_turns=dropped)
            )

    # --- the end of a reply, wherever that is noticed -------------------------------------------

    def _fail(self, reply: _Reply, error: EngineError) -> None:
        if isinstance(error, Cancelled):
            self._end(reply, TurnState.STOPPED, None)
        else:
            self._end(reply, TurnState.FAILED, error)

    def _end(self, reply: _Reply, state: TurnState, error: EngineError | None) -> None:
        if self._take_unbegun(reply):
            self._end_unbegun(reply, state, error)
        elif reply.begun:
            self._end_begun(reply, state, error)

    def _end_begun(
        self,
        reply: _Reply,
        state: TurnState,
        error: EngineError | None,
        tokens_per_s: float | None = None,
    ) -> None:
        turn = reply.turn
        try:
            turn = self._checkpoint.finish(state)
        finally:
            with self._lock:
                self._replies.pop(turn.conversation_id, None)
            ended = ReplyEnded(turn=turn, error=error, tokens_per_s=tokens_per_s)
            self._events.publish(ended)

    def _take_unbegun(self, reply: _Reply) -> bool:
        """Free the conversation of a reply that has not begun. True for the one who has to end
        it; what the engine still says of it is dropped."""
        with self._lock:
            mine = self._replies.get(reply.turn.conversation_id) is reply and not reply.begun
            if mine:
                del self._replies[reply.turn.conversation_id]
        return mine

    def _end_unbegun(
        self, reply: _Reply, state: TurnState, error: EngineError | None, *, quick: bool = False
    ) -> None:
        """Nothing was written yet, and the checkpoint may be busy with another reply."""
        turn = reply.turn
        try:
            turn = self._checkpoint.settle(turn, state, quick=quick)
        finally:
            self._events.publish(ReplyEnded(turn=turn, error=error))

    def _storage_failed(self, error: StorageError) -> None:
        self._events.publish(StorageFailed(detail=str(error)))


def _messages(system: str, turns: tuple[Turn, ...]) -> tuple[Message, ...]:
    """What the model is told: every turn with text in it, also replies that were cut short."""
    before = (Message(role=Role.SYSTEM, content=system),) if system else ()
    return before + tuple(Message(role=turn.role, content=turn.text) for turn in turns if turn.text)
