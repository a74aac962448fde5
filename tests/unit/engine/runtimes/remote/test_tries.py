"""What is tried again, what is asked differently, and what becomes of the key."""

import json
import logging
from collections.abc import Callable

import pytest

from engine.errors import (
    EngineError,
    KeyRefused,
    RemoteError,
    ServerBusy,
    ServerFailed,
    ServerSilent,
)
from engine.types.chat import Message, Role
from engine.types.generation import ContextTrimmed, FinishReason
from tests.servers.odd import Line, Odd, Script, answer, event, models, says, streams
from tests.unit.engine.runtimes.remote.world import KEY, World, ask

Serve = Callable[[Script], Odd]
ERROR = b'{"error": {"message": "it is %s", "type": "t"}}'


def once(script: Script, then: bytes = answer(["Par", "is"])) -> Script:
    """`script` for the first connection, a good answer for those after it."""

    def both(line: Line) -> None:
        if line.number == 0:
            script(line)
        else:
            line.head()
            line.send(then)

    return both


@pytest.mark.parametrize(
    ("script", "waited_s"),
    [
        (says(429, ERROR, Retry_After="3"), 3.0),
        (says(503, ERROR), None),
        (says(502, b"<html>"), None),
        (says(504, b""), None),
        (Line.reset, None),
        (lambda line: None, None),
    ],
    ids=["429", "503", "502", "504", "reset", "closed"],
)
def test_what_may_pass_is_tried_again_before_the_first_word(
    world: World, serve: Serve, script: Script, waited_s: float | None
) -> None:
    told = ask(world.model(serve(once(script)).address))
    assert told.text == "Paris"
    assert len(world.waits) == 1
    assert waited_s is None or world.waits == [waited_s]
    assert len(world.records) == 2


@pytest.mark.parametrize(
    ("script", "kind", "tries"),
    [
        (says(429, ERROR), ServerBusy, 4),
        (says(429, ERROR, Retry_After="3600"), ServerBusy, 1),
        (says(503, ERROR), ServerFailed, 4),
        (says(500, ERROR), ServerFailed, 1),
        (Line.reset, ServerSilent, 4),
    ],
)
def test_tries_end(
    world: World, serve: Serve, script: Script, kind: type[EngineError], tries: int
) -> None:
    odd = serve(script)
    error = ask(world.model(odd.address)).error
    assert isinstance(error, kind)
    assert len(odd.asked) == tries
    if isinstance(error, ServerBusy) and tries == 1:
        assert error.retry_after_s == 3600


def test_a_server_that_refuses_what_it_does_not_know_is_asked_without(
    world: World, serve: Serve
) -> None:
    def strict(line: Line) -> None:
        for name in ("top_k", "stream_options"):
            if name in line.asked.json:
                line.say(400, f'{{"error": "unknown parameter: {name}"}}'.encode())
                return
        line.head()
        line.send(answer(["Paris"]))

    odd = serve(strict)
    model = world.model(odd.address)
    assert ask(model).text == "Paris"
    assert len(odd.asked) == 3
    assert ask(model).text == "Paris"
    assert len(odd.asked) == 4  # it is remembered


def test_an_answer_that_would_not_fit_is_asked_for_shorter(world: World, serve: Serve) -> None:
    def small(line: Line) -> None:
        if line.asked.json["max_tokens"] == 2048:
            line.say(400, b'{"error": {"message": "This model\'s maximum context length is 100 '
                          b'tokens. However, you requested 2108 tokens (60 in the messages, 2048 '
                          b'in the completion)."}}')  # fmt: skip
            return
        assert line.asked.json["max_tokens"] == 40
        line.head()
        line.send(answer(["Paris"], "length"))

    told = ask(world.model(serve(small).address))
    assert (told.text, told.finished.reason) == ("Paris", FinishReason.CONTEXT)


def test_a_conversation_that_is_too_long_is_answered_without_its_oldest_turns(
    world: World, serve: Serve
) -> None:
    def small(line: Line) -> None:
        asked = line.asked.json["messages"]
        assert isinstance(asked, list)
        if len(asked) > 1:
            line.say(413, b"")
            return
        line.head()
        line.send(answer(["Paris"]))

    roles = (Role.USER, Role.ASSISTANT, Role.USER)
    messages = tuple(Message(role=role, content="a" * 50) for role in roles)
    told = ask(world.model(serve(small).address), messages=messages)
    assert told.deltas[0] == ContextTrimmed(dropped_messages=2)
    assert told.text == "Paris"


# --- the key --------------------------------------------------------------------------------------


def test_the_key_is_in_no_error_no_log_and_no_record(
    world: World, serve: Serve, caplog: pytest.LogCaptureFixture
) -> None:
    echo = json.dumps({"error": {"message": f"Incorrect API key provided: {KEY}"}}).encode()
    scripts = (
        says(401, echo),
        says(500, echo),
        says(307, b"", Location=f"http://192.0.2.1/{KEY}"),
        streams(event({"error": {"message": f"key {KEY}"}})),
    )
    with caplog.at_level(logging.DEBUG):
        for script in scripts:
            odd = serve(script)
            error = ask(world.model(odd.address)).error
            assert isinstance(error, RemoteError)
            assert KEY not in f"{error!r} {error.detail}"
            assert odd.asked[0].headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in caplog.text
    assert KEY not in repr(world.records)


def test_the_key_is_in_no_error_however_it_is_spelled_or_cut(world: World, serve: Serve) -> None:
    world.key = key = "sk+0123456789abcdef"
    spelled = (
        b'{"error": {"message": "' + b"x" * 290 + key.replace("+", "\\u002B").encode() + b'"}}'
    )
    for script in (says(401, spelled), says(200, spelled), streams(b"data: " + spelled + b"\n\n")):
        error = ask(world.model(serve(script).address)).error
        assert isinstance(error, RemoteError)
        assert "xxx" in error.detail
        assert "sk+" not in error.detail


@pytest.mark.parametrize("key", ["sk-é", "a\r\nX: y", " a", "a\0"])
def test_what_can_be_no_key_is_refused_before_anything_is_sent(
    world: World, serve: Serve, key: str
) -> None:
    odd = serve(says(200, models("m")))
    world.key = key
    with pytest.raises(KeyRefused) as refused:
        world.load(odd.address)
    assert key not in str(refused.value)
    assert not odd.asked
    assert not world.records


def test_without_a_key_none_is_sent(world: World, serve: Serve) -> None:
    odd = serve(says(200, models("m")))
    world.key = None
    world.load(odd.address)
    assert "authorization" not in odd.asked[0].headers
