"""Which logical processors make up which cores on Linux, and which cores are the fast ones.

`parse_*` and `count` are pure; `read_topology` asks /sys.
"""

from collections.abc import Collection, Mapping, Set
from dataclasses import dataclass, field
from pathlib import Path

from engine.hardware.files import number, read_number, read_text

SYS = Path("/sys")
_FAST_SHARE = 0.8
"""A processor with less than this share of the fastest one's speed is an efficiency core:
favoured cores differ by 5 %, small ones by 25 % and more."""
_CAPABLE_SHARE = 0.6
"""The same for the work that a processor does, which differs far more than clocks do: small ones
do 0.25 to 0.55 of a big one's, middle ones of a phone's chip 0.65 and more."""
_MOST_PROCESSORS = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Topology:
    """`core_of` pairs each online processor with its core, `speed_of` with its top speed (any
    unit), `capacity_of` with the work it does as the kernel rates it; `declared_fast` are the
    processors that the kernel itself calls big."""

    core_of: Mapping[int, str]
    speed_of: Mapping[int, int]
    capacity_of: Mapping[int, int] = field(default_factory=dict)
    declared_fast: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cores:
    physical: int
    performance: int
    """Fast ones on which this process may run."""
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
    cores = set(core_of.values())
    allowed = {core for cpu, core in core_of.items() if affinity is None or cpu in affinity}
    fast = {core_of[cpu] for cpu in _fast(topology)}
    return Cores(
        physical=len(cores),
        performance=count_fast(cores, fast, allowed),
        logical=len(core_of),
        allowed=len(allowed),
    )


def count_fast(cores: Set[object], fast: Set[object], allowed: Set[object]) -> int:
    """Of a mix, the fast cores that this process may use. Where all are equal, or it may use slow
    ones alone, none holds the others up and so all count."""
    ours = fast & allowed
    return len(ours) if ours and fast != cores else len(cores)


def _fast(topology: Topology) -> list[int]:
    declared = [cpu for cpu in topology.core_of if cpu in topology.declared_fast]
    if declared:
        return declared
    weights, share = topology.speed_of, _FAST_SHARE
    if _tells_apart(topology):
        weights, share = topology.capacity_of, _CAPABLE_SHARE
    top = max(weights.values(), default=0)
    return [cpu for cpu in topology.core_of if weights.get(cpu, top) >= share * top]


def _tells_apart(topology: Topology) -> bool:
    """Weights are all the same where the board's description lacks them (drivers/base/
    arch_topology.c). Clocks mislead: an A55 at 2.0 GHz does a third of an A76's work at 2.05."""
    weights = topology.capacity_of
    return topology.core_of.keys() <= weights.keys() and len(set(weights.values())) > 1


def read_topology(sys: Path = SYS) -> Topology:
    folder = sys / "devices" / "system" / "cpu"
    cpus = sorted(parse_cpu_list(read_text(folder / "online")))
    return Topology(
        core_of={cpu: _core(folder / f"cpu{cpu}" / "topology", cpu) for cpu in cpus},
        speed_of=_weights(folder, cpus, "cpufreq/cpuinfo_max_freq"),
        capacity_of=_weights(folder, cpus, "cpu_capacity"),
        declared_fast=parse_cpu_list(read_text(sys / "devices" / "cpu_core" / "cpus")),
    )


def _core(folder: Path, cpu: int) -> str:
    """Processors of one core name the same siblings. Core ids repeat in other packages."""
    siblings = read_text(folder / "core_cpus_list") or read_text(folder / "thread_siblings_list")
    if siblings.strip():
        return siblings.strip()
    core = read_text(folder / "core_id").strip()
    return f"{read_text(folder / 'physical_package_id').strip()}:{core or f'cpu{cpu}'}"


def _weights(folder: Path, cpus: list[int], name: str) -> dict[int, int]:
    """Empty unless every processor tells: half of them say nothing of a mix."""
    found = {cpu: read_number(folder / f"cpu{cpu}" / name) for cpu in cpus}
    told = {cpu: weight for cpu, weight in found.items() if weight and weight > 0}
    return told if len(told) == len(cpus) else {}
