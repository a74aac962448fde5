"""A report is made whatever the probe child does, and this machine's one is sound."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BackendUnusable, EngineCrashed, EngineError, EngineTimedOut, OutOfMemory
from engine.hardware.claims import Rubbish, backend_name, parse_answer
from engine.hardware.cpu import read_cpu
from engine.hardware.memory import read_memory
from engine.hardware.probe import read_report
from engine.types.backends import BackendProblem, BackendState
from engine.types.hardware import DeviceKind, DeviceProblem, HardwareReport

GIB = 1 << 30
CARD = {
    "backend": "Vulkan", "name": "Vulkan0", "description": "AMD Radeon RX 9060 XT",
    "kind": "gpu", "total_bytes": 16 * GIB, "free_bytes": 15 * GIB, "id": "0000:03:00.0",
    "supports_mmap": False,
}  # fmt: skip


class Children:
    """Answers for the probe children: a value, or an error to raise, by backend."""

    def __init__(self, **answers):
        self.answers = answers
        self.asked = []

    def __call__(self, role, argument, *, timeout_s):
        self.asked.append((role, argument["backend"], timeout_s))
        answer = self.answers[argument["backend"]]
        if isinstance(answer, Exception):
            raise answer
        return answer


def report(**answers) -> HardwareReport:
    return read_report(tuple(answers), run_role=Children(**answers))


def test_what_a_child_found_is_in_the_report():
    (device,) = report(vulkan={"devices": [CARD]}).devices
    assert (device.backend, device.name, device.kind) == ("vulkan", "Vulkan0", DeviceKind.GPU)
    assert (device.total_bytes, device.free_bytes) == (16 * GIB, 15 * GIB)
    assert not device.supports_mmap


def test_every_backend_is_asked_in_a_child_of_its_own():
    children = Children(cpu={"devices": []}, vulkan={"devices": [CARD]}, cuda={"devices": []})
    read_report(("cpu", "vulkan", "cuda"), run_role=children, timeout_s=3.0)
    assert children.asked == [("probe", name, 3.0) for name in ("cpu", "vulkan", "cuda")]


@pytest.mark.parametrize(
    ("failure", "problem"),
    [
        (EngineCrashed("SIGSEGV", "probe"), DeviceProblem.PROBE_CRASHED),
        (EngineCrashed("SIGILL", "probe"), DeviceProblem.PROBE_CRASHED),
        (EngineTimedOut("probe", 30.0), DeviceProblem.PROBE_TIMED_OUT),
        (OutOfMemory("MemoryError"), DeviceProblem.PROBE_CRASHED),
        (EngineError("x"), DeviceProblem.PROBE_CRASHED),
        (OSError(12, "no memory for a child"), DeviceProblem.PROBE_CRASHED),
        (RuntimeError("can't start new thread"), DeviceProblem.PROBE_CRASHED),
        (MemoryError(), DeviceProblem.PROBE_CRASHED),
        ({}, DeviceProblem.PROBE_CRASHED),
        ({"devices": "none"}, DeviceProblem.PROBE_CRASHED),
        ({"devices": [7]}, DeviceProblem.PROBE_CRASHED),
        ({"devices": [CARD | {"total_bytes": "much"}]}, DeviceProblem.PROBE_CRASHED),
        ({"devices": [CARD | {"total_bytes": 1.5}]}, DeviceProblem.PROBE_CRASHED),
        ({"devices": [CARD | {"name": None}]}, DeviceProblem.PROBE_CRASHED),
        ({"devices": [CARD] * 1000}, DeviceProblem.PROBE_CRASHED),
    ],
)
def test_pitfall_58_a_child_that_fails_becomes_a_device_with_a_problem(failure, problem):
    found = report(cuda=failure, vulkan={"devices": [CARD]}).devices
    assert [(device.backend, device.problem) for device in found] == [
        ("cuda", problem),
        ("vulkan", None),
    ]


def test_pitfall_59_an_engine_that_can_not_start_is_told_of():
    """The CPU's own child died of an illegal instruction."""
    (device,) = report(cpu=EngineCrashed("SIGILL", "probe")).devices
    assert (device.backend, device.problem) == ("cpu", DeviceProblem.PROBE_CRASHED)


READY, MISSING, FAILED = BackendState.READY, BackendState.MISSING, BackendState.FAILED


def told(**answers) -> dict[str, tuple[BackendState, BackendProblem | None, str]]:
    return {b.backend: (b.state, b.problem, b.detail) for b in report(**answers).backends}


