"""The presenter sends, edits and asks again, and loses no word of the person."""

import pytest

from app.events import ReplyEnded, TurnAdded, TurnsRemoved
from tests.unit.ui.chat.controller_bench import grew, partial_reply, turn
from ui.chat.contracts import Activity


def test_a_first_message_becomes_a_conversation(bench):
    assert bench.it.send("hello")
    assert bench.it.activity is Activity.WAITING
    answer = bench.run.work()
    bench.happens(TurnAdded(turn=turn(0, "new")), TurnAdded(turn=partial_reply(1, "new")))
    bench.happens(grew("Hi", 1, "new"))
    answer()
    bench.happens(grew(" there", 1, "new"))
    assert bench.chat.asked == [("send", None, "hello")]
    assert bench.stage.started == ["new"]
    assert bench.page.seen == {"new0": "text 0", "new1": "Hi there"}
    assert bench.it.activity is Activity.WRITING


def test_a_first_message_stays_awaited_until_its_reply_begins(bench):
    bench.it.send("hello")
    answer = bench.run.work()
    bench.happens(TurnAdded(turn=turn(0, "new")))
    answer()
    assert bench.it.activity is Activity.WAITING
    bench.happens(TurnAdded(turn=partial_reply(1, "new")))
    assert bench.it.activity is Activity.WRITING


def test_a_reply_that_ends_before_the_send_returns_leaves_nothing_busy(bench):
    bench.it.send("hello")
    answer = bench.run.work()
    done = turn(1, "new", text="Done.")
    bench.happens(
        TurnAdded(turn=turn(0, "new")),
        TurnAdded(turn=partial_reply(1, "new")),
        ReplyEnded(turn=done),
    )
    answer()
    assert bench.page.seen["new1"] == "Done."
    assert not bench.it.busy


def test_a_first_message_left_behind_does_not_come_after_the_person(bench):
    bench.it.send("hello")
    answer = bench.run.work()
    bench.it.new_chat()
    assert not bench.it.busy
    answer()
    bench.happens(TurnAdded(turn=turn(0, "new")), TurnAdded(turn=partial_reply(1, "new")))
    bench.happens(grew("Hi", 1, "new"))
    assert bench.page.seen == {}
    assert bench.it.shown is None
    assert bench.stage.writing == {"new"}


def test_a_second_send_waits(bench):
    bench.open("a", turn(0))
    assert bench.it.send("one")
    assert not bench.it.send("two")
    bench.run.all()
    bench.happens(TurnAdded(turn=turn(2)), TurnAdded(turn=partial_reply(3)))
    assert not bench.it.send("three")
    bench.happens(ReplyEnded(turn=turn(3)))
    assert bench.it.send("four")
    assert [asked[2] for asked in bench.chat.asked] == ["one"]


@pytest.mark.parametrize("text", ["", "  ", "\n\t"])
def test_nothing_is_not_sent(bench, text):
    assert not bench.it.send(text)
    bench.open()
    assert not bench.it.edit_last(text)


def test_a_message_is_taken_from_its_field_only_when_it_is_stored(bench):
    bench.open("a")
    bench.it.send("precious")
    assert bench.stage.taken_texts == []
    bench.run.all()
    assert bench.stage.taken_texts == [("a", "precious")]


def test_a_message_that_was_not_stored_stays_where_it_is(bench):
    bench.open("a")
    bench.chat.failure = OSError("disk full")
    bench.it.send("precious")
    bench.run.all()
    assert bench.stage.taken_texts == []
    assert len(bench.stage.troubles) == 1
    assert not bench.it.busy


def test_a_message_stored_after_the_person_went_on_is_taken_where_it_was_written(bench):
    bench.it.send("precious")
    late = bench.run.work()
    bench.open("b")
    late()
    assert bench.stage.taken_texts == [(None, "precious")]


def test_try_again_and_continue_ask_once(bench):
    bench.open()
    bench.it.try_again()
    bench.it.try_again()
    bench.it.continue_reply()
    bench.run.all()
    assert bench.chat.asked == [("again", "a")]
    bench.happens(TurnsRemoved(conversation_id="a", first_position=1))
    bench.happens(TurnAdded(turn=partial_reply()), ReplyEnded(turn=turn(1)))
    bench.it.continue_reply()
    bench.run.all()
    assert bench.chat.asked[1] == ("continue", "a")


def test_an_empty_chat_has_nothing_to_try_again(bench):
    bench.it.try_again()
    bench.it.continue_reply()
    assert not bench.it.edit_last("text")
    assert bench.run.waiting == []


def test_editing_replaces_the_last_message(bench):
    bench.open()
    assert bench.it.last_message().id == "a0"
    assert bench.it.edit_last("better")
    bench.run.all()
    bench.happens(
        TurnsRemoved(conversation_id="a", first_position=0),
        TurnAdded(turn=turn(0, text="better", tag="n")),
        TurnAdded(turn=partial_reply(1)),
    )
    assert bench.chat.asked == [("edit", "a", "better")]
    assert bench.page.seen == {"a0n": "better", "a1": ""}
