"""One keeper over two: models on this computer, and models behind a server.

Only one of them has a model. A load takes the model from the other side: after it has worked when
the model is elsewhere (an unreachable server must not cost the model that is here), at once when
it is here, for a server's model takes no memory. Any thread.
"""

from collections.abc import Callable
from threading import RLock

from engine.ports import DeliverGeneration, DeliverKeeper, DeliverLoad, Keeper
from engine.types.cancel import CancelToken
from engine.types.generation import GenerationRequest
from engine.types.models import Loaded, LoadEvent, UnloadReason
from engine.types.plans import LoadRequest


class RoutedKeeper:
    """See `Keeper`. `make_remote` is called with the first request for a model elsewhere."""

    def __init__(self, local: Keeper, make_remote: Callable[[], Keeper]) -> None:
        self._local = local
        self._make_remote = make_remote
        self._remote: Keeper | None = None
        self._listeners: tuple[DeliverKeeper, ...] = ()
        self._lock = RLock()  # a closed keeper answers within the call
        self._asked: Keeper = local
        """Where the newest load went; replies come from there."""

    def load(self, request: LoadRequest, deliver: DeliverLoad, cancel: CancelToken) -> None:
        with self._lock:
            if request.remote is None:
                if self._remote is not None:
                    self._remote.unload()
                self._asked = self._local
                self._local.load(request, deliver, cancel)
            else:
                self._asked = remote = self._remote_keeper()
                remote.load(request, self._then_free_local(remote, deliver), cancel)

    def generate(
        self, request: GenerationRequest, deliver: DeliverGeneration, cancel: CancelToken
    ) -> None:
        with self._lock:
            self._asked.generate(request, deliver, cancel)

    def unload(self, reason: UnloadReason | None = None) -> None:
        for keeper in self._both():
            keeper.unload(reason)

    def listen(self, deliver: DeliverKeeper) -> None:
        with self._lock:
            self._listeners += (deliver,)
            for keeper in self._both():
                keeper.listen(deliver)

    def close(self, timeout_s: float) -> bool:
        """Both, even if the first does not end in time."""
        ended = [keeper.close(timeout_s) for keeper in self._both()]
        return all(ended)

    def _both(self) -> tuple[Keeper, ...]:
        with self._lock:
            return (self._local,) if self._remote is None else (self._local, self._remote)

    def _remote_keeper(self) -> Keeper:
        if self._remote is None:
            self._remote = self._make_remote()
            for deliver in self._listeners:
                self._remote.listen(deliver)
        return self._remote

    def _then_free_local(self, remote: Keeper, deliver: DeliverLoad) -> DeliverLoad:
        """Frees this computer's memory, unless a model here was asked for again meanwhile."""

        def follow(event: LoadEvent) -> None:
            if isinstance(event, Loaded):
                with self._lock:
                    if self._asked is remote:
                        self._local.unload()
            deliver(event)

        return follow
