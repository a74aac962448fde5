"""The host that runs the engine in a child process, one child for each loaded model.

It is an `InProcessHost` whose model lives elsewhere: queue, cancel and final events are the same
code. A child that dies ends the request with an error value; the next load starts a fresh one.
Unloading ends the process, so that its memory is really back. Restart limits are the keeper's.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from engine.child.process import Child
from engine.child.roles import HOST
from engine.child.serve import FREED_WITHIN_S
from engine.child.talk import Talk
from engine.errors import Cancelled, EngineTimedOut
from engine.host import InProcessHost
from engine.ports import DeliverGeneration, DeliverLoad, GenerationEvent
from engine.types.cancel import CancelToken
from engine.types.generation import Delta, GenerationRequest, TextDelta
from engine.types.models import LoadedInfo, LoadEvent, LoadProgress, LoadSpec

_LOAD_PATIENCE_S = 0.7
"""How long a cancelled load may take to end by itself; ending the child loses nothing."""
_REPLY_PATIENCE_S = 10.0
"""The same for a reply, where the model would be lost."""


class ChildModel:
    """See `LoadedModel`; it lives in `child`."""

    def __init__(self, child: Child, talk: Talk, info: LoadedInfo) -> None:
        self._child = child
        self._talk = talk
        self._info = info

    @property
    def info(self) -> LoadedInfo:
        return self._info

    @property
    def alive(self) -> bool:
        return self._child.alive

    def generate(self, request: GenerationRequest, cancel: CancelToken) -> Iterator[Delta]:
        self._talk.stage = "first_token"
        for delta in self._talk.ask(
            "generate", request, GenerationEvent, cancel, _REPLY_PATIENCE_S
        ):
            if isinstance(delta, TextDelta):
                self._talk.stage = "reply"
            yield delta

    def close(self) -> None:
        _end(self._child)


def _end(child: Child) -> None:
    """Let it free its model first: memory that a driver has locked may otherwise leak."""
    child.send({"do": "end"})
    child.end(FREED_WITHIN_S)


class ChildRuntime:
    """See `Runtime`. `argument` names the runtime that runs in the child, see `roles`."""

    def __init__(self, argument: dict[str, object]) -> None:
        self._argument = argument
        self.child: Child | None = None

    def load(
        self, spec: LoadSpec, progress: Callable[[float], None], cancel: CancelToken
    ) -> ChildModel:
        child = self.child = Child(HOST, self._argument)
        try:
            return self._load(child, spec, progress, cancel)
        except BaseException:
            _end(child)
            raise

    def _load(
        self, child: Child, spec: LoadSpec, progress: Callable[[float], None], cancel: CancelToken
    ) -> ChildModel:
        talk = Talk(child)
        try:
            for event in talk.ask("load", spec, LoadEvent, cancel, _LOAD_PATIENCE_S):
                if not isinstance(event, LoadProgress):
                    return ChildModel(child, talk, replace(event.info, spec=spec, in_child=True))
                progress(event.fraction)
        except EngineTimedOut as error:
            raise Cancelled from error
        raise AssertionError("a request ended without a final event")


class ChildHost(InProcessHost):
    """See `Host`. `runtime` is "local", or "fake" with `script=encode(Script(...))`."""

    def __init__(self, runtime: str, **argument: object) -> None:
        self._remote = ChildRuntime({"runtime": runtime, **argument})
        super().__init__(lambda: self._remote)

    @property
    def pid(self) -> int | None:
        """Of the child that holds or loads a model, from any thread."""
        child = self._remote.child
        return child.pid if child is not None and child.alive else None

    @property
    def holds_model(self) -> bool:
        return isinstance(self._model, ChildModel) and self._model.alive

    def close(self, timeout_s: float) -> bool:
        """A child that does not end in half the time is killed."""
        if super().close(timeout_s / 2):
            return True
        if self._remote.child is not None:
            self._remote.child.kill()
        return super().close(timeout_s / 2)

    def _load(self, spec: LoadSpec, deliver: DeliverLoad, cancel: CancelToken) -> None:
        self._drop_dead()
        super()._load(spec, deliver, cancel)

    def _generate(
        self, request: GenerationRequest, deliver: DeliverGeneration, cancel: CancelToken
    ) -> None:
        try:
            super()._generate(request, deliver, cancel)
        finally:
            self._drop_dead()

    def _drop_dead(self) -> None:
        if isinstance(self._model, ChildModel) and not self._model.alive:
            self._unload()
