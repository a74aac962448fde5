"""`snug hardware`: what this computer has for a model, and what of it is used."""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from app import fitting, logs
from app.cli import backend_words
from app.cli.words import say
from engine.hardware.report_json import to_json
from engine.keeper.machine import was_disturbed
from engine.planner.backends import select_devices
from engine.planner.bandwidths import measured_bytes_per_s
from engine.planner.threads import threads_for
from engine.types.cancel import CancelToken
from engine.types.hardware import (
    Cpu,
    Device,
    DeviceKind,
    DeviceProblem,
    HardwareReport,
    Memory,
    Pressure,
    Speed,
    System,
)
from engine.types.plans import Wishes

_GB = 1 << 30
_TEN_GB = 10 * _GB
_SYSTEMS = {System.LINUX: "Linux", System.MACOS: "macOS", System.WINDOWS: "Windows"}
_BACKENDS = {"cuda": "CUDA", "rocm": "ROCm", "sycl": "SYCL", "opencl": "OpenCL"}
_ENGINE = "cpu"
"""The backend that only shows when the engine itself could not be tried."""


def run(arguments: argparse.Namespace) -> int:
    """Devices are always asked for, unlike in a load. The form for scripts holds all that `snug
    fit` goes by, so a speed that was never measured is now; people need not wait for it."""
    logs.start(arguments.paths)
    machine = fitting.machine(arguments.paths, fitting.record(arguments.paths))
    report = machine.look()
    if arguments.json:
        speed = machine.speed(report.cpu, CancelToken())
        say(json.dumps(to_json(replace(report, speed=speed)), ensure_ascii=False))
    else:
        say(page(replace(report, speed=machine.known_speed(report.cpu))))
    return 0


def page(report: HardwareReport) -> str:
    """The report for people."""
    parts = [
        ("System", [_SYSTEMS[report.system]]),
        ("Processor", [*_processor(report.cpu), _speed(report.speed)]),
        ("Memory", _memory(report.memory)),
        ("Graphics", _graphics(report)),
        ("Backends", list(backend_words.lines(report))),
    ]
    lines = [line for title, texts in parts for line in _rows(title, texts)]
    return "\n".join(lines)


def _rows(title: str, texts: Sequence[str]) -> Iterator[str]:
    for index, text in enumerate(texts):
        yield f"{'' if index else title:10} {text}".rstrip()


def _processor(cpu: Cpu) -> list[str]:
    lines = [f"{cpu.name or 'unknown'} ({cpu.architecture})", _cores(cpu), _used(cpu)]
    if cpu.emulated:
        lines.append("Snug runs as a program for another processor; the native one is faster.")
    if cpu.features:
        lines.append(f"can do: {', '.join(sorted(cpu.features))}")
    return lines


def _cores(cpu: Cpu) -> str:
    counts = [_count(cpu.physical_cores, "core")]
    if cpu.performance_cores < cpu.physical_cores:
        counts.append(f"{cpu.performance_cores} of them fast")
    if cpu.logical_cores != cpu.physical_cores:
        counts.append(_count(cpu.logical_cores, "thread"))
    return ", ".join(counts)


def _used(cpu: Cpu) -> str:
    """How many threads a model gets, and which of the possible reasons decided."""
    threads = threads_for(cpu)
    limited = cpu.usable_cores < cpu.performance_cores
    if limited and threads == cpu.usable_cores:
        why = "this program may use no more"
    elif threads < min(cpu.usable_cores, cpu.performance_cores):
        why = "the rest is left to other programs"
    elif cpu.performance_cores < cpu.physical_cores:
        why = "the slow ones would hold the others up"
    else:
        why = "one thread for each core is fastest"
    return f"a model uses {_count(threads, 'core')}: {why}"


