"""The presenter of the conversation page, in every order in which work and events can cross."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.conversations.values import Turn, TurnState
from app.events import (
    ConversationDeleted,
    HistoryTrimmed,
    ModelLoading,
    PromptRead,
    ReplyEnded,
    ReplyGrew,
    TurnAdded,
    TurnsRemoved,
)
from engine.errors import Cancelled, EngineStopped
from engine.types.chat import Role
from ui.chat.contracts import Activity
from ui.chat.controller import ConversationController

WHEN = datetime(2026, 1, 2, tzinfo=UTC)


def turn(number, conversation="a", *, text="", state=TurnState.COMPLETE, tag=""):
    role = Role.USER if number % 2 == 0 else Role.ASSISTANT
    return Turn(
        id=f"{conversation}{number}{tag}",
        conversation_id=conversation,
        position=number,
        role=role,
        text=text or f"text {number}",
        state=state,
        model="" if role is Role.USER else "m",
        created_at=WHEN,
    )


def partial_reply(number=1, conversation="a", tag=""):
    return replace(turn(number, conversation, tag=tag), text="", state=TurnState.PARTIAL)


def grew(text, number=1, conversation="a"):
    return ReplyGrew(conversation_id=conversation, turn_id=f"{conversation}{number}", text=text)


class Later:
    """A `run` whose work happens when the test says so."""

    def __init__(self):
        self.waiting = []

    def __call__(self, work, done, failed):
        self.waiting.append((work, done, failed))

    def work(self):
        """Do the oldest piece of work now; returns what delivers its result."""
        work, done, failed = self.waiting.pop(0)
        try:
            result = work()
        except Exception as error:  # noqa: BLE001
            caught = error
            return lambda: failed(caught)
        return lambda: done(result)

    def all(self):
        while self.waiting:
            self.work()()


class FakeTranscript:
    """Keeps the text that a person would see, by turn."""

    def __init__(self):
        self.seen = {}
        self.ended = []

    def show_turns(self, turns):
        self.seen = {t.id: t.text for t in turns}

    def add_turn(self, added):
        assert added.id not in self.seen
        self.seen[added.id] = added.text

    def grow(self, turn_id, text):
        self.seen[turn_id] += text

    def end_turn(self, ended):
        self.seen[ended.id] = ended.text
        self.ended.append(ended.id)

    def remove_from(self, position):
        self.seen = {k: v for k, v in self.seen.items() if int(k[1]) < position}

    def clear(self):
        self.seen = {}


class FakeStage:
    def __init__(self):
        self.opened = []
        self.started = []
        self.activities = []
        self.writing = frozenset()
        self.troubles = []
        self.trimmed = []
        self.given_back = []

    def conversation_opened(self, conversation_id):
        self.opened.append(conversation_id)

    def conversation_started(self, conversation_id):
        self.started.append(conversation_id)

    def show_activity(self, activity):
        self.activities.append(activity)

    def show_writing(self, conversation_ids):
        self.writing = conversation_ids

    def show_trouble(self, error):
        self.troubles.append(error)

    def show_trimmed(self, dropped_turns):
        self.trimmed.append(dropped_turns)

    def clear_trouble(self):
        self.troubles.clear()
        self.trimmed.clear()

    def give_back(self, conversation_id, text):
        self.given_back.append((conversation_id, text))


class FakeStore:
    def __init__(self):
        self.kept = {}

    def turns(self, conversation_id):
        return tuple(self.kept[conversation_id])


class FakeChat:
    def __init__(self):
        self.asked = []
        self.stopped = []
        self.failure = None

    def _ask(self, *asked):
        self.asked.append(asked)
        if self.failure:
            raise self.failure

    def send(self, conversation_id, text):
        self._ask("send", conversation_id, text)
        return conversation_id or "new"

    def try_again(self, conversation_id):
        self._ask("again", conversation_id)

    def edit_last(self, conversation_id, text):
        self._ask("edit", conversation_id, text)

    def continue_reply(self, conversation_id):
        self._ask("continue", conversation_id)

    def stop(self, conversation_id):
        self.stopped.append(conversation_id)


class Bench:
    def __init__(self):
        self.run = Later()
        self.store = FakeStore()
        self.chat = FakeChat()
        self.page = FakeTranscript()
        self.stage = FakeStage()
        self.it = ConversationController(
            run=self.run,
            store=self.store,
            chat=self.chat,
            transcript=self.page,
            stage=self.stage,
        )

    def open(self, conversation="a", *turns):
        self.store.kept[conversation] = turns or (turn(0, conversation), turn(1, conversation))
        self.it.open(conversation)
        self.run.all()

    def happens(self, *events):
        for event in events:
            self.it.handle(event)


@pytest.fixture
def bench():
    return Bench()


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


def test_a_message_that_was_not_stored_is_given_back(bench):
    bench.open("a")
    bench.chat.failure = OSError("disk full")
    bench.it.send("precious")
    bench.run.all()
    assert bench.stage.given_back == [("a", "precious")]
    assert len(bench.stage.troubles) == 1
    assert not bench.it.busy


def test_a_message_that_was_not_stored_goes_back_to_where_it_was_written(bench):
    bench.chat.failure = OSError("disk full")
    bench.it.send("precious")
    late = bench.run.work()
    bench.open("b")
    late()
    assert bench.stage.given_back == [(None, "precious")]


def test_stop_while_writing(bench):
    bench.open("a", turn(0))
    bench.happens(TurnAdded(turn=partial_reply()))
    bench.it.stop()
    assert bench.chat.stopped == ["a"]
    bench.happens(ReplyEnded(turn=turn(1, state=TurnState.STOPPED)))
    assert not bench.it.busy
    assert bench.page.ended == ["a1"]


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
