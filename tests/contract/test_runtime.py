"""One suite for every runtime: what hosts may rely on, whatever runs the model."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from engine.errors import Cancelled, EngineError
from engine.host import InProcessHost
from engine.ports import LoadedModel, Runtime
from engine.runtimes.fake import FakeRuntime, Script
from engine.types.cancel import CancelToken
from engine.types.chat import Message, Role
from engine.types.generation import (
    Delta,
    Finished,
    FinishReason,
    GenerationRequest,
    Sampling,
    TextDelta,
)
from engine.types.models import Failed, Loaded, LoadEvent, LoadProgress, LoadSpec
from engine.types.plans import Layout
from engine.types.remote import RemoteModel

pytestmark = [pytest.mark.model, pytest.mark.serial]

GREEDY = Sampling(temperature=0.0, repeat_penalty=1.0)
QUESTION = (Message(role=Role.USER, content="Name five fruits, please."),)
LAYOUT = Layout(context_length=1024, threads=2)
STOPS_WITHIN_S = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A runtime, something it can load, and something it can not."""

    make: Callable[[], Runtime]
    spec: LoadSpec
    missing: LoadSpec | None


def fake(_: pytest.FixtureRequest) -> Subject:
    script = Script(pieces=tuple(f"word{number} " for number in range(200)), pause_s=0.002)
    spec = LoadSpec(path=Path("a.gguf"), layout=LAYOUT)
    return Subject(make=lambda: FakeRuntime(script), spec=spec, missing=None)


def llama(request: pytest.FixtureRequest) -> Subject:
    from engine.runtimes.llamacpp.runtime import LlamaRuntime

    path: Path = request.getfixturevalue("starter_model")
    spec = LoadSpec(path=path, layout=LAYOUT)
    return Subject(make=LlamaRuntime, spec=spec, missing=replace(spec, path=path / "nothing"))


def onnx(_: pytest.FixtureRequest) -> Subject:
    from engine.runtimes.onnx import native
    from engine.runtimes.onnx.runtime import OnnxRuntime
    from tests.onnx_model import TINY_ONNX

    if not native.is_installed():
        pytest.skip("the optional extra onnx is not installed")

    spec = LoadSpec(path=TINY_ONNX, layout=LAYOUT)
    return Subject(make=OnnxRuntime, spec=spec, missing=replace(spec, path=TINY_ONNX / "nothing"))


def remote(request: pytest.FixtureRequest) -> Subject:
    from engine.net.door import Door
    from engine.runtimes.remote.runtime import RemoteRuntime
    from tests.servers.real import MODEL

    server = RemoteModel(address=request.getfixturevalue("server_address"), model=MODEL)
    spec = LoadSpec(path=Path(), layout=LAYOUT, remote=server)
    missing = replace(spec, remote=replace(server, model="nothing"))
    door = Door(offline=lambda: False)
    return Subject(make=lambda: RemoteRuntime(door), spec=spec, missing=missing)


@pytest.fixture(scope="module")
def server_address(starter_model: Path) -> Iterator[str]:
    from tests.servers.real import real_server

    with real_server(starter_model, context_length=1024) as address:
        yield address


@pytest.fixture(scope="module", params=[fake, llama, onnx, remote])
def subject(request: pytest.FixtureRequest) -> Subject:
    made: Subject = request.param(request)
    return made


@pytest.fixture(scope="module")
def model(subject: Subject) -> Iterator[LoadedModel]:
    loaded = subject.make().load(subject.spec, lambda _: None, CancelToken())
    yield loaded
    loaded.close()


def asking(max_tokens: int = 16, stop: tuple[str, ...] = ()) -> GenerationRequest:
    return GenerationRequest(messages=QUESTION, sampling=GREEDY, max_tokens=max_tokens, stop=stop)


def answer(
    model: LoadedModel, request: GenerationRequest, cancel: CancelToken | None = None
) -> list[Delta]:
    return list(model.generate(request, cancel or CancelToken()))


def text_of(deltas: list[Delta]) -> str:
    return "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))


def end_of(deltas: list[Delta]) -> Finished:
    assert isinstance(deltas[-1], Finished)
    return deltas[-1]


def test_a_loaded_model_says_what_it_is(subject: Subject, model: LoadedModel) -> None:
    assert model.info.spec == subject.spec
    assert model.info.name
    assert model.info.backend


def test_a_reply_comes_in_pieces_of_text_and_ends_once(model: LoadedModel) -> None:
    deltas = answer(model, asking())
    assert [delta for delta in deltas if isinstance(delta, Finished)] == [deltas[-1]]
    pieces = [delta.text for delta in deltas if isinstance(delta, TextDelta)]
    assert len(pieces) > 1
    assert all(pieces)
    assert "\ufffd" not in text_of(deltas)


