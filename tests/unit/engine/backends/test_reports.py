"""Every backend of a system is told of, with the right reason."""

from dataclasses import replace
from pathlib import Path

import pytest

from engine.backends.reports import Findings, complete
from engine.types.backends import (
    BackendProblem,
    BackendReport,
    BackendState,
    Origin,
    Plugin,
)
from engine.types.hardware import Device, DeviceKind, DeviceProblem, System
from tests.machines import machine

READY, MISSING, FAILED = BackendState.READY, BackendState.MISSING, BackendState.FAILED
CARD = Device(
    backend="vulkan",
    name="Vulkan0",
    description="A card",
    kind=DeviceKind.GPU,
    total_bytes=1 << 33,
    free_bytes=None,
)
VULKAN = Plugin(
    backend="vulkan", path=Path("/lib/v.so"), origin=Origin.BUILT_IN, build_id="our-build"
)
PACK = Plugin(backend="cuda", path=Path("/packs/c.so"), origin=Origin.PACK, build_id="another")
PROCESSOR = BackendReport(backend="cpu", state=READY, variant="haswell")
TOLD = BackendReport(backend="vulkan", state=READY)


def of(name: str, findings: Findings, *devices: Device, told: BackendReport | None = TOLD):
    asked = (PROCESSOR,) if told is None else (PROCESSOR, told)
    report = replace(machine(devices=devices), backends=asked)
    (found,) = [backend for backend in complete(report, findings) if backend.backend == name]
    return found


@pytest.mark.parametrize(
    ("system", "architecture", "names"),
    [
        (System.LINUX, "x86_64", ["cpu", "vulkan", "cuda"]),
        (System.WINDOWS, "x86_64", ["cpu", "vulkan", "cuda"]),
        (System.MACOS, "arm64", ["cpu", "metal"]),
    ],
)
def test_a_machine_that_was_not_asked_tells_of_all_backends_of_its_system(
    system, architecture, names
):
    found = complete(machine(system=system, architecture=architecture), Findings())
    assert [backend.backend for backend in found] == names
    assert [backend.state for backend in found] == [READY, *([MISSING] * (len(names) - 1))]
    assert {b.problem for b in found[1:]} == {BackendProblem.NOT_INSTALLED}


def test_an_old_mac_is_told_that_there_is_nothing_for_it():
    _, metal = complete(machine(system=System.MACOS), Findings())
    assert (metal.state, metal.problem) == (MISSING, BackendProblem.NOT_FOR_THIS_SYSTEM)


def test_the_processor_keeps_what_was_told_of_it():
    assert of("cpu", Findings()) == PROCESSOR


def test_a_device_that_works_makes_its_backend_ready():
    assert of("vulkan", Findings(approved=[VULKAN]), CARD).state is READY
    twin = replace(CARD, problem=DeviceProblem.DUPLICATE)
    assert of("vulkan", Findings(approved=[VULKAN]), twin).state is READY


@pytest.mark.parametrize(
    ("problem", "state", "expected"),
    [
        (DeviceProblem.WRONG_ANSWER, FAILED, BackendProblem.WRONG_ANSWER),
        (DeviceProblem.PROBE_CRASHED, FAILED, BackendProblem.CRASHED),
        (DeviceProblem.PROBE_TIMED_OUT, FAILED, BackendProblem.TIMED_OUT),
        (DeviceProblem.SOFTWARE_RENDERER, MISSING, BackendProblem.NO_DEVICE),
        (DeviceProblem.NO_MEMORY, MISSING, BackendProblem.NO_DEVICE),
    ],
)
def test_the_problem_of_its_only_device_is_the_backends(problem, state, expected):
    findings = Findings(approved=[VULKAN], details={"vulkan": "last words"})
    found = of("vulkan", findings, replace(CARD, problem=problem))
    assert (found.state, found.problem, found.detail) == (state, expected, "last words")


def test_one_good_device_is_enough():
    broken = replace(CARD, name="Vulkan1", problem=DeviceProblem.WRONG_ANSWER)
    assert of("vulkan", Findings(approved=[VULKAN]), broken, CARD).state is READY


@pytest.mark.parametrize("problem", [BackendProblem.DENIED, BackendProblem.SLOWER])
def test_a_device_that_is_not_wanted_is_told_of(problem):
    found = of("vulkan", Findings(approved=[VULKAN], against={"vulkan": problem}), CARD)
    assert (found.state, found.problem) == (FAILED, problem)


@pytest.mark.parametrize(
    "problem", [BackendProblem.NOT_LOADABLE, BackendProblem.CRASHED, BackendProblem.TIMED_OUT]
)
def test_a_probe_that_failed_is_told_with_its_words(problem):
    told = replace(TOLD, state=FAILED, problem=problem, detail="libvulkan.so.1: cannot open")
    assert of("vulkan", Findings(approved=[VULKAN]), told=told) == told


def test_a_backend_without_devices_has_none():
    told = replace(TOLD, state=MISSING, problem=BackendProblem.NO_DEVICE)
    assert of("vulkan", Findings(approved=[VULKAN]), told=told) == told


def test_a_plugin_of_another_build_is_named():
    found = of("cuda", Findings(refused=[PACK]))
    assert (found.state, found.problem) == (FAILED, BackendProblem.WRONG_BUILD)
    assert (found.origin, found.detail) == (Origin.PACK, "c.so: another")


def test_a_right_plugin_beside_a_wrong_one_counts():
    wrong = replace(VULKAN, build_id="another")
    assert of("vulkan", Findings(approved=[VULKAN], refused=[wrong]), CARD).problem is None
