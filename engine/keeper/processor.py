"""Which of the engine's parts for processors is used: the best one that has answered in a child.

Asked once for each processor and build, and remembered. On the keeper's thread."""

import logging
from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

from engine.backends import plugins
from engine.child.spawn import run_role
from engine.errors import Cancelled, EngineError
from engine.guard.record import Record
from engine.hardware.cpu import read_cpu
from engine.types.backends import DeviceTrial, Outcome
from engine.types.cancel import CancelToken
from engine.types.hardware import Cpu

log = logging.getLogger("snug.keeper")

_TIMEOUT_S = 60.0
_VARIANT = "variant"


class RunRole(Protocol):
    """See `spawn.run_role`."""

    def __call__(
        self, role: str, argument: Mapping[str, object], *, timeout_s: float, cancel: CancelToken
    ) -> dict[str, object]: ...


def prove_processor(
    record: Record,
    cancel: CancelToken,
    *,
    run: RunRole = run_role,
    cpu: Callable[[], Cpu] = read_cpu,
) -> None:
    """Decide for this process and its children. Raises `Cancelled`; where nothing can be found out,
    all stays as it is."""
    key = _key(cpu())
    trial = record.trial(key)
    if trial is None:
        trial = _tried(run, cancel)
        if trial is not None:
            record.keep_trial(key, trial)
    if trial is not None and trial.settings:
        plugins.use_variant(dict(trial.settings)[_VARIANT])


def _key(cpu: Cpu) -> str:
    return f"processor|{cpu.name}|{' '.join(sorted(cpu.features))}"


def _tried(run: RunRole, cancel: CancelToken) -> DeviceTrial | None:
    """None: no child could be started, or none of them answered."""
    try:
        if _answers(run, "", cancel):
            return DeviceTrial(outcome=Outcome.PASSED)
        for name in _others(run, cancel):
            if _answers(run, name, cancel):
                log.warning("the best part for this processor fails; %s is used", name)
                return DeviceTrial(outcome=Outcome.PASSED, settings=((_VARIANT, name),))
    except Cancelled:
        raise
    except (EngineError, OSError, MemoryError, RuntimeError) as error:
        log.warning("the processor's part could not be tried: %s", error)
    return None


def _answers(run: RunRole, variant: str, cancel: CancelToken) -> bool:
    try:
        run("processor", {_VARIANT: variant}, timeout_s=_TIMEOUT_S, cancel=cancel)
    except Cancelled:
        raise
    except EngineError as error:
        log.warning("the processor's part %r: %s", variant or "best", error)
        return False
    return True


def _others(run: RunRole, cancel: CancelToken) -> Iterator[str]:
    """All but the best, in their order."""
    answer = run("variants", {}, timeout_s=_TIMEOUT_S, cancel=cancel)
    names = answer.get("variants")
    yield from (str(name) for name in (names if isinstance(names, list) else [])[1:])
