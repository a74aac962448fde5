"""How much a plan may take of each memory pool, after reserves for everybody else.

One ledger: main memory and a device that shares it are counted together. Pure. Less memory never
gives a larger budget. Reserves are engine.md §4.2's, found in how others' plans failed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.planner.threads import threads_for
from engine.types.hardware import Device, DeviceKind, HardwareReport, Memory, System

MIB = 1 << 20
RAM = "ram"
"""The name of main memory's pool."""

_KNOWN_MOST_BYTES = 1 << 46
"""A device with more than this free is lying (unsigned underflow, llama.cpp PR 20858)."""
_UNKNOWN_FREE_SHARE = 0.85
_CARVE_OUT_RESERVE_BYTES = 256 * MIB
_SHARED_SHARE = 0.9
_SMALL_TOTAL_SHARE = 0.25
"""Reserves are meant for whole machines. Of a small one, or a small cgroup, they leave 3/4."""
_COMMIT_SHARE = 0.8
_WINDOWS_COMMIT_RESERVE_BYTES = 2048 * MIB
_COMMIT_RESERVE_BYTES = 256 * MIB
_ADDRESS_RESERVE_BYTES = 320 * MIB
"""Measured under `ulimit -v`: libraries 45 MiB, a transient arena 64, our own threads 216."""
_ADDRESS_PER_THREAD_BYTES = 72 * MIB
"""glibc: 8 MiB of stack and 64 of arena (measured with 1, 2 and 4 threads)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reserve:
    least_mib: int
    share: float

    def of(self, total_bytes: int) -> int:
        return max(self.least_mib * MIB, int(total_bytes * self.share))


_RAM_RESERVES = {
    System.LINUX: _Reserve(least_mib=1536, share=0.12),
    System.WINDOWS: _Reserve(least_mib=2048, share=0.12),
    System.MACOS: _Reserve(least_mib=2560, share=0.20),
}
_NO_SWAP_SHARE = 0.15
_CUDA_LINUX = _Reserve(least_mib=512, share=0.05)
_VULKAN_LINUX = _Reserve(least_mib=640, share=0.06)
_WINDOWS_GPU = _Reserve(least_mib=768, share=0.08)
_DISPLAY_BYTES = 300 * MIB
"""A desktop will take this of a CUDA card that looks empty."""
_METAL_RESERVE_BYTES = 1024 * MIB


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """What a plan may take. `device_bytes` are each device's own bounds. With `shared` devices
    everything beyond `apart_bytes` (a carve-out) comes out of `ram_bytes` as well.

    `anonymous_bytes` bounds what is not a mapped file, `address_bytes` all that is mapped.
    """

    ram_bytes: int
    device_bytes: tuple[int, ...] = ()
    shared: bool = False
    apart_bytes: int = 0
    anonymous_bytes: int | None = None
    address_bytes: int | None = None
    limited: bool = False
    """A limit from outside (cgroup, ulimit) is what counts."""


def ledger(report: HardwareReport, devices: Sequence[Device] = (), threads: int = 1) -> Ledger:
    """The budgets for running on `devices`, or without them on the processor alone."""
    memory = report.memory
    shared = any(device.kind is not DeviceKind.GPU for device in devices)
    metal = any(device.backend == "metal" for device in devices)
    ram = _metal_ram(memory) if metal else ram_budget(report)
    address = _address(memory, threads)
    cgroup = memory.limit_bytes is not None and memory.limit_bytes < memory.total_bytes
    return Ledger(
        ram_bytes=ram,
        device_bytes=tuple(device_budget(report, device, ram) for device in devices),
        shared=shared,
        apart_bytes=sum(_carve_out(device) for device in devices) if shared else 0,
        anonymous_bytes=_anonymous(report),
        address_bytes=address,
        limited=cgroup or (address is not None and address < ram),
    )


def ram_budget(report: HardwareReport) -> int:
    """Main memory for a model that the processor runs."""
    memory = report.memory
    budget = _available(memory) - _ram_reserve(report)
    if report.system is System.WINDOWS and memory.commit_left_bytes is not None:
        reserve = _bounded(_WINDOWS_COMMIT_RESERVE_BYTES, _whole(memory))
        budget = min(budget, memory.commit_left_bytes - reserve)
    return max(budget, 0)


def device_budget(report: HardwareReport, device: Device, ram_bytes: int) -> int:
    """What one device may hold. `ram_bytes` bounds the part of it that main memory lends."""
    total = max(device.total_bytes or 0, 0)
    free = _free(device)
    if device.backend == "metal":
        budget = min(total - _METAL_RESERVE_BYTES, free)
    elif device.kind is DeviceKind.GPU:
        budget = _card(report.system, device.backend, total, free)
    elif device.dedicated_bytes:
        unused = max(device.dedicated_bytes - device.dedicated_used_bytes, 0)
        budget = _carve_out(device) + min(max(free - unused, 0), ram_bytes)
    else:
        budget = min(int(free * _SHARED_SHARE), ram_bytes)
    return max(budget, 0)


def ram_room(report: HardwareReport) -> int:
    """What the processor alone may use of main memory, limits from outside included."""
    room = ledger(report, threads=threads_for(report.cpu))
    return room.ram_bytes if room.address_bytes is None else min(room.ram_bytes, room.address_bytes)


def device_room(report: HardwareReport, devices: Sequence[Device]) -> int:
    """What all `devices` together may hold."""
    room = ledger(report, devices)
    together = sum(room.device_bytes)
    return min(together, room.ram_bytes + room.apart_bytes) if room.shared else together


def after_freeing(report: HardwareReport, freed: Sequence[tuple[str, int]]) -> HardwareReport:
    """The machine once what is loaded now has been given back."""
    given = {name: size for name, size in freed if size > 0}
    if not given:
        return report
    devices = tuple(_returned(device, given.get(device.name, 0)) for device in report.devices)
    lent = sum(
        max(given.get(device.name, 0) - device.dedicated_used_bytes, 0)
        for device in report.devices
        if device.kind is not DeviceKind.GPU
    )
    memory = _grown(report.memory, given.get(RAM, 0) + lent)
    return replace(report, memory=memory, devices=devices)


def _returned(device: Device, size_bytes: int) -> Device:
    if device.free_bytes is None or not size_bytes:
        return device
    used = max(device.dedicated_used_bytes - size_bytes, 0)
    most = max(device.total_bytes or 0, device.free_bytes)
    free = min(device.free_bytes + size_bytes, most)
    return replace(device, free_bytes=free, dedicated_used_bytes=used)


def _grown(memory: Memory, size_bytes: int) -> Memory:
    def more(left: int | None) -> int | None:
        return None if left is None else left + size_bytes

    return replace(
        memory,
        available_bytes=memory.available_bytes + size_bytes,
        address_space_left_bytes=more(memory.address_space_left_bytes),
        commit_left_bytes=more(memory.commit_left_bytes),
    )


def _whole(memory: Memory) -> int:
    """The size of the machine, or of the cgroup we live in."""
    total = max(memory.total_bytes, 0)
    return total if memory.limit_bytes is None else min(total, max(memory.limit_bytes, 0))


def _available(memory: Memory) -> int:
    """What is said to be available, but never more than there is."""
    return max(min(memory.available_bytes, _whole(memory)), 0)


def _bounded(reserve_bytes: int, whole_bytes: int) -> int:
    return min(reserve_bytes, int(whole_bytes * _SMALL_TOTAL_SHARE))


def _ram_reserve(report: HardwareReport) -> int:
    whole = _whole(report.memory)
    reserve = _RAM_RESERVES[report.system].of(whole)
    if report.system is System.LINUX and report.memory.swap_total_bytes <= 0:
        reserve = max(reserve, int(whole * _NO_SWAP_SHARE))
    return _bounded(reserve, whole)


def _metal_ram(memory: Memory) -> int:
    """Memory wired for the GPU can not be swapped: macOS and its programs need the rest. 8 GB
    Macs leave 4 GiB, 16 GB ones 5, larger ones 4; live available memory bounds all."""
    total = max(memory.total_bytes, 0)
    left = total - 4096 * MIB
    if total <= 16384 * MIB:
        left = min(left, max(4096 * MIB, total - 5120 * MIB))
    return max(min(left, _available(memory)), 0)


def _anonymous(report: HardwareReport) -> int | None:
    """Memory that is no mapped file has to be promised by the system first."""
    left = report.memory.commit_left_bytes
    if left is None:
        return None
    return max(min(int(left * _COMMIT_SHARE), left - _COMMIT_RESERVE_BYTES), 0)


def _address(memory: Memory, threads: int) -> int | None:
    left = memory.address_space_left_bytes
    if left is None:
        return None
    return max(left - _ADDRESS_RESERVE_BYTES - threads * _ADDRESS_PER_THREAD_BYTES, 0)


def _free(device: Device) -> int:
    """Free bytes as reported; a share of the total where they can not be true."""
    total = max(device.total_bytes or 0, 0)
    free = device.free_bytes
    if free is None or free > min(total, _KNOWN_MOST_BYTES):
        return int(min(total, _KNOWN_MOST_BYTES) * _UNKNOWN_FREE_SHARE)
    return max(free, 0)


def _card(system: System, backend: str, total: int, free: int) -> int:
    if system is System.WINDOWS:
        return free - _WINDOWS_GPU.of(total)
    if backend == "cuda":
        return min(free, total - _DISPLAY_BYTES) - _CUDA_LINUX.of(total)
    return free - _VULKAN_LINUX.of(total)


def _carve_out(device: Device) -> int:
    """What is left of memory that the firmware gave to the device alone."""
    unused = device.dedicated_bytes - device.dedicated_used_bytes
    return max(unused - _CARVE_OUT_RESERVE_BYTES, 0)
