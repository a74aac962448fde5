"""What /proc/cpuinfo says of a processor, on x86 and on ARM. Pure.

Instruction sets have one spelling for all systems, that of ggml's variants.
"""

from dataclasses import dataclass

_X86 = {
    "ssse3": "ssse3",
    "sse4_1": "sse41",
    "sse4_2": "sse42",
    "avx": "avx",
    "avx2": "avx2",
    "fma": "fma",
    "f16c": "f16c",
    "bmi2": "bmi2",
    "avx512f": "avx512f",
    "avx512bw": "avx512bw",
    "avx512vl": "avx512vl",
    "avx512dq": "avx512dq",
    "avx512cd": "avx512cd",
    "avx512vbmi": "avx512vbmi",
    "avx512_vnni": "avx512vnni",
    "avx512_bf16": "avx512bf16",
    "avx_vnni": "avxvnni",
    "amx_tile": "amxtile",
    "amx_int8": "amxint8",
}
_ARM = {
    "asimd": "neon",
    "neon": "neon",
    "asimddp": "dotprod",
    "asimdhp": "fp16",
    "i8mm": "i8mm",
    "bf16": "bf16",
    "sve": "sve",
    "sve2": "sve2",
    "sme": "sme",
}
_NAMES = ("model name", "Model", "Hardware", "Processor", "cpu model")


@dataclass(frozen=True, slots=True, kw_only=True)
class CpuInfo:
    """`cores` are the distinct (package, core) pairs; 0 where the text does not say."""

    name: str = ""
    features: frozenset[str] = frozenset()
    processors: int = 0
    cores: int = 0


def parse_cpuinfo(text: str) -> CpuInfo:
    """Features are those that *every* processor has: a thread may run on any of them."""
    blocks = [_fields(block) for block in text.replace("\r", "").split("\n\n")]
    processors = [block for block in blocks if "processor" in block]
    return CpuInfo(
        name=_name(blocks),
        features=_features(processors or blocks),
        processors=len(processors),
        cores=len({(b.get("physical id"), b["core id"]) for b in processors if "core id" in b}),
    )


def _fields(block: str) -> dict[str, str]:
    pairs = (line.partition(":") for line in block.splitlines() if ":" in line)
    return {key.strip(): value.strip() for key, _, value in pairs}


def _name(blocks: list[dict[str, str]]) -> str:
    found = (block[key] for key in _NAMES for block in blocks if block.get(key))
    return next((name for name in found if not name.isdigit()), "")


def _features(blocks: list[dict[str, str]]) -> frozenset[str]:
    sets = [_known(block) for block in blocks if "flags" in block or "Features" in block]
    return frozenset.intersection(*sets) if sets else frozenset()


def _known(block: dict[str, str]) -> frozenset[str]:
    if "flags" in block:
        return frozenset(_X86[word] for word in block["flags"].split() if word in _X86)
    return frozenset(_ARM[word] for word in block["Features"].split() if word in _ARM)
