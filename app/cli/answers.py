"""Loads a model and follows one reply in the calling thread. Ctrl+C stops the reply, not us;
the second one stops us."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import TypeVar

from app.cli.ending import undisturbed
from app.fitting import fitting_keeper
from app.models import ModelService
from app.paths import Paths
from app.remote import RemoteService
from engine.keeper.routed import RoutedKeeper
from engine.ports import GenerationEvent, Keeper
from engine.types.cancel import CancelToken
from engine.types.generation import Finished, GenerationRequest
from engine.types.models import Failed, Loaded, LoadedInfo, LoadEvent
from engine.types.plans import LoadRequest

T = TypeVar("T")

_CLOSE_S = 5.0


@contextmanager
def open_keeper(paths: Paths, models: ModelService, remote: RemoteService) -> Iterator[Keeper]:
    """A keeper that is closed at the end, come what may."""
    keeper = RoutedKeeper(fitting_keeper(paths, models), remote.make_keeper)
    with closing(keeper):
        yield keeper


@contextmanager
def closing(keeper: Keeper) -> Iterator[Keeper]:
    """Closes it whole, so that a reply in mid-sentence leaves no crash note behind."""
    try:
        yield keeper
    finally:
        with undisturbed():
            keeper.close(_CLOSE_S)


def load(keeper: Keeper, request: LoadRequest) -> LoadedInfo:
    """Load and wait. Raises the `EngineError` that the load ended with."""
    events: SimpleQueue[LoadEvent] = SimpleQueue()
    cancel = CancelToken()
    keeper.load(request, events.put, cancel)
    while True:
        match _next(events, cancel):
            case Loaded(info=info):
                return info
            case Failed(error=error):
                raise error


def generate(
    keeper: Keeper, request: GenerationRequest, follow: Callable[[GenerationEvent], None]
) -> Finished:
    """Answer and wait. `follow` gets each event on the inference thread, so that none has to wake
    another thread; an `OSError` of it (closed output) ends the reply and is raised here. Raises
    the reply's `EngineError`."""
    ended: SimpleQueue[Finished | Failed] = SimpleQueue()
    cancel = CancelToken()
    broken: list[OSError] = []

    def deliver(event: GenerationEvent) -> None:
        try:
            follow(event)
        except OSError as error:
            broken.append(error)
            cancel.cancel()
        if isinstance(event, Finished | Failed):
            ended.put(event)

    keeper.generate(request, deliver, cancel)
    last = _next(ended, cancel)
    if broken:
        raise broken[0]
    if isinstance(last, Failed):
        raise last.error
    return last


def _next(events: "SimpleQueue[T]", cancel: CancelToken) -> T:
    while True:
        try:
            return events.get()
        except KeyboardInterrupt:
            if cancel.cancelled:
                raise
            cancel.cancel()
