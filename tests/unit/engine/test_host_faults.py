"""Faults that only a wrong runtime or a wrong listener can bring into the in-process host."""

from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue

from engine.errors import EngineStopped
from engine.host import InProcessHost
from engine.ports import LoadedModel
from engine.runtimes.fake import FakeModel, Script
from engine.types.cancel import CancelToken
from engine.types.generation import Delta, GenerationRequest
from engine.types.models import Failed, Loaded, LoadSpec
from engine.types.plans import Layout

SPEC = LoadSpec(path=Path("a.gguf"), layout=Layout(context_length=512, threads=1))


class _Broken(FakeModel):
    def generate(self, request: GenerationRequest, cancel: CancelToken) -> Iterator[Delta]:
        raise ZeroDivisionError("not in our tree")


class _BrokenRuntime:
    def load(
        self, spec: LoadSpec, progress: Callable[[float], None], cancel: CancelToken
    ) -> LoadedModel:
        return _Broken(spec, Script())


def test_a_foreign_exception_becomes_an_error_of_our_tree() -> None:
    host = InProcessHost(_BrokenRuntime)
    events: Queue[object] = Queue()
    host.load(SPEC, events.put, CancelToken())
    assert isinstance(events.get(timeout=5), Loaded)
    host.generate(GenerationRequest(messages=()), events.put, CancelToken())
    event = events.get(timeout=5)
    assert isinstance(event, Failed)
    assert isinstance(event.error, EngineStopped)
    assert "ZeroDivisionError" in str(event.error)
    assert host.close(5)


def test_a_runtime_that_can_not_start_is_a_failed_load() -> None:
    def broken() -> _BrokenRuntime:
        raise OSError("library not found")

    host = InProcessHost(broken)
    events: Queue[object] = Queue()
    host.load(SPEC, events.put, CancelToken())
    event = events.get(timeout=5)
    assert isinstance(event, Failed)
    assert "library not found" in str(event.error)
    assert host.close(5)
