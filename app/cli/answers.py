"""Loads a model and follows one reply in the calling thread. Ctrl+C stops the reply, not us."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import TypeVar

from app.container import llama_runtime
from engine.errors import EngineStopped
from engine.host import InProcessHost
from engine.ports import GenerationEvent
from engine.types.cancel import CancelToken
from engine.types.generation import Finished, GenerationRequest
from engine.types.models import Failed, Loaded, LoadedInfo, LoadEvent, LoadSpec

T = TypeVar("T")

_CLOSE_S = 5.0


@contextmanager
def open_host() -> Iterator[InProcessHost]:
    """A host that is closed at the end, come what may."""
    host = InProcessHost(llama_runtime)
    try:
        yield host
    finally:
        host.close(_CLOSE_S)


def load(host: InProcessHost, spec: LoadSpec) -> LoadedInfo:
    """Load and wait. Raises the `EngineError` that the load ended with."""
    events: SimpleQueue[LoadEvent] = SimpleQueue()
    cancel = CancelToken()
    host.load(spec, events.put, cancel)
    while True:
        match _next(events, cancel):
            case Loaded(info=info):
                return info
            case Failed(error=error):
                raise error


def generate(
    host: InProcessHost, request: GenerationRequest, follow: Callable[[GenerationEvent], None]
) -> Finished:
    """Answer and wait, giving each event to `follow`. Raises the reply's `EngineError`."""
    events: SimpleQueue[GenerationEvent] = SimpleQueue()
    cancel = CancelToken()
    host.generate(request, events.put, cancel)
    while True:
        event = _next(events, cancel)
        follow(event)
        if isinstance(event, Finished):
            return event
        if isinstance(event, Failed):
            raise event.error


def _next(events: "SimpleQueue[T]", cancel: CancelToken) -> T:
    while True:
        try:
            return events.get()
        except KeyboardInterrupt:
            if cancel.cancelled:
                raise EngineStopped("interrupted") from None
            cancel.cancel()