def _speed(speed: Speed | None) -> str:
    rate = measured_bytes_per_s(speed) if speed else 0.0
    if speed is None or not rate:
        return "its speed is not measured yet"
    shown = f"{rate / _GB:.0f}" if rate >= _TEN_GB else f"{rate / _GB:.1f}"
    line = f"reads about {shown} GB of weights a second"
    return f"{line}, or more: it was busy when measured" if was_disturbed(speed) else line


def _memory(memory: Memory) -> list[str]:
    lines = [f"{_gb(memory.total_bytes)}, {_gb(memory.available_bytes)} of it free"]
    if memory.limit_bytes is not None:
        lines.append(f"this program may use {_gb(memory.limit_bytes)} (a limit set from outside)")
    if memory.address_space_left_bytes is not None:
        left = _gb(memory.address_space_left_bytes)
        lines.append(f"it may address {left} more (a limit set with ulimit)")
    if memory.commit_left_bytes is not None:
        lines.append(f"the system promises programs {_gb(memory.commit_left_bytes)} more")
    lines.append(_swap(memory))
    if memory.pressure is not Pressure.NONE:
        lines.append(_pressure(memory.pressure))
    return lines


def _swap(memory: Memory) -> str:
    if not memory.swap_total_bytes:
        return "no swap space"
    return f"swap space: {_gb(memory.swap_total_bytes)}, {_gb(memory.swap_free_bytes)} of it free"


def _pressure(pressure: Pressure) -> str:
    if pressure is Pressure.CRITICAL:
        return "Memory is full: programs wait for it."
    return "Memory is nearly full: programs begin to wait for it."


def _graphics(report: HardwareReport) -> list[str]:
    devices = [device for device in report.devices if device.backend != _ENGINE]
    failed = [device for device in report.devices if device.backend == _ENGINE and device.problem]
    used = select_devices(report, Wishes()).devices
    lines = [line for device in devices for line in _device(device, used)]
    lines += ["The engine did not start when it was tried." for _ in failed[:1]]
    return lines or ["no device that this Snug can use; models run on the processor"]


def _device(device: Device, used: Sequence[Device]) -> list[str]:
    name = device.description or device.name
    backend = _BACKENDS.get(device.backend, device.backend.capitalize())
    return [f"{name} ({backend}){_sizes(device)}", f"  {_state(device, used)}"]


def _sizes(device: Device) -> str:
    if not device.total_bytes:
        return ""
    free = "" if device.free_bytes is None else f", {_gb(device.free_bytes)} of it free"
    if device.kind is DeviceKind.GPU:
        return f": {_gb(device.total_bytes)} of its own{free}"
    own = f", {_gb(device.dedicated_bytes)} set aside for it" if device.dedicated_bytes else ""
    return f": up to {_gb(device.total_bytes)}, shared with the processor{own}{free}"


def _state(device: Device, used: Sequence[Device]) -> str:
    if device in used:
        return "ready; models run on it first"
    if device.problem is None:
        return "works, but models run better elsewhere on this computer"
    return _problem(device.problem)


def _problem(problem: DeviceProblem) -> str:
    match problem:
        case DeviceProblem.PROBE_CRASHED:
            return "not used: its driver stopped when it was tried"
        case DeviceProblem.PROBE_TIMED_OUT:
            return "not used: its driver gave no answer in time"
        case DeviceProblem.NO_MEMORY:
            return "not used: it reports no memory"
        case DeviceProblem.SOFTWARE_RENDERER:
            return "not used: it is a program that imitates a graphics card"
        case DeviceProblem.DUPLICATE:
            return "not needed: another entry is the same card"
        case DeviceProblem.WRONG_ANSWER:
            return "not used: it answers something else than the processor does"
        case _:
            assert_never(problem)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _gb(size_bytes: int) -> str:
    """Rounded down, so that nobody is promised too much; small sizes in MB."""
    if size_bytes < _GB:
        return f"{size_bytes // (1 << 20)} MB"
    return f"{size_bytes * 10 // _GB / 10:.1f} GB"
