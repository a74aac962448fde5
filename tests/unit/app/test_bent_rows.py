"""Rows that a crash, a tool or a newer Snug has bent never hide the others."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.conversations.rows import TITLE_LIMIT, like_pattern, storable
from app.conversations.store import ConversationStore
from app.conversations.values import Conversation, Turn
from app.db import Database
from engine.types.chat import Role

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=40)


def say(store: ConversationStore, conversation: Conversation, text: str) -> Turn:
    return store.add_turn(conversation.id, role=Role.USER, text=text)


def titles(store: ConversationStore) -> list[str]:
    return [conversation.title for conversation in store.conversations()]


@pytest.fixture
def bent(database: Database, store: ConversationStore) -> Iterator[sqlite3.Connection]:
    """A connection that lets anything into a sound conversation named "sound", without checks."""
    say(store, store.create("sound"), "hello")
    with closing(sqlite3.connect(database.path, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', '')")
        connection.execute("PRAGMA writable_schema = RESET")
        yield connection


TURN = {
    "id": "t1",
    "conversation_id": "c1",
    "position": 0,
    "role": "assistant",
    "state": "complete",
    "model": "",
    "created_at": 0,
    "text": "words",
}


def insert(connection: sqlite3.Connection, table: str, row: dict[str, object]) -> None:
    columns, marks = ", ".join(row), ", ".join("?" * len(row))
    statement = f"INSERT INTO {table} ({columns}) VALUES ({marks})"  # noqa: S608 (our names)
    connection.execute(statement, [*row.values()])


@pytest.mark.parametrize(
    ("change", "text", "state"),
    [
        ({"text": None}, "", "stopped"),
        ({"text": b"raw \xff bytes"}, "raw \ufffd bytes", "stopped"),
        ({"text": 12}, "12", "complete"),
        ({"role": "tool"}, "words", "stopped"),
        ({"role": None}, "words", "stopped"),
        ({"role": b"\xff"}, "words", "stopped"),
        ({"state": "dreaming"}, "words", "stopped"),
        ({"state": None}, "words", "stopped"),
        ({"created_at": "abc"}, "words", "complete"),
        ({"created_at": 2**62}, "words", "complete"),
        ({"created_at": None}, "words", "complete"),
        ({"position": "abc"}, "words", "complete"),
        ({"position": 1.5}, "words", "complete"),
        ({"model": b"\x00\xff"}, "words", "complete"),
        ({"id": b"\xff\xfe"}, "words", "complete"),
    ],
)
def test_a_bent_turn_shows_what_can_be_read(
    bent: sqlite3.Connection,
    store: ConversationStore,
    change: dict[str, object],
    text: str,
    state: str,
) -> None:
    conversation = store.create("bent")
    insert(bent, "turns", {**TURN, "conversation_id": conversation.id, **change})
    (turn,) = store.turns(conversation.id)
    assert (turn.text, turn.state.value, turn.role) == (text, state, Role.ASSISTANT)
    assert turn.created_at == datetime(1970, 1, 1, tzinfo=UTC)
    assert say(store, conversation, "next").text == "next"
    assert [t.text for t in store.turns(conversation.id) if t.role is Role.USER] == ["next"]
    assert store.recover() == 0


def test_text_that_is_no_utf_8_is_decoded(
    bent: sqlite3.Connection, store: ConversationStore
) -> None:
    conversation = store.create("bytes")
    insert(bent, "turns", {**TURN, "conversation_id": conversation.id})
    bent.execute("UPDATE turns SET text = CAST(x'61ff62' AS TEXT) WHERE id = 't1'")
    assert [turn.text for turn in store.turns(conversation.id)] == ["a\ufffdb"]


@pytest.mark.parametrize(
    "change",
    [
        {"title": None},
        {"title": b"\xff\xfe"},
        {"title": "x" * 10_000_000},
        {"title": "two\nlines\x07"},
        {"created_at": "abc"},
        {"updated_at": "abc"},
        {"updated_at": -(2**63)},
        {"pinned": "yes"},
        {"pinned": None},
        {"title_is_manual": 3.5},
    ],
    ids=lambda change: str(change)[:30],
)
def test_a_bent_conversation_hides_no_other(
    bent: sqlite3.Connection, store: ConversationStore, change: dict[str, object]
) -> None:
    row = {"id": "c1", "title": "bent", "created_at": 0, "updated_at": 0, "pinned": 0}
    insert(bent, "conversations", {**row, **change})
    listed = {conversation.id: conversation for conversation in store.conversations()}
    assert "sound" in [conversation.title for conversation in listed.values()]
    assert len(listed["c1"].title) <= TITLE_LIMIT
    assert listed["c1"].title.isprintable()
    assert store.rename("c1", "mended") is not None
    assert store.turns("c1") == ()


def test_orphan_turns_get_a_conversation(
    bent: sqlite3.Connection, store: ConversationStore
) -> None:
    insert(bent, "turns", {**TURN, "conversation_id": "lost", "text": "orphaned **words**"})
    store.recover()
    assert sorted(titles(store)) == ["orphaned words", "sound"]
    assert [turn.text for turn in store.turns("lost")] == ["orphaned **words**"]


@settings(max_examples=200)
@given(ANY_TEXT)
def test_storable_text_can_be_encoded_and_sound_text_is_not_changed(text: str) -> None:
    stored = storable(text)
    assert stored.encode().decode() == stored
    assert storable(stored) == stored
    if not any("\ud800" <= character <= "\udfff" for character in text):
        assert stored == text


def test_half_pairs_are_joined_or_replaced() -> None:
    assert storable("a\ud83c\udf89b\ud83c") == "a🎉b\ufffd"


@settings(max_examples=100)
@given(st.text("a%_\\é", max_size=6), st.text("a%_\\é", max_size=6))
def test_like_patterns_are_literal(words: str, text: str) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        (found,) = connection.execute(
            r"SELECT ? LIKE ? ESCAPE '\'", (text, like_pattern(words))
        ).fetchone()
    assert bool(found) == (words in text)
