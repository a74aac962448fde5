"""The processor as macOS tells of it. `parse_mac_cpu` is pure, on what sysctl gave."""

import platform
from collections.abc import Mapping

from engine.hardware.sysctl import integer, read_all, text
from engine.hardware.system import architecture
from engine.types.hardware import Cpu

_LEVELS = range(4)
_ARM_FEATURES = {
    "hw.optional.arm64": "neon",
    "hw.optional.arm.FEAT_DotProd": "dotprod",
    "hw.optional.arm.FEAT_FP16": "fp16",
    "hw.optional.arm.FEAT_I8MM": "i8mm",
    "hw.optional.arm.FEAT_BF16": "bf16",
    "hw.optional.arm.FEAT_SME": "sme",
}
_X86_FEATURES = {
    "SSSE3": "ssse3",
    "SSE4.1": "sse41",
    "SSE4.2": "sse42",
    "AVX1.0": "avx",
    "AVX2": "avx2",
    "FMA": "fma",
    "F16C": "f16c",
    "BMI2": "bmi2",
    "AVX512F": "avx512f",
}
_X86_LISTS = ("machdep.cpu.features", "machdep.cpu.leaf7_features")
NAMES = (
    "machdep.cpu.brand_string",
    "hw.physicalcpu",
    "hw.logicalcpu",
    "hw.nperflevels",
    "sysctl.proc_translated",
    *(f"hw.perflevel{level}.{what}" for level in _LEVELS for what in ("physicalcpu", "name")),
    *_ARM_FEATURES,
    *_X86_LISTS,
)


def parse_mac_cpu(values: Mapping[str, bytes], machine: str) -> Cpu:
    """`values` are raw sysctl values by name, `machine` what this process was built for."""
    physical = max(1, integer(values.get("hw.physicalcpu")) or 1)
    logical = max(physical, integer(values.get("hw.logicalcpu")) or 1)
    return Cpu(
        name=text(values.get("machdep.cpu.brand_string")),
        architecture=architecture(machine),
        physical_cores=physical,
        performance_cores=min(physical, _performance_cores(values) or physical),
        logical_cores=logical,
        usable_cores=physical,
        features=_features(values, machine),
        emulated=integer(values.get("sysctl.proc_translated")) == 1,
    )


def _performance_cores(values: Mapping[str, bytes]) -> int:
    """Every level but the efficiency cores. On an M5 Max the first level is "Super" and the
    second "Performance", and it has no efficiency cores: a level's number says nothing."""
    found = 0
    for level in range(min(len(_LEVELS), integer(values.get("hw.nperflevels")) or 0)):
        cores = integer(values.get(f"hw.perflevel{level}.physicalcpu")) or 0
        if not _is_small(text(values.get(f"hw.perflevel{level}.name")), level):
            found += max(0, cores)
    return found


def _is_small(name: str, level: int) -> bool:
    return name.lower().startswith("efficien") if name else level > 0


def _features(values: Mapping[str, bytes], machine: str) -> frozenset[str]:
    if architecture(machine) == "arm64":
        return frozenset(
            name for key, name in _ARM_FEATURES.items() if integer(values.get(key)) == 1
        )
    words = " ".join(text(values.get(key)) for key in _X86_LISTS).split()
    return frozenset(_X86_FEATURES[word] for word in words if word in _X86_FEATURES)


def read_mac_cpu() -> Cpu:
    return parse_mac_cpu(read_all(NAMES), platform.machine())
