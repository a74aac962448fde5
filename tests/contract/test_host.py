"""One suite for every host: what callers may rely on, whatever runs the engine."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue

import pytest

from engine.child.host import ChildHost
from engine.child.wire import encode
from engine.errors import Cancelled, EngineStopped, LoadFailed, NotLoaded, PromptTooLong
from engine.host import InProcessHost
from engine.ports import Host
from engine.runtimes.fake import FakeRuntime, Script
from engine.types.cancel import CancelToken
from engine.types.chat import Message, Role
from engine.types.generation import Finished, FinishReason, GenerationRequest, TextDelta
from engine.types.models import Failed, Loaded, LoadProgress, LoadSpec
from engine.types.plans import Layout

SPEC = LoadSpec(path=Path("a.gguf"), layout=Layout(context_length=512, threads=1))
QUESTION = GenerationRequest(messages=(Message(role=Role.USER, content="Capital of France?"),))
WAIT_S = 10

MakeHost = Callable[[Script], Host]


def in_process(script: Script) -> Host:
    return InProcessHost(lambda: FakeRuntime(script))


def in_child(script: Script) -> Host:
    return ChildHost("fake", script=encode(script))


@pytest.fixture(params=[in_process, in_child])
def make_host(request: pytest.FixtureRequest) -> Iterator[MakeHost]:
    hosts: list[Host] = []

    def make(script: Script) -> Host:
        host: Host = request.param(script)
        hosts.append(host)
        return host

    yield make
    for host in hosts:
        assert host.close(WAIT_S)


def load(host: Host, spec: LoadSpec = SPEC, cancel: CancelToken | None = None) -> object:
    events: Queue[object] = Queue()
    host.load(spec, events.put, cancel or CancelToken())
    while not isinstance(event := events.get(timeout=WAIT_S), Loaded | Failed):
        pass
    return event


def ask(
    host: Host, request: GenerationRequest = QUESTION, cancel: CancelToken | None = None
) -> list[object]:
    events: Queue[object] = Queue()
    host.generate(request, events.put, cancel or CancelToken())
    seen = [events.get(timeout=WAIT_S)]
    while not isinstance(seen[-1], Finished | Failed):
        seen.append(events.get(timeout=WAIT_S))
    assert events.empty()
    return seen


def text_of(events: list[object]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def test_answers_in_pieces_and_finishes_once(make_host: MakeHost) -> None:
    host = make_host(Script(pieces=("Par", "is")))
    loaded = load(host)
    assert isinstance(loaded, Loaded)
    assert loaded.info.spec == SPEC
    events = ask(host)
    assert text_of(events) == "Paris"
    assert isinstance(events[-1], Finished)
    assert events[-1].reason is FinishReason.STOP


def test_asking_without_a_model_fails_with_a_value(make_host: MakeHost) -> None:
    (event,) = ask(make_host(Script()))
    assert isinstance(event, Failed)
    assert isinstance(event.error, NotLoaded)


def test_a_failed_load_leaves_a_usable_host(make_host: MakeHost) -> None:
    host = make_host(Script(load_error=LoadFailed(SPEC.path, "no")))
    for _ in range(2):
        event = load(host)
        assert isinstance(event, Failed)
        assert isinstance(event.error, LoadFailed)


def test_an_error_in_mid_reply_keeps_the_text_and_the_host(make_host: MakeHost) -> None:
    host = make_host(
        Script(pieces=("one ", "two "), fail_after_pieces=1, error=EngineStopped("device lost"))
    )
    load(host)
    for _ in range(2):
        events = ask(host)
        assert text_of(events) == "one "
        assert isinstance(events[-1], Failed)
        assert isinstance(events[-1].error, EngineStopped)


def test_a_cancelled_reply_ends_early_and_the_next_one_works(make_host: MakeHost) -> None:
    host = make_host(Script(pieces=("word ",) * 1000, pause_s=0.005))
    load(host)
    cancel = CancelToken()
    events: Queue[object] = Queue()
    host.generate(QUESTION, events.put, cancel)
    seen = [events.get(timeout=WAIT_S)]
    cancel.cancel()
    while not isinstance(seen[-1], Finished | Failed):
        seen.append(events.get(timeout=WAIT_S))
    assert isinstance(seen[-1], Finished)
    assert seen[-1].reason is FinishReason.CANCELLED
    assert len(seen) < 500
    (short,) = {text_of(ask(host, GenerationRequest(messages=QUESTION.messages, max_tokens=2)))}
    assert short == "word word "


def test_requests_queue_and_never_mix(make_host: MakeHost) -> None:
    host = make_host(Script(pieces=("a", "b", "c"), pause_s=0.002))
    load(host)
    order: list[tuple[int, object]] = []
    ended = threading.Semaphore(0)

    def deliver_as(number: int) -> Callable[[object], None]:
        def deliver(event: object) -> None:
            order.append((number, event))
            if isinstance(event, Finished | Failed):
                ended.release()

        return deliver

    for number in range(4):
        host.generate(QUESTION, deliver_as(number), CancelToken())
    for _ in range(4):
        assert ended.acquire(timeout=WAIT_S)
    assert [number for number, _ in order] == sorted(number for number, _ in order)
    for number in range(4):
        assert text_of([event for owner, event in order if owner == number]) == "abc"


def test_loading_the_same_again_is_free_and_another_replaces_it(make_host: MakeHost) -> None:
    host = make_host(Script())
    first, again = load(host), load(host)
    assert isinstance(first, Loaded)
    assert isinstance(again, Loaded)
    assert first.info is again.info
    other = load(host, LoadSpec(path=Path("b.gguf"), layout=Layout(context_length=512, threads=1)))
    assert isinstance(other, Loaded)
    assert other.info.name == "b"


def test_a_load_cancelled_before_it_starts_says_so(make_host: MakeHost) -> None:
    cancel = CancelToken()
    cancel.cancel()
    event = load(make_host(Script()), cancel=cancel)
    assert isinstance(event, Failed)
    assert isinstance(event.error, Cancelled)


def test_a_running_load_tells_its_progress_and_can_be_cancelled(make_host: MakeHost) -> None:
    host = make_host(Script(load_s=20.0))
    cancel = CancelToken()
    events: Queue[object] = Queue()
    host.load(SPEC, events.put, cancel)
    first = events.get(timeout=WAIT_S)
    assert isinstance(first, LoadProgress)
    assert 0 < first.fraction < 1
    cancel.cancel()
    while isinstance(event := events.get(timeout=WAIT_S), LoadProgress):
        pass
    assert isinstance(event, Failed)
    assert isinstance(event.error, Cancelled)
    (event,) = ask(host)
    assert isinstance(event, Failed)
    assert isinstance(event.error, NotLoaded)


def test_a_reply_cancelled_before_it_starts_ends_at_once(make_host: MakeHost) -> None:
    host = make_host(Script(pieces=("word ",) * 1000, pause_s=0.01))
    load(host)
    cancel = CancelToken()
    cancel.cancel()
    (event,) = ask(host, cancel=cancel)
    assert isinstance(event, Finished)
    assert event.reason is FinishReason.CANCELLED


def test_cancelling_what_has_ended_does_nothing(make_host: MakeHost) -> None:
    host = make_host(Script(pieces=("one",)))
    cancel = CancelToken()
    load(host, cancel=cancel)
    ask(host, cancel=cancel)
    cancel.cancel()
    assert text_of(ask(host)) == "one"


def test_text_arrives_exactly_as_it_was_said(make_host: MakeHost) -> None:
    pieces = ("", "\n\r\n", "\0", "é中🙂", "\u2028", '"}{\\', "x" * 100_000)
    host = make_host(Script(pieces=pieces))
    load(host)
    assert tuple(e.text for e in ask(host) if isinstance(e, TextDelta)) == pieces


def test_an_error_keeps_its_class_and_parameters(make_host: MakeHost) -> None:
    script = Script(pieces=("a", "b"), fail_after_pieces=1, error=PromptTooLong(9, 5))
    host = make_host(script)
    load(host)
    failed = ask(host)[-1]
    assert isinstance(failed, Failed)
    assert isinstance(failed.error, PromptTooLong)
    assert (failed.error.prompt_tokens, failed.error.limit_tokens) == (9, 5)
    assert str(failed.error) == str(PromptTooLong(9, 5))


def test_a_model_can_come_back_after_unloading(make_host: MakeHost) -> None:
    host = make_host(Script(pieces=("one",)))
    for _ in range(2):
        load(host)
        assert text_of(ask(host)) == "one"
        host.unload()
    host.unload()  # nothing is loaded: nothing happens
    assert isinstance(load(host), Loaded)


def test_closing_twice_is_closing_once(make_host: MakeHost) -> None:
    host = make_host(Script())
    load(host)
    assert host.close(WAIT_S)
    assert host.close(WAIT_S)


def test_unload_frees_the_model(make_host: MakeHost) -> None:
    host = make_host(Script())
    assert not host.holds_model
    load(host)
    assert host.holds_model
    host.unload()
    (event,) = ask(host)
    assert isinstance(event, Failed)
    assert not host.holds_model


def test_close_ends_a_running_reply_and_answers_every_waiting_one(make_host: MakeHost) -> None:
    host = make_host(Script(pieces=("word ",) * 10_000, pause_s=0.005))
    load(host)
    finals: Queue[object] = Queue()
    begun = threading.Event()

    def deliver(event: object) -> None:
        begun.set()
        if isinstance(event, Finished | Failed):
            finals.put(event)

    for _ in range(3):
        host.generate(QUESTION, deliver, CancelToken())
    assert begun.wait(WAIT_S)
    assert host.close(WAIT_S)
    assert finals.qsize() == 3


def test_what_is_asked_after_the_end_is_refused_with_a_value(make_host: MakeHost) -> None:
    host = make_host(Script())
    assert host.close(WAIT_S)
    (event,) = ask(host)
    assert isinstance(event, Failed)
    assert isinstance(event.error, Cancelled)


def test_a_listener_that_fails_ends_nothing(make_host: MakeHost) -> None:
    host = make_host(Script(pieces=("one",)))
    load(host)

    def broken(_: object) -> None:
        raise RuntimeError("the listener is at fault")

    host.load(SPEC, broken, CancelToken())
    load(host)
    host.generate(QUESTION, broken, CancelToken())
    assert text_of(ask(host)) == "one"
