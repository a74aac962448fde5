"""Asking and answering over a scripted engine and a real database."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.container import build
from app.conversations.values import TurnState
from app.errors import DiskFull, NothingToAnswer, ReplyRunning
from app.events import (
    ConversationSaved,
    ModelFailed,
    ModelReady,
    ReplyEnded,
    ReplyGrew,
    TurnAdded,
    TurnsRemoved,
)
from app.models import ModelChoice
from app.paths import Paths
from engine.errors import EngineStopped, LoadFailed
from engine.keeper.plain import PlainKeeper
from engine.runtimes.fake import FakeRuntime, Script
from engine.types.chat import Role
from engine.types.plans import LoadRequest
from tests.unit.app.desk import WAIT_S, Desk

REQUEST = LoadRequest(path=Path("fake.gguf"))


@pytest.fixture
def open_desk(
    snug_home: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[Script], Desk]]:
    monkeypatch.setattr(
        "app.models.choose", lambda *_: ModelChoice(name="Fake", request=REQUEST, system="Be kind.")
    )
    desks: list[Desk] = []

    def make(script: Script) -> Desk:
        paths = Paths(data=snug_home, log=snug_home / "log")
        desks.append(
            Desk(build(paths, make_keeper=lambda *_: PlainKeeper(lambda: FakeRuntime(script))))
        )
        return desks[-1]

    yield make
    for desk in desks:
        assert desk.container.close(WAIT_S)


def test_what_was_said_and_answered_is_kept(open_desk: Callable[[Script], Desk]) -> None:
    desk = open_desk(Script(pieces=("Par", "is.")))
    conversation_id = desk.chat.send(None, "What is the capital of France?")
    ended = desk.until_answered()
    assert ended.turn.text == "Paris."
    assert ended.turn.state is TurnState.COMPLETE
    turns = desk.container.conversations.turns(conversation_id)
    assert [(t.role, t.text) for t in turns] == [
        (Role.USER, "What is the capital of France?"),
        (Role.ASSISTANT, "Paris."),
    ]
    (conversation,) = desk.container.conversations.recent(10)
    assert conversation.title == "What is the capital of France?"


def test_events_come_in_the_order_things_happen(open_desk: Callable[[Script], Desk]) -> None:
    desk = open_desk(Script(pieces=("a", "b")))
    desk.chat.send(None, "Hello")
    kinds = []
    while not kinds or kinds[-1] is not ReplyEnded:
        kinds.append(type(desk.events.get(timeout=WAIT_S)))
    wanted = [ConversationSaved, TurnAdded, TurnAdded, ReplyGrew, ReplyGrew, ReplyEnded]
    assert [kind for kind in kinds if kind in set(wanted)] == wanted


def test_the_question_is_on_disk_before_the_engine_hears_of_it(
    open_desk: Callable[[Script], Desk],
) -> None:
    desk = open_desk(Script(load_error=LoadFailed(REQUEST.path, "no")))
    conversation_id = desk.chat.send(None, "Hello")
    ended = desk.until_answered()
    assert isinstance(ended.error, LoadFailed)
    assert ended.turn.state is TurnState.FAILED
    assert desk.container.conversations.turns(conversation_id)[0].text == "Hello"


def test_a_failure_in_mid_reply_keeps_the_text(open_desk: Callable[[Script], Desk]) -> None:
    desk = open_desk(
        Script(pieces=("half ", "lost"), fail_after_pieces=1, error=EngineStopped("gone"))
    )
    conversation_id = desk.chat.send(None, "Hello")
    ended = desk.until_answered()
    assert (ended.turn.text, ended.turn.state) == ("half ", TurnState.FAILED)
    desk.chat.try_again(conversation_id)
    desk.until_answered()
    assert len(desk.container.conversations.turns(conversation_id)) == 2


def test_stop_keeps_what_was_written_and_it_can_go_on(open_desk: Callable[[Script], Desk]) -> None:
    desk = open_desk(Script(pieces=("word ",) * 500, pause_s=0.005))
    conversation_id = desk.chat.send(None, "Hello")
    desk.until(ReplyGrew)
    desk.chat.stop(conversation_id)
    ended = desk.until_answered()
    assert ended.turn.state is TurnState.STOPPED
    assert ended.turn.text.startswith("word ")
    desk.chat.continue_reply(conversation_id)
    desk.until(ReplyGrew)
    desk.chat.stop(conversation_id)
    more = desk.until_answered()
    assert more.turn.id == ended.turn.id
    assert more.turn.text.startswith(ended.turn.text)
    assert len(more.turn.text) > len(ended.turn.text)


def test_a_second_question_waits_for_the_first_reply(open_desk: Callable[[Script], Desk]) -> None:
    desk = open_desk(Script(pieces=("word ",) * 500, pause_s=0.005))
    conversation_id = desk.chat.send(None, "Hello")
    with pytest.raises(ReplyRunning):
        desk.chat.send(conversation_id, "And?")
    assert next(t.text for t in desk.container.conversations.turns(conversation_id)) == "Hello"
    desk.chat.stop(conversation_id)
    desk.until_answered()


def test_two_conversations_never_mix(open_desk: Callable[[Script], Desk]) -> None:
    desk = open_desk(Script(pieces=("x",) * 20, pause_s=0.002))
    ids = {desk.chat.send(None, f"Question {number}") for number in range(3)}
    turns = {desk.until_answered().turn.conversation_id for _ in ids}
    assert turns == ids
    for conversation_id in ids:
        assert desk.container.conversations.turns(conversation_id)[1].text == "x" * 20


def test_an_edit_replaces_the_last_question(open_desk: Callable[[Script], Desk]) -> None:
    desk = open_desk(Script(pieces=("yes",)))
    conversation_id = desk.chat.send(None, "Frist")
    desk.until_answered()
    desk.chat.edit_last(conversation_id, "First")
    removed = desk.until(TurnsRemoved)
    assert isinstance(removed, TurnsRemoved)
    assert removed.first_position == 0
    desk.until_answered()
    turns = desk.container.conversations.turns(conversation_id)
    assert [t.text for t in turns] == ["First", "yes"]


def test_nothing_to_try_again_is_said(open_desk: Callable[[Script], Desk]) -> None:
    desk = open_desk(Script())
    with pytest.raises(NothingToAnswer):
        desk.chat.try_again("no such conversation")


def test_deleting_a_conversation_stops_its_reply(open_desk: Callable[[Script], Desk]) -> None:
    desk = open_desk(Script(pieces=("word ",) * 2000, pause_s=0.005))
    conversation_id = desk.chat.send(None, "Hello")
    desk.until(ReplyGrew)
    desk.container.conversations.delete(conversation_id)
    assert desk.until_answered().turn.state is TurnState.STOPPED
    assert desk.container.conversations.recent(10) == ()
    desk.container.conversations.restore(conversation_id)
    assert len(desk.container.conversations.recent(10)) == 1


def test_closing_in_mid_reply_keeps_the_text_as_stopped(
    open_desk: Callable[[Script], Desk],
) -> None:
    desk = open_desk(Script(pieces=("word ",) * 2000, pause_s=0.005))
    conversation_id = desk.chat.send(None, "Hello")
    desk.until(ReplyGrew)
    assert desk.container.close(WAIT_S)
    again = open_desk(Script())
    again.container.conversations.tidy()
    turn = again.container.conversations.turns(conversation_id)[1]
    assert turn.state is TurnState.STOPPED
    assert turn.text.startswith("word ")


def test_preparing_loads_ahead_and_says_what_failed(open_desk: Callable[[Script], Desk]) -> None:
    desk = open_desk(Script())
    desk.chat.prepare()
    ready = desk.until(ModelReady)
    assert isinstance(ready, ModelReady)
    assert ready.info.spec.path == REQUEST.path
    broken = open_desk(Script(load_error=LoadFailed(REQUEST.path, "no")))
    broken.chat.prepare()
    assert isinstance(broken.until(ModelFailed), ModelFailed)


def test_a_model_that_is_missing_is_a_failed_reply(
    open_desk: Callable[[Script], Desk], monkeypatch: pytest.MonkeyPatch, snug_home: Path
) -> None:
    desk = open_desk(Script())
    gone = replace(REQUEST, path=snug_home / "gone.gguf")
    error = LoadFailed(gone.path, "gone")

    def fail() -> ModelChoice:
        raise error

    monkeypatch.setattr(desk.container.models, "choose", fail)
    desk.chat.send(None, "Hello")
    assert desk.until_answered().error is error


class _Choice:
    """A model choice that can be made to fail from some moment on."""

    def __init__(self) -> None:
        self.error: Exception | None = None

    def __call__(self) -> ModelChoice:
        if self.error:
            raise self.error
        return ModelChoice(name="Fake", request=REQUEST)


@pytest.mark.parametrize("error", [LoadFailed(REQUEST.path, "gone"), OSError(5, "disk")])
def test_a_model_that_vanishes_while_another_chat_is_answered_harms_neither(
    open_desk: Callable[[Script], Desk], error: Exception
) -> None:
    desk = open_desk(Script(pieces=("word ",) * 200, pause_s=0.005))
    choice = _Choice()
    desk.container.models.choose = choice  # type: ignore[method-assign]
    first = desk.chat.send(None, "First")
    desk.until(ReplyGrew)
    choice.error = error
    second = desk.chat.send(None, "Second")
    failed = desk.until_answered()
    assert (failed.turn.conversation_id, failed.turn.state) == (second, TurnState.FAILED)
    assert failed.error is not None
    whole = desk.until_answered()
    assert (whole.turn.conversation_id, whole.turn.state) == (first, TurnState.COMPLETE)
    assert whole.turn.text == "word " * 200
    choice.error = None
    desk.chat.send(second, "Again")
    desk.until(ReplyGrew)
    desk.chat.stop(second)
    assert desk.until_answered().turn.state is TurnState.STOPPED


def test_stopping_a_waiting_chat_leaves_the_other_waiting_one_alone(
    open_desk: Callable[[Script], Desk],
) -> None:
    desk = open_desk(Script(pieces=("x",) * 50, pause_s=0.005))
    first = desk.chat.send(None, "First")
    waiting = desk.chat.send(None, "Waiting")
    other = desk.chat.send(None, "Other")
    desk.chat.stop(waiting)
    states = {}
    for _ in range(3):
        turn = desk.until_answered().turn
        states[turn.conversation_id] = turn.state
    assert states == {
        first: TurnState.COMPLETE,
        waiting: TurnState.STOPPED,
        other: TurnState.COMPLETE,
    }


def test_a_failed_commit_says_nothing_and_a_retry_says_it_once(
    open_desk: Callable[[Script], Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = open_desk(Script(pieces=("yes",)))
    conversation_id = desk.chat.send(None, "First")
    desk.until_answered()
    store = desk.chat._store
    full = DiskFull(Path("snug.sqlite3"), "full")

    def fail(*_: object) -> None:
        raise full

    with monkeypatch.context() as broken:
        broken.setattr(store, "_insert_reply", fail)
        for attempt in (
            lambda: desk.chat.send(conversation_id, "Second"),
            lambda: desk.chat.try_again(conversation_id),
            lambda: desk.chat.edit_last(conversation_id, "Other"),
        ):
            with pytest.raises(DiskFull):
                attempt()
    turns = desk.container.conversations.turns(conversation_id)
    assert [turn.text for turn in turns] == ["First", "yes"]
    desk.chat.send(conversation_id, "Second")
    desk.until_answered()
    turns = desk.container.conversations.turns(conversation_id)
    assert [turn.text for turn in turns] == ["First", "yes", "Second", "yes"]


def test_the_model_is_announced_once(open_desk: Callable[[Script], Desk]) -> None:
    desk = open_desk(Script(pieces=("yes",)))
    conversation_id = desk.chat.send(None, "First")
    desk.until_answered()
    desk.seen()
    desk.chat.send(conversation_id, "Second")
    desk.until_answered()
    assert not [event for event in desk.seen() if isinstance(event, ModelReady)]


def test_closing_does_not_wait_for_ever_for_other_work(
    open_desk: Callable[[Script], Desk],
) -> None:
    desk = open_desk(Script(pieces=("word ",) * 2000, pause_s=0.005))
    desk.chat.send(None, "Hello")
    desk.until(ReplyGrew)
    go_on = threading.Event()
    desk.container.worker.submit(go_on.wait, lambda _: None)
    started = time.monotonic()
    assert not desk.container.close(0.3)
    assert time.monotonic() - started < 3
    assert desk.until_answered().turn.state is TurnState.STOPPED
    go_on.set()
    assert desk.container.close(WAIT_S)
