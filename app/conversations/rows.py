"""Rows of the database as values, whatever is in them.

A row that a crash, a tool or a newer Snug has bent must never hide the others: what can be read
is shown, and a turn that had to be mended is marked STOPPED. Pure.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

from app.conversations.values import Conversation, Turn, TurnState
from engine.types.chat import Role

TITLE_LIMIT = 200
"""Characters of a title that are kept and shown."""

CONVERSATION_COLUMNS = (
    f"id, substr(title, 1, {TITLE_LIMIT}), title_is_manual, pinned, created_at, updated_at"
)
TURN_COLUMNS = "id, conversation_id, position, role, text, state, model, created_at"

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def to_conversation(row: tuple[Any, ...]) -> Conversation:
    id_, title, manual, pinned, created_at, updated_at = row
    return Conversation(
        id=as_text(id_),
        title=one_line(as_text(title)),
        title_is_manual=manual == 1,
        pinned=pinned == 1,
        created_at=from_stored_time(created_at),
        updated_at=from_stored_time(updated_at),
    )


def to_turn(row: tuple[Any, ...], index: int = 0) -> Turn:
    """`index` stands in for a position that can not be read."""
    id_, conversation_id, position, role, text, state, model, created_at = row
    known_role, known_state = _role(role), _state(state)
    sound = known_role is not None and known_state is not None and isinstance(text, str)
    return Turn(
        id=as_text(id_),
        conversation_id=as_text(conversation_id),
        position=position if isinstance(position, int) else index,
        role=known_role or Role.ASSISTANT,  # never put words into the person's mouth
        text=as_text(text),
        state=known_state if sound and known_state else TurnState.STOPPED,
        model=as_text(model),
        created_at=from_stored_time(created_at),
    )


def as_text(value: object) -> str:
    match value:
        case str():
            return value
        case bytes():
            return value.decode("utf-8", "replace")
        case None:
            return ""
        case _:
            return str(value)


def storable(text: str) -> str:
    """`text` with what UTF-8 can not hold (half surrogate pairs) joined or replaced."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def one_line(title: str) -> str:
    """`title` as a list can show it: one line, no control characters, not endless."""
    start = title[: TITLE_LIMIT * 4]
    if not start.isprintable():
        start = "".join(c if c.isprintable() or c in "\u200c\u200d" else " " for c in start)
    return " ".join(start.split())[:TITLE_LIMIT]


def to_stored_time(time: datetime) -> int:
    return (time - _EPOCH) // _MICROSECOND


def from_stored_time(value: object) -> datetime:
    """1970 for what is no time."""
    if not isinstance(value, int):
        return _EPOCH
    try:
        return _EPOCH + timedelta(microseconds=value)
    except OverflowError:
        return _EPOCH


def like_pattern(words: str) -> str:
    r"""A LIKE pattern (ESCAPE '\') that finds `words` anywhere."""
    for special in "\\%_":
        words = words.replace(special, "\\" + special)
    return f"%{words}%"


def _role(value: object) -> Role | None:
    try:
        return Role(value)  # type: ignore[arg-type]
    except ValueError:
        return None


def _state(value: object) -> TurnState | None:
    try:
        return TurnState(value)  # type: ignore[arg-type]
    except ValueError:
        return None
