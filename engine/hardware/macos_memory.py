"""Main memory as macOS tells of it: page counts of the kernel, pressure level, swap.

psutil counts inactive pages as available, which they are not; so the counts are read here.
`parse_*` are pure. Facts: mach/vm_statistics.h, sys/sysctl.h (struct xsw_usage).
"""

import ctypes
import struct
from dataclasses import dataclass
from functools import cache
from typing import Any

from engine.hardware.sysctl import integer, read_raw
from engine.types.hardware import Memory, Pressure

_HOST_VM_INFO64 = 4
_STATISTICS = struct.Struct("=4I9Q2I4Q4IQ")
"""struct vm_statistics64 up to total_uncompressed_pages_in_compressor: 152 bytes."""
_SWAP = struct.Struct("=3Q2I")
_LEVELS = {1: Pressure.NONE, 2: Pressure.WARN, 4: Pressure.CRITICAL}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pages:
    """Counts of pages that decide what can be had without swapping."""

    active: int
    inactive: int
    speculative: int
    wired: int
    compressor: int
    purgeable: int
    external: int
    """Backed by files: dropped at need."""

    @property
    def used(self) -> int:
        held = self.active + self.inactive + self.speculative + self.wired + self.compressor
        return max(0, held - self.purgeable - self.external)


def parse_statistics(data: bytes) -> Pages | None:
    if len(data) < _STATISTICS.size:
        return None
    values = _STATISTICS.unpack_from(data)
    return Pages(
        active=values[1],
        inactive=values[2],
        wired=values[3],
        purgeable=values[13],
        speculative=values[14],
        compressor=values[19],
        external=values[21],
    )


def parse_swap(data: bytes | None) -> tuple[int, int]:
    """(total, free) bytes of vm.swapusage."""
    if data is None or len(data) < _SWAP.size:
        return 0, 0
    total, available, *_ = _SWAP.unpack_from(data)
    return total, min(total, available)


def parse_level(value: int | None) -> Pressure:
    """kern.memorystatus_vm_pressure_level: 1, 2 or 4."""
    return _LEVELS.get(value or 1, Pressure.NONE)


def build_mac_memory(
    total_bytes: int,
    pages: Pages | None,
    page_bytes: int,
    *,
    swap: tuple[int, int] = (0, 0),
    pressure: Pressure = Pressure.NONE,
) -> Memory:
    """Without page counts half of it is assumed to be free."""
    available = total_bytes // 2 if pages is None else total_bytes - pages.used * page_bytes
    return Memory(
        total_bytes=total_bytes,
        available_bytes=min(total_bytes, max(0, available)),
        swap_total_bytes=swap[0],
        swap_free_bytes=swap[1],
        pressure=pressure,
    )


def read_mac_memory() -> Memory:
    pages, page_bytes = _read_pages()
    return build_mac_memory(
        integer(read_raw("hw.memsize")) or 0,
        pages,
        page_bytes,
        swap=parse_swap(read_raw("vm.swapusage")),
        pressure=parse_level(integer(read_raw("kern.memorystatus_vm_pressure_level"))),
    )


@cache
def _host() -> ctypes.c_uint:
    """Asked once: every answer is a reference that would have to be given back."""
    libc: Any = ctypes.CDLL(None)
    return ctypes.c_uint(libc.mach_host_self())


def _read_pages() -> tuple[Pages | None, int]:
    libc: Any = ctypes.CDLL(None)
    host = _host()
    page_bytes = ctypes.c_size_t(0)
    libc.host_page_size(host, ctypes.byref(page_bytes))
    buffer = ctypes.create_string_buffer(_STATISTICS.size)
    count = ctypes.c_uint(_STATISTICS.size // 4)
    failed = libc.host_statistics64(host, _HOST_VM_INFO64, buffer, ctypes.byref(count))
    return (None if failed else parse_statistics(buffer.raw)), page_bytes.value
