"""Machines for tests: the recorded ones, and plain ones with any memory and cards."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from engine.hardware.machines import report_of
from engine.types.hardware import Cpu, Device, DeviceKind, HardwareReport, Memory, System

MIB = 1 << 20
GIB = 1 << 30
FILE = Path(__file__).parent / "data" / "machines.json"
ENTRIES: Mapping[str, dict[str, object]] = {
    entry["id"]: entry for entry in json.loads(FILE.read_text(encoding="utf-8"))["machines"]
}
RECORDED: Mapping[str, HardwareReport] = {name: report_of(entry) for name, entry in ENTRIES.items()}


def machine(
    total_gib: float = 16,
    available_gib: float | None = None,
    devices: Sequence[Device] = (),
    *,
    system: System = System.LINUX,
    cores: int = 4,
    architecture: str = "x86_64",
) -> HardwareReport:
    """A plain computer with swap, 65 % of its memory available unless said otherwise."""
    total = int(total_gib * GIB)
    available = total * 0.65 if available_gib is None else available_gib * GIB
    return HardwareReport(
        system=system,
        cpu=Cpu(
            name="Some processor",
            architecture=architecture,
            physical_cores=cores,
            performance_cores=cores,
            logical_cores=cores,
            usable_cores=cores,
        ),
        memory=Memory(total_bytes=total, available_bytes=int(available), swap_total_bytes=8 * GIB),
        devices=tuple(devices),
    )


def card(
    total_gib: float = 8,
    free_gib: float | None = None,
    *,
    backend: str = "cuda",
    number: int = 0,
    description: str = "NVIDIA GeForce RTX 4060",
    **more: object,
) -> Device:
    """A card with memory of its own; all but 0.5 GiB free unless said otherwise."""
    free = max(total_gib - 0.5, 0) if free_gib is None else free_gib
    device = Device(
        backend=backend,
        name=f"{backend.upper()}{number}",
        description=description,
        kind=DeviceKind.GPU,
        total_bytes=int(total_gib * GIB),
        free_bytes=int(free * GIB),
    )
    return replace(device, **more)  # type: ignore[arg-type]


def integrated(
    total_gib: float = 8,
    free_gib: float | None = None,
    *,
    backend: str = "vulkan",
    description: str = "AMD Radeon 780M (RADV PHOENIX)",
    **more: object,
) -> Device:
    """A device that shares the machine's memory."""
    device = card(total_gib, free_gib, backend=backend, description=description)
    return replace(device, kind=DeviceKind.IGPU, **more)  # type: ignore[arg-type]


def with_available(report: HardwareReport, available_bytes: int) -> HardwareReport:
    return replace(report, memory=replace(report.memory, available_bytes=available_bytes))


def with_free(report: HardwareReport, *free_bytes: int | None) -> HardwareReport:
    """The same devices with other free memory."""
    devices = tuple(
        replace(device, free_bytes=free)
        for device, free in zip(report.devices, free_bytes, strict=True)
    )
    return replace(report, devices=devices)
