"""The child's half of a `ChildHost`: an `InProcessHost` whose events go into the pipe.

The main thread only reads requests, so that a stop is heard at once, whatever native code does.
Every request and event carries the number that the parent gave the request.
"""

import logging
from functools import partial
from typing import Any

from engine.child.isolation import leave
from engine.child.pipes import Pipes
from engine.child.roles import make_runtime
from engine.child.wire import decode, encode
from engine.host import InProcessHost
from engine.types.cancel import CancelToken
from engine.types.generation import Delta, Finished, GenerationRequest
from engine.types.models import Failed, Loaded, LoadEvent, LoadSpec

log = logging.getLogger("snug.child")

FREED_WITHIN_S = 3.0
"""How long the release of a model may take before the process just ends."""
_BROKEN = 71


def serve(argument: dict[str, Any], pipes: Pipes) -> None:
    """Until the parent says "end"; `pipes` ends the process if the parent is gone."""
    host = InProcessHost(partial(make_runtime, argument))
    desk = _Desk(host, pipes)
    while (message := pipes.read())["do"] != "end":
        desk.take(message)
    host.close(FREED_WITHIN_S)


class _Desk:
    """Requests in, events out. `take` is for the main thread."""

    def __init__(self, host: InProcessHost, pipes: Pipes) -> None:
        self._host = host
        self._pipes = pipes
        self._running: dict[int, CancelToken] = {}

    def take(self, message: dict[str, Any]) -> None:
        number = message["number"]
        if message["do"] == "cancel":
            self._running.get(number, CancelToken()).cancel()  # it may have ended meanwhile
            return
        cancel = self._running[number] = CancelToken()
        deliver = partial(self._deliver, number)
        if message["do"] == "load":
            self._host.load(decode(LoadSpec, message["value"]), deliver, cancel)
        else:
            self._host.generate(decode(GenerationRequest, message["value"]), deliver, cancel)

    def _deliver(self, number: int, event: LoadEvent | Delta) -> None:
        """On the inference thread. A parent that gets no final event would wait for ever."""
        if isinstance(event, Loaded | Finished | Failed):
            self._running.pop(number, None)
        try:
            self._pipes.write({"number": number, "event": encode(event)})
        except Exception:
            log.exception("an event can not cross")
            leave(_BROKEN)
