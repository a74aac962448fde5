"""The seams of the engine. Only frozen values and a cancel token cross them."""

from collections.abc import Callable, Iterator
from typing import Protocol

from engine.types.cancel import CancelToken
from engine.types.generation import Delta, GenerationRequest
from engine.types.models import Failed, KeeperEvent, LoadedInfo, LoadEvent, LoadSpec, UnloadReason
from engine.types.plans import LoadRequest

GenerationEvent = Delta | Failed
DeliverLoad = Callable[[LoadEvent], None]
DeliverGeneration = Callable[[GenerationEvent], None]
DeliverKeeper = Callable[[KeeperEvent], None]


class LoadedModel(Protocol):
    """A model in memory. Used by one thread at a time."""

    @property
    def info(self) -> LoadedInfo: ...

    def generate(self, request: GenerationRequest, cancel: CancelToken) -> Iterator[Delta]:
        """Answer. The last delta is `Finished`; a failure raises an `EngineError`.

        An abandoned iterator leaves the model usable.
        """

    def close(self) -> None:
        """Free the memory now. Safe to call twice."""


class Runtime(Protocol):
    """A way to run models, llama.cpp for one."""

    def load(
        self, spec: LoadSpec, progress: Callable[[float], None], cancel: CancelToken
    ) -> LoadedModel:
        """Load, or raise an `EngineError` (`Cancelled` if `cancel` was set first)."""


class Host(Protocol):
    """Owns the inference thread. Requests queue; each ends with exactly one final event.

    `deliver` is called on the host's thread and must be quick.
    """

    def load(self, spec: LoadSpec, deliver: DeliverLoad, cancel: CancelToken) -> None:
        """Queue a load; ends with `Loaded` or `Failed`. An equal loaded spec is kept."""

    def generate(
        self, request: GenerationRequest, deliver: DeliverGeneration, cancel: CancelToken
    ) -> None:
        """Queue a reply; ends with `Finished` or `Failed`."""

    @property
    def holds_model(self) -> bool:
        """Whether a model is loaded and still there; a child may have died meanwhile."""

    def unload(self) -> None:
        """Queue the release of the loaded model."""

    def close(self, timeout_s: float) -> bool:
        """Cancel everything, free the model, end the thread. False if it did not end in time."""


class Keeper(Protocol):
    """The way to a model for everybody above the engine: plans, rehearses, loads in the right
    process, and keeps the machine alive. Like a `Host`, but asked for a model, not for a spec.

    `deliver` is called on the keeper's or the host's thread and must be quick.
    """

    def load(self, request: LoadRequest, deliver: DeliverLoad, cancel: CancelToken) -> None:
        """Queue a load. What is loaded already and still answers the request is kept."""

    def generate(
        self, request: GenerationRequest, deliver: DeliverGeneration, cancel: CancelToken
    ) -> None:
        """Queue a reply; ends with `Finished` or `Failed`."""

    def unload(self, reason: UnloadReason | None = None) -> None:
        """Stop a running reply if `reason` is urgent (memory, suspend), then free the model."""

    def listen(self, deliver: DeliverKeeper) -> None:
        """Tell `deliver` what happens without being asked for."""

    def close(self, timeout_s: float) -> bool:
        """Cancel everything, free the model, end threads and children. False if one did not."""
