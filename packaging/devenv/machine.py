"""What decides whether a native build made elsewhere runs here: instruction sets and libc."""

import functools
import os
import platform
import re
import subprocess
import sysconfig
from pathlib import Path

from devenv.places import SYSTEM

# What a compiler emits on its own; the rest of the flags changes with kernels and settings.
_CODE_FLAGS = re.compile(
    r"^(f16c|fma4?|bmi\d|abm|lzcnt|popcnt|movbe|adx|xop|v?aes|sha_ni|gfni|v?pclmulqdq"
    r"|sse.*|ssse.*|avx.*|amx.*|asimd.*|sve.*|sme2?|sme_.*|i8mm|bf16|fp|fphp|neon|vfp.*)$"
)


@functools.cache
def instruction_sets() -> str:
    """The processor's instruction sets, as text that is equal only where builds can be shared."""
    return f"{platform.machine()} {_flags()}"


def _flags() -> str:
    if SYSTEM == "linux":
        return code_flags(_first_processor())
    if SYSTEM == "darwin":
        return _sysctl("machdep.cpu.brand_string")
    return os.environ.get("PROCESSOR_IDENTIFIER", platform.processor())


def code_flags(cpuinfo: str) -> str:
    """The sorted instruction sets in one processor's block of Linux's `cpuinfo`."""
    found = re.search(r"^(?:flags|Features)\s*:(.*)$", cpuinfo, re.MULTILINE)
    words = found[1].split() if found else [cpuinfo]
    return " ".join(sorted(word for word in words if _CODE_FLAGS.match(word)))


def _first_processor() -> str:
    lines = []
    with Path("/proc/cpuinfo").open(encoding="utf-8", errors="replace") as file:
        for line in file:
            if not line.strip():
                break
            lines.append(line)
    return "".join(lines)


def _sysctl(name: str) -> str:
    answer = subprocess.run(["sysctl", "-n", name], capture_output=True, text=True, check=False)
    return answer.stdout.strip()


def platform_name() -> str:
    """System, architecture and C library: a home folder may be shared by several of them."""
    libc = "".join(platform.libc_ver()) if SYSTEM == "linux" else ""
    return "-".join(filter(None, (sysconfig.get_platform(), libc)))
