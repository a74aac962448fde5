"""Asks a child process one question, where the answer may cost the process that seeks it.

Blocks the calling thread, which must not be the window's.
"""

import time
from collections.abc import Mapping, Sequence

from engine.child.causes import NO_ANSWER
from engine.child.process import Child
from engine.child.roles import stage_of
from engine.child.wire import WireError, decode, parse
from engine.errors import Cancelled, EngineCrashed, EngineError, EngineTimedOut
from engine.types.backends import Plugin
from engine.types.cancel import CancelToken

_ENDS_WITHIN_S = 0.5


def run_role(
    role: str,
    argument: Mapping[str, object],
    *,
    timeout_s: float,
    cancel: CancelToken | None = None,
    approved: Sequence[Plugin] | None = None,
) -> dict[str, object]:
    """The answer of a role of `roles`. `approved` are the plug-ins that the child may load, by
    default those of this process. Raises what the role raised (`EngineError`), or
    `EngineCrashed`, `OutOfMemory`, `EngineTimedOut`, `Cancelled`. The child is gone afterwards."""
    stage = stage_of(role)
    cancel = cancel or CancelToken()
    if cancel.cancelled:
        raise Cancelled
    child = Child(role, argument, approved)
    cancel.on_cancel(child.wake)
    try:
        return _answer(child, stage, timeout_s, cancel)
    except BaseException:
        child.kill()
        raise
    finally:
        cancel.forget(child.wake)
        child.end(_ENDS_WITHIN_S)


def _answer(child: Child, stage: str, timeout_s: float, cancel: CancelToken) -> dict[str, object]:
    line = _first_line(child, cancel, time.monotonic() + timeout_s)
    if line is None:
        raise Cancelled if cancel.cancelled else EngineTimedOut(stage, timeout_s)
    if not line:
        raise child.death(stage)
    return _understood(line, child, stage)


def _first_line(child: Child, cancel: CancelToken, deadline: float) -> bytes | None:
    """None when cancelled or too late."""
    while not cancel.cancelled and (left_s := deadline - time.monotonic()) > 0:
        if (line := child.receive(left_s)) is not None:
            return line
    return None


def _understood(line: bytes, child: Child, stage: str) -> dict[str, object]:
    """The result; raises the error that came instead of one."""
    try:
        answer = parse(line)
        error = decode(EngineError, answer["error"]) if "error" in answer else None
    except WireError as broken:
        raise EngineCrashed(NO_ANSWER, stage, child.last_words) from broken
    if error is not None:
        raise error
    result = answer.get("result")
    if not isinstance(result, dict):
        raise EngineCrashed(NO_ANSWER, stage, child.last_words)
    return result
