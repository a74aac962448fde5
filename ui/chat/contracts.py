"""What the presenter of the conversation page needs from others, as Protocols. No Qt here."""

from collections.abc import Callable, Sequence
from enum import Enum, auto
from typing import Protocol, TypeVar

from app.conversations.values import Turn

T = TypeVar("T")


class Run(Protocol):
    """`Bridge.run`."""

    def __call__(
        self,
        work: Callable[[], T],
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
    ) -> None: ...


class Turns(Protocol):
    """What is asked of the store. May block: called through `Run`."""

    def turns(self, conversation_id: str) -> Sequence[Turn]: ...


class Chat(Protocol):
    """What is asked of the chat service. Only `stop` is called on the GUI thread."""

    def send(self, conversation_id: str | None, text: str) -> str: ...
    def try_again(self, conversation_id: str) -> None: ...
    def edit_last(self, conversation_id: str, text: str) -> None: ...
    def continue_reply(self, conversation_id: str) -> None: ...
    def stop(self, conversation_id: str) -> None: ...


class Transcript(Protocol):
    """The conversation view."""

    def show_turns(self, turns: Sequence[Turn]) -> None: ...
    def add_turn(self, turn: Turn) -> None: ...
    def grow(self, turn_id: str, text: str) -> None: ...
    def end_turn(self, turn: Turn) -> None: ...
    def remove_from(self, position: int) -> None: ...
    def clear(self) -> None: ...


class Activity(Enum):
    """What Snug does for the shown conversation."""

    IDLE = auto()
    WAITING = auto()
    """Asked, and nothing has happened yet: the model may still be loading."""
    READING = auto()
    WRITING = auto()
    STOPPING = auto()
    """A person has stopped it, and it has not ended yet."""


class Stage(Protocol):
    """What lies around the transcript."""

    def conversation_opened(self, conversation_id: str | None) -> None:
        """Another page: None is an empty chat."""

    def conversation_started(self, conversation_id: str) -> None:
        """The empty chat that is shown has become a conversation."""

    def show_activity(self, activity: Activity) -> None: ...
    def show_writing(self, conversation_ids: frozenset[str]) -> None: ...
    def show_trouble(self, error: Exception) -> None: ...
    def show_trimmed(self, dropped_turns: int) -> None: ...
    def clear_trouble(self) -> None: ...
    def taken(self, conversation_id: str | None, text: str) -> None:
        """This text is stored as a message. Until now it stayed where the person wrote it."""
