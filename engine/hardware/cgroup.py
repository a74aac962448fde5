"""Limits that containers and services are under: Linux control groups, versions 1 and 2.

A limit of any ancestor holds too, so every folder up to the mount point is asked. Read anew
each time, since a process can be moved; cheap enough for once a second.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine.hardware.files import number, read_number, read_text

UNIFIED = ""
"""The controller name that stands for version 2."""
_NO_LIMIT = 1 << 62
"""Version 1 writes the largest multiple of a page below 2**63 for "none"."""
_DEEPEST = 64
_IN_USE_SHARE, _IN_USE_BYTES = 8, 128 << 20
"""Of the active file cache an eighth, at most 128 MiB, counts as used: the code of the programs
that run in the group, which would be read again at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mount:
    root: str
    """The part of the hierarchy that is mounted; a container may see a part only."""
    point: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """`left_bytes` counts file cache that can be dropped at once as free."""

    limit_bytes: int
    left_bytes: int


def parse_cgroup(text: str) -> dict[str, str]:
    """/proc/self/cgroup: each controller's path; version 2 under `UNIFIED`."""
    paths: dict[str, str] = {}
    for line in text.splitlines():
        hierarchy, _, rest = line.partition(":")
        controllers, colon, path = rest.partition(":")
        if not colon or (hierarchy != "0" and not controllers):
            continue
        for controller in controllers.split(","):
            paths[controller] = path
    return paths


def parse_mounts(text: str) -> dict[str, Mount]:
    """/proc/self/mountinfo: where each controller's hierarchy is mounted."""
    mounts: dict[str, Mount] = {}
    for line in text.splitlines():
        left, _, right = line.partition(" - ")
        fields, source = left.split(), right.split()
        if len(fields) < 5 or len(source) < 3 or source[0] not in ("cgroup", "cgroup2"):
            continue
        mount = Mount(root=_unescape(fields[3]), point=Path(_unescape(fields[4])))
        names = [UNIFIED] if source[0] == "cgroup2" else source[2].split(",")
        for name in names:
            mounts.setdefault(name, mount)
    return mounts


def _unescape(text: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), text)


def folders(mount: Mount, path: str) -> Iterator[Path]:
    """This process's folder and all its ancestors up to the mount point."""
    inside = path
    if mount.root != "/":
        inside = path.removeprefix(mount.root) if path.startswith(mount.root) else "/"
    parts = [part for part in inside.split("/") if part not in ("", ".", "..")][:_DEEPEST]
    for length in range(len(parts), -1, -1):
        yield mount.point.joinpath(*parts[:length])


@dataclass(frozen=True, slots=True, kw_only=True)
class Cgroups:
    """Where this process stands. Folders are listed from the process upwards."""

    memory_v1: tuple[Path, ...] = ()
    cpu_v1: tuple[Path, ...] = ()
    unified: tuple[Path, ...] = ()


def locate(cgroup_text: str, mountinfo_text: str) -> Cgroups:
    paths, mounts = parse_cgroup(cgroup_text), parse_mounts(mountinfo_text)

    def of(name: str) -> tuple[Path, ...]:
        return tuple(folders(mounts[name], paths[name])) if {name} <= paths.keys() & mounts else ()

    return Cgroups(memory_v1=of("memory"), cpu_v1=of("cpu"), unified=of(UNIFIED))


def read_cgroups(proc: Path = Path("/proc")) -> Cgroups:
    own = proc / "self"
    return locate(read_text(own / "cgroup"), read_text(own / "mountinfo"))


def parse_stat(text: str, name: str) -> int:
    """One number of a memory.stat; 0 if absent."""
    for line in text.splitlines():
        key, _, value = line.partition(" ")
        if key == name:
            return number(value) or 0
    return 0


def memory_limits(cgroups: Cgroups) -> list[Limit]:
    """Every limit on the way up."""
    found = [_limit_v1(folder) for folder in cgroups.memory_v1]
    found += [_limit_v2(folder) for folder in cgroups.unified]
    return [limit for limit in found if limit]


def _limit_v1(folder: Path) -> Limit | None:
    limit = read_number(folder / "memory.limit_in_bytes")
    if limit is None or not 0 <= limit < _NO_LIMIT:
        return None
    used = read_number(folder / "memory.usage_in_bytes") or 0
    return _limit(limit, used, _droppable(read_text(folder / "memory.stat"), "total_"))


def _limit_v2(folder: Path) -> Limit | None:
    """Above `memory.high` a process is slowed to a crawl: it is a limit as good as the other."""
    values = [read_number(folder / name) for name in ("memory.max", "memory.high")]
    limits = [value for value in values if value is not None and value >= 0]
    if not limits:
        return None
    used = read_number(folder / "memory.current") or 0
    return _limit(min(limits), used, _droppable(read_text(folder / "memory.stat")))


def _droppable(stat: str, prefix: str = "") -> int:
    """File cache that gives way at once. Weights that were read for every token lie on the active
    list long after they were closed; MemAvailable counts both lists too (si_mem_available in
    mm/show_mem.c). What is locked or in tmpfs is on neither."""
    active = max(0, parse_stat(stat, f"{prefix}active_file"))
    inactive = max(0, parse_stat(stat, f"{prefix}inactive_file"))
    return inactive + active - min(active // _IN_USE_SHARE, _IN_USE_BYTES)


def _limit(limit: int, used: int, droppable: int) -> Limit:
    left = limit - max(0, used - droppable)
    return Limit(limit_bytes=limit, left_bytes=max(0, min(limit, left)))


def cpu_quota(cgroups: Cgroups) -> float | None:
    """Processors' worth of time that the tightest group on the way up allows; None: all."""
    quotas = [_quota_v1(folder) for folder in cgroups.cpu_v1]
    quotas += [parse_cpu_max(read_text(folder / "cpu.max")) for folder in cgroups.unified]
    return min((quota for quota in quotas if quota is not None), default=None)


def _quota_v1(folder: Path) -> float | None:
    return _share(
        read_number(folder / "cpu.cfs_quota_us"), read_number(folder / "cpu.cfs_period_us")
    )


def parse_cpu_max(text: str) -> float | None:
    """ "50000 100000" is half a processor, "max 100000" has no limit."""
    quota, _, period = text.strip().partition(" ")
    return _share(number(quota), number(period))


def _share(quota_us: int | None, period_us: int | None) -> float | None:
    if quota_us is None or period_us is None or quota_us <= 0 or period_us <= 0:
        return None
    return quota_us / period_us
