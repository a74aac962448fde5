"""How much memory this process really holds right now. Cheap; callable from any thread."""

import sys
from dataclasses import dataclass
from pathlib import Path

import psutil


@dataclass(frozen=True, slots=True, kw_only=True)
class Resident:
    """Bytes. `file_bytes` are mapped files, which the system can drop and read again; where it
    does not tell them apart they are 0 and `anonymous_bytes` is everything."""

    total_bytes: int
    anonymous_bytes: int
    file_bytes: int
    peak_bytes: int


def read_resident() -> Resident:
    memory = psutil.Process().memory_info()
    file_bytes = int(getattr(memory, "shared", 0))  # Linux only: RssFile and RssShmem
    return Resident(
        total_bytes=memory.rss,
        anonymous_bytes=memory.rss - file_bytes,
        file_bytes=file_bytes,
        peak_bytes=max(memory.rss, _peak(memory)),
    )


def _peak(memory: object) -> int:
    if sys.platform == "win32":
        return int(getattr(memory, "peak_wset", 0))
    status = Path("/proc/self/status")
    if status.exists():
        return parse_peak(status.read_text(encoding="ascii", errors="replace"))
    import resource  # noqa: PLC0415 - not on Windows

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # bytes on macOS


def parse_peak(status: str) -> int:
    """`VmHWM` of /proc/PID/status in bytes; 0 without it. `ru_maxrss` would not do on Linux: a
    child is born with its parent's."""
    for line in status.splitlines():
        name, _, value = line.partition(":")
        if name == "VmHWM":
            return int(value.split()[0]) * 1024
    return 0
