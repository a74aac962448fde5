"""The machine is asked and timed once; a bad measurement is not kept."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from engine.child.spawn import run_role
from engine.errors import Cancelled, EngineCrashed
from engine.guard.record import Record
from engine.keeper import machine
from engine.keeper.machine import Machine
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


@pytest.mark.parametrize(
    "speed", [None, replace(SPEED, overhead_s=0.002), replace(SPEED, others_share=0.3)]
)
def test_what_was_measured_on_a_busy_machine_is_not_kept(asked: Asked, speed: Speed | None) -> None:
    asked.speed = speed
    assert asked.machine().report().speed is None
    assert asked.machine().report().speed is None
    assert asked.timed == [4, 4]


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
