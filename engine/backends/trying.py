"""Lets a device prove itself in a child process, with known settings one after another until it
passes. What happens to the child is a value; only `Cancelled` goes through. Blocks for seconds."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol

from engine.errors import (
    Cancelled,
    EngineError,
    EngineTimedOut,
    OutOfMemory,
    ProgramReplaced,
)
from engine.types.backends import DeviceTrial, Outcome, Plugin, Settings
from engine.types.hardware import Device
from engine.types.plans import FlashAttention

log = logging.getLogger("snug.backends")

ROLE = "selftest"
_TIMEOUT_S = 90.0
"""Usually a second or two; but a driver that starts for the first time compiles for long."""
_TIMEOUT_AGAIN_S = 30.0
"""Once a device was silent for that long."""
_MOST_CHARS = 2000


class RunRole(Protocol):
    """`approved`: the plug-ins that the child may load."""

    def __call__(
        self,
        role: str,
        argument: Mapping[str, object],
        *,
        timeout_s: float,
        approved: Sequence[Plugin],
    ) -> object: ...


def with_settings(
    plugins: Iterable[Plugin], backend: str, settings: Settings
) -> tuple[Plugin, ...]:
    """The same plug-ins; that of `backend` has `settings` too."""
    return tuple(
        replace(plugin, settings=tuple((dict(plugin.settings) | dict(settings)).items()))
        if plugin.backend == backend
        else plugin
        for plugin in plugins
    )


def try_device(
    device: Device,
    flash_attention: FlashAttention,
    ladder: Sequence[Settings],
    *,
    run_role: RunRole,
    approved: Sequence[Plugin],
) -> DeviceTrial | None:
    """How the first of `ladder` ended that passed, else the last. None if it could not be tried,
    which says nothing of the device: memory ran out, or no process could be started."""
    argument = {
        "backend": device.backend,
        "device": device.name,
        "flash_attention": flash_attention.value,
    }
    timeout_s, trial = _TIMEOUT_S, None
    for settings in ladder:
        plugins = with_settings(approved, device.backend, settings)
        trial = _tried(partial(run_role, ROLE, argument, approved=plugins), timeout_s, settings)
        log.info("%s with %s: %s", device.name, settings, trial)
        if trial is None or trial.passed:
            return trial
        if trial.outcome is Outcome.TIMED_OUT:
            timeout_s = _TIMEOUT_AGAIN_S
    return trial


def _tried(ask: Callable[..., object], timeout_s: float, settings: Settings) -> DeviceTrial | None:
    try:
        answer = ask(timeout_s=timeout_s)
    except Cancelled:
        raise
    except (OutOfMemory, ProgramReplaced, OSError, MemoryError, RuntimeError) as error:
        # RuntimeError: under a tight `ulimit -v` no thread can be started to talk to the child.
        log.warning("a device could not be tried: %s", error)
        return None
    except EngineTimedOut as error:
        return DeviceTrial(outcome=Outcome.TIMED_OUT, settings=settings, detail=str(error))
    except EngineError as error:
        return DeviceTrial(outcome=Outcome.CRASHED, settings=settings, detail=_last_words(error))
    return _understood(answer, settings)


def _understood(answer: object, settings: Settings) -> DeviceTrial:
    """A child whose native code is broken may answer anything."""
    told: Mapping[str, object] = answer if isinstance(answer, Mapping) else {}
    passed, detail = told.get("passed"), told.get("detail")
    if not isinstance(passed, bool) or not isinstance(detail, str):
        return DeviceTrial(outcome=Outcome.CRASHED, settings=settings, detail="no answer")
    outcome = Outcome.PASSED if passed else Outcome.WRONG_ANSWER
    return DeviceTrial(outcome=outcome, settings=settings, detail=detail[:_MOST_CHARS])


def _last_words(error: EngineError) -> str:
    detail = getattr(error, "detail", "")
    return f"{error}\n{detail}".strip()[-_MOST_CHARS:]
