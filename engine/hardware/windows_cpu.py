"""The processor as Windows tells of it. `parse_*` are pure, on bytes laid out as winnt.h says."""

import ctypes
import platform
import struct
import sysconfig
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.hardware.system import architecture
from engine.hardware.topology import count_fast
from engine.types.hardware import Cpu

_CORE = 0
"""RelationProcessorCore."""
_RECORD = struct.Struct("<2I")
_PROCESSOR = struct.Struct("<2B20xH")
_GROUP = struct.Struct("<QH6x")
_FEATURES = {  # PF_* of winnt.h; Windows tells nothing of FMA and F16C
    36: ("ssse3",),
    37: ("sse41",),
    38: ("sse42",),
    39: ("avx",),
    40: ("avx2", "fma", "f16c", "bmi2"),  # every processor with AVX2 that Windows runs on has them
    41: ("avx512f",),
    19: ("neon",),
    43: ("dotprod",),
    46: ("sve",),
    66: ("i8mm",),
    67: ("fp16",),
    68: ("bf16",),
}
_ARM_ONLY = frozenset({19, 43, 46, 66, 67, 68})
_MACHINE_ARM64 = 0xAA64
_PROCESSOR_KEY = r"HARDWARE\DESCRIPTION\System\CentralProcessor\0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Core:
    """`masks` are (processor group, bit mask of its logical processors)."""

    efficiency_class: int
    masks: tuple[tuple[int, int], ...]

    @property
    def logical(self) -> int:
        return sum(mask.bit_count() for _, mask in self.masks)


def parse_cores(data: bytes) -> list[Core]:
    """What GetLogicalProcessorInformationEx(RelationProcessorCore) wrote; stops at nonsense."""
    cores: list[Core] = []
    at = 0
    while at + _RECORD.size <= len(data):
        kind, size = _RECORD.unpack_from(data, at)
        if size < _RECORD.size or at + size > len(data):
            break
        if kind == _CORE and size >= _RECORD.size + _PROCESSOR.size:
            cores.append(_core(data[at + _RECORD.size : at + size]))
        at += size
    return cores


def _core(body: bytes) -> Core:
    _, efficiency_class, groups = _PROCESSOR.unpack_from(body)
    room = (len(body) - _PROCESSOR.size) // _GROUP.size
    masks = []
    for index in range(min(groups, room)):
        mask, group = _GROUP.unpack_from(body, _PROCESSOR.size + index * _GROUP.size)
        masks.append((group, mask))
    return Core(efficiency_class=efficiency_class, masks=tuple(masks))


def features_of(present: Mapping[int, bool], machine: str) -> frozenset[str]:
    """`present` are the answers of IsProcessorFeaturePresent by its number."""
    is_arm = architecture(machine) == "arm64"
    return frozenset(
        name
        for number, names in _FEATURES.items()
        if present.get(number) and (number in _ARM_ONLY) == is_arm
        for name in names
    )


def build_windows_cpu(
    name: str,
    cores: Iterable[Core],
    affinity: Mapping[int, int],
    features: frozenset[str],
    *,
    machine: str,
    native_machine: int = 0,
) -> Cpu:
    """Pure. The highest efficiency class is the fastest. `affinity` holds a mask by group; empty:
    any processor."""
    found = list(cores) or [Core(efficiency_class=0, masks=((0, 1),))]
    top = max(core.efficiency_class for core in found)
    numbers = set(range(len(found)))
    allowed = {n for n in numbers if not affinity or _touches(found[n], affinity)}
    fast = {n for n in numbers if found[n].efficiency_class == top}
    return Cpu(
        name=" ".join(name.split()),
        architecture=architecture(machine),
        physical_cores=len(found),
        performance_cores=count_fast(numbers, fast, allowed),
        logical_cores=max(len(found), sum(core.logical for core in found)),
        usable_cores=max(1, len(allowed)),
        features=features,
        emulated=native_machine == _MACHINE_ARM64 and architecture(machine) != "arm64",
    )


def _touches(core: Core, affinity: Mapping[int, int]) -> bool:
    return any(mask & affinity.get(group, 0) for group, mask in core.masks)


def read_windows_cpu() -> Cpu:
    kernel: Any = ctypes.WinDLL("kernel32")  # type: ignore[attr-defined, unused-ignore]
    machine = sysconfig.get_platform().removeprefix("win-")  # ours; Windows tells its own
    present = {number: bool(kernel.IsProcessorFeaturePresent(number)) for number in _FEATURES}
    return build_windows_cpu(
        _registry_name(),
        parse_cores(_core_bytes(kernel)),
        _affinity(kernel),
        features_of(present, machine),
        machine=machine,
        native_machine=_native_machine(kernel),
    )


def _registry_name() -> str:
    import winreg  # noqa: PLC0415 - Windows only

    registry: Any = winreg
    try:
        with registry.OpenKey(registry.HKEY_LOCAL_MACHINE, _PROCESSOR_KEY) as key:
            return str(registry.QueryValueEx(key, "ProcessorNameString")[0])
    except OSError:
        return platform.processor()


def _core_bytes(kernel: Any) -> bytes:
    size = ctypes.c_uint32(0)
    kernel.GetLogicalProcessorInformationEx(_CORE, None, ctypes.byref(size))
    buffer = ctypes.create_string_buffer(max(1, size.value))
    done = kernel.GetLogicalProcessorInformationEx(_CORE, buffer, ctypes.byref(size))
    return buffer.raw[: size.value] if done else b""


def _affinity(kernel: Any) -> dict[int, int]:
    """By group. A process that spans groups is not held to one: Windows then reports 0."""
    own, system = ctypes.c_size_t(0), ctypes.c_size_t(0)
    process = ctypes.c_void_p(-1)
    kernel.GetProcessAffinityMask(process, ctypes.byref(own), ctypes.byref(system))
    held = own.value and own.value != system.value
    return {0: own.value} if held else {}


def _native_machine(kernel: Any) -> int:
    """IsWow64Process2 tells the real machine even to a program that is emulated."""
    process_machine, native = ctypes.c_uint16(0), ctypes.c_uint16(0)
    ask = getattr(kernel, "IsWow64Process2", None)
    if ask is None:
        return 0
    ask(ctypes.c_void_p(-1), ctypes.byref(process_machine), ctypes.byref(native))
    return native.value
