"""Puts together all that is known of this machine. Never raises; blocks, so not in the window.

Devices are asked in a child process, one a backend: a driver that crashes, hangs or answers
rubbish becomes a device with a problem, and the others are asked all the same.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from engine.child.spawn import run_role
from engine.errors import EngineError, EngineTimedOut
from engine.hardware import drm
from engine.hardware.claims import Claim, Opinion, Rubbish, parse_answer
from engine.hardware.cpu import read_cpu
from engine.hardware.memory import read_memory
from engine.hardware.normalise import normalise
from engine.hardware.system import this_system
from engine.types.hardware import Cpu, DeviceProblem, HardwareReport, Memory, System

log = logging.getLogger("snug.hardware")

BACKENDS = ("cpu",)
"""What our build brings; "cpu" is asked for all that is compiled in."""
_TIMEOUT_S = 30.0
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
    claims: list[Claim] = []
    opinions: list[Opinion] = []
    for backend in backends:
        told, said = ask(backend, run_role, limit_s)
        claims += told
        opinions += said
    cpu, memory = read_cpu(), read_memory()
    devices = normalise(
        claims,
        [*opinions, *_cards()],
        main_memory_bytes=memory.total_bytes,
        system=system,
        architecture=cpu.architecture,
    )
    return HardwareReport(system=system, cpu=cpu, memory=memory, devices=devices)


def ask(backend: str, run_role: RunRole, timeout_s: float) -> tuple[list[Claim], list[Opinion]]:
    """One backend's devices, or a claim that says how asking for them failed."""
    try:
        return parse_answer(run_role("probe", {"backend": backend}, timeout_s=timeout_s))
    except EngineTimedOut as error:
        return _failed(backend, DeviceProblem.PROBE_TIMED_OUT, error)
    except (EngineError, Rubbish, OSError, MemoryError, RuntimeError) as error:
        # RuntimeError: under a tight `ulimit -v` no thread can be started to talk to the child.
        return _failed(backend, DeviceProblem.PROBE_CRASHED, error)


def _failed(
    backend: str, problem: DeviceProblem, error: Exception
) -> tuple[list[Claim], list[Opinion]]:
    log.warning("the probe of %s failed: %s", backend, error)
    return [Claim(backend=backend, name=backend, problem=problem)], []


def _cards() -> list[Opinion]:
    try:
        return drm.read_cards()
    except OSError:
        return []
