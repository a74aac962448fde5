"""Answers of odd servers: each ends with the right error, or with the right text."""

import time
from collections.abc import Callable

import pytest

from engine.errors import (
    EngineError,
    KeyRefused,
    PromptTooLong,
    RemoteModelMissing,
    ServerFailed,
    ServerIncomprehensible,
    ServerSilent,
)
from engine.net.requests import Patience
from engine.types.generation import FinishReason, ReasoningDelta
from tests.servers.odd import Line, Odd, Script, answer, delta, event, says, streams
from tests.unit.engine.runtimes.remote.world import World, ask

Serve = Callable[[Script], Odd]
ERROR = b'{"error": {"message": "it is %s", "type": "t"}}'


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


# --- silence --------------------------------------------------------------------------------------


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
