"""A keeper that plans nothing and trusts everything: for scripted runtimes, and where the same
file is loaded over and over to be measured."""

from collections.abc import Callable

from engine.host import InProcessHost
from engine.ports import DeliverGeneration, DeliverKeeper, DeliverLoad, Runtime
from engine.types.cancel import CancelToken
from engine.types.generation import GenerationRequest
from engine.types.models import LoadSpec, UnloadReason
from engine.types.plans import Layout, LoadRequest

_CONTEXT_LENGTH = 4096


class PlainKeeper:
    """See `Keeper`."""

    def __init__(self, make_runtime: Callable[[], Runtime], threads: int = 1) -> None:
        self._host = InProcessHost(make_runtime)
        self._threads = threads

    def load(self, request: LoadRequest, deliver: DeliverLoad, cancel: CancelToken) -> None:
        context_length = request.wishes.context_length or _CONTEXT_LENGTH
        layout = Layout(context_length=context_length, threads=self._threads)
        self._host.load(LoadSpec(path=request.path, layout=layout), deliver, cancel)

    def generate(
        self, request: GenerationRequest, deliver: DeliverGeneration, cancel: CancelToken
    ) -> None:
        self._host.generate(request, deliver, cancel)

    def unload(self, reason: UnloadReason | None = None) -> None:
        del reason
        self._host.unload()

    def listen(self, deliver: DeliverKeeper) -> None:
        """Nothing ever happens by itself."""

    def close(self, timeout_s: float) -> bool:
        return self._host.close(timeout_s)
