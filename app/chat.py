"""Asking: what a person can do with a conversation's newest turns.

The person's turn is on disk, together with the empty turn of its reply, before the engine hears of
it. Called from the worker's thread, `stop` from any.
"""

from collections.abc import Callable
from dataclasses import replace

from app.answering import Answering
from app.conversations.store import ConversationStore, Exchange
from app.conversations.titles import title_from
from app.conversations.values import Turn, TurnState
from app.errors import NothingToAnswer
from app.events import (
    ConversationDeleted,
    ConversationSaved,
    Event,
    EventBus,
    TurnAdded,
    TurnsRemoved,
)
from app.models import ModelService
from engine.ports import Keeper
from engine.types.chat import Role
from engine.types.generation import Sampling

_SECOND_TRY_TEMPERATURE = 0.6


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
        keeper: Keeper,
        events: EventBus,
        models: ModelService,
    ) -> None:
        self._store = store
        self._events = events
        self._answering = Answering(store, keeper, events, models)
        events.subscribe(self._on_event)

    def send(self, conversation_id: str | None, text: str) -> str:
        """Say `text` and ask for a reply; None starts a conversation. Returns its id.

        Raises `ReplyRunning`, `ConversationMissing` or `StorageError`; then nothing was said.
        """
        self._answering.refuse_while_running(conversation_id)
        if conversation_id is None:
            title = title_from(text, fallback="")  # the window has a word for that
            conversation, exchange = self._store.begin(title, text)
            self._events.publish(ConversationSaved(conversation=conversation))
        else:
            exchange = self._store.ask(conversation_id, text)
        self._answer(exchange, _as_it_is)
        return exchange.reply.conversation_id

    def edit_last(self, conversation_id: str, text: str) -> None:
        """Replace the person's last turn, and what followed it, and ask again."""
        self._answering.refuse_while_running(conversation_id)
        position = _last_question(self._store.turns(conversation_id)).position
        exchange = self._store.ask(conversation_id, text, from_position=position)
        self._removed(conversation_id, position)
        self._answer(exchange, _as_it_is)

    def try_again(self, conversation_id: str) -> None:
        """Replace the last reply. Raises `ReplyRunning`, `NothingToAnswer` or `StorageError`."""
        self._answering.refuse_while_running(conversation_id)
        question = _last_question(self._store.turns(conversation_id))
        reply = self._store.ask_again(conversation_id, question.position)
        self._removed(conversation_id, question.position + 1)
        self._answer(Exchange(question=None, reply=reply), _warmer)

    def continue_reply(self, conversation_id: str) -> None:
        """Go on with the last reply where it stopped."""
        self._answering.refuse_while_running(conversation_id)
        turns = self._store.turns(conversation_id)
        if not turns or turns[-1].role is not Role.ASSISTANT or not turns[-1].text:
            self.try_again(conversation_id)
            return
        last = replace(turns[-1], state=TurnState.PARTIAL)
        self._store.update_turn(last.id, last.text, last.state, last.model)
        self._removed(conversation_id, last.position)
        self._events.publish(TurnAdded(turn=last))
        self._answering.start(last, turns, _as_it_is)

    def stop(self, conversation_id: str) -> None:
        """End the reply that is being written there, keeping its text. Quick."""
        self._answering.stop(conversation_id)

    def stop_all(self) -> None:
        self._answering.stop_all()

    def prepare(self, *, by_person: bool = False, anyway: bool = False) -> None:
        """Load the model ahead of the first question; tells by events.

        `by_person`: asked for by hand, so also after a crash. `anyway`: although it may not fit.
        """
        self._answering.prepare(by_person=by_person, anyway=anyway)

    def cancel_loading(self) -> None:
        """Stop a load that is on its way. Quick; ends in `ModelLoadCancelled`."""
        self._answering.cancel_loading()

    def close(self, timeout_s: float) -> bool:
        """Stop everything and store it. False if that took too long."""
        return self._answering.close(timeout_s)

    def _answer(self, exchange: Exchange, adjust: Callable[[Sampling], Sampling]) -> None:
        if exchange.question is not None:
            self._events.publish(TurnAdded(turn=exchange.question))
        self._events.publish(TurnAdded(turn=exchange.reply))
        *turns, _reply = self._store.turns(exchange.reply.conversation_id)
        self._answering.start(exchange.reply, tuple(turns), adjust)

    def _removed(self, conversation_id: str, position: int) -> None:
        self._events.publish(TurnsRemoved(conversation_id=conversation_id, first_position=position))

    def _on_event(self, event: Event) -> None:
        if isinstance(event, ConversationDeleted):
            self.stop(event.conversation_id)


def _last_question(turns: tuple[Turn, ...]) -> Turn:
    for turn in reversed(turns):
        if turn.role is Role.USER:
            return turn
    raise NothingToAnswer
