"""Which logical processors make up which cores on Linux, and which cores are the fast ones.

`parse_*` and `count` are pure; `read_topology` asks /sys.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.hardware.files import number, read_number, read_text

SYS = Path("/sys")
_FAST_SHARE = 0.8
"""A processor with less than this share of the fastest one's speed is an efficiency core:
favoured cores differ by 5 %, small ones by 25 % and more."""
_MOST_PROCESSORS = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Topology:
    """`core_of` pairs each online processor with its core; `speed_of` with its top speed (any
    unit); `declared_fast` are the processors that the kernel itself calls big."""

    core_of: Mapping[int, str]
    speed_of: Mapping[int, int]
    declared_fast: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cores:
    physical: int
    performance: int
    logical: int
    allowed: int
    """Cores on which this process may run."""


def parse_cpu_list(text: str) -> frozenset[int]:
    """ "0-3,8" as numbers; parts that make no sense are left out."""
    found: set[int] = set()
    for part in text.strip().split(","):
        low, dash, high = part.partition("-")
        first, last = number(low), number(high) if dash else number(low)
        if first is not None and last is not None and 0 <= first <= last < _MOST_PROCESSORS:
            found.update(range(first, last + 1))
    return frozenset(found)


def count(topology: Topology, affinity: Collection[int] | None) -> Cores:
    """`affinity` None: any processor. Threads of one core count once."""
    core_of = topology.core_of
    fast = _fast(topology)
    allowed = core_of if affinity is None else [cpu for cpu in core_of if cpu in affinity]
    return Cores(
        physical=len(set(core_of.values())),
        performance=len({core_of[cpu] for cpu in fast}),
        logical=len(core_of),
        allowed=len({core_of[cpu] for cpu in allowed}),
    )


def _fast(topology: Topology) -> list[int]:
    declared = [cpu for cpu in topology.core_of if cpu in topology.declared_fast]
    if declared:
        return declared
    top = max(topology.speed_of.values(), default=0)
    return [cpu for cpu in topology.core_of if topology.speed_of.get(cpu, top) >= _FAST_SHARE * top]


def read_topology(sys: Path = SYS) -> Topology:
    folder = sys / "devices" / "system" / "cpu"
    cpus = sorted(parse_cpu_list(read_text(folder / "online")))
    return Topology(
        core_of={cpu: _core(folder / f"cpu{cpu}" / "topology", cpu) for cpu in cpus},
        speed_of=_speeds(folder, cpus),
        declared_fast=parse_cpu_list(read_text(sys / "devices" / "cpu_core" / "cpus")),
    )


def _core(folder: Path, cpu: int) -> str:
    """Processors of one core name the same siblings. Core ids repeat in other packages."""
    siblings = read_text(folder / "core_cpus_list") or read_text(folder / "thread_siblings_list")
    if siblings.strip():
        return siblings.strip()
    core = read_text(folder / "core_id").strip()
    return f"{read_text(folder / 'physical_package_id').strip()}:{core or f'cpu{cpu}'}"


def _speeds(folder: Path, cpus: list[int]) -> dict[int, int]:
    """Top frequencies; where there is no frequency driver (ARM in a VM), the kernel's weights."""
    for name in ("cpufreq/cpuinfo_max_freq", "cpu_capacity"):
        found = {cpu: read_number(folder / f"cpu{cpu}" / name) for cpu in cpus}
        speeds = {cpu: speed for cpu, speed in found.items() if speed and speed > 0}
        if len(speeds) == len(cpus):
            return speeds
    return {}
