"""Puts together all that is known of this machine. Never raises; blocks, so not in the window.

Devices are asked in a child process, one a backend: a driver that crashes, hangs or answers
rubbish becomes a device with a problem, and the others are asked all the same.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.child.spawn import run_role
from engine.errors import BackendUnusable, EngineError, EngineTimedOut
from engine.hardware import drm
from engine.hardware.claims import Claim, Opinion, Rubbish, parse_answer
from engine.hardware.cpu import read_cpu
from engine.hardware.memory import read_memory
from engine.hardware.names import clean
from engine.hardware.normalise import normalise
from engine.hardware.system import this_system
from engine.types.backends import PROCESSOR, BackendProblem, BackendReport, BackendState
from engine.types.hardware import Cpu, DeviceProblem, HardwareReport, Memory, System

log = logging.getLogger("snug.hardware")

BACKENDS = (PROCESSOR,)
"""What is asked where there are no plug-ins: it has all that is compiled in."""
_TIMEOUT_S = 30.0
_MOST_CHARS = 2000
_FIRST_TIMEOUT_S = {System.WINDOWS: 90.0}
"""A virus scanner reads a new driver library in full before it lets it start."""


class RunRole(Protocol):
    def __call__(
        self, role: str, argument: Mapping[str, object], *, timeout_s: float
    ) -> object: ...


def read_report(
    backends: Sequence[str] = BACKENDS,
    *,
    run_role: RunRole = run_role,
    timeout_s: float | None = None,
    read_cpu: Callable[[], Cpu] = read_cpu,
    read_memory: Callable[[], Memory] = read_memory,
) -> HardwareReport:
    """What there is now. `timeout_s` is for each backend."""
    system = this_system()
    limit_s = timeout_s or _FIRST_TIMEOUT_S.get(system, _TIMEOUT_S)
    asked = [ask(backend, run_role, limit_s) for backend in backends]
    cpu, memory = read_cpu(), read_memory()
    devices = normalise(
        [claim for one in asked for claim in one.claims],
        [*(opinion for one in asked for opinion in one.opinions), *_cards()],
        main_memory_bytes=memory.total_bytes,
        system=system,
        architecture=cpu.architecture,
    )
    return HardwareReport(
        system=system, cpu=cpu, memory=memory, devices=devices, backends=_told(asked)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What came of asking one backend; of the processor's one may learn on the way."""

    reports: tuple[BackendReport, ...]
    claims: Sequence[Claim] = ()
    opinions: Sequence[Opinion] = ()


def ask(backend: str, run_role: RunRole, timeout_s: float) -> Asked:
    """One backend's devices, or a claim that says how asking for them failed."""
    try:
        answer = run_role("probe", {"backend": backend}, timeout_s=timeout_s)
        claims, opinions = parse_answer(answer)
    except EngineTimedOut as error:
        return _failed(backend, DeviceProblem.PROBE_TIMED_OUT, BackendProblem.TIMED_OUT, error)
    except BackendUnusable as error:
        return _unusable(error)
    except (EngineError, Rubbish, OSError, MemoryError, RuntimeError) as error:
        # RuntimeError: under a tight `ulimit -v` no thread can be started to talk to the child.
        return _failed(backend, DeviceProblem.PROBE_CRASHED, BackendProblem.CRASHED, error)
    return Asked(reports=_reports(backend, claims, answer), claims=claims, opinions=opinions)


def _reports(backend: str, claims: Sequence[Claim], answer: object) -> tuple[BackendReport, ...]:
    variant = answer.get("variant") if isinstance(answer, Mapping) else None
    processor = BackendReport(
        backend=PROCESSOR,
        state=BackendState.READY,
        variant=clean(variant) if isinstance(variant, str) else "",
    )
    if backend == PROCESSOR:
        return (processor,)
    missing = BackendReport(
        backend=backend, state=BackendState.MISSING, problem=BackendProblem.NO_DEVICE
    )
    ready = BackendReport(backend=backend, state=BackendState.READY)
    return (processor, ready if claims else missing)


def _failed(
    backend: str, device: DeviceProblem, problem: BackendProblem, error: Exception
) -> Asked:
    log.warning("the probe of %s failed: %s", backend, error)
    detail = f"{error}\n{getattr(error, 'detail', '')}".strip()[-_MOST_CHARS:]
    return Asked(
        reports=(_failure(backend, problem, detail),),
        claims=(Claim(backend=backend, name=backend, problem=device),),
    )


def _unusable(error: BackendUnusable) -> Asked:
    """A plug-in that can not be loaded is no device that failed: most often there is no driver.
    Without the processor's there is no engine."""
    try:
        problem = BackendProblem(error.problem)
    except ValueError:  # a child's word
        problem = BackendProblem.NOT_LOADABLE
    if error.backend == PROCESSOR:
        return _failed(PROCESSOR, DeviceProblem.PROBE_CRASHED, problem, error)
    return Asked(reports=(_failure(error.backend, problem, error.detail[-_MOST_CHARS:]),))


def _failure(backend: str, problem: BackendProblem, detail: str) -> BackendReport:
    missing = problem is BackendProblem.NOT_INSTALLED
    state = BackendState.MISSING if missing else BackendState.FAILED
    return BackendReport(backend=backend, state=state, problem=problem, detail=detail)


def _told(asked: Sequence[Asked]) -> tuple[BackendReport, ...]:
    """One for each backend; the processor's works if it worked once."""
    found: dict[str, BackendReport] = {}
    for report in (report for one in asked for report in one.reports):
        if report.problem is None:
            found[report.backend] = report
        else:
            found.setdefault(report.backend, report)
    return tuple(found.values())


def _cards() -> list[Opinion]:
    try:
        return drm.read_cards()
    except OSError:
        return []
