"""The machine is asked and timed once; a bad measurement is a lower bound."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from engine.child.spawn import run_role
from engine.errors import Cancelled, EngineCrashed
from engine.guard.record import Record
from engine.keeper import machine
from engine.keeper.machine import Machine
from engine.planner.bandwidths import GUESSED_NODE_S, processor_bytes_per_s
from engine.types.cancel import CancelToken
from engine.types.hardware import Cpu, Device, DeviceKind, HardwareReport, Memory, Speed, System

CPU = Cpu(
    name="Test",
    architecture="x86_64",
    physical_cores=4,
    performance_cores=4,
    logical_cores=8,
    usable_cores=8,
)
REPORT = HardwareReport(
    system=System.LINUX, cpu=CPU, memory=Memory(total_bytes=8 << 30, available_bytes=1)
)
NOW = Memory(total_bytes=8 << 30, available_bytes=6 << 30)
SPEED = Speed(threads=4, bytes_per_s=(("Q4_K", 1e10),), overhead_s=2e-6)
CARD = Device(
    backend="vulkan",
    name="Vulkan0",
    description="A card",
    kind=DeviceKind.GPU,
    total_bytes=8 << 30,
    free_bytes=7 << 30,
)


class Asked:
    """Counts what the machine is asked."""

    def __init__(self, folder: Path) -> None:
        self.record = Record(folder / "lessons.json", "build")
        self.reads: list[tuple[str, ...]] = []
        self.timed: list[int] = []
        self.report = REPORT
        self.speed: Speed | None = SPEED
        self.cancel_while_timing = False
        self.now_s = 0.0

    def _read(self, backends: Sequence[str], cancel: CancelToken) -> HardwareReport:
        self.reads.append(tuple(backends))
        return self.report

    def _measure(self, threads: int, cancel: CancelToken) -> Speed | None:
        self.timed.append(threads)
        if self.cancel_while_timing:
            cancel.cancel()
        return self.speed

    def machine(self) -> Machine:
        return Machine(
            self.record,
            backends=("cpu",),
            read=self._read,
            memory=lambda: NOW,
            measure=self._measure,
            clock=lambda: self.now_s,
        )


@pytest.fixture
def asked(tmp_path: Path) -> Asked:
    return Asked(tmp_path)


def test_memory_is_fresh_and_the_rest_known(asked: Asked) -> None:
    mine = asked.machine()
    assert mine.report() == replace(REPORT, memory=NOW, speed=SPEED)
    mine.report()
    assert (asked.reads, asked.timed) == ([("cpu",)], [4])


def test_the_next_start_asks_no_child(asked: Asked) -> None:
    asked.machine().report()
    assert asked.machine().report().speed == SPEED
    assert (asked.reads, asked.timed) == ([("cpu",), ()], [4])


def test_a_device_is_asked_for_again_at_every_start(asked: Asked) -> None:
    asked.report = replace(REPORT, devices=(CARD,))
    for _ in range(2):
        assert asked.machine().report().devices == (CARD,)
    assert asked.reads == [("cpu",), ("cpu",)]


GUESS = processor_bytes_per_s(CPU, 4)
BUSY = replace(
    SPEED,
    bytes_per_s=(("Q4_K", GUESS / 2), ("F16", GUESS * 1.5)),
    repacked_bytes_per_s=(("Q4_K", GUESS / 2),),
    others_share=0.3,
)


def test_a_disturbed_measurement_is_a_lower_bound_and_so_is_the_guess(asked: Asked) -> None:
    asked.speed = BUSY
    speed = asked.machine().report().speed
    assert speed is not None
    assert dict(speed.bytes_per_s) == {"Q4_K": GUESS, "F16": GUESS * 1.5}
    assert dict(speed.repacked_bytes_per_s) == {"Q4_K": GUESS}
    assert speed.overhead_s == GUESSED_NODE_S


def test_disturbed_measurements_add_up(asked: Asked) -> None:
    asked.speed = BUSY
    asked.machine().report()
    asked.speed = replace(
        BUSY, bytes_per_s=(("Q4_K", GUESS * 2), ("F16", 1.0)), overhead_s=0.002, others_share=0.0
    )
    for _ in range(2):
        speed = asked.machine().report().speed
        assert speed is not None
        assert dict(speed.bytes_per_s) == {"Q4_K": GUESS * 2, "F16": GUESS * 1.5}


def test_rows_are_counted_before_measurements_are_compared(asked: Asked) -> None:
    """The first says "quick, but rows cost", the second that rows cost nothing: both at once can
    not be true."""
    row_s = 1152 / (GUESS * 4)  # as long as the bytes of a row of 2048
    asked.speed = replace(BUSY, bytes_per_s=(("Q4_K", GUESS * 4),), row_s=row_s)
    asked.machine().report()
    asked.speed = BUSY
    speed = asked.machine().report().speed
    assert speed is not None
    assert dict(speed.bytes_per_s)["Q4_K"] == pytest.approx(GUESS * 2)
    assert speed.row_s == 0


def test_an_undisturbed_measurement_ends_it(asked: Asked) -> None:
    asked.speed = BUSY
    asked.machine().report()
    asked.speed = SPEED
    for _ in range(3):
        assert asked.machine().report().speed == SPEED
    assert len(asked.timed) == 2


@pytest.mark.parametrize("speed", [None, BUSY, replace(SPEED, overhead_s=0.002)])
def test_a_machine_that_is_always_busy_is_not_timed_for_ever(
    asked: Asked, speed: Speed | None
) -> None:
    asked.speed = speed
    found = [asked.machine().report().speed for _ in range(8)]
    assert len(asked.timed) == 5
    assert (found[-1] is None) == (speed is None)
    asked.speed = SPEED
    assert asked.machine().known_speed(CPU) == found[-1]


def test_a_crash_takes_nothing_from_what_is_known(asked: Asked) -> None:
    asked.speed = BUSY
    before = asked.machine().report().speed
    asked.speed = None
    after = asked.machine().report().speed
    assert before is not None
    assert after == replace(before, tries=2)


def test_one_process_times_once(asked: Asked) -> None:
    asked.speed = BUSY
    mine = asked.machine()
    for _ in range(3):
        mine.speed(CPU, CancelToken())
    mine.report()
    assert asked.timed == [4]


def test_what_is_known_is_not_timed(asked: Asked) -> None:
    assert asked.machine().known_speed(CPU) is None
    assert asked.timed == []


def test_a_measurement_that_crashes_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: object, **__: object) -> dict[str, object]:
        raise EngineCrashed("SIGILL", "probe")

    monkeypatch.setattr(machine, run_role.__name__, crash)
    assert machine.measure_speed(2, CancelToken()) is None


def test_graphics_memory_is_asked_for_anew_before_a_later_plan(asked: Asked) -> None:
    asked.report = replace(REPORT, devices=(CARD,))
    mine = asked.machine()
    mine.report()
    full = replace(CARD, free_bytes=1 << 30)
    asked.report = replace(REPORT, devices=(full,))
    assert mine.report().devices == (CARD,)
    asked.now_s = 6.0
    assert mine.report().devices == (full,)
    assert asked.timed == [4]


def test_what_was_cancelled_is_not_believed(asked: Asked) -> None:
    asked.cancel_while_timing = True
    mine = asked.machine()
    with pytest.raises(Cancelled):
        mine.report(CancelToken())
    asked.cancel_while_timing = False
    assert mine.report().speed == SPEED


def test_a_measurement_that_was_cancelled_is_no_try(asked: Asked) -> None:
    asked.speed, asked.cancel_while_timing = None, True
    with pytest.raises(Cancelled):
        asked.machine().report(CancelToken())
    assert asked.record.speed(4) is None
