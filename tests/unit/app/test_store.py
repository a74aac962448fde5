"""Conversations and turns: order, undo, search, recovery."""

from dataclasses import replace
from datetime import timedelta

import pytest

from app.conversations.store import ConversationStore
from app.conversations.values import Conversation, Turn, TurnState
from app.db import Database
from app.errors import ConversationMissing
from engine.types.chat import Role
from tests.unit.app.conftest import START, TickingClock


def say(store: ConversationStore, conversation: Conversation, text: str) -> Turn:
    return store.add_turn(conversation.id, role=Role.USER, text=text)


def titles(store: ConversationStore) -> list[str]:
    return [conversation.title for conversation in store.conversations()]


def test_a_turn_comes_back_as_it_was_stored(store: ConversationStore) -> None:
    conversation = store.create("Café")
    asked = say(store, conversation, "a\x00b\r\n\u2028🎉")
    reply = store.add_turn(
        conversation.id, role=Role.ASSISTANT, text="", state=TurnState.PARTIAL, model="SmolLM2"
    )
    assert store.turns(conversation.id) == (asked, reply)
    assert (asked.text, asked.position, asked.state) == ("a\x00b\r\n\u2028🎉", 0, "complete")
    assert (reply.position, reply.model) == (1, "SmolLM2")
    assert conversation.created_at == START + timedelta(seconds=1)
    assert store.update_turn(reply.id, "Hello", TurnState.CUT, "Qwen3")
    assert store.turns(conversation.id)[1] == replace(
        reply, text="Hello", state=TurnState.CUT, model="Qwen3"
    )


def test_pinned_first_then_the_newest(store: ConversationStore) -> None:
    a, b, _ = store.create("a"), store.create("b"), store.create("c")
    assert titles(store) == ["c", "b", "a"]
    say(store, a, "again")
    assert titles(store) == ["a", "c", "b"]
    assert store.set_pinned(b.id, True) == replace(b, pinned=True)
    assert titles(store) == ["b", "a", "c"]
    assert [c.title for c in store.conversations(limit=1, offset=1)] == ["a"]
    store.set_pinned(b.id, False)
    assert titles(store) == ["a", "c", "b"]


def test_the_person_s_title_wins(store: ConversationStore) -> None:
    conversation = store.create("first")
    manual = store.rename(conversation.id, "mine\nalone\x1b[0m")
    assert manual == replace(conversation, title="mine alone [0m", title_is_manual=True)
    assert store.conversation(conversation.id) == manual


def test_deleting_can_be_undone_until_it_is_purged(
    store: ConversationStore, clock: TickingClock
) -> None:
    kept, gone = store.create("kept"), store.create("gone")
    turn = say(store, gone, "words")
    store.delete(gone.id)
    assert titles(store) == ["kept"]
    assert store.search("words") == ()
    restored = store.restore(gone.id)
    assert restored is not None
    assert titles(store) == ["gone", "kept"]
    assert store.turns(gone.id) == (turn,)
    store.delete(gone.id)
    assert store.purge_deleted(timedelta(hours=1)) == 0
    clock.time += timedelta(hours=2)
    assert store.purge_deleted(timedelta(hours=1)) == 1
    assert store.restore(gone.id) is None
    assert store.turns(gone.id) == ()
    assert not store.update_turn(turn.id, "late", TurnState.COMPLETE, "")
    assert titles(store) == [kept.title]


def test_deleting_twice_keeps_the_first_time(store: ConversationStore, clock: TickingClock) -> None:
    conversation = store.create("twice")
    store.delete(conversation.id)
    clock.time += timedelta(hours=2)
    store.delete(conversation.id)
    assert store.purge_deleted(timedelta(hours=1)) == 1


def test_what_was_purged_is_not_in_the_file_any_more(
    store: ConversationStore, database: Database
) -> None:
    conversation = store.create("secret")
    say(store, conversation, "correct horse battery staple " * 400)
    store.delete(conversation.id)
    store.purge_deleted(timedelta(0))
    database.close()
    assert b"correct horse" not in database.path.read_bytes()


def test_an_edit_replaces_what_follows(store: ConversationStore) -> None:
    conversation, other = store.create("edit"), store.create("other")
    kept = say(store, conversation, "0")
    say(store, conversation, "1"), say(store, conversation, "2"), say(store, other, "x")
    exchange = store.ask(conversation.id, "new", from_position=1)
    assert store.turns(conversation.id) == (kept, exchange.question, exchange.reply)
    assert (exchange.reply.position, exchange.reply.state) == (2, TurnState.PARTIAL)
    again = store.ask_again(conversation.id, 1)
    assert store.turns(conversation.id) == (kept, exchange.question, again)
    assert len(store.turns(other.id)) == 1


def test_a_turn_for_no_conversation_is_refused(store: ConversationStore) -> None:
    with pytest.raises(ConversationMissing) as raised:
        store.add_turn("nowhere", role=Role.USER, text="hello")
    assert raised.value.conversation_id == "nowhere"
    assert store.rename("nowhere", "x") is None
    assert store.set_pinned("nowhere", True) is None
    assert store.delete("nowhere") is None


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("PARIS", ["trip", "Paris at night"]),
        ("100%", ["percent"]),
        ("0_", []),
        ("\\", ["trip"]),
        ("旅行", ["trip"]),
        ("  ", []),
        ("x" * 1000, []),
        ("\ud800", []),
    ],
)
def test_search_finds_titles_and_texts(
    store: ConversationStore, words: str, found: list[str]
) -> None:
    for title, text in (
        ("percent", "it is 100% sure"),
        ("Paris at night", ""),
        ("trip", "旅行 to C:\\paris"),
    ):
        say(store, store.create(title), text)
    assert [c.title for c in store.search(words)] == found


def test_interrupted_replies_are_marked_at_start(store: ConversationStore) -> None:
    conversation = store.create("interrupted")
    say(store, conversation, "q")
    for state in (TurnState.PARTIAL, TurnState.FAILED):
        store.add_turn(conversation.id, role=Role.ASSISTANT, text="half", state=state)
    assert store.recover() == 1
    assert store.recover() == 0
    assert [(t.text, t.state.value) for t in store.turns(conversation.id)] == [
        ("q", "complete"),
        ("half", "failed"),
        ("half", "failed"),
    ]


def test_recovery_looks_at_interrupted_turns_only(database: Database) -> None:
    with database.read() as db:
        plan = db.execute(
            "EXPLAIN QUERY PLAN UPDATE turns SET state = 'failed' WHERE state = 'partial'"
        ).fetchall()
    assert "turns_interrupted" in plan[0][3]
