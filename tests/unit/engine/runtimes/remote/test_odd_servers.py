"""Servers that do what servers do: every oddity ends with the right error, or the right text."""

import json
import logging
import time
from collections.abc import Callable

import pytest

from engine.errors import (
    EngineError,
    KeyRefused,
    PromptTooLong,
    RemoteError,
    RemoteModelMissing,
    ServerBusy,
    ServerFailed,
    ServerIncomprehensible,
    ServerSilent,
    ServerUnreachable,
)
from engine.net.requests import Patience
from engine.types.generation import FinishReason, ReasoningDelta
from tests.servers.odd import Line, Odd, Script, answer, delta, event, models
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


def says(status: int, body: bytes, kind: str = "application/json", **headers: str) -> Script:
    return lambda line: line.say(status, body, kind, **headers)


def streams(*parts: bytes) -> Script:
    def script(line: Line) -> None:
        line.head()
        for part in parts:
            line.send(part)

    return script


# --- loading ------------------------------------------------------------------------------------


def test_a_model_that_the_server_has_is_loaded(world: World, serve: Serve) -> None:
    odd = serve(says(200, models("other", "m")))
    info = world.load(odd.address).info
    assert (info.name, info.backend) == ("m", "remote")
    assert [asked.path for asked in odd.asked] == ["/v1/models"]
    assert odd.asked[0].headers["authorization"] == f"Bearer {KEY}"


def test_a_model_that_the_server_does_not_have_is_missing(world: World, serve: Serve) -> None:
    with pytest.raises(RemoteModelMissing, match="m"):
        world.load(serve(says(200, models("other"))).address)
    assert world.records[-1].outcome == "done"


@pytest.mark.parametrize("status", [404, 405, 501])
def test_a_server_that_does_not_tell_its_models_may_have_it(
    world: World, serve: Serve, status: int
) -> None:
    assert world.load(serve(says(status, b"")).address).info.name == "m"


@pytest.mark.parametrize(
    ("script", "kind"),
    [
        (says(401, ERROR), KeyRefused),
        (says(403, ERROR), KeyRefused),
        (says(500, ERROR), ServerFailed),
        (says(200, b"<html>Welcome</html>", "text/html"), ServerIncomprehensible),
        (says(200, b"{}"), ServerIncomprehensible),
        (says(200, b'{"data": [{"id": "m"'), ServerIncomprehensible),
        (says(302, b"", Location="https://other.example/"), ServerIncomprehensible),
        (lambda line: line.send(b"SSH-2.0-OpenSSH_9.2\r\n\r\n"), ServerIncomprehensible),
        (
            lambda line: line.send(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 200_000),
            ServerIncomprehensible,
        ),
        (says(200, models("m"), Content_Encoding="gzip"), ServerIncomprehensible),
    ],
)
def test_what_is_no_list_of_models_is_an_error(
    world: World, serve: Serve, script: Script, kind: type[EngineError]
) -> None:
    with pytest.raises(RemoteError) as failed:
        world.load(serve(script).address)
    assert type(failed.value) is kind
    assert world.records[-1].outcome in (kind.code, "done")


def test_a_list_without_end_is_given_up(world: World, serve: Serve) -> None:
    def endless(line: Line) -> None:
        line.head(200, "application/json")
        for _ in range(40):
            line.send(b" " * (1 << 20))

    with pytest.raises(ServerIncomprehensible, match="no end"):
        world.load(serve(endless).address)


def test_where_nothing_listens_nothing_is_reached(world: World, serve: Serve) -> None:
    with pytest.raises(ServerUnreachable):
        world.load("http://127.0.0.1:9/v1")
    assert [(r.outcome, r.bytes_sent) for r in world.records] == [("server_unreachable", 0)]


# --- answers ------------------------------------------------------------------------------------


