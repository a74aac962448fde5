"""This machine as the planner sees it: read once, but for what changes, and timed once for good."""

import logging
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import chain

from engine.child.spawn import run_role
from engine.child.wire import WireError, decode
from engine.errors import Cancelled, EngineError
from engine.guard.record import Record
from engine.hardware.memory import read_memory
from engine.keeper.devices import DeviceSearch
from engine.keeper.trials import Trust
from engine.planner.bandwidths import at_least_guessed, with_rows
from engine.planner.threads import threads_for
from engine.types.cancel import CancelToken
from engine.types.hardware import Cpu, HardwareReport, Memory, Speed

log = logging.getLogger("snug.keeper")

_SPEED_TIMEOUT_S = 20.0
_DEVICES_FRESH_S = 5.0
_MOST_TRIES = 5
"""A computer that is busy at so many starts always is: measuring takes a second each time."""
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
    except (EngineError, WireError, KeyError, OSError, MemoryError, RuntimeError) as error:
        # the last three under a tight `ulimit -v`, where no thread can be started
        log.warning("the speed of this machine could not be measured: %s", error)
        return None


class Machine:
    """Used by one thread at a time. Free memory is asked for anew before every plan, that of
    devices at most every few seconds."""

    def __init__(
        self,
        record: Record,
        search: DeviceSearch,
        *,
        memory: Callable[[], Memory] = read_memory,
        measure: Callable[[int, CancelToken], Speed | None] = measure_speed,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._record = record
        self._search = search
        self._memory = memory
        self._measure = measure
        self._clock = clock
        self._known: HardwareReport | None = None
        self._timed = False
        self._asked_at_s = 0.0

    def report(self, cancel: CancelToken | None = None) -> HardwareReport:
        """What there is now. Raises `Cancelled`."""
        cancel = cancel or CancelToken()
        if self._known is None or self._search.doubted or self._is_old():
            report = self._search.run(cancel)
            speed = self._known.speed if self._known else self._speed_now(report.cpu, cancel)
            self._known = replace(report, speed=speed)
            self._asked_at_s = self._clock()
        return replace(self._known, memory=self._memory())

    def _speed_now(self, cpu: Cpu, cancel: CancelToken) -> Speed | None:
        speed = self.speed(cpu, cancel)
        if cancel.cancelled:  # then it is only half an answer
            raise Cancelled
        return speed

    def look(self, cancel: CancelToken | None = None) -> HardwareReport:
        """For a person who asks: nothing that failed before counts. Without the speed. Raises
        `Cancelled`."""
        self._search.distrust(Trust.PASSED)
        return self._search.run(cancel or CancelToken())

    def recheck(self) -> None:
        """The computer has slept, or there are other plug-ins: with the next report all devices
        are asked and prove themselves again."""
        self._search.distrust(Trust.NONE)

    def _is_old(self) -> bool:
        """Other programs take and give graphics memory."""
        return self._search.found and self._clock() - self._asked_at_s > _DEVICES_FRESH_S

    def known_speed(self, cpu: Cpu) -> Speed | None:
        """What earlier starts measured."""
        return _believed(self._record.speed(threads_for(cpu)), cpu)

    def speed(self, cpu: Cpu, cancel: CancelToken) -> Speed | None:
        """The same, measured now if that was never done undisturbed."""
        threads = threads_for(cpu)
        known = self._record.speed(threads)
        if not self._timed and (known is None or _deserves_another(known)):
            known = self._again(threads, known, cancel)
        return _believed(known, cpu)

    def _again(self, threads: int, known: Speed | None, cancel: CancelToken) -> Speed | None:
        """Once in a process, whatever comes of it: also a crash is a try."""
        measured = self._measure(threads, cancel)
        if measured is None and cancel.cancelled:
            return known
        self._timed = True
        best = _best(known, measured or _nothing(threads))
        self._record.keep_speed(best)
        return best


def _nothing(threads: int) -> Speed:
    return Speed(threads=threads, bytes_per_s=(), overhead_s=0.0, others_share=1.0)


def was_disturbed(speed: Speed) -> bool:
    return speed.others_share > _BUSY_SHARE or speed.overhead_s > _BUSY_OVERHEAD_S


def _deserves_another(known: Speed) -> bool:
    return was_disturbed(known) and known.tries < _MOST_TRIES


def _believed(speed: Speed | None, cpu: Cpu) -> Speed | None:
    if speed is None or not speed.bytes_per_s:
        return None
    return at_least_guessed(speed, cpu) if was_disturbed(speed) else speed


def _best(known: Speed | None, new: Speed) -> Speed:
    """An undisturbed measurement alone; of disturbed ones the higher of every rate."""
    if known is None or not was_disturbed(new):
        return new
    tries = known.tries + 1
    if not known.bytes_per_s or not new.bytes_per_s:
        return replace(new if new.bytes_per_s else known, tries=tries)
    known, new = with_rows(known), with_rows(new)
    return replace(
        new,
        bytes_per_s=_higher(known.bytes_per_s, new.bytes_per_s),
        repacked_bytes_per_s=_higher(known.repacked_bytes_per_s, new.repacked_bytes_per_s),
        overhead_s=min(known.overhead_s, new.overhead_s),
        others_share=max(known.others_share, new.others_share),
        tries=tries,
    )


def _higher(*rates: Iterable[tuple[str, float]]) -> tuple[tuple[str, float], ...]:
    found: dict[str, float] = {}
    for name, rate in chain(*rates):
        found[name] = max(rate, found.get(name, rate))
    return tuple(found.items())
