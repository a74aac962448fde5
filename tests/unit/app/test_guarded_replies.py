"""What a person sees of the guard: the real keeper over a scripted machine, a real database."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.container import build
from app.conversations.values import TurnState
from app.events import (
    ModelFailed,
    ModelLoading,
    ModelReady,
    ModelUnloaded,
    ReplyEnded,
    ReplyGrew,
)
from app.models import ModelChoice
from app.paths import Paths
from engine.errors import DoesNotFit, EngineCrashed, ModelHeldBack, OutOfMemory
from engine.guard.pressure import Level
from engine.guard.record import key_of
from engine.keeper.keeper import ModelKeeper
from engine.runtimes.fake import Script
from engine.types.history import after_crash
from engine.types.models import UnloadReason
from engine.types.plans import LoadRequest, Verdict
from tests.unit.app.desk import WAIT_S, Desk
from tests.unit.engine.keeper.parts import Bench

ENDLESS = Script(pieces=("word ",) * 2000, pause_s=0.005)
NAME = "Chosen"
"""Not what the file is called."""


class GuardedDesk(Desk):
    """A desk whose keeper and machine a test may bend."""

    def __init__(self, bench: Bench, paths: Paths) -> None:
        super().__init__(build(paths, make_keeper=lambda *_: bench.keeper()))
        self.bench = bench

    @property
    def keeper(self) -> ModelKeeper:
        return self.bench.keepers[0]

    def begin(self, text: str = "Hello") -> str:
        """A question whose reply has begun."""
        conversation_id = self.chat.send(None, text)
        self.until(ReplyGrew)
        return conversation_id


@pytest.fixture
def desk(tmp_path: Path, snug_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[GuardedDesk]:
    bench = Bench(tmp_path)
    choice = ModelChoice(name=NAME, request=LoadRequest(path=bench.model))
    monkeypatch.setattr("app.models.choose", lambda *_: choice)
    made = GuardedDesk(bench, Paths(data=snug_home, log=snug_home / "log"))
    yield made
    assert made.container.close(WAIT_S)


def test_full_memory_fails_the_reply_keeps_its_text_and_lets_the_model_go(
    desk: GuardedDesk,
) -> None:
    desk.bench.scripts[False] = ENDLESS
    conversation_id = desk.begin()
    desk.keeper.on_level(Level.FULL)
    ended = desk.until_answered()
    assert isinstance(ended.error, OutOfMemory)
    assert ended.turn.state is TurnState.FAILED
    assert ended.turn.text.startswith("word ")
    assert desk.container.conversations.turns(conversation_id)[1] == ended.turn
    unloaded = desk.until(ModelUnloaded)
    assert unloaded == ModelUnloaded(name=NAME, reason=UnloadReason.MEMORY)
    assert desk.bench.hosts[0].unloads == 1
    desk.chat.send(conversation_id, "And now?")
    desk.until(ModelReady)


def test_sleep_stops_the_reply_and_keeps_its_text(desk: GuardedDesk) -> None:
    desk.bench.scripts[False] = ENDLESS
    desk.begin()
    desk.container.suspend()
    ended = desk.until_answered()
    assert (ended.error, ended.turn.state) == (None, TurnState.STOPPED)
    assert ended.turn.text.startswith("word ")
    unloaded = desk.until(ModelUnloaded)
    assert unloaded == ModelUnloaded(name=NAME, reason=UnloadReason.SUSPEND)


def test_full_memory_ends_the_questions_of_other_chats_too(desk: GuardedDesk) -> None:
    desk.bench.scripts[False] = ENDLESS
    chats = [desk.begin(), desk.chat.send(None, "Second"), desk.chat.send(None, "Third")]
    desk.keeper.on_level(Level.FULL)
    ended = [desk.until_answered() for _ in chats]
    assert [each.turn.conversation_id for each in ended] == chats
    assert [each.turn.text[:4] for each in ended] == ["word", "", ""]
    assert all(isinstance(each.error, OutOfMemory) for each in ended)
    assert desk.until(ModelUnloaded).reason is UnloadReason.MEMORY
    for conversation_id in chats:
        desk.chat.send(conversation_id, "Again")
        desk.until(ReplyGrew)
        desk.chat.stop(conversation_id)
        assert desk.until_answered().turn.state is TurnState.STOPPED


def test_a_reply_longer_than_the_idle_time_is_no_idle_time(desk: GuardedDesk) -> None:
    desk.bench.scripts[False] = Script(pieces=("word ",) * 60, pause_s=0.005)
    conversation_id = desk.begin()
    desk.bench.now_s += 10_000
    desk.keeper.tick()
    assert desk.until_answered().turn.state is TurnState.COMPLETE
    desk.keeper.tick()
    desk.chat.send(conversation_id, "And now?")
    events = desk.until_then(ReplyEnded)
    assert not [event for event in events if isinstance(event, ModelUnloaded | ModelLoading)]
    assert desk.bench.hosts[0].unloads == 0


def test_a_model_held_back_fails_model_and_reply_with_one_error(desk: GuardedDesk) -> None:
    for _ in range(3):
        desk.bench.record.learn(key_of(desk.bench.model), lambda known: after_crash(known, "load"))
    desk.chat.send(None, "Hello")
    failed, ended = desk.until(ModelFailed), desk.until_answered()
    assert isinstance(failed.error, ModelHeldBack)
    assert failed.name == NAME
    assert ended.error is failed.error
    assert (ended.turn.state, ended.turn.model) == (TurnState.FAILED, "")


def test_a_model_too_big_fails_model_and_reply_with_one_error(desk: GuardedDesk) -> None:
    desk.bench.planning.verdict = Verdict.TOO_BIG
    desk.chat.send(None, "Hello")
    failed, ended = desk.until(ModelFailed), desk.until_answered()
    assert isinstance(failed.error, DoesNotFit)
    assert ended.error is failed.error


def test_a_model_that_dies_in_mid_reply_is_told_as_the_reply_s_error(desk: GuardedDesk) -> None:
    crash = EngineCrashed("SIGSEGV", "reply")
    desk.bench.scripts[False] = Script(pieces=("one ", "two "), fail_after_pieces=1, error=crash)
    desk.chat.send(None, "Hello")
    ended = desk.until_answered()
    assert (ended.error, ended.turn.text) == (crash, "one ")
    assert not [event for event in desk.seen() if isinstance(event, ModelFailed)]