def test_an_answer_comes_in_its_pieces_with_its_numbers(world: World, serve: Serve) -> None:
    usage = {"prompt_tokens": 7, "completion_tokens": 3,
             "prompt_tokens_details": {"cached_tokens": 4}}  # fmt: skip
    odd = serve(streams(answer(["Par", "is", " é🙂"], usage=usage)))
    told = ask(world.model(odd.address), stop=("x",), max_tokens=9)
    assert told.text == "Paris é🙂"
    assert told.finished.reason is FinishReason.STOP
    stats = told.finished.stats
    assert (stats.prompt_tokens, stats.cached_tokens, stats.generated_tokens) == (7, 4, 3)
    body = odd.asked[0].json
    assert body["messages"] == [{"role": "user", "content": "Capital of France?"}]
    assert (body["model"], body["max_tokens"], body["stop"], body["stream"]) == (
        "m",
        9,
        ["x"],
        True,
    )
    assert "seed" not in body


def test_thoughts_are_told_apart_from_the_answer(world: World, serve: Serve) -> None:
    parts = [delta(reasoning_content="Let me "), delta(reasoning="see."), answer(["Paris"])]
    told = ask(world.model(serve(streams(*parts)).address))
    thoughts = [d.text for d in told.deltas if isinstance(d, ReasoningDelta)]
    assert (thoughts, told.text) == (["Let me ", "see."], "Paris")


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("stop", FinishReason.STOP),
        ("length", FinishReason.LENGTH),
        ("content_filter", FinishReason.STOP),
    ],
)
def test_the_reason_of_the_end_is_told(
    world: World, serve: Serve, said: str, reason: FinishReason
) -> None:
    told = ask(world.model(serve(streams(answer(["a"], said))).address))
    assert told.finished.reason is reason


@pytest.mark.parametrize("chunked", [False, True], ids=["plain", "chunked"])
def test_an_answer_cut_at_any_byte_keeps_its_text_and_says_so(
    world: World, serve: Serve, chunked: bool
) -> None:
    whole = answer(["Pa", "ri", "s"])
    the_end = whole.index(b'"finish_reason": "stop"') + len(b'"finish_reason": "stop"}]}')
    places = [*range(0, len(whole), 7), the_end - 1, the_end, len(whole)]

    def cut(line: Line) -> None:
        part = whole[: places[line.number]]
        if chunked:
            line.head(Transfer_Encoding="chunked")
            if part:
                line.chunk(part)
        else:
            line.head()
            line.send(part)

    model = world.model(serve(cut).address)
    for place in places:
        told = ask(model)
        assert "Paris".startswith(told.text)
        if place >= the_end:
            assert (told.text, told.finished.reason) == ("Paris", FinishReason.STOP), place
        else:
            assert isinstance(told.error, ServerSilent | ServerFailed), (place, told)
    assert not world.waits  # a part of an answer is never asked for twice


@pytest.mark.parametrize("size", [1, 2, 3, 50])
def test_a_trickle_in_small_chunks_is_the_same_answer(
    world: World, serve: Serve, size: int
) -> None:
    whole = answer(["Pa", "ris é🙂"])

    def trickle(line: Line) -> None:
        line.head(Transfer_Encoding="chunked")
        for start in range(0, len(whole), size):
            line.chunk(whole[start : start + size])
        line.send(b"0\r\n\r\n")

    assert ask(world.model(serve(trickle).address)).text == "Paris é🙂"


