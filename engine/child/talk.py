"""One request at a time to a child that serves a host. Used by the parent's host thread only.

What ends a request other than its own final event ends the child too: after that nobody knows
what state it is in.
"""

import time
from collections.abc import Iterator
from typing import Any

from engine.child.causes import NO_ANSWER
from engine.child.process import Child
from engine.child.wire import WireError, decode, encode, parse
from engine.errors import EngineCrashed, EngineTimedOut
from engine.types.cancel import CancelToken
from engine.types.generation import Finished
from engine.types.models import Failed, Loaded


class Talk:
    """`stage` is what the child is busy with, for the error that names its death."""

    def __init__(self, child: Child) -> None:
        self._child = child
        self._number = 0
        self.stage = "load"

    def ask(
        self, do: str, value: object, expected: object, cancel: CancelToken, patience_s: float
    ) -> Iterator[Any]:
        """Events of type `expected`; the last one is final. A `Failed` is raised.

        A child that takes longer than `patience_s` to do anything after a cancel is ended.
        """
        self._number += 1
        number, ended = self._number, False

        def stop() -> None:
            self._child.send({"number": number, "do": "cancel"})
            self._child.wake()

        self._child.send({"number": number, "do": do, "value": encode(value)})
        cancel.on_cancel(stop)
        try:
            while not ended:
                event = self._next(number, expected, cancel, patience_s)
                ended = isinstance(event, Loaded | Finished | Failed)
                if isinstance(event, Failed):
                    raise event.error
                yield event
        finally:
            cancel.forget(stop)
            if not ended:
                stop()

    def _next(self, number: int, expected: object, cancel: CancelToken, patience_s: float) -> Any:
        deadline = None
        while True:
            if deadline is None and cancel.cancelled:
                deadline = time.monotonic() + patience_s
            line = self._child.receive(deadline and max(0.0, deadline - time.monotonic()))
            if line is not None:
                event = self._understood(line, number, expected)
                if event is not None:
                    return event
            elif deadline and time.monotonic() >= deadline:
                self._child.end(0.0)
                raise EngineTimedOut(self.stage, patience_s)

    def _understood(self, line: bytes, number: int, expected: object) -> Any:
        """None for an event of an earlier request that nobody waits for any more."""
        if not line:
            raise self._child.death(self.stage)
        try:
            message = parse(line)
            if _is_late(message, number):
                return None
            return decode(expected, message.get("event"))
        except WireError as broken:
            self._child.end(0.0)
            raise EngineCrashed(NO_ANSWER, self.stage, str(broken)) from broken


def _is_late(message: dict[str, Any], number: int) -> bool:
    theirs = decode(int, message.get("number"))
    if 0 < theirs <= number:
        return theirs < number
    raise WireError(f"event of request {theirs}")
