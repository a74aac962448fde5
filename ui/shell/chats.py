"""The presenter of the sidebar: which conversations are listed, found, renamed, deleted.

No Qt here; runs on the GUI thread. Everything that touches the disk goes through `run`.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Protocol

from app.conversations.markdown import ExportWords
from app.conversations.values import Conversation
from app.events import ConversationDeleted, ConversationSaved, Event, TurnAdded
from ui.chat.contracts import Run
from ui.shell.groups import Row, in_order, rows

PAGE = 200
"""How many conversations are read at a time."""
_LONGEST_TITLE = 200


class Conversations(Protocol):
    """What is asked of the app. May block: called through `Run`."""

    def recent(self, limit: int, offset: int = 0) -> Sequence[Conversation]: ...
    def search(self, text: str) -> Sequence[Conversation]: ...
    def rename(self, conversation_id: str, title: str) -> None: ...
    def set_pinned(self, conversation_id: str, pinned: bool) -> None: ...
    def delete(self, conversation_id: str) -> None: ...
    def restore(self, conversation_id: str) -> None: ...
    def markdown(self, conversation_id: str, words: ExportWords) -> str: ...


class ListView(Protocol):
    """The sidebar and what it causes around it."""

    def show_rows(self, listed: Sequence[Row], *, searching: bool) -> None: ...
    def conversation_changed(self, conversation: Conversation) -> None:
        """A listed conversation has a new title, pin, or place."""

    def conversation_deleted(self, conversation_id: str, *, was_shown: bool) -> None: ...
    def show_trouble(self, error: Exception) -> None: ...


class ChatList:
    """Keeps the list right and carries out what is done to one of its rows."""

    def __init__(
        self,
        *,
        run: Run,
        conversations: Conversations,
        view: ListView,
        now: Callable[[], datetime],
    ) -> None:
        self._run = run
        self._service = conversations
        self._view = view
        self._now = now
        self._known: dict[str, Conversation] = {}
        self._read = 0
        self._more = True
        self._found: tuple[str, ...] | None = None
        self._search = ""
        self._shown: str | None = None
        self._away = False
        self._writing: frozenset[str] = frozenset()

    # --- what is listed ------------------------------------------------------------------------

    def load_more(self, then: Callable[[], None] | None = None) -> None:
        """Read the next page, if there is one; `then` comes after it is listed."""
        if self._more:
            self._more = False
            offset = self._read

            def done(page: Sequence[Conversation]) -> None:
                self._loaded(page)
                if then is not None:
                    then()

            self._run(lambda: self._service.recent(PAGE, offset), done, self._view.show_trouble)

    def _loaded(self, page: Sequence[Conversation]) -> None:
        self._read += len(page)
        self._more = len(page) == PAGE
        for conversation in page:
            self._known.setdefault(conversation.id, conversation)
        shown = self.get(self._shown)
        if shown is not None:
            self._view.conversation_changed(shown)
        self.refresh()

    def search(self, text: str) -> None:
        """List only what has `text` in its title or words; "" lists all again."""
        self._search = text.strip()
        if not self._search:
            self._found = None
            self.refresh()
            return
        wanted = self._search
        self._run(
            lambda: self._service.search(wanted),
            partial(self._show_found, wanted),
            self._view.show_trouble,
        )

    def _show_found(self, wanted: str, found: Sequence[Conversation]) -> None:
        if wanted != self._search:
            return
        for conversation in found:
            self._known.setdefault(conversation.id, conversation)
        self._found = tuple(conversation.id for conversation in found)
        self.refresh()

    def refresh(self) -> None:
        """Show the list as it is now; the day may have changed too."""
        shown = None if self._away else self._shown
        listed = rows(self._listed(), self._now(), shown=shown, writing=self._writing)
        self._view.show_rows(listed, searching=self._found is not None)

    def _listed(self) -> list[Conversation]:
        if self._found is None:
            return list(self._known.values())
        return [self._known[one] for one in self._found if one in self._known]

    def mark_shown(self, conversation_id: str | None) -> None:
        self._shown = conversation_id
        self.refresh()

    def mark_away(self, *, away: bool) -> None:
        """Another page is shown in place of the chat."""
        self._away = away
        self.refresh()

    def mark_writing(self, conversation_ids: frozenset[str]) -> None:
        self._writing = conversation_ids
        self.refresh()

    def get(self, conversation_id: str | None) -> Conversation | None:
        return self._known.get(conversation_id) if conversation_id else None

    def neighbour(self, step: int) -> str | None:
        """The conversation `step` places below the shown one, around the ends."""
        order = [one.id for one in in_order(self._listed())]
        if not order:
            return None
        if self._shown not in order:
            return order[0] if step > 0 else order[-1]
        return order[(order.index(self._shown) + step) % len(order)]

    # --- what is done to one -------------------------------------------------------------------

    def rename(self, conversation_id: str, title: str) -> None:
        title = " ".join(title.split())[:_LONGEST_TITLE]
        known = self.get(conversation_id)
        if title and (known is None or known.title != title):
            self._do(lambda: self._service.rename(conversation_id, title))

    def toggle_pin(self, conversation_id: str) -> None:
        known = self.get(conversation_id)
        if known is not None:
            self._do(lambda: self._service.set_pinned(conversation_id, not known.pinned))

    def delete(self, conversation_id: str) -> None:
        was_shown = conversation_id == self._shown
        self._do(
            lambda: self._service.delete(conversation_id),
            lambda: self._view.conversation_deleted(conversation_id, was_shown=was_shown),
        )

    def restore(self, conversation_id: str, then: Callable[[], None]) -> None:
        self._do(lambda: self._service.restore(conversation_id), then)

    def markdown(
        self, conversation_id: str, words: ExportWords, take: Callable[[str], None]
    ) -> None:
        self._run(
            lambda: self._service.markdown(conversation_id, words), take, self._view.show_trouble
        )

    def _do(self, work: Callable[[], None], then: Callable[[], None] | None = None) -> None:
        def done(_result: None) -> None:
            if then is not None:
                then()

        self._run(work, done, self._view.show_trouble)

    # --- what happens --------------------------------------------------------------------------

    def handle(self, event: Event) -> None:
        match event:
            case ConversationSaved(conversation=conversation):
                self._learn(conversation)
            case ConversationDeleted(conversation_id=conversation_id):
                if self._known.pop(conversation_id, None) is not None:
                    self._read = max(0, self._read - 1)  # an overlap is harmless, a gap is not
                    self.refresh()
            case TurnAdded(turn=turn) if turn.conversation_id in self._known:
                known = self._known[turn.conversation_id]
                newest = max(known.updated_at, turn.created_at)
                if newest != known.updated_at:
                    self._learn(replace(known, updated_at=newest))
            case _:
                pass

    def _learn(self, conversation: Conversation) -> None:
        self._known[conversation.id] = conversation
        self._view.conversation_changed(conversation)
        self.refresh()
