"""Main memory as Linux tells of it: /proc/meminfo and swaps, cgroups, ulimit, commit limit,
pressure.

`build_memory` is pure. `read_linux_memory` takes well under 2 ms: it is called once a second.
"""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from engine.hardware.cgroup import Limit, memory_limits, read_cgroups
from engine.hardware.files import number, read_number, read_text
from engine.types.hardware import Memory, Pressure

_KIB = 1024
_SWAP_FIELDS = 5
"""Name, kind, size, used, priority."""
_STRICT = 2
"""The value of vm.overcommit_memory with which more is never promised than there is."""
_WARN_SOME_PERCENT = 10.0
_CRITICAL_FULL_PERCENT = 5.0


def parse_meminfo(text: str) -> dict[str, int]:
    """/proc/meminfo in bytes."""
    found: dict[str, int] = {}
    for line in text.splitlines():
        key, _, value = line.partition(":")
        amount = number(value.strip().removesuffix("kB"))
        if amount is not None and amount >= 0:
            found[key.strip()] = amount * _KIB
    return found


def parse_swaps(text: str) -> tuple[int, int] | None:
    """/proc/swaps: total and free bytes, without zram, which takes main memory itself. None where
    there is no such file."""
    lines = [line.split() for line in text.splitlines()]
    if not lines:
        return None
    total = used = 0
    for fields in lines[1:]:
        sizes = [number(field) for field in fields[-3:-1]] if len(fields) >= _SWAP_FIELDS else []
        if len(sizes) == 2 and "/zram" not in fields[0]:
            total += max(0, sizes[0] or 0) * _KIB
            used += max(0, sizes[1] or 0) * _KIB
    return total, max(0, total - used)


def parse_pressure(text: str) -> Pressure:
    """PSI: the share of the last 10 s in which some, or all, work waited for memory."""
    lines = (line.partition(" ") for line in text.splitlines())
    shares = {kind: _avg10(rest) for kind, _, rest in lines}
    if shares.get("full", 0.0) > _CRITICAL_FULL_PERCENT:
        return Pressure.CRITICAL
    waiting = shares.get("some", 0.0) > _WARN_SOME_PERCENT
    return Pressure.WARN if waiting else Pressure.NONE


def _avg10(fields: str) -> float:
    for field in fields.split():
        key, _, value = field.partition("=")
        if key == "avg10":
            try:
                return float(value)
            except ValueError:
                return 0.0
    return 0.0


def build_memory(
    meminfo: dict[str, int],
    limits: Sequence[Limit],
    *,
    address_space_left_bytes: int | None = None,
    strict_commit: bool = False,
    swaps: str = "",
    pressures: Iterable[str] = (),
) -> Memory:
    total = meminfo.get("MemTotal", 0)
    available = meminfo.get("MemAvailable", meminfo.get("MemFree", 0) + meminfo.get("Cached", 0))
    tightest = min((limit.limit_bytes for limit in limits), default=total)
    swap_total, swap_free = _swap(meminfo, parse_swaps(swaps))
    return Memory(
        total_bytes=total,
        available_bytes=max(0, min([available, total, *(limit.left_bytes for limit in limits)])),
        limit_bytes=tightest if tightest < total else None,
        address_space_left_bytes=address_space_left_bytes,
        commit_left_bytes=_commit_left(meminfo) if strict_commit else None,
        swap_total_bytes=swap_total,
        swap_free_bytes=swap_free,
        pressure=_worst(parse_pressure(text) for text in pressures),
    )


def _swap(meminfo: dict[str, int], without_zram: tuple[int, int] | None) -> tuple[int, int]:
    """The smaller of both: a container's meminfo may know of a limit that its swaps do not."""
    total = meminfo.get("SwapTotal", 0)
    free = min(meminfo.get("SwapFree", 0), total)
    if without_zram is None:
        return total, free
    return min(total, without_zram[0]), min(free, without_zram[1])


def _commit_left(meminfo: dict[str, int]) -> int:
    return max(0, meminfo.get("CommitLimit", 0) - meminfo.get("Committed_AS", 0))


def _worst(pressures: Iterable[Pressure]) -> Pressure:
    order = (Pressure.NONE, Pressure.WARN, Pressure.CRITICAL)
    return max(pressures, key=order.index, default=Pressure.NONE)


def read_linux_memory(proc: Path = Path("/proc")) -> Memory:
    cgroups = read_cgroups(proc)
    own = [cgroups.unified[0] / "memory.pressure"] if cgroups.unified else []
    return build_memory(
        parse_meminfo(read_text(proc / "meminfo")),
        memory_limits(cgroups),
        address_space_left_bytes=_address_space_left(proc),
        strict_commit=read_number(proc / "sys" / "vm" / "overcommit_memory") == _STRICT,
        swaps=read_text(proc / "swaps"),
        pressures=[read_text(path) for path in (proc / "pressure" / "memory", *own)],
    )


def _address_space_left(proc: Path) -> int | None:
    """What `ulimit -v` leaves. It counts mapped files too, unlike resident memory."""
    import resource  # noqa: PLC0415 - there is none on Windows

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return None
    pages = number(read_text(proc / "self" / "statm").partition(" ")[0]) or 0
    return max(0, limit - pages * os.sysconf("SC_PAGE_SIZE"))
