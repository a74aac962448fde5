"""A real server of the OpenAI protocol with a real model, and our own runtime beside it."""

import time
from collections.abc import Iterator
from pathlib import Path
from threading import Timer

import pytest

from app import cli
from app.container import Container, build
from app.paths import find
from engine.errors import KeyRefused, RemoteModelMissing
from engine.net.door import Door
from engine.runtimes.llamacpp.runtime import LlamaRuntime
from engine.runtimes.remote.runtime import AskedModel, RemoteRuntime
from engine.types.cancel import CancelToken
from engine.types.chat import Message, Role
from engine.types.connections import Connection
from engine.types.generation import (
    Finished,
    FinishReason,
    GenerationRequest,
    Sampling,
    TextDelta,
)
from engine.types.models import LoadSpec
from engine.types.plans import Layout
from engine.types.remote import RemoteModel
from tests.servers.real import MODEL, real_server

pytestmark = [pytest.mark.model, pytest.mark.serial]

KEY = "sk-of-a-real-server"
GREEDY = Sampling(temperature=0.0, repeat_penalty=1.0, min_p=0.0, top_p=1.0)
QUESTION = (Message(role=Role.USER, content="Name the days of the week, in order."),)


@pytest.fixture(scope="module")
def address(starter_model: Path) -> Iterator[str]:
    with real_server(starter_model, context_length=512, key=KEY) as it:
        yield it


def load(address: str, key: str | None = KEY, model: str = MODEL) -> AskedModel:
    remote = RemoteModel(address=address, model=model)
    spec = LoadSpec(path=Path(), layout=Layout(context_length=0), remote=remote)
    door = Door(lambda: False)
    return RemoteRuntime(door, lambda _: key).load(spec, lambda _: None, CancelToken())


def answer(
    model: AskedModel, cancel: CancelToken | None = None, **more: object
) -> tuple[str, Finished]:
    request = GenerationRequest(messages=QUESTION, sampling=GREEDY, **more)  # type: ignore[arg-type]
    *deltas, last = model.generate(request, cancel or CancelToken())
    assert isinstance(last, Finished)
    return "".join(delta.text for delta in deltas if isinstance(delta, TextDelta)), last


def test_the_greedy_answer_is_the_one_that_our_own_runtime_gives(
    address: str, starter_model: Path
) -> None:
    there, _ = answer(load(address), max_tokens=12)
    spec = LoadSpec(path=starter_model, layout=Layout(context_length=512, threads=1))
    here = LlamaRuntime().load(spec, lambda _: None, CancelToken())
    try:
        request = GenerationRequest(messages=QUESTION, sampling=GREEDY, max_tokens=12)
        deltas = list(here.generate(request, CancelToken()))
    finally:
        here.close()
    assert there == "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))
    assert len(there) > 12


def test_the_length_and_the_stop_are_the_servers_too(address: str) -> None:
    model = load(address)
    text, last = answer(model, max_tokens=3)
    assert last.reason is FinishReason.LENGTH
    assert last.stats.generated_tokens == 3
    stopped, last = answer(model, max_tokens=12, stop=(",",))
    assert last.reason is FinishReason.STOP
    assert "," not in stopped
    assert stopped.startswith(text)


def test_a_cancel_ends_the_answer_and_the_server_is_free_for_the_next(address: str) -> None:
    model = load(address)
    cancel = CancelToken()
    begun = time.monotonic()
    request = GenerationRequest(
        messages=(Message(role=Role.USER, content="Tell a very long story."),), max_tokens=400
    )
    cancelled_s = 0.0
    for delta in model.generate(request, cancel):
        if isinstance(delta, TextDelta) and not cancel.cancelled:
            cancelled_s = time.monotonic()
            cancel.cancel()
        last = delta
    assert isinstance(last, Finished)
    assert last.reason is FinishReason.CANCELLED
    assert time.monotonic() - cancelled_s < 1.0
    assert begun < cancelled_s
    assert answer(model, max_tokens=2)[0]


def test_a_cancel_while_the_server_reads_ends_at_once(address: str) -> None:
    model = load(address)
    cancel = CancelToken()
    request = GenerationRequest(
        messages=(Message(role=Role.USER, content="word " * 80),), max_tokens=50
    )
    timer = Timer(0.2, cancel.cancel)
    timer.start()
    begun = time.monotonic()
    *_, last = model.generate(request, cancel)
    timer.join()
    assert isinstance(last, Finished)
    assert last.reason is FinishReason.CANCELLED
    assert time.monotonic() - begun < 1.5


@pytest.mark.parametrize("key", [None, "sk-wrong"])
def test_the_wrong_key_is_refused(address: str, key: str | None) -> None:
    with pytest.raises(KeyRefused):
        load(address, key)


def test_another_model_is_missing(address: str) -> None:
    with pytest.raises(RemoteModelMissing):
        load(address, model="another")


def test_a_question_on_the_command_line_is_answered_there_and_nowhere_else(
    address: str,
    snug_home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("app.logs.start", lambda _: None)
    monkeypatch.setattr("app.remote.RemoteService.key_of", lambda *_: KEY)
    assert cli.main(["remote", "models", address]) == 0
    assert cli.main(["remote", "use", address, "--model", MODEL]) == 0
    capsys.readouterr()
    assert cli.main(["ask", "Capital of France?", "--max-tokens", "8", "--temperature", "0"]) == 0
    out, err = capsys.readouterr()
    assert out.strip()
    assert err == f"Answers come from {address}\n"
    container: Container = build(find())
    records: tuple[Connection, ...] = container.ledger.read()
    container.close(10)
    assert {(record.host, record.outcome) for record in records} == {("127.0.0.1", "done")}
    assert KEY.encode() not in find().ledger.read_bytes()
