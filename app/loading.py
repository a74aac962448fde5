"""The model's side of answering: which one is loaded, and what people hear of it.

`load` and `prepare` come from the worker's thread, the keeper's events from its own thread.
`cancel` is quick and may come from any.
"""

import logging
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from threading import Lock

from app.events import (
    DeviceGotSlower,
    EventBus,
    MemoryRanLow,
    MemoryRecovered,
    ModelFailed,
    ModelLoadCancelled,
    ModelLoading,
    ModelReady,
    ModelUnloaded,
)
from app.models import ModelChoice, ModelService
from engine.errors import Cancelled, EngineError, EngineStopped
from engine.ports import Keeper
from engine.types.cancel import CancelToken
from engine.types.models import (
    DeviceSlowed,
    Failed,
    KeeperEvent,
    Loaded,
    LoadedInfo,
    LoadEvent,
    LoadProgress,
    Unloaded,
)
from engine.types.plans import LoadRequest

log = logging.getLogger("snug.chat")

OnEnd = Callable[[EngineError | None], None]
"""How a load ended: None if the model is there."""


class Loading:
    """Asks the keeper for models and tells by events what becomes of them."""

    def __init__(self, keeper: Keeper, events: EventBus, models: ModelService) -> None:
        self._keeper = keeper
        self._events = events
        self._models = models
        self._lock = Lock()
        self._preparing: set[CancelToken] = set()
        self._ready: LoadedInfo | None = None
        self._ready_name = ""
        keeper.listen(self._on_keeper)

    def choose(self) -> ModelChoice | EngineError:
        """The model to use. Why there is none is told as an event too."""
        try:
            return self._models.choose()
        except EngineError as error:
            failure = error
        except Exception as error:  # a disk that fails while a header is read, for one
            log.exception("no model could be chosen")
            failure = EngineStopped(f"{type(error).__name__}: {error}")
        self._events.publish(ModelFailed(error=failure))
        return failure

    def load(
        self, choice: ModelChoice, request: LoadRequest, cancel: CancelToken, on_end: OnEnd
    ) -> None:
        """Ask for a model. Its events come before `on_end` is called."""
        self._keeper.load(request, partial(self._on_load, choice.name, on_end), cancel)

    def prepare(self, *, by_person: bool, anyway: bool) -> None:
        """Load the model ahead of the first question."""
        cancel = CancelToken()
        with self._lock:
            self._preparing.add(cancel)
        if anyway:
            self._models.load_anyway()
        choice = self.choose()
        if isinstance(choice, EngineError):
            self._prepared(cancel, choice)
            return
        request = replace(choice.request, by_person=by_person, retry=by_person)
        self.load(choice, request, cancel, partial(self._prepared, cancel))

    def cancel(self) -> None:
        """Stop everything that was asked for with `prepare` and is not there yet."""
        with self._lock:
            wanted = tuple(self._preparing)
        for cancel in wanted:
            cancel.cancel()

    def _prepared(self, cancel: CancelToken, _error: EngineError | None) -> None:
        with self._lock:
            self._preparing.discard(cancel)

    # --- on the keeper's thread -------------------------------------------------------------------

    def _on_load(self, name: str, on_end: OnEnd, event: LoadEvent) -> None:
        match event:
            case LoadProgress(fraction=fraction, stage=stage):
                self._events.publish(ModelLoading(name=name, fraction=fraction, stage=stage))
            case Loaded(info=info):
                self._is_ready(info, name)
                on_end(None)
            case Failed(error=error):
                self._ready = None
                self._events.publish(_failure(error, name))
                on_end(error)

    def _is_ready(self, info: LoadedInfo, name: str) -> None:
        """A model that was there already is no news."""
        if info is not self._ready:
            self._ready, self._ready_name = info, name
            self._events.publish(ModelReady(info=info))

    def _on_keeper(self, event: KeeperEvent) -> None:
        """What happened to the model without being asked for."""
        if isinstance(event, Unloaded):
            self._ready = None
            name = self._ready_name or event.name  # as it was chosen
            self._events.publish(ModelUnloaded(name=name, reason=event.reason))
        elif isinstance(event, DeviceSlowed):
            self._events.publish(DeviceGotSlower(name=event.name))
        else:
            self._events.publish(MemoryRecovered() if event.over else MemoryRanLow())


def _failure(error: EngineError, name: str) -> ModelFailed | ModelLoadCancelled:
    if isinstance(error, Cancelled):
        return ModelLoadCancelled(name=name)
    return ModelFailed(error=error, name=name)
