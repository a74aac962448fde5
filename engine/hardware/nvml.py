"""NVIDIA's management library: memory, driver and capability without a CUDA context.

Bound with ctypes to what the driver installed. Runs in a probe child, since any driver call may
end the process. Facts: nvml.h.
"""

import ctypes
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.hardware.claims import Opinion

_LIBRARIES = {"win32": ("nvml.dll",), "darwin": ()}
_LINUX_LIBRARIES = ("libnvidia-ml.so.1",)
_NAME_BYTES = 96
_VERSION_BYTES = 80
_MOST_CARDS = 64
NVIDIA = "0x10de"


class Memory(ctypes.Structure):
    """nvmlMemory_t."""

    _fields_ = [(name, ctypes.c_uint64) for name in ("total", "free", "used")]


class PciInfo(ctypes.Structure):
    """nvmlPciInfo_t, as nvmlDeviceGetPciInfo_v3 fills it."""

    _fields_ = [
        ("bus_id_legacy", ctypes.c_char * 16),
        ("domain", ctypes.c_uint32),
        ("bus", ctypes.c_uint32),
        ("device", ctypes.c_uint32),
        ("pci_device_id", ctypes.c_uint32),
        ("pci_subsystem_id", ctypes.c_uint32),
        ("bus_id", ctypes.c_char * 32),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One card's answers, as raw as they came; None where a call failed."""

    name: str
    bus_id: str
    memory: tuple[int, int] | None
    """(total, free)."""
    capability: tuple[int, int] | None


def pci_id(text: str) -> str:
    """ "00000000:01:00.0" as "0000:01:00.0", which is how ggml and Linux write it."""
    domain, colon, rest = text.strip().lower().partition(":")
    return f"{domain[-4:].rjust(4, '0')}:{rest}" if colon else ""


def parse_card(card: Card, driver: str, *, trust_free: bool) -> Opinion:
    """`trust_free` False on Windows, where what is used counts promises of all programs."""
    total, free = card.memory or (None, None)
    capability = "" if card.capability is None else f"{card.capability[0]}.{card.capability[1]}"
    return Opinion(
        id=pci_id(card.bus_id),
        description=card.name,
        vendor=NVIDIA,
        dedicated_bytes=total,
        free_bytes=free if trust_free else None,
        driver=driver,
        compute_capability=capability,
    )


def read_cards(platform: str = sys.platform) -> list[Opinion]:
    library = _library(platform)
    if library is None or library.nvmlInit_v2():
        return []
    try:
        return _read(library, trust_free=platform != "win32")
    finally:
        library.nvmlShutdown()


def _library(platform: str) -> Any:
    for name in _LIBRARIES.get(platform, _LINUX_LIBRARIES):
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    return None


def _read(library: Any, *, trust_free: bool) -> list[Opinion]:
    driver = _string(library.nvmlSystemGetDriverVersion, _VERSION_BYTES)
    count = ctypes.c_uint(0)
    library.nvmlDeviceGetCount_v2(ctypes.byref(count))
    cards = [_card(library, index) for index in range(min(count.value, _MOST_CARDS))]
    return [parse_card(card, driver, trust_free=trust_free) for card in cards if card]


def _card(library: Any, index: int) -> Card | None:
    handle = ctypes.c_void_p()
    if library.nvmlDeviceGetHandleByIndex_v2(ctypes.c_uint(index), ctypes.byref(handle)):
        return None
    memory, pci = Memory(), PciInfo()
    major, minor = ctypes.c_int(0), ctypes.c_int(0)
    no_memory = library.nvmlDeviceGetMemoryInfo(handle, ctypes.byref(memory))
    no_pci = library.nvmlDeviceGetPciInfo_v3(handle, ctypes.byref(pci))
    no_capability = library.nvmlDeviceGetCudaComputeCapability(
        handle, ctypes.byref(major), ctypes.byref(minor)
    )
    return Card(
        name=_string(lambda text, size: library.nvmlDeviceGetName(handle, text, size), _NAME_BYTES),
        bus_id="" if no_pci else pci.bus_id.decode("ascii", "replace"),
        memory=None if no_memory else (memory.total, memory.free),
        capability=None if no_capability else (major.value, minor.value),
    )


def _string(call: Callable[[Any, Any], int], size: int) -> str:
    buffer = ctypes.create_string_buffer(size)
    failed = call(buffer, ctypes.c_uint(size))
    return "" if failed else buffer.value.decode("utf-8", "replace")
