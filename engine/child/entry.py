"""Where a child process starts. It does one thing for its parent and ends without ceremony.

Its first two descriptors carry the talk with the parent and are moved out of reach of native
code at once: what that prints goes to standard error, whose last lines the parent keeps.
"""

import json
import logging
import os
import sys
import traceback
from collections.abc import Sequence
from threading import Lock, Thread
from typing import Any, BinaryIO

from engine.child.isolation import isolate, leave
from engine.child.roles import HOST, ROLES, resolve
from engine.child.wire import encode
from engine.errors import EngineError, EngineStopped, OutOfMemory

PARENT_GONE = 75
_FAILED = 70
log = logging.getLogger("snug.child")


class Pipes:
    """The talk with the parent: one JSON value a line. `write` may be called by any thread."""

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


def main(arguments: Sequence[str]) -> None:
    """Does not return."""
    code = _FAILED
    try:
        _play(arguments[0])
        code = 0
    except BaseException:  # noqa: BLE001 - told to the parent; nobody else is here to take it
        traceback.print_exc()
    finally:
        leave(code)


def _play(name: str) -> None:
    pipes = take_pipes()
    isolate()
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    argument = pipes.read()
    if name == HOST:
        from engine.child.serve import serve  # noqa: PLC0415 - other roles do without it

        serve(argument, pipes)
        return
    Thread(target=_watch_parent, args=(pipes,), name="snug-parent", daemon=True).start()
    pipes.write(_answer(name, argument))


def _watch_parent(pipes: Pipes) -> None:
    while True:
        pipes.read()


def _answer(name: str, argument: dict[str, Any]) -> dict[str, object]:
    try:
        result = resolve(ROLES[name].target)(argument)
        json.dumps(result)
    except EngineError as error:
        return {"error": encode(error)}
    except MemoryError:
        return {"error": encode(OutOfMemory("MemoryError"))}
    except Exception as error:
        log.exception("a role failed")
        return {"error": encode(EngineStopped(f"{type(error).__name__}: {error}"))}
    return {"result": result}
