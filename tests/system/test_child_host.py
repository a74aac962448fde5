"""A real model in a child process: the same answers as in this one, and stoppable as quickly."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from queue import Queue

import psutil
import pytest

from engine.child.host import ChildHost
from engine.errors import EngineCrashed, LoadFailed, ModelFileError
from engine.host import InProcessHost
from engine.runtimes.llamacpp.runtime import LlamaRuntime
from engine.types.cancel import CancelToken
from engine.types.generation import (
    Finished,
    FinishReason,
    GenerationRequest,
    PromptProgress,
    TextDelta,
)
from engine.types.models import Failed, Loaded, LoadSpec
from engine.types.plans import Layout
from tests.system.child_talk import WAIT_S, ask, children, collect, is_running, load, until
from tests.system.talk import GREEDY, SYSTEM, assistant, user

pytestmark = [pytest.mark.model, pytest.mark.serial]


def spec_of(model: Path, context_length: int = 2048) -> LoadSpec:
    return LoadSpec(path=model, layout=Layout(context_length=context_length, threads=2))


def asking(*texts: str, max_tokens: int = 60) -> GenerationRequest:
    messages = [assistant(text) if number % 2 else user(text) for number, text in enumerate(texts)]
    return GenerationRequest(messages=(SYSTEM, *messages), sampling=GREEDY, max_tokens=max_tokens)


@pytest.fixture
def host() -> Iterator[ChildHost]:
    made = ChildHost("local")
    yield made
    assert made.close(WAIT_S)
    assert not children()


def test_it_answers_as_in_this_process(host: ChildHost, starter_model: Path) -> None:
    spec = spec_of(starter_model)
    here = InProcessHost(LlamaRuntime)
    first = "What is the capital of France?"
    loaded, loaded_here = load(host, spec), load(here, spec)
    assert isinstance(loaded, Loaded)
    assert isinstance(loaded_here, Loaded)
    assert loaded.info.in_child
    assert not loaded_here.info.in_child
    assert loaded.info.spec == spec
    assert loaded.info.name == loaded_here.info.name
    (text, ended), (text_here, ended_here) = ask(host, asking(first)), ask(here, asking(first))
    assert text == text_here
    assert "Paris" in text
    assert isinstance(ended, Finished)
    assert isinstance(ended_here, Finished)
    assert ended.stats.generated_tokens == ended_here.stats.generated_tokens
    again = asking(first, text, "And of Italy?")
    (text, ended), (text_here, _) = ask(host, again), ask(here, again)
    assert text == text_here
    assert isinstance(ended, Finished)
    assert ended.stats.cached_tokens > 0
    assert here.close(WAIT_S)


def test_a_stop_in_a_long_prompt_is_heard_at_once(host: ChildHost, starter_model: Path) -> None:
    load(host, spec_of(starter_model, 8192))
    events: Queue[object] = Queue()
    cancel = CancelToken()
    host.generate(asking("sea and sand " * 2000), events.put, cancel)
    while not isinstance(event := events.get(timeout=WAIT_S), PromptProgress):
        assert not isinstance(event, Finished | Failed)
    stopped = time.monotonic()
    cancel.cancel()
    text, ended = collect(events)
    took_s = time.monotonic() - stopped
    print(f"stopped after {took_s * 1000:.0f} ms")
    assert text == ""
    assert isinstance(ended, Finished)
    assert ended.reason is FinishReason.CANCELLED
    assert ended.stats.generated_tokens == 0
    assert "Paris" in ask(host, asking("What is the capital of France?"))[0]


@pytest.mark.parametrize("name", ["SIGSEGV", "SIGABRT", "SIGILL"])
def test_a_real_model_that_dies_leaves_what_it_said(
    host: ChildHost, starter_model: Path, name: str
) -> None:
    load(host, spec_of(starter_model))
    events: Queue[object] = Queue()
    host.generate(asking("Tell me of the sea.", max_tokens=500), events.put, CancelToken())
    while not isinstance(event := events.get(timeout=WAIT_S), TextDelta):
        assert not isinstance(event, Finished | Failed)
    assert host.pid
    os.kill(host.pid, signal.Signals[name])
    _, ended = collect(events)
    assert isinstance(ended, Failed)
    assert isinstance(ended.error, EngineCrashed)
    assert (ended.error.cause, ended.error.stage) == (name, "reply")
    assert isinstance(load(host, spec_of(starter_model)), Loaded)
    assert "Paris" in ask(host, asking("What is the capital of France?"))[0]


def test_a_file_that_is_no_model_is_refused_with_its_own_error(
    host: ChildHost, tmp_path: Path, starter_model: Path
) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(starter_model.read_bytes()[:5_000_000])
    for path, kind in ((broken, ModelFileError), (tmp_path / "none.gguf", ModelFileError)):
        event = load(host, spec_of(path))
        assert isinstance(event, Failed)
        assert isinstance(event.error, kind)
        assert not isinstance(event.error, LoadFailed)
        assert event.error.path == path
    assert isinstance(load(host, spec_of(starter_model)), Loaded)


def test_memory_is_back_after_unloading(host: ChildHost, starter_model: Path) -> None:
    """Ours never held it, and the process that did is gone."""
    ours = psutil.Process()
    before = ours.memory_info().rss
    pids = []
    for _ in range(3):
        load(host, spec_of(starter_model))
        assert host.pid
        pids.append(host.pid)
        assert psutil.Process(host.pid).memory_info().rss > starter_model.stat().st_size
        host.unload()
        until(lambda: not is_running(pids[-1]))
    assert len(set(pids)) == 3
    assert ours.memory_info().rss - before < 20 * 2**20