def test_each_backend_that_was_asked_is_told_of():
    assert told(
        vulkan={"devices": [CARD]},
        metal={"devices": []},
        cuda=EngineCrashed("SIGABRT", "probe", "CUDA error"),
        rocm=EngineTimedOut("probe", 30.0),
    ) == {
        "cpu": (READY, None, ""),
        "vulkan": (READY, None, ""),
        "metal": (MISSING, BackendProblem.NO_DEVICE, ""),
        "cuda": (FAILED, BackendProblem.CRASHED, "SIGABRT while probe\nCUDA error"),
        "rocm": (FAILED, BackendProblem.TIMED_OUT, "no answer for 30 s while probe"),
    }


def test_whoever_answers_names_the_processors_variant():
    (cpu, _) = report(vulkan={"devices": [], "variant": "haswell"}).backends
    assert (cpu.backend, cpu.state, cpu.variant) == ("cpu", READY, "haswell")
    (cpu, _) = report(vulkan={"devices": [], "variant": 7}).backends
    assert cpu.variant == ""


def test_a_plugin_that_can_not_be_loaded_is_no_device_that_failed():
    error = BackendUnusable("vulkan", "not_loadable", "libvulkan.so.1: cannot open")
    found = report(vulkan=error)
    assert found.devices == ()
    (vulkan,) = found.backends
    assert (vulkan.state, vulkan.problem) == (FAILED, BackendProblem.NOT_LOADABLE)
    assert vulkan.detail == "libvulkan.so.1: cannot open"
    assert told(vulkan=BackendUnusable("vulkan", "whatever"))["vulkan"][:2] == (
        FAILED,
        BackendProblem.NOT_LOADABLE,
    )


def test_without_a_part_for_this_processor_there_is_no_engine():
    found = report(vulkan=BackendUnusable("cpu", "not_installed", "none of 14"))
    assert [(d.backend, d.problem) for d in found.devices] == [("cpu", DeviceProblem.PROBE_CRASHED)]
    assert [(b.backend, b.problem) for b in found.backends] == [
        ("cpu", BackendProblem.NOT_INSTALLED)
    ]


def test_a_second_opinion_of_the_child_is_used():
    said = {"id": "0000:03:00.0", "dedicated_bytes": 16 * GIB, "free_bytes": GIB, "driver": "D"}
    (device,) = report(vulkan={"devices": [CARD], "opinions": [said]}).devices
    assert (device.free_bytes, device.driver) == (GIB, "D")


def test_processors_are_no_devices():
    cpu = {"backend": "CPU", "name": "CPU", "kind": "cpu", "total_bytes": 1, "free_bytes": 1}
    assert report(cpu={"devices": [cpu], "opinions": []}).devices == ()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["devices", "opinions", *CARD]), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(json_values)
def test_any_answer_is_understood_or_refused(answer):
    try:
        claims, opinions = parse_answer(answer)
    except Rubbish:
        return
    assert len(claims) + len(opinions) <= 128


@pytest.mark.parametrize(
    ("reported", "name"),
    [("CUDA", "cuda"), ("MTL", "metal"), ("HIP", "rocm"), ("ROCm", "rocm"), ("Vulkan", "vulkan")],
)
def test_names_of_backends(reported, name):
    assert backend_name(reported) == name


def test_this_processor():
    cpu = read_cpu()
    assert cpu.architecture in ("x86_64", "arm64")
    assert 1 <= cpu.usable_cores <= cpu.physical_cores <= cpu.logical_cores
    assert 1 <= cpu.performance_cores <= cpu.physical_cores
    json.dumps(sorted(cpu.features))


def test_this_memory():
    memory = read_memory()
    assert memory.total_bytes > 1 << 28
    assert 0 < memory.available_bytes <= memory.total_bytes


def failing():
    raise OSError("forbidden")


def test_a_system_that_refuses_is_counted_by_other_means(monkeypatch):
    monkeypatch.setattr("engine.hardware.memory._READERS", dict.fromkeys("x", failing))
    monkeypatch.setattr("engine.hardware.memory.this_system", lambda: "x")
    monkeypatch.setattr("engine.hardware.cpu._READERS", dict.fromkeys("x", failing))
    monkeypatch.setattr("engine.hardware.cpu.this_system", lambda: "x")
    assert read_memory().total_bytes > 1 << 28
    assert read_cpu().usable_cores >= 1
