"""Where a child process starts. It does one thing for its parent and ends without ceremony."""

import json
import logging
import sys
import traceback
from collections.abc import Sequence
from threading import Thread
from typing import Any

from engine.backends import plugins
from engine.child.isolation import isolate, leave
from engine.child.pipes import Pipes, take_pipes
from engine.child.roles import HOST, ROLES, resolve
from engine.child.wire import decode, encode
from engine.errors import EngineError, EngineStopped, OutOfMemory
from engine.types.backends import Plugin

_FAILED = 70
log = logging.getLogger("snug.child")


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
    message = pipes.read()
    plugins.approve(decode(tuple[Plugin, ...], message["approved"]))
    plugins.use_variant(str(message.get("variant", "")))
    argument = message["argument"]
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
