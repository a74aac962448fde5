"""What the shown conversation holds, kept right while events and stored turns cross.

Pure values and folds; no Qt, no threads. Turns that were read from disk may be older or newer
than the events that came meanwhile: folding the events over them gives the truth either way.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from app.conversations.values import Turn, TurnState
from app.events import (
    ConversationDeleted,
    Event,
    ReplyEnded,
    ReplyGrew,
    TurnAdded,
    TurnsRemoved,
)
from engine.types.chat import Role


@dataclass(slots=True, kw_only=True)
class LiveReply:
    """A reply while it is written. Disk lags behind by up to a second; this does not."""

    turn_id: str
    parts: list[str] = field(default_factory=list)
    stopping: bool = False

    @property
    def text(self) -> str:
        return "".join(self.parts)


def conversation_of(event: Event) -> str | None:
    """The conversation that an event belongs to, if it belongs to one."""
    match event:
        case TurnAdded(turn=turn) | ReplyEnded(turn=turn):
            return turn.conversation_id
        case _:
            return getattr(event, "conversation_id", None)


def is_reply(turn: Turn) -> bool:
    return turn.role is Role.ASSISTANT


def applied(turns: Iterable[Turn], event: Event) -> list[Turn]:
    """`turns` after `event`. Growth changes nothing here: `LiveReply` holds it."""
    match event:
        case TurnAdded(turn=turn):
            return _with(turns, turn)
        case TurnsRemoved(first_position=first):
            return [turn for turn in turns if turn.position < first]
        case ReplyEnded(turn=turn):
            return _with(turns, turn)
        case _:
            return list(turns)


def _with(turns: Iterable[Turn], new: Turn) -> list[Turn]:
    """A turn that is there is replaced, any other goes to the end."""
    kept = list(turns)
    for index, turn in enumerate(kept):
        if turn.id == new.id:
            kept[index] = new
            return kept
    return [*kept, new]


def reconciled(
    turns: Iterable[Turn], events: Iterable[Event], live: LiveReply | None
) -> list[Turn]:
    """Stored turns brought up to date with what happened while they were read."""
    result = list(turns)
    for event in events:
        result = applied(result, event)
    if live is None:
        return result
    return [
        replace(turn, text=live.text, state=TurnState.PARTIAL) if turn.id == live.turn_id else turn
        for turn in result
    ]


class LiveReplies:
    """The replies that are being written now, by conversation."""

    def __init__(self) -> None:
        self._replies: dict[str, LiveReply] = {}

    @property
    def conversations(self) -> frozenset[str]:
        return frozenset(self._replies)

    def of(self, conversation_id: str | None) -> LiveReply | None:
        return self._replies.get(conversation_id) if conversation_id else None

    def begin(self, turn: Turn) -> None:
        self._replies[turn.conversation_id] = LiveReply(turn_id=turn.id, parts=[turn.text])

    def grow(self, event: ReplyGrew, known: Iterable[Turn]) -> None:
        """More of a reply. One that had ended goes on from its text among the `known` turns."""
        reply = self._replies.get(event.conversation_id)
        if reply is None or reply.turn_id != event.turn_id:
            base = next((turn.text for turn in known if turn.id == event.turn_id), "")
            reply = LiveReply(turn_id=event.turn_id, parts=[base])
            self._replies[event.conversation_id] = reply
        reply.parts.append(event.text)

    def stop(self, conversation_id: str) -> None:
        """It was told to stop, and has not ended yet."""
        if reply := self.of(conversation_id):
            reply.stopping = True

    def is_stopping(self, conversation_id: str | None) -> bool:
        reply = self.of(conversation_id)
        return reply is not None and reply.stopping

    def end(self, conversation_id: str) -> None:
        self._replies.pop(conversation_id, None)


class Failures:
    """Why the newest reply of a conversation failed, since the program was started."""

    def __init__(self) -> None:
        self._errors: dict[str, Exception] = {}

    def of(self, conversation_id: str | None) -> Exception | None:
        return self._errors.get(conversation_id) if conversation_id else None

    def note(self, event: Event, conversation_id: str) -> None:
        match event:
            case ReplyEnded(error=error) if error is not None:
                self._errors[conversation_id] = error
            case ReplyEnded() | TurnAdded() | ConversationDeleted():
                self._errors.pop(conversation_id, None)
            case _:
                pass