@pytest.mark.parametrize(
    ("script", "kind", "text"),
    [
        (says(401, ERROR), KeyRefused, ""),
        (says(404, b'{"error": {"message": "model m not found"}}'), RemoteModelMissing, ""),
        (says(404, b"<html>"), ServerIncomprehensible, ""),
        (says(500, ERROR), ServerFailed, ""),
        (says(413, b""), PromptTooLong, ""),
        (says(307, b"", Location="http://192.0.2.1/"), ServerIncomprehensible, ""),
        (says(200, b"<html>Log in</html>", "text/html; charset=utf-8"), ServerIncomprehensible, ""),
        (says(200, b"hello", "text/plain"), ServerIncomprehensible, ""),
        (says(200, b"{}"), ServerIncomprehensible, ""),
        (says(200, ERROR), ServerFailed, ""),
        (says(200, b'{"choi'), ServerIncomprehensible, ""),
        (streams(b"data: {broken\n\n"), ServerIncomprehensible, ""),
        (streams(delta(content="a"), b"data: 7\n\n"), ServerIncomprehensible, "a"),
        (streams(delta(content="a"), event({"error": {"message": "CUDA"}})), ServerFailed, "a"),
        (streams(event({"error": "model 'm' not found"})), RemoteModelMissing, ""),
        (streams(b'event: error\ndata: {"error": {"message": "the request exceeds the '
                 b'available context size", "n_prompt_tokens": 9, "n_ctx": 5}}\n\n'),
         PromptTooLong, ""),
        (streams(delta(content="a"), b"data: " + b"x" * (2 << 20)), ServerIncomprehensible, "a"),
    ],
)  # fmt: skip
def test_each_failure_has_its_error_and_keeps_the_text(
    world: World, serve: Serve, script: Script, kind: type[EngineError], text: str
) -> None:
    told = ask(world.model(serve(script).address))
    assert type(told.error) is kind
    assert told.text == text
    assert [record.outcome for record in world.records] == [kind.code]


def test_a_wrong_type_of_content_does_not_matter_where_events_come(
    world: World, serve: Serve
) -> None:
    script = says(200, answer(["Paris"]), "text/plain")
    assert ask(world.model(serve(script).address)).text == "Paris"


def test_a_server_that_does_not_stream_answers_too(world: World, serve: Serve) -> None:
    whole = b'{"choices": [{"message": {"content": "Paris"}, "finish_reason": "length"}]}'
    told = ask(world.model(serve(says(200, whole)).address))
    assert (told.text, told.finished.reason) == ("Paris", FinishReason.LENGTH)


def test_half_a_character_in_json_can_be_stored(world: World, serve: Serve) -> None:
    odd = serve(streams(b'data: {"choices": [{"delta": {"content": "a\\ud83d"}}]}\n\n', answer([])))
    assert ask(world.model(odd.address)).text == "a\ufffd"


def test_an_end_that_is_never_closed_is_the_end_all_the_same(world: World, serve: Serve) -> None:
    def script(line: Line) -> None:
        line.head()
        line.send(answer(["Paris"]).removesuffix(b"data: [DONE]\n\n"))
        line.hang()

    begun = time.monotonic()
    assert ask(world.model(serve(script).address)).text == "Paris"
    assert time.monotonic() - begun < 10


# --- other tries --------------------------------------------------------------------------------


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


# --- silence ------------------------------------------------------------------------------------


@pytest.mark.parametrize("before", [b"", b"HTTP/1.1 200 OK\r\nContent-Type: text/event"])
def test_silence_before_the_first_word_ends(serve: Serve, before: bytes) -> None:
    def script(line: Line) -> None:
        line.send(before)
        line.hang()

    world = World(patience=Patience(first_s=0.3))
    told = ask(world.model(serve(script).address))
    assert type(told.error) is ServerSilent


def test_silence_within_an_answer_ends_and_keeps_the_text(serve: Serve) -> None:
    def script(line: Line) -> None:
        line.head()
        line.send(delta(content="Par"))
        line.hang()

    world = World(patience=Patience(silence_s=0.3))
    told = ask(world.model(serve(script).address))
    assert type(told.error) is ServerSilent
    assert told.text == "Par"


def test_a_sign_of_life_is_no_silence(serve: Serve) -> None:
    def script(line: Line) -> None:
        line.head()
        for _ in range(5):
            line.send(b": ping\n\n")
            time.sleep(0.3)
        line.send(answer(["Paris"]))

    world = World(patience=Patience(silence_s=1.0))
    assert ask(world.model(serve(script).address)).text == "Paris"


# --- the key ------------------------------------------------------------------------------------


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
