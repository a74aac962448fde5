"""The presenter follows a reply: it reads, grows, goes on, is stopped, ends or fails."""

from dataclasses import replace

from app.conversations.values import TurnState
from app.events import HistoryTrimmed, PromptRead, ReplyEnded, TurnAdded
from engine.errors import Cancelled, EngineStopped
from tests.unit.ui.chat.controller_bench import grew, partial_reply, turn
from ui.chat.contracts import Activity


def test_stop_while_writing(bench):
    bench.open("a", turn(0))
    bench.happens(TurnAdded(turn=partial_reply()))
    bench.it.stop()
    assert bench.chat.stopped == ["a"]
    assert bench.it.activity is Activity.STOPPING  # until it has ended
    bench.happens(ReplyEnded(turn=turn(1, state=TurnState.STOPPED)))
    assert not bench.it.busy
    assert bench.page.ended == ["a1"]


def test_why_the_newest_reply_failed_is_known_until_another_begins(bench):
    error = EngineStopped("why")
    bench.open("a", turn(0), partial_reply())
    bench.happens(ReplyEnded(turn=turn(1, state=TurnState.FAILED), error=error))
    assert bench.it.failure is error
    bench.happens(TurnAdded(turn=turn(2)))
    assert bench.it.failure is None


def test_a_failure_belongs_to_its_own_chat(bench):
    bench.open("a", turn(0))
    failed = turn(1, "b", state=TurnState.FAILED)
    bench.happens(ReplyEnded(turn=failed, error=EngineStopped("why")))
    assert bench.it.failure is None


def test_stop_with_nothing_under_way_stops_nothing(bench):
    bench.it.stop()
    bench.open()
    bench.it.stop()
    assert bench.chat.stopped == []


def test_stop_before_a_new_conversation_has_its_id_is_kept(bench):
    bench.it.send("hello")
    bench.it.stop()
    answer = bench.run.work()
    bench.happens(TurnAdded(turn=turn(0, "new")), TurnAdded(turn=partial_reply(1, "new")))
    answer()
    assert bench.chat.stopped == ["new"]


def test_stop_while_a_message_is_on_its_way_reaches_the_reply(bench):
    bench.open("a")
    bench.it.send("hello")
    bench.it.stop()
    bench.run.all()
    assert bench.chat.stopped == ["a", "a"]
    assert not bench.it.busy


def test_a_continued_reply_grows_from_what_was_there(bench):
    bench.open("a", turn(0), turn(1, text="Half", state=TurnState.CUT))
    bench.happens(grew(" more"))
    assert bench.page.seen["a1"] == "Half more"
    assert bench.it.text_of("a1") == "Half more"
    assert bench.it.activity is Activity.WRITING


def test_a_continued_reply_announced_again_is_not_shown_twice(bench):
    cut = turn(1, text="Half", state=TurnState.CUT)
    bench.open("a", turn(0), cut)
    bench.happens(TurnAdded(turn=replace(cut, state=TurnState.PARTIAL)), grew(" more"))
    assert bench.page.seen == {"a0": "text 0", "a1": "Half more"}


def test_what_is_copied_is_what_stands_there(bench):
    bench.open("a", turn(0), turn(1), turn(2))
    assert bench.it.last_answer() == "text 1"
    bench.happens(TurnAdded(turn=partial_reply(3)))
    assert bench.it.last_answer() == "text 1"
    bench.happens(grew("new", 3))
    assert bench.it.last_answer() == "new"
    assert bench.it.text_of("a2") == "text 2"
    assert bench.it.text_of("nowhere") == ""


def test_reading_then_writing_then_rest(bench):
    bench.open("a", turn(0))
    bench.happens(
        TurnAdded(turn=partial_reply()),
        PromptRead(conversation_id="a", fraction=0.3),
        PromptRead(conversation_id="a", fraction=1.0),
        grew("x"),
        ReplyEnded(turn=turn(1)),
    )
    assert bench.stage.activities == [
        Activity.WRITING,
        Activity.READING,
        Activity.WRITING,
        Activity.IDLE,
    ]


def test_a_failed_reply_keeps_its_text_and_says_why(bench):
    bench.open("a", turn(0))
    bench.happens(TurnAdded(turn=partial_reply()), grew("Half"))
    failed = turn(1, text="Half", state=TurnState.FAILED)
    bench.happens(ReplyEnded(turn=failed, error=EngineStopped()))
    assert bench.page.seen["a1"] == "Half"
    assert [type(error) for error in bench.stage.troubles] == [EngineStopped]


def test_a_cancelled_reply_is_no_trouble(bench):
    bench.open("a", turn(0))
    bench.happens(ReplyEnded(turn=turn(1), error=Cancelled()))
    assert bench.stage.troubles == []
    assert bench.page.seen["a1"] == "text 1"


def test_trouble_of_the_last_try_goes_with_the_next(bench):
    bench.open("a", turn(0))
    bench.happens(HistoryTrimmed(conversation_id="a", dropped_turns=4))
    assert bench.stage.trimmed == [4]
    bench.it.send("next")
    assert bench.stage.trimmed == []
