"""This machine as the planner sees it: read once, but for what changes, and timed once for good."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from engine.child.spawn import run_role
from engine.child.wire import WireError, decode
from engine.errors import EngineError
from engine.guard.record import Record
from engine.hardware.memory import read_memory
from engine.hardware.probe import BACKENDS, read_report
from engine.planner.threads import threads_for
from engine.types.hardware import HardwareReport, Memory, Speed

log = logging.getLogger("snug.keeper")

ONLY_PROCESSOR = ("cpu",)
_SPEED_TIMEOUT_S = 20.0
_BUSY_OVERHEAD_S = 50e-6
"""A graph node that costs more was measured while other programs had the processor."""


def measure_speed(threads: int) -> Speed | None:
    """Time the engine's kernels in a child; None if that does not work."""
    argument: Mapping[str, object] = {"threads": threads}
    try:
        return decode(Speed, run_role("speed", argument, timeout_s=_SPEED_TIMEOUT_S))
    except (EngineError, WireError, KeyError) as error:
        log.warning("the speed of this machine could not be measured: %s", error)
        return None


class Machine:
    """Used by one thread at a time."""

    def __init__(
        self,
        record: Record,
        *,
        backends: Sequence[str] = BACKENDS,
        read: Callable[[Sequence[str]], HardwareReport] = read_report,
        memory: Callable[[], Memory] = read_memory,
        measure: Callable[[int], Speed | None] = measure_speed,
    ) -> None:
        self._record = record
        self._backends = tuple(backends)
        self._read = read
        self._memory = memory
        self._measure = measure
        self._known: HardwareReport | None = None

    def report(self) -> HardwareReport:
        """What there is now."""
        if self._known is None:
            report = self._asked()
            self._known = replace(report, speed=self._speed(threads_for(report.cpu)))
        return replace(self._known, memory=self._memory())

    def _asked(self) -> HardwareReport:
        """A build without graphics backends need not start a child to learn that it has none."""
        if self._backends == ONLY_PROCESSOR and self._record.found_no_device:
            return self._read(())
        report = self._read(self._backends)
        if self._backends == ONLY_PROCESSOR and not report.devices:
            self._record.keep_no_device()
        return report

    def _speed(self, threads: int) -> Speed | None:
        """None, and so a guess, where it could not be measured well; the next start tries again."""
        known = self._record.speed(threads)
        if known is not None:
            return known
        measured = self._measure(threads)
        if measured is None or measured.overhead_s > _BUSY_OVERHEAD_S:
            return None
        self._record.keep_speed(measured)
        return measured
