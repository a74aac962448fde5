"""The conversation view, made when the first conversation is shown, so that a start stays lean."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from app.conversations.values import Turn
from ui.theme.theme import Theme

if TYPE_CHECKING:
    from ui.chat.view import ConversationView


def load_view_module() -> None:
    """Import what the view needs; any thread. Done ahead, it makes the first showing quick."""
    import ui.chat.view  # noqa: F401, PLC0415


class LazyTranscript:
    """Passes everything on to the view; before there is one, there is nothing to take away."""

    def __init__(self, theme: Theme, made: "Callable[[ConversationView], None]") -> None:
        self._theme = theme
        self._made = made
        self._view: ConversationView | None = None

    @property
    def view(self) -> "ConversationView":
        if self._view is None:
            from ui.chat.view import ConversationView  # noqa: PLC0415 - heavy, and not at start

            self._view = ConversationView(self._theme, None)
            self._made(self._view)
        return self._view

    @property
    def exists(self) -> bool:
        return self._view is not None

    def show_turns(self, turns: Sequence[Turn]) -> None:
        self.view.show_turns(turns)

    def add_turn(self, turn: Turn) -> None:
        self.view.add_turn(turn)

    def grow(self, turn_id: str, text: str) -> None:
        self.view.grow(turn_id, text)

    def end_turn(self, turn: Turn) -> None:
        self.view.end_turn(turn)

    def remove_from(self, position: int) -> None:
        self.view.remove_from(position)

    def clear(self) -> None:
        if self._view is not None:
            self._view.clear()
