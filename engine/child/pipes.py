"""The child's end of the talk with its parent: one JSON value a line.

The first two descriptors are moved out of reach of native code at once: what that prints goes to
standard error, whose last lines the parent keeps.
"""

import json
import os
from threading import Lock
from typing import Any, BinaryIO

from engine.child.isolation import leave

PARENT_GONE = 75


class Pipes:
    """`write` may be called by any thread."""

    def __init__(self, incoming: BinaryIO, outgoing: BinaryIO) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._lock = Lock()

    def read(self) -> Any:
        """Blocks. A parent that closed its end is dead or done: the process ends."""
        line = self._incoming.readline()
        if not line.endswith(b"\n"):
            leave(PARENT_GONE)
        return json.loads(line)

    def write(self, message: object) -> None:
        line = json.dumps(message).encode() + b"\n"
        try:
            with self._lock:
                self._outgoing.write(line)
                self._outgoing.flush()
        except OSError:
            leave(PARENT_GONE)


def take_pipes() -> Pipes:
    """Keep 0 and 1 for ourselves; others find nothing to read and standard error to write to."""
    incoming, outgoing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return Pipes(incoming, outgoing)
