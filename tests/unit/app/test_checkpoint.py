"""A growing reply is stored by a thread of its own; nothing makes the appending thread wait."""

import threading
import time
from collections.abc import Iterator

import pytest

from app.conversations.checkpoint import INTERVAL_S, ReplyCheckpoint
from app.conversations.store import ConversationStore
from app.conversations.values import Turn, TurnState
from app.errors import DiskFull, StorageError
from engine.types.chat import Role
from tests.unit.app.conftest import START

PATIENCE_S = 10
SHORT_S = 0.01


class Disk:
    """Records what is written. `full` makes writing fail, `stuck` makes it wait."""

    def __init__(self) -> None:
        self.written: list[tuple[str, str, TurnState]] = []
        self.full = False
        self.stuck = threading.Event()
        self.stuck.set()
        self.attempts = 0
        self.changed = threading.Condition()

    def update_turn(self, turn_id: str, text: str, state: TurnState, model: str) -> bool:
        assert model == "SmolLM2"
        assert self.stuck.wait(PATIENCE_S)
        with self.changed:
            self.attempts += 1
            if not self.full:
                self.written.append((turn_id, text, state))
            self.changed.notify_all()
            if self.full:
                raise DiskFull(path=__file__)  # type: ignore[arg-type]
        return True

    def wait_for_attempts(self, count: int) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: self.attempts >= count, PATIENCE_S)


@pytest.fixture
def disk() -> Disk:
    return Disk()


@pytest.fixture
def failures() -> list[StorageError]:
    return []


@pytest.fixture
def checkpoint(disk: Disk, failures: list[StorageError]) -> Iterator[ReplyCheckpoint]:
    checkpoint = ReplyCheckpoint(disk, failures.append, interval_s=SHORT_S)
    yield checkpoint
    disk.full = False
    assert checkpoint.close()
    assert "checkpoint" not in {thread.name for thread in threading.enumerate()}


def reply(turn_id: str = "t1", text: str = "") -> Turn:
    return Turn(
        id=turn_id,
        conversation_id="c1",
        position=1,
        role=Role.ASSISTANT,
        text=text,
        state=TurnState.PARTIAL,
        model="SmolLM2",
        created_at=START,
    )


def test_text_is_stored_while_it_grows(checkpoint: ReplyCheckpoint, disk: Disk) -> None:
    checkpoint.begin(reply(text="So "))
    checkpoint.append("far")
    disk.wait_for_attempts(1)
    checkpoint.append(", so ")
    checkpoint.append("good")
    disk.wait_for_attempts(2)
    assert disk.written[0] == ("t1", "So far", TurnState.PARTIAL)
    assert all(state is TurnState.PARTIAL for _, _, state in disk.written)
    turn = checkpoint.finish(TurnState.COMPLETE)
    assert (turn.text, turn.state) == ("So far, so good", TurnState.COMPLETE)
    assert disk.written[-1] == ("t1", turn.text, turn.state)


def test_nothing_is_written_or_waked_while_nothing_is_new(
    checkpoint: ReplyCheckpoint, disk: Disk
) -> None:
    checkpoint.begin(reply())
    checkpoint.append("once")
    disk.wait_for_attempts(1)
    with disk.changed:
        assert not disk.changed.wait_for(lambda: disk.attempts > 1, SHORT_S * 10)


def test_appending_does_not_wait_for_a_stuck_disk(checkpoint: ReplyCheckpoint, disk: Disk) -> None:
    checkpoint.begin(reply())
    disk.stuck.clear()
    checkpoint.append("a")
    started = time.perf_counter()
    for _ in range(10_000):
        checkpoint.append("b")
    seconds = time.perf_counter() - started
    disk.stuck.set()
    assert checkpoint.finish(TurnState.STOPPED).text == "a" + "b" * 10_000
    assert seconds < 1  # 0.1 ms each would be far too slow, and a stuck disk takes for ever


def test_a_full_disk_is_reported_once_and_tried_again(
    checkpoint: ReplyCheckpoint, disk: Disk, failures: list[StorageError]
) -> None:
    disk.full = True
    checkpoint.begin(reply())
    checkpoint.append("kept ")
    disk.wait_for_attempts(3)
    checkpoint.append("in memory")
    assert [failure.code for failure in failures] == ["disk_full"]
    disk.full = False
    disk.wait_for_attempts(disk.attempts + 1)
    assert checkpoint.finish(TurnState.COMPLETE).text == "kept in memory"
    assert disk.written[-1] == ("t1", "kept in memory", TurnState.COMPLETE)
    assert len(failures) == 1


def test_a_second_failure_after_a_good_write_is_reported_again(
    checkpoint: ReplyCheckpoint, disk: Disk, failures: list[StorageError]
) -> None:
    for turn_id in ("t1", "t2"):
        disk.full = True
        checkpoint.begin(reply(turn_id))
        checkpoint.append("x")
        checkpoint.finish(TurnState.COMPLETE)
        disk.full = False
        attempts = disk.attempts
        disk.wait_for_attempts(attempts + 1)
    assert len(failures) == 2


