"""The store against lists in memory, with any text, in any order of calls."""

from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from app.conversations.rows import storable
from app.conversations.store import ConversationStore
from app.db import open_database
from app.errors import ConversationMissing
from engine.types.chat import Role
from tests.unit.app.conftest import TickingClock

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=40)


class StoreMachine(RuleBasedStateMachine):
    """`turns` holds what must be there; ids of purged conversations stay in use."""

    ids = Bundle("ids")

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.database = open_database(Path(self.folder.name) / "snug.sqlite3")
        self.store = ConversationStore(self.database, TickingClock())
        self.turns: dict[str, list[str]] = {}
        self.deleted: set[str] = set()

    def teardown(self) -> None:
        self.database.close()
        self.folder.cleanup()

    @rule(target=ids, title=ANY_TEXT)
    def create(self, title: str) -> str:
        id_ = self.store.create(title).id
        self.turns[id_] = []
        return id_

    @rule(id_=ids, text=ANY_TEXT)
    def add(self, id_: str, text: str) -> None:
        if id_ not in self.turns:
            with pytest.raises(ConversationMissing):
                self.store.add_turn(id_, role=Role.USER, text=text)
            return
        turn = self.store.add_turn(id_, role=Role.USER, text=text)
        assert turn.position == len(self.turns[id_])
        self.turns[id_].append(storable(text))

    @rule(id_=ids, text=ANY_TEXT, position=st.none() | st.integers(0, 5))
    def ask(self, id_: str, text: str, position: int | None) -> None:
        if id_ not in self.turns:
            with pytest.raises(ConversationMissing):
                self.store.ask(id_, text, from_position=position)
            return
        exchange = self.store.ask(id_, text, from_position=position)
        kept = self.turns[id_][:position]
        self.turns[id_] = [*kept, storable(text), ""]
        assert exchange.reply.position == len(self.turns[id_]) - 1

    @rule(id_=ids)
    def delete(self, id_: str) -> None:
        if self.store.delete(id_):
            self.deleted.add(id_)

    @rule(id_=ids)
    def restore(self, id_: str) -> None:
        assert (self.store.restore(id_) is None) == (id_ not in self.turns)
        self.deleted.discard(id_)

    @rule()
    def purge(self) -> None:
        assert self.store.purge_deleted(timedelta(0)) == len(self.deleted)
        for id_ in self.deleted:
            del self.turns[id_]
        self.deleted.clear()

    @invariant()
    def agree(self) -> None:
        listed = {conversation.id for conversation in self.store.conversations()}
        assert listed == set(self.turns) - self.deleted
        for id_, texts in self.turns.items():
            assert [turn.text for turn in self.store.turns(id_)] == texts


StoreMachine.TestCase.settings = settings(max_examples=15, stateful_step_count=12, deadline=None)
TestStoreAgreesWithLists = StoreMachine.TestCase
