"""What is kept of a conversation. Times are UTC."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from engine.types.chat import Role


class TurnState(StrEnum):
    """How far a turn got. A person's turn is always COMPLETE."""

    COMPLETE = "complete"
    PARTIAL = "partial"
    """Being written; found at start, it means that Snug was interrupted."""
    STOPPED = "stopped"
    """The person stopped it."""
    FAILED = "failed"
    """It could not be finished: an error, or the program was ended while it was written."""
    CUT = "cut"
    """A length limit ended it; it can be continued."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    id: str
    title: str
    title_is_manual: bool
    pinned: bool
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message of a conversation; `position` counts from 0. `model` answered, else ""."""

    id: str
    conversation_id: str
    position: int
    role: Role
    text: str
    state: TurnState
    model: str
    created_at: datetime
