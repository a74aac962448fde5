"""The two places a model can run in, behind one port: this process, and a child of its own.

Each host is made when it is first needed. Only one of them holds a model at a time.
"""

from collections.abc import Callable
from queue import SimpleQueue

from engine.ports import Host
from engine.types.cancel import CancelToken
from engine.types.models import Failed, Loaded, LoadedInfo, LoadEvent, LoadProgress, LoadSpec


class Hosts:
    """`make(in_child)` makes one. Used by the keeper's thread; `close` by any."""

    def __init__(self, make: Callable[[bool], Host]) -> None:
        self._make = make
        self._made: dict[bool, Host] = {}

    def get(self, *, in_child: bool) -> Host:
        if in_child not in self._made:
            self._made[in_child] = self._make(in_child)
        return self._made[in_child]

    def close(self, timeout_s: float) -> bool:
        """Both, even if the first does not end in time."""
        ended = [host.close(timeout_s) for host in list(self._made.values())]
        return all(ended)


def load_and_wait(
    host: Host, spec: LoadSpec, progress: Callable[[LoadProgress], None], cancel: CancelToken
) -> LoadedInfo:
    """Raises the `EngineError` that the load ended with."""
    ended: SimpleQueue[Loaded | Failed] = SimpleQueue()

    def deliver(event: LoadEvent) -> None:
        if isinstance(event, LoadProgress):
            progress(event)
        else:
            ended.put(event)

    host.load(spec, deliver, cancel)
    event = ended.get()
    if isinstance(event, Failed):
        raise event.error
    return event.info
