"""One reply from its empty turn to its last word: the model is loaded, asked, and listened to.

`start` comes from the worker's thread, the engine's events from the inference thread. The
checkpoint belongs to the inference thread alone. Every reply is bound to the turn it fills, so
that nothing ends up in another conversation, and however a reply ends, its conversation is free.
"""

import logging
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
    MemoryRanLow,
    MemoryRecovered,
    ModelFailed,
    ModelLoadCancelled,
    ModelLoading,
    ModelReady,
    ModelUnloaded,
    PromptRead,
    ReplyEnded,
    ReplyGrew,
    StorageFailed,
)
from app.models import ModelChoice, ModelService
from engine.errors import Cancelled, EngineError, EngineStopped
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
from engine.types.models import (
    Failed,
    KeeperEvent,
    Loaded,
    LoadedInfo,
    LoadEvent,
    LoadProgress,
    Unloaded,
)
from engine.types.plans import LoadRequest

log = logging.getLogger("snug.chat")

_STATES = {
    FinishReason.STOP: TurnState.COMPLETE,
    FinishReason.LENGTH: TurnState.CUT,
    FinishReason.CONTEXT: TurnState.CUT,
    FinishReason.CANCELLED: TurnState.STOPPED,
}

Adjust = Callable[[Sampling], Sampling]


