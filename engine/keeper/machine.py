"""This machine as the planner sees it: read once, but for what changes, and timed once for good."""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from engine.child.spawn import run_role
from engine.child.wire import WireError, decode
from engine.errors import Cancelled, EngineError
from engine.guard.record import Record
from engine.hardware.memory import read_memory
from engine.hardware.probe import BACKENDS, read_report
from engine.planner.threads import threads_for
from engine.types.cancel import CancelToken
from engine.types.hardware import Cpu, HardwareReport, Memory, Speed

log = logging.getLogger("snug.keeper")

ONLY_PROCESSOR = ("cpu",)
_SPEED_TIMEOUT_S = 20.0
_DEVICES_FRESH_S = 5.0
_BUSY_SHARE = 0.15
"""With more than this of the processor in other programs' hands, a measurement says too little."""
_BUSY_OVERHEAD_S = 50e-6
"""A graph node that costs more was measured while somebody else had the processor."""


def measure_speed(threads: int, cancel: CancelToken) -> Speed | None:
    """Time the engine's kernels in a child; None if that does not work."""
    argument: Mapping[str, object] = {"threads": threads}
    try:
        answer = run_role("speed", argument, timeout_s=_SPEED_TIMEOUT_S, cancel=cancel)
        return decode(Speed, answer)
    except (EngineError, WireError, KeyError) as error:
        log.warning("the speed of this machine could not be measured: %s", error)
        return None


def ask_devices(backends: Sequence[str], cancel: CancelToken) -> HardwareReport:
    return read_report(backends, run_role=partial(run_role, cancel=cancel))


class Machine:
    """Used by one thread at a time. Free memory is asked for anew before every plan, that of
    devices at most every few seconds."""

    def __init__(
        self,
        record: Record,
        *,
        backends: Sequence[str] = BACKENDS,
        read: Callable[[Sequence[str], CancelToken], HardwareReport] = ask_devices,
        memory: Callable[[], Memory] = read_memory,
        measure: Callable[[int, CancelToken], Speed | None] = measure_speed,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._record = record
        self._backends = tuple(backends)
        self._read = read
        self._memory = memory
        self._measure = measure
        self._clock = clock
        self._known: HardwareReport | None = None
        self._asked_at_s = 0.0

    def report(self, cancel: CancelToken | None = None) -> HardwareReport:
        """What there is now. Raises `Cancelled`."""
        cancel = cancel or CancelToken()
        if self._known is None or self._is_old(self._known):
            report = self._asked(cancel)
            speed = self._known.speed if self._known else self._speed(report.cpu, cancel)
            if cancel.cancelled:  # then what was asked is only half an answer
                raise Cancelled
            self._known = replace(report, speed=speed)
            self._asked_at_s = self._clock()
        return replace(self._known, memory=self._memory())

    def _is_old(self, known: HardwareReport) -> bool:
        """Other programs take and give graphics memory."""
        return bool(known.devices) and self._clock() - self._asked_at_s > _DEVICES_FRESH_S

    def _asked(self, cancel: CancelToken) -> HardwareReport:
        """A build without graphics backends need not start a child to learn that it has none."""
        if self._backends == ONLY_PROCESSOR and self._record.found_no_device:
            return self._read((), cancel)
        report = self._read(self._backends, cancel)
        if self._backends == ONLY_PROCESSOR and not report.devices and not cancel.cancelled:
            self._record.keep_no_device()
        return report

    def _speed(self, cpu: Cpu, cancel: CancelToken) -> Speed | None:
        """None, and so a guess, where it could not be measured well; the next start tries again."""
        threads = threads_for(cpu)
        known = self._record.speed(threads)
        if known is not None:
            return known
        measured = self._measure(threads, cancel)
        if measured is None or _was_disturbed(measured):
            return None
        self._record.keep_speed(measured)
        return measured


def _was_disturbed(speed: Speed) -> bool:
    return speed.others_share > _BUSY_SHARE or speed.overhead_s > _BUSY_OVERHEAD_S
