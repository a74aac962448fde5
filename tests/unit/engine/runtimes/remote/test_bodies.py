"""What known servers say, in their own words, and what it means."""

import json
import time
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import (
    EngineError,
    KeyRefused,
    PromptTooLong,
    RemoteModelMissing,
    ServerBusy,
    ServerFailed,
    ServerIncomprehensible,
)
from engine.net.lost import ConnectionLost
from engine.net.waits import retry_after_s
from engine.runtimes.remote.bodies import complaint_in, has_model, models_in, parsed
from engine.runtimes.remote.refusals import (
    Refusal,
    Retrying,
    refusal_from,
    refusal_of,
    wait_before_retry,
)

NOW = datetime(2026, 1, 1, tzinfo=UTC)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["data", "models", "id", "error", "message", "object", "detail", "code"]
            )
            | st.text(),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)

_LIMIT = "This model's maximum context length is 4096 tokens. However, "
OPENAI = {
    "error": {
        "message": f"{_LIMIT}you requested 5100 tokens (5000 in the messages, 100 in the rest).",
        "type": "invalid_request_error",
        "code": "context_length_exceeded",
    }
}
VLLM = {"object": "error", "message": f"{_LIMIT}your request has 5000 input tokens.", "code": 400}
LLAMA_SERVER = {
    "error": {
        "code": 400,
        "message": "the request exceeds the available context size, try increasing it",
        "type": "exceed_context_size_error",
        "n_prompt_tokens": 5000,
        "n_ctx": 4096,
    }
}
SGLANG = {
    "object": "error",
    "message": "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
}
LLAMA_CPP = {"error": {"message": "Requested tokens (5000) exceed context window of 4096"}}


def error_of(status: int, body: object, **headers: str) -> EngineError:
    said = complaint_in(parsed(json.dumps(body).encode()))
    return refusal_of(status, headers, said, "http://nas/v1", NOW).error


@pytest.mark.parametrize("body", [OPENAI, VLLM, LLAMA_SERVER, SGLANG, LLAMA_CPP])
def test_a_context_that_is_too_small_is_told_with_its_numbers(body: dict[str, Any]) -> None:
    error = error_of(400, body)
    assert isinstance(error, PromptTooLong)
    assert (error.prompt_tokens, error.limit_tokens) == (5000, 4096)


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (401, {"error": {"message": "Invalid API Key"}}, KeyRefused),
        (401, "", KeyRefused),
        (403, {"detail": "Forbidden"}, KeyRefused),
        (404, {"error": {"message": "The model `x` does not exist."}}, RemoteModelMissing),
        (404, {"error": "model 'x' not found, try pulling it first"}, RemoteModelMissing),
        (400, {"error": {"message": "…", "code": "model_not_found"}}, RemoteModelMissing),
        (404, {"detail": "Not Found"}, ServerIncomprehensible),
        (404, "<html>no such page</html>", ServerIncomprehensible),
        (413, "", PromptTooLong),
        (418, {"error": {"message": "a teapot"}}, ServerFailed),
        (422, {"detail": [{"loc": ["body", "x"], "msg": "extra"}]}, ServerFailed),
        (429, {"error": {"message": "slower"}}, ServerBusy),
        (500, "<html>", ServerFailed),
        (503, {"error": {"message": "Loading model"}}, ServerFailed),
        (301, "", ServerIncomprehensible),
        (204, "", ServerIncomprehensible),
    ],
)
def test_each_status_has_its_error(status: int, body: object, kind: type[EngineError]) -> None:
    error = error_of(status, body)
    assert type(error) is kind
    if kind is not PromptTooLong:
        assert str(status) in str(error)


def test_a_redirect_is_told_and_its_query_is_not() -> None:
    error = error_of(307, "", location="https://other.example/v1?token=secret")
    assert "other.example" in str(error)
    assert "secret" not in str(error)


@given(st.integers(100, 599), JSON | st.binary(max_size=30).map(lambda b: b.decode("latin-1")))
def test_any_body_is_an_error_of_ours(status: int, body: object) -> None:
    assert isinstance(error_of(status, body), EngineError)


