"""The machine is asked and timed once; a bad measurement is a lower bound."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from engine.child.spawn import run_role
from engine.errors import Cancelled, EngineCrashed
from engine.guard.record import Record
from engine.keeper import machine
from engine.keeper.devices import DeviceSearch
from engine.keeper.machine import Machine
from engine.keeper.trials import Trials
from engine.planner.bandwidths import GUESSED_NODE_S, processor_bytes_per_s
from engine.types.backends import (
    BackendProblem,
    BackendReport,
    BackendState,
    DeviceTrial,
    Outcome,
    Plugin,
)
from engine.types.cancel import CancelToken
from engine.types.hardware import (
    Cpu,
    Device,
    DeviceKind,
    DeviceProblem,
    HardwareReport,
    Memory,
    Speed,
    System,
)

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


PASSED = DeviceTrial(outcome=Outcome.PASSED)
WRONG = DeviceTrial(outcome=Outcome.WRONG_ANSWER, detail="token 3 instead of 4")


class Asked:
    """Counts what the machine is asked."""

    def __init__(self, folder: Path) -> None:
        self.record = Record(folder / "lessons.json", "build")
        self.reads: list[tuple[str, ...]] = []
        self.timed: list[int] = []
        self.report = REPORT
        self.speed: Speed | None = SPEED
        self.cancel_while_timing = False
        self.found = 0
        self.drivers = "none"
        self.tried: list[str] = []
        self.trial = PASSED
        self.now_s = 0.0

    def _read(self, backends: Sequence[str], cancel: CancelToken) -> HardwareReport:
        self.reads.append(tuple(backends))
        return self.report

    def _measure(self, threads: int, cancel: CancelToken) -> Speed | None:
        self.timed.append(threads)
        if self.cancel_while_timing:
            cancel.cancel()
        return self.speed

    def _find(self) -> tuple[Plugin, ...]:
        self.found += 1
        return ()

    def _try(self, device: Device, *_: object) -> DeviceTrial:
        self.tried.append(device.name)
        return self.trial

    def machine(self) -> Machine:
        search = DeviceSearch(
            self.record,
            find=self._find,
            read=self._read,
            trials=Trials(self.record, try_device=self._try),
            drivers=lambda: self.drivers,
        )
        return Machine(
            self.record,
            search,
            memory=lambda: NOW,
            measure=self._measure,
            clock=lambda: self.now_s,
        )


@pytest.fixture
def asked(tmp_path: Path) -> Asked:
    return Asked(tmp_path)


def test_memory_is_fresh_and_the_rest_known(asked: Asked) -> None:
    mine = asked.machine()
    report = mine.report()
    assert replace(report, backends=()) == replace(REPORT, memory=NOW, speed=SPEED)
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


# --- devices prove themselves -------------------------------------------------------------------


def test_a_device_proves_itself_once_for_each_driver(asked: Asked) -> None:
    asked.report = replace(REPORT, devices=(CARD,))
    for asked.drivers in ("old", "old", "new"):
        (vulkan,) = of_devices(asked.machine().report())
        assert (vulkan.state, vulkan.problem) == (BackendState.READY, None)
    assert asked.tried == ["Vulkan0", "Vulkan0"]


def test_a_device_that_computes_rubbish_is_left_out_and_not_tried_again(asked: Asked) -> None:
    asked.report, asked.trial = replace(REPORT, devices=(CARD,)), WRONG
    for _ in range(3):
        report = asked.machine().report()
        assert [device.problem for device in report.devices] == [DeviceProblem.WRONG_ANSWER]
        (vulkan,) = of_devices(report)
        assert (vulkan.problem, vulkan.detail) == (BackendProblem.WRONG_ANSWER, WRONG.detail)
    assert asked.tried == ["Vulkan0"]
    assert asked.reads == [("cpu",), (), ()]


def test_a_new_driver_is_noticed_by_who_found_nothing(asked: Asked) -> None:
    asked.machine().report()
    asked.drivers = "a new one"
    asked.report = replace(REPORT, devices=(CARD,))
    assert asked.machine().report().devices == (CARD,)


def test_a_driver_that_crashes_gets_a_second_chance_and_no_third(asked: Asked) -> None:
    crashed = BackendReport(
        backend="vulkan",
        state=BackendState.FAILED,
        problem=BackendProblem.CRASHED,
        detail="SIGABRT",
    )
    asked.report = replace(REPORT, backends=(crashed,))
    for _ in range(4):
        assert of_devices(asked.machine().report()) == [crashed]
    assert asked.reads == [("cpu",), ("cpu",), (), ()]


def test_after_sleep_devices_are_asked_and_prove_themselves_again(asked: Asked) -> None:
    asked.report = replace(REPORT, devices=(CARD,))
    mine = asked.machine()
    mine.report()
    mine.recheck()
    for _ in range(2):
        assert mine.report().speed == SPEED
    assert (asked.tried, len(asked.reads), asked.timed) == (["Vulkan0"] * 2, 2, [4])
    assert asked.found == 2


def test_who_fails_only_after_sleep_is_well_again_at_the_next_start(asked: Asked) -> None:
    asked.report = replace(REPORT, devices=(CARD,))
    mine = asked.machine()
    mine.report()
    asked.trial = WRONG
    mine.recheck()
    asked.now_s = 60.0
    for _ in range(2):
        assert mine.report().devices[0].problem is DeviceProblem.WRONG_ANSWER
    asked.trial = PASSED
    assert asked.machine().report().devices == (CARD,)
    assert len(asked.tried) == 2


def test_a_person_who_looks_gives_what_failed_another_try(asked: Asked) -> None:
    asked.report, asked.trial = replace(REPORT, devices=(CARD,)), WRONG
    asked.machine().report()
    asked.trial = PASSED
    assert asked.machine().look().devices == (CARD,)
    assert asked.machine().look().devices == (CARD,)
    assert len(asked.tried) == 2
    assert asked.timed == [4]


def test_a_look_that_is_cancelled_keeps_nothing(asked: Asked) -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        asked.machine().look(cancel)
    asked.machine().look()
    assert len(asked.reads) == 2


def of_devices(report: HardwareReport) -> list[BackendReport]:
    """What is told of backends that are there, the processor's aside."""
    told = [backend for backend in report.backends if backend.backend != "cpu"]
    return [b for b in told if b.problem is not BackendProblem.NOT_INSTALLED]


# --- its speed ----------------------------------------------------------------------------------


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