def test_a_reply_that_ended_on_a_full_disk_is_stored_beside_the_next_one(
    checkpoint: ReplyCheckpoint, disk: Disk
) -> None:
    disk.full = True
    checkpoint.begin(reply("t1"))
    checkpoint.append("first")
    assert checkpoint.finish(TurnState.COMPLETE).text == "first"
    checkpoint.begin(reply("t2"))
    checkpoint.append("second")
    disk.full = False
    checkpoint.finish(TurnState.COMPLETE)
    assert checkpoint.close()
    assert set(disk.written) >= {
        ("t1", "first", TurnState.COMPLETE),
        ("t2", "second", TurnState.COMPLETE),
    }


def test_closing_stores_what_was_said(disk: Disk, failures: list[StorageError]) -> None:
    checkpoint = ReplyCheckpoint(disk, failures.append)
    checkpoint.begin(reply())
    checkpoint.append("last words")
    started = time.perf_counter()
    assert checkpoint.close()
    assert time.perf_counter() - started < INTERVAL_S
    assert disk.written == [("t1", "last words", TurnState.PARTIAL)]
    assert checkpoint.close()


def test_closing_does_not_wait_for_ever(disk: Disk, failures: list[StorageError]) -> None:
    checkpoint = ReplyCheckpoint(disk, failures.append, interval_s=0)
    checkpoint.begin(reply())
    disk.stuck.clear()
    checkpoint.append("stuck")
    assert not checkpoint.close(timeout_s=0.05)
    disk.stuck.set()
    assert checkpoint.close()


def test_a_reply_left_open_is_stopped_by_the_next(checkpoint: ReplyCheckpoint, disk: Disk) -> None:
    checkpoint.begin(reply("t1"))
    checkpoint.append("open")
    checkpoint.begin(reply("t2"))
    checkpoint.finish(TurnState.COMPLETE)
    assert checkpoint.close()
    assert ("t1", "open", TurnState.STOPPED) in disk.written


def test_late_text_is_ignored_and_a_second_end_is_a_mistake(
    checkpoint: ReplyCheckpoint, disk: Disk
) -> None:
    checkpoint.begin(reply())
    checkpoint.finish(TurnState.STOPPED)
    checkpoint.append("late")
    with pytest.raises(RuntimeError):
        checkpoint.finish(TurnState.COMPLETE)
    assert disk.written == [("t1", "", TurnState.STOPPED)]


def test_a_reply_that_never_began_is_settled_beside_one_that_grows(
    checkpoint: ReplyCheckpoint, disk: Disk
) -> None:
    checkpoint.begin(reply("t1"))
    settled = checkpoint.settle(reply("t2", "So far"), TurnState.FAILED, quick=False)
    assert disk.written[-1] == ("t2", "So far", TurnState.FAILED)
    assert (settled.text, settled.state) == ("So far", TurnState.FAILED)
    checkpoint.append("grows")
    assert checkpoint.finish(TurnState.COMPLETE).text == "grows"


def test_settling_quickly_does_not_wait_for_the_disk(
    disk: Disk, failures: list[StorageError]
) -> None:
    checkpoint = ReplyCheckpoint(disk, failures.append, interval_s=PATIENCE_S)
    disk.stuck.clear()
    settled = checkpoint.settle(reply(), TurnState.STOPPED, quick=True)
    assert (settled.state, disk.written) == (TurnState.STOPPED, [])
    disk.stuck.set()
    disk.wait_for_attempts(1)  # long before the interval is over
    assert disk.written == [("t1", "", TurnState.STOPPED)]
    assert checkpoint.close()


def test_a_turn_that_goes_on_is_not_set_back_to_how_it_was_settled(
    checkpoint: ReplyCheckpoint, disk: Disk
) -> None:
    disk.stuck.clear()
    checkpoint.settle(reply("t0"), TurnState.STOPPED, quick=True)  # keeps the writer busy
    checkpoint.settle(reply("t1", "So "), TurnState.STOPPED, quick=True)
    checkpoint.begin(reply("t1", "So "))
    checkpoint.append("far")
    disk.stuck.set()
    assert checkpoint.finish(TurnState.COMPLETE).text == "So far"
    assert checkpoint.close()
    of_it = [written for written in disk.written if written[0] == "t1"]
    assert of_it[-1] == ("t1", "So far", TurnState.COMPLETE)


def test_the_store_holds_what_finish_returns(store: ConversationStore) -> None:
    conversation = store.create("real")
    turn = store.add_turn(
        conversation.id, role=Role.ASSISTANT, text="", state=TurnState.PARTIAL, model="m"
    )
    checkpoint = ReplyCheckpoint(store, pytest.fail)
    checkpoint.begin(turn)
    checkpoint.append("half \ud83c")
    checkpoint.append("\udf89 pair \ud800")
    ended = checkpoint.finish(TurnState.CUT)
    assert checkpoint.close()
    assert store.turns(conversation.id) == (ended,)
    assert ended.text == "half 🎉 pair \ufffd"
