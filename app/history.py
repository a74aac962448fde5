"""What a person does with conversations besides talking in them.

Called from the worker's thread, since everything here may wait for the disk.
"""

from datetime import timedelta

from app.conversations.markdown import ExportWords, to_markdown
from app.conversations.store import ConversationStore
from app.conversations.values import Conversation, Turn
from app.errors import ConversationMissing
from app.events import ConversationDeleted, ConversationSaved, EventBus

_UNDO_FOR = timedelta(days=7)
"""How long a deleted conversation could still be brought back by hand."""


class ConversationService:
    """Lists, names, deletes and exports conversations, and publishes what changed."""

    def __init__(self, store: ConversationStore, events: EventBus) -> None:
        self._store = store
        self._events = events

    def tidy(self) -> None:
        """At start: close what a crash left open, and let go of what was deleted long ago."""
        self._store.recover()
        self._store.purge_deleted(_UNDO_FOR)

    def recent(self, limit: int, offset: int = 0) -> tuple[Conversation, ...]:
        """Pinned ones first, then the newest."""
        return self._store.conversations(limit=limit, offset=offset)

    def search(self, text: str) -> tuple[Conversation, ...]:
        return self._store.search(text)

    def turns(self, conversation_id: str) -> tuple[Turn, ...]:
        return self._store.turns(conversation_id)

    def rename(self, conversation_id: str, title: str) -> None:
        self._saved(self._store.rename(conversation_id, title))

    def set_pinned(self, conversation_id: str, pinned: bool) -> None:
        self._saved(self._store.set_pinned(conversation_id, pinned))

    def delete(self, conversation_id: str) -> None:
        """Out of sight; `restore` brings it back."""
        self._store.delete(conversation_id)
        self._events.publish(ConversationDeleted(conversation_id=conversation_id))

    def restore(self, conversation_id: str) -> None:
        self._saved(self._store.restore(conversation_id))

    def markdown(self, conversation_id: str, words: ExportWords) -> str:
        """The whole conversation as Markdown text. Raises `ConversationMissing`."""
        conversation = self._store.conversation(conversation_id)
        if conversation is None:
            raise ConversationMissing(conversation_id)
        return to_markdown(conversation, self._store.turns(conversation_id), words)

    def _saved(self, conversation: Conversation | None) -> None:
        if conversation is not None:
            self._events.publish(ConversationSaved(conversation=conversation))