@given(JSON)
def test_any_json_is_a_list_of_models_or_none(value: Any) -> None:
    names = models_in(value)
    assert names is None or all(isinstance(name, str) and name for name in names)
    complaint_in(value)


def test_lists_of_models_as_servers_write_them() -> None:
    assert models_in({"object": "list", "data": [{"id": "a"}, {"id": "b"}, {"id": "a"}]}) == (
        "a",
        "b",
    )
    assert models_in({"object": "list", "data": None}) == ()  # Ollama without a model
    assert models_in({"models": [{"name": "a", "model": "a"}], "data": []}) == ("a",)
    assert models_in({"error": "no"}) is None
    assert models_in([]) is None
    assert has_model(("llama3:latest",), "llama3")
    assert not has_model(("llama3:8b",), "llama3")


def test_deep_json_and_no_json_are_nothing() -> None:
    assert parsed(b"[" * 100_000) is None
    assert parsed(b"\xff") is None


@pytest.mark.parametrize("words", ["model ", "context length ", "model context size "])
def test_a_long_complaint_does_not_stop_the_program(words: str) -> None:
    began_s = time.thread_time()
    complaint = complaint_in({"error": {"message": words * 5000, "code": words * 5000}})
    assert complaint is not None
    assert time.thread_time() - began_s < 0.5


def test_nothing_that_a_terminal_would_obey_is_passed_on() -> None:
    evil = "a\x1b[2J\x1b]0;title\x07b\r\nc\x9b1m\u202ed\ud800"
    names = models_in({"data": [{"id": evil}, {"id": "\x1b"}]})
    complaint = complaint_in({"error": {"message": evil}})
    assert names is not None
    assert complaint is not None
    assert names == (complaint.text,)
    assert complaint.text.replace("\ufffd", "").isprintable()


def test_a_key_is_hidden_before_anything_is_cut() -> None:
    def hide(text: str) -> str:
        return text.replace("sk-0123456789", "…")

    said = complaint_in({"error": {"message": "x" * 295 + "sk-0123456789"}}, hide)
    deep = complaint_in({"detail": [{"sk-0123456789": ["sk-0123456789"]}]}, hide)
    assert said is not None
    assert deep is not None
    assert "sk-" not in said.text + deep.text
    assert complaint_in(parsed(b'{"detail": ' + b"[" * 400 + b"]" * 400 + b"}"), hide) is not None


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("3", 3.0),
        (" 0.5 ", 0.5),
        ("Thu, 01 Jan 2026 00:00:07 GMT", 7.0),
        ("Thu, 01 Jan 2025 00:00:07 GMT", 0.0),
        ("soon", None),
        ("-3", None),
        ("", None),
        ("9" * 400, None),
    ],
)
def test_when_to_come_back_is_a_number_or_a_date(text: str, seconds: float | None) -> None:
    assert retry_after_s({"retry-after": text}, NOW) == seconds


def test_another_try_waits_longer_each_time_and_never_at_the_same_moment() -> None:
    refusal, retrying = Refusal(error=ServerFailed("x"), again=True), Retrying(tries=4)
    waits = [wait_before_retry(tried, refusal, retrying, 1.0) for tried in (1, 2, 3, 4)]
    assert waits == [0.5, 1.0, 2.0, None]
    assert wait_before_retry(1, refusal, retrying, 0.0) == 0.25


def test_what_the_server_asks_for_is_kept_or_not_waited_for() -> None:
    asked = Refusal(error=ServerBusy("x"), again=True, wait_s=7.0)
    assert wait_before_retry(1, asked, Retrying(), 0.3) == 7.0
    assert wait_before_retry(1, asked, Retrying(most_wait_s=5.0), 0.3) is None


def test_only_what_may_pass_is_tried_again() -> None:
    again = [status for status in range(200, 600) if refusal_of(status, {}, None, "x", NOW).again]
    assert again == [429, 502, 503, 504]
    assert refusal_from(ConnectionLost("x")).again
    assert not refusal_from(ServerFailed("x")).again