def test_a_reply_is_as_long_as_allowed(subject: Subject, model: LoadedModel) -> None:
    end = end_of(answer(model, asking(max_tokens=5)))
    assert end.reason is FinishReason.LENGTH
    assert end.stats.generated_tokens == 5
    assert end.stats.prompt_tokens > 0 or subject.spec.remote  # not every server tells


def test_greedy_replies_are_the_same(model: LoadedModel) -> None:
    first, second = (text_of(answer(model, asking())) for _ in range(2))
    assert first == second != ""


def test_a_stop_sequence_ends_the_reply_and_is_not_shown(model: LoadedModel) -> None:
    whole = text_of(answer(model, asking(max_tokens=24)))
    stop = whole[len(whole) // 2 :][:4]
    deltas = answer(model, asking(max_tokens=24, stop=(stop,)))
    assert text_of(deltas) == whole[: whole.index(stop)]
    assert end_of(deltas).reason is FinishReason.STOP


def test_a_reply_can_be_stopped_and_the_next_one_works(model: LoadedModel) -> None:
    cancel = CancelToken()
    seen: list[Delta] = []
    stopped_at_s = 0.0
    for delta in model.generate(asking(max_tokens=400), cancel):
        seen.append(delta)
        if isinstance(delta, TextDelta) and not cancel.cancelled:
            cancel.cancel()
            stopped_at_s = time.monotonic()
    assert end_of(seen).reason is FinishReason.CANCELLED
    assert time.monotonic() - stopped_at_s < STOPS_WITHIN_S
    assert end_of(answer(model, asking(max_tokens=3))).reason is FinishReason.LENGTH


def test_a_reply_can_be_stopped_from_another_thread(model: LoadedModel) -> None:
    cancel = CancelToken()
    timer = threading.Timer(0.3, cancel.cancel)
    timer.start()
    deltas = answer(model, asking(max_tokens=800), cancel)
    timer.join()
    assert end_of(deltas).reason in (FinishReason.CANCELLED, FinishReason.STOP, FinishReason.LENGTH)
    assert text_of(answer(model, asking()))


def test_a_reply_stopped_before_it_began_says_nothing(model: LoadedModel) -> None:
    cancel = CancelToken()
    cancel.cancel()
    try:
        deltas = answer(model, asking(), cancel)
    except Cancelled:
        return
    assert end_of(deltas).reason is FinishReason.CANCELLED
    assert text_of(deltas) == ""


def test_an_abandoned_reply_leaves_the_model_usable(model: LoadedModel) -> None:
    whole = text_of(answer(model, asking()))
    reply = iter(model.generate(asking(), CancelToken()))
    next(reply)
    del reply
    assert text_of(answer(model, asking())) == whole


def test_a_conversation_of_several_turns_is_answered(model: LoadedModel) -> None:
    turns = (
        Message(role=Role.SYSTEM, content="You are brief."),
        *QUESTION,
        Message(role=Role.ASSISTANT, content="Apple, pear, plum, fig, lime."),
        Message(role=Role.USER, content="And one more? 谢谢 😀"),
    )
    deltas = answer(model, replace(asking(max_tokens=6), messages=turns))
    assert end_of(deltas).stats.generated_tokens > 0


def test_a_load_that_is_not_wanted_any_more_is_cancelled(subject: Subject) -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        subject.make().load(subject.spec, lambda _: None, cancel)


def test_what_is_not_there_is_an_error_of_ours(subject: Subject) -> None:
    if subject.missing is None:
        pytest.skip("nothing is ever missing here")
    with pytest.raises(EngineError):
        subject.make().load(subject.missing, lambda _: None, CancelToken())


def test_closing_twice_is_safe(subject: Subject) -> None:
    loaded = subject.make().load(subject.spec, lambda _: None, CancelToken())
    loaded.close()
    loaded.close()


def test_it_runs_in_a_host_of_this_process(subject: Subject) -> None:
    host = InProcessHost(subject.make)
    events: list[LoadEvent] = []
    ended = threading.Event()

    def heard(event: LoadEvent) -> None:
        events.append(event)
        if not isinstance(event, LoadProgress):
            ended.set()

    host.load(subject.spec, heard, CancelToken())
    assert ended.wait(60)
    assert isinstance(events[-1], Loaded)
    replies: list[object] = []
    over = threading.Event()

    def told(event: object) -> None:
        replies.append(event)
        if isinstance(event, Finished | Failed):
            over.set()

    host.generate(asking(max_tokens=4), told, CancelToken())
    assert over.wait(60)
    assert isinstance(replies[-1], Finished)
    assert host.close(10)
