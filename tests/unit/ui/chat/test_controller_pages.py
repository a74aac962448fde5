"""The presenter shows one conversation, in every order in which visits and events can cross."""

from dataclasses import replace
from pathlib import Path

from app.events import (
    ConversationDeleted,
    HistoryTrimmed,
    ModelLoading,
    PromptRead,
    ReplyEnded,
    TurnAdded,
    TurnsRemoved,
)
from engine.errors import EngineStopped
from tests.unit.ui.chat.controller_bench import grew, partial_reply, turn
from ui.chat.contracts import Activity


def test_opening_shows_what_was_said(bench):
    bench.open()
    assert bench.page.seen == {"a0": "text 0", "a1": "text 1"}
    assert bench.stage.opened == ["a"]
    assert bench.it.shown == "a"
    assert not bench.it.busy


def test_opening_what_is_open_reads_nothing(bench):
    bench.open()
    bench.it.open("a")
    assert bench.run.waiting == []


def test_only_the_newest_of_two_quick_visits_shows(bench):
    bench.store.kept = {"a": (turn(0),), "b": (turn(0, "b"),)}
    bench.it.open("a")
    first = bench.run.work()
    bench.it.open("b")
    bench.run.all()
    first()
    assert list(bench.page.seen) == ["b0"]


def test_leaving_for_an_empty_chat_while_reading_stays_empty(bench):
    bench.store.kept = {"a": (turn(0),)}
    bench.it.open("a")
    late = bench.run.work()
    bench.it.new_chat()
    late()
    assert bench.page.seen == {}
    assert bench.it.shown is None


def test_a_conversation_that_can_not_be_read_says_so_and_leaves_an_empty_chat(bench):
    bench.it.open("gone")
    bench.run.all()
    assert bench.it.shown is None
    assert [type(error) for error in bench.stage.troubles] == [KeyError]


def test_events_of_another_conversation_never_show_here(bench):
    bench.open("a")
    bench.open("b")
    before = dict(bench.page.seen)
    bench.happens(
        TurnAdded(turn=turn(2)),
        TurnAdded(turn=partial_reply(3)),
        grew("late", 3),
        HistoryTrimmed(conversation_id="a", dropped_turns=3),
        PromptRead(conversation_id="a", fraction=0.5),
        TurnsRemoved(conversation_id="a", first_position=0),
        ReplyEnded(turn=turn(3), error=EngineStopped()),
    )
    assert bench.page.seen == before
    assert bench.stage.troubles == bench.stage.trimmed == []
    assert not bench.it.busy


def test_another_conversations_events_during_a_first_message_stay_out(bench):
    bench.happens(TurnAdded(turn=partial_reply(1, "b")))
    bench.it.send("hello")
    answer = bench.run.work()
    bench.happens(grew("late", 1, "b"), TurnAdded(turn=turn(0, "new")))
    bench.happens(ConversationDeleted(conversation_id="b"))
    answer()
    assert list(bench.page.seen) == ["new0"]


def test_coming_back_to_a_reply_shows_more_than_the_disk_has(bench):
    bench.open("a", turn(0))
    bench.happens(TurnAdded(turn=partial_reply()), grew("one "))
    bench.open("b")
    bench.happens(grew("two "))
    bench.open("a", turn(0), replace(partial_reply(), text="on"))
    bench.happens(grew("three"))
    assert bench.page.seen["a1"] == "one two three"
    assert bench.it.activity is Activity.WRITING


def test_growth_between_reading_the_disk_and_showing_it_is_kept_once(bench):
    bench.happens(TurnAdded(turn=partial_reply()), grew("one "))
    bench.store.kept = {"a": (turn(0), partial_reply())}
    bench.it.open("a")
    late = bench.run.work()
    bench.happens(grew("two "))
    late()
    bench.happens(grew("three"))
    assert bench.page.seen["a1"] == "one two three"


def test_a_reply_that_ends_between_reading_and_showing_is_shown_ended(bench):
    bench.happens(TurnAdded(turn=partial_reply()))
    bench.store.kept = {"a": (turn(0), partial_reply())}
    bench.it.open("a")
    late = bench.run.work()
    bench.happens(ReplyEnded(turn=turn(1, text="All."), error=EngineStopped()))
    late()
    assert bench.page.seen["a1"] == "All."
    assert len(bench.stage.troubles) == 1
    assert not bench.it.busy


def test_turns_removed_and_added_while_reading_end_up_right(bench):
    bench.store.kept = {"a": (turn(0), turn(1), turn(2, tag="n"))}
    bench.it.open("a")
    late = bench.run.work()
    bench.happens(
        TurnsRemoved(conversation_id="a", first_position=2),
        TurnAdded(turn=turn(2, tag="n")),
        TurnAdded(turn=partial_reply(3)),
    )
    late()
    assert list(bench.page.seen) == ["a0", "a1", "a2n", "a3"]


def test_a_deleted_conversation_leaves_an_empty_chat(bench):
    bench.open("a", turn(0))
    bench.happens(TurnAdded(turn=partial_reply()))
    bench.happens(ConversationDeleted(conversation_id="a"))
    bench.happens(grew("late"), ReplyEnded(turn=turn(1)))
    assert bench.it.shown is None
    assert bench.page.seen == {}
    assert bench.stage.writing == frozenset()


def test_deleting_another_conversation_changes_nothing_here(bench):
    bench.open("a")
    bench.happens(ConversationDeleted(conversation_id="b"))
    assert bench.it.shown == "a"


def test_events_of_no_conversation_are_somebody_elses(bench):
    bench.open("a")
    seen = dict(bench.page.seen)
    bench.happens(ModelLoading(name=str(Path("m")), fraction=0.5))
    assert bench.page.seen == seen
