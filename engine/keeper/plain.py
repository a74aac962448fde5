"""A keeper that plans nothing and trusts everything: for scripted runtimes, for models elsewhere,
and where the same file is loaded over and over to be measured."""

from collections.abc import Callable
from threading import Lock

from engine.host import InProcessHost
from engine.models.split import first_part
from engine.ports import DeliverGeneration, DeliverKeeper, DeliverLoad, GenerationEvent, Runtime
from engine.types.cancel import CancelToken
from engine.types.generation import Finished, GenerationRequest
from engine.types.models import Failed, LoadSpec, UnloadReason
from engine.types.plans import Layout, LoadRequest

_CONTEXT_LENGTH = 4096


class PlainKeeper:
    """See `Keeper`."""

    def __init__(self, make_runtime: Callable[[], Runtime], threads: int = 1) -> None:
        self._host = InProcessHost(make_runtime)
        self._threads = threads
        self._lock = Lock()
        self._replies: set[CancelToken] = set()

    def load(self, request: LoadRequest, deliver: DeliverLoad, cancel: CancelToken) -> None:
        self._host.load(_spec(request, self._threads), deliver, cancel)

    def generate(
        self, request: GenerationRequest, deliver: DeliverGeneration, cancel: CancelToken
    ) -> None:
        def follow(event: GenerationEvent) -> None:
            if isinstance(event, Finished | Failed):
                with self._lock:
                    self._replies.discard(cancel)
            deliver(event)

        with self._lock:
            self._replies.add(cancel)
        self._host.generate(request, follow, cancel)

    def unload(self, reason: UnloadReason | None = None) -> None:
        if reason in (UnloadReason.MEMORY, UnloadReason.SUSPEND):
            with self._lock:
                replies = tuple(self._replies)
            for cancel in replies:
                cancel.cancel()
        self._host.unload()

    def listen(self, deliver: DeliverKeeper) -> None:
        """Nothing ever happens by itself."""

    def close(self, timeout_s: float) -> bool:
        return self._host.close(timeout_s)


def _spec(request: LoadRequest, threads: int) -> LoadSpec:
    if request.remote is not None:  # how long its context is, is the server's matter
        length = request.remote.context_length or 0
        return LoadSpec(
            path=request.path, layout=Layout(context_length=length), remote=request.remote
        )
    context_length = request.wishes.context_length or _CONTEXT_LENGTH
    return LoadSpec(
        path=first_part(request.path),
        layout=Layout(context_length=context_length, threads=threads),
    )
