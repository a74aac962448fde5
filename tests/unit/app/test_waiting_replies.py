"""Replies that have not begun: they wait for a model or for another chat, and can be stopped."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.container import build
from app.conversations.values import TurnState
from app.errors import ReplyRunning
from app.events import ModelLoadCancelled, ModelLoading, ModelReady, ReplyEnded, ReplyGrew
from app.models import ModelChoice
from app.paths import Paths
from engine.keeper.plain import PlainKeeper
from engine.runtimes.fake import FakeRuntime, Script
from engine.types.plans import LoadRequest
from tests.unit.app.desk import WAIT_S, Desk

ENDLESS = Script(pieces=("word ",) * 2000, pause_s=0.005)
SLOW_LOAD = Script(load_s=1.0)


@pytest.fixture
def open_desk(
    snug_home: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[Script], Desk]]:
    choice = ModelChoice(name="Fake", request=LoadRequest(path=Path("fake.gguf")))
    monkeypatch.setattr("app.models.choose", lambda *_: choice)
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


def test_a_question_behind_another_chat_s_reply_is_stopped_at_once(
    open_desk: Callable[[Script], Desk],
) -> None:
    desk = open_desk(ENDLESS)
    first = desk.chat.send(None, "First")
    desk.until(ReplyGrew)
    waiting = desk.chat.send(None, "Waiting")
    desk.chat.stop(waiting)
    ended = desk.until_answered()
    assert (ended.turn.conversation_id, ended.turn.text) == (waiting, "")
    assert (ended.turn.state, ended.error) == (TurnState.STOPPED, None)
    with pytest.raises(ReplyRunning):
        desk.chat.send(first, "The first is still at it")


def test_its_chat_is_free_and_nothing_late_gets_into_it(
    open_desk: Callable[[Script], Desk],
) -> None:
    desk = open_desk(ENDLESS)
    first = desk.chat.send(None, "First")
    desk.until(ReplyGrew)
    waiting = desk.chat.send(None, "Waiting")
    desk.chat.stop(waiting)
    desk.chat.send(waiting, "Again")
    desk.chat.stop(first)
    events = desk.until_then(ReplyGrew, lambda grown: grown.conversation_id == waiting)
    desk.chat.stop(waiting)
    events += desk.until_then(ReplyEnded)
    ends = [event.turn for event in events if isinstance(event, ReplyEnded)]
    assert [turn.conversation_id for turn in ends] == [waiting, first, waiting]
    turns = desk.container.conversations.turns(waiting)
    assert [turn.text[:4] for turn in turns] == ["Wait", "", "Agai", "word"]
    assert [turn.state for turn in turns[1::2]] == [TurnState.STOPPED] * 2
    assert [turn.model for turn in turns] == ["", "", "", "Fake"]


def test_a_continued_reply_that_is_stopped_before_it_begins_keeps_its_text(
    open_desk: Callable[[Script], Desk],
) -> None:
    desk = open_desk(ENDLESS)
    cut = desk.chat.send(None, "Cut short")
    desk.until(ReplyGrew)
    desk.chat.stop(cut)
    before = desk.until_answered().turn
    other = desk.chat.send(None, "Other")
    desk.until(ReplyGrew)
    desk.chat.continue_reply(cut)
    desk.chat.stop(cut)
    assert desk.until_answered().turn == before
    desk.chat.stop(other)
    desk.until_answered()
    assert desk.container.conversations.turns(cut)[1] == before


def test_a_question_that_waits_for_a_model_is_stopped_before_the_load_has_noticed(
    open_desk: Callable[[Script], Desk],
) -> None:
    desk = open_desk(SLOW_LOAD)
    conversation_id = desk.chat.send(None, "Hello")
    desk.until(ModelLoading)
    desk.chat.stop(conversation_id)
    events = desk.until_then(ModelLoadCancelled)
    (ended,) = (event for event in events if isinstance(event, ReplyEnded))
    assert ended.turn.state is TurnState.STOPPED
    desk.chat.send(conversation_id, "Again")
    assert desk.until_answered().turn.state is TurnState.COMPLETE


def test_cancel_ends_every_load_that_was_asked_for(open_desk: Callable[[Script], Desk]) -> None:
    desk = open_desk(SLOW_LOAD)
    desk.chat.prepare()
    desk.until(ModelLoading)
    desk.chat.prepare(by_person=True)
    desk.chat.cancel_loading()
    desk.until(ModelLoadCancelled)
    assert not [
        event for event in desk.until_then(ModelLoadCancelled) if isinstance(event, ModelReady)
    ]
    desk.chat.prepare()
    desk.until(ModelReady)


def test_a_reply_names_the_model_that_wrote_it(open_desk: Callable[[Script], Desk]) -> None:
    desk = open_desk(Script())
    conversation_id = desk.chat.send(None, "Hello")
    ended = desk.until_answered()
    assert ended.turn.model == "Fake"
    assert desk.container.conversations.turns(conversation_id)[1] == ended.turn


def test_closing_stops_what_waits_too(open_desk: Callable[[Script], Desk]) -> None:
    desk = open_desk(ENDLESS)
    desk.chat.send(None, "First")
    desk.until(ReplyGrew)
    waiting = desk.chat.send(None, "Waiting")
    assert desk.container.close(WAIT_S)
    again = open_desk(Script())
    assert again.container.conversations.turns(waiting)[1].state is TurnState.STOPPED