@dataclass(slots=True, kw_only=True)
class _Reply:
    """A reply on its way. `begun` once the engine works on it."""

    turn: Turn
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
        self._store = store
        self._keeper = keeper
        self._events = events
        self._models = models
        self._checkpoint = ReplyCheckpoint(store, self._storage_failed)
        self._replies: dict[str, _Reply] = {}
        self._lock = Lock()
        self._preparing = CancelToken()
        self._ready: LoadedInfo | None = None
        self._ready_name = ""
        keeper.listen(self._on_keeper)

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
        choice = self._choose()
        if isinstance(choice, EngineError):
            self._events.publish(ModelFailed(error=choice))
            self._end_unbegun(reply, TurnState.FAILED, choice)
            return
        request = replace(choice.request, by_person=True)
        self._load(choice, request, partial(self._on_load, reply, choice.name), reply.cancel)
        question = GenerationRequest(
            messages=_messages(choice.system, turns), sampling=adjust(choice.sampling)
        )
        self._keeper.generate(question, partial(self._on_generation, reply), reply.cancel)

    def stop(self, conversation_id: str) -> None:
        """End the reply that is being written there, keeping its text. Quick."""
        with self._lock:
            reply = self._replies.get(conversation_id)
            preparing = self._preparing
        if reply is None:
            return
        reply.cancel.cancel()
        if not reply.begun:  # it may be waiting for a load that nobody else asked for
            preparing.cancel()

    def cancel_loading(self) -> None:
        """Stop a load that is on its way, and replies that wait for it. Quick."""
        with self._lock:
            waiting = [reply.cancel for reply in self._replies.values() if not reply.begun]
        for cancel in (self._preparing, *waiting):
            cancel.cancel()

    def prepare(self, *, by_person: bool = False, anyway: bool = False) -> None:
        """Load the model ahead of the first question; tells by events."""
        with self._lock:
            self._preparing = CancelToken()
        if anyway:
            self._models.load_anyway()
        choice = self._choose()
        if isinstance(choice, EngineError):
            self._events.publish(ModelFailed(error=choice))
            return
        request = replace(choice.request, by_person=by_person, retry=by_person)
        tell = partial(self._tell_loading, choice.name)
        self._load(choice, request, tell, self._preparing)

    def stop_all(self) -> None:
        """Ask every reply and load to end."""
        self._preparing.cancel()
        with self._lock:
            replies = list(self._replies.values())
        for reply in replies:
            reply.cancel.cancel()

    def close(self, timeout_s: float) -> bool:
        """Stop everything and store it. False if that took too long."""
        self.stop_all()
        ended = self._keeper.close(timeout_s)
        return self._checkpoint.close() and ended

    # --- the model ----------------------------------------------------------------------------

    def _choose(self) -> ModelChoice | EngineError:
        try:
            return self._models.choose()
        except EngineError as error:
            return error
        except Exception as error:  # a disk that fails while a header is read, for one
            log.exception("no model could be chosen")
            return EngineStopped(f"{type(error).__name__}: {error}")

    def _load(
        self,
        choice: ModelChoice,
        request: LoadRequest,
        deliver: Callable[[LoadEvent], None],
        cancel: CancelToken,
    ) -> None:
        self._keeper.load(request, partial(self._named, choice.name, deliver), cancel)

    def _named(self, name: str, deliver: Callable[[LoadEvent], None], event: LoadEvent) -> None:
        if isinstance(event, LoadProgress):
            self._events.publish(
                ModelLoading(name=name, fraction=event.fraction, stage=event.stage)
            )
        deliver(event)

    def _tell_loading(self, name: str, event: LoadEvent) -> None:
        """A model that was there already is no news."""
        if isinstance(event, Loaded) and event.info is not self._ready:
            self._ready, self._ready_name = event.info, name
            self._events.publish(ModelReady(info=event.info))
        elif isinstance(event, Failed):
            self._ready = None
            cancelled = isinstance(event.error, Cancelled)
            self._events.publish(
                ModelLoadCancelled(name=name)
                if cancelled
                else ModelFailed(error=event.error, name=name)
            )

    def _on_keeper(self, event: KeeperEvent) -> None:
        """What happened to the model without being asked for."""
        if isinstance(event, Unloaded):
            self._ready = None
            name = self._ready_name or event.name  # as it was chosen
            self._events.publish(ModelUnloaded(name=name, reason=event.reason))
        else:
            self._events.publish(MemoryRecovered() if event.over else MemoryRanLow())

    # --- on the inference thread ----------------------------------------------------------------

    def _on_load(self, reply: _Reply, name: str, event: LoadEvent) -> None:
        self._tell_loading(name, event)
        if isinstance(event, Failed):
            reply.cancel.cancel()  # another model may still be loaded: it is not to answer
            self._fail(reply, event.error)

    def _on_generation(self, reply: _Reply, event: GenerationEvent) -> None:
        if not self._is_current(reply):
            return
        if not reply.begun:
            reply.begun = True
            self._checkpoint.begin(reply.turn)
        match event:
            case TextDelta(text=text):
                self._checkpoint.append(text)
                self._grew(reply.turn, text)
            case Finished(reason=reason):
                self._end(reply, _STATES[reason], None)
            case Failed(error=error):
                self._fail(reply, error)
            case PromptProgress() | ContextTrimmed():
                self._tell_reading(reply.turn.conversation_id, event)

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

    def _is_current(self, reply: _Reply) -> bool:
        with self._lock:
            return self._replies.get(reply.turn.conversation_id) is reply

    # --- the end of a reply ---------------------------------------------------------------------

    def _fail(self, reply: _Reply, error: EngineError) -> None:
        if isinstance(error, Cancelled):
            self._end(reply, TurnState.STOPPED, None)
        else:
            self._end(reply, TurnState.FAILED, error)

    def _end(self, reply: _Reply, state: TurnState, error: EngineError | None) -> None:
        if not reply.begun:
            self._end_unbegun(reply, state, error)
            return
        turn = reply.turn
        try:
            turn = self._checkpoint.finish(state)
        finally:
            self._ended(turn, error)

    def _end_unbegun(self, reply: _Reply, state: TurnState, error: EngineError | None) -> None:
        """Nothing was written yet: the checkpoint, which may hold another reply, is left alone."""
        turn = replace(reply.turn, state=state)
        try:
            self._store.update_turn(turn.id, turn.text, state)
        except StorageError as failure:
            self._storage_failed(failure)
        finally:
            self._ended(turn, error)

    def _ended(self, turn: Turn, error: EngineError | None) -> None:
        with self._lock:
            self._replies.pop(turn.conversation_id, None)
        self._events.publish(ReplyEnded(turn=turn, error=error))

    def _storage_failed(self, error: StorageError) -> None:
        self._events.publish(StorageFailed(detail=str(error)))


def _messages(system: str, turns: tuple[Turn, ...]) -> tuple[Message, ...]:
    """What the model is told: every turn with text in it, also replies that were cut short."""
    before = (Message(role=Role.SYSTEM, content=system),) if system else ()
    return before + tuple(Message(role=turn.role, content=turn.text) for turn in turns if turn.text)
