"""The processor as Linux tells of it: /proc/cpuinfo, /sys, affinity and cgroup quota."""

import os
import platform
from collections.abc import Collection
from pathlib import Path

from engine.hardware.cgroup import cpu_quota, read_cgroups
from engine.hardware.cpuinfo import CpuInfo, parse_cpuinfo
from engine.hardware.files import read_text
from engine.hardware.system import architecture
from engine.hardware.topology import SYS, Cores, Topology, count, read_topology
from engine.types.hardware import Cpu


def build_cpu(
    info: CpuInfo,
    topology: Topology,
    affinity: Collection[int] | None,
    quota: float | None,
    machine: str,
) -> Cpu:
    """Pure. Half a processor too much is taken from nobody: a quota is rounded down."""
    cores = count(topology, affinity) if topology.core_of else _without_sys(info, affinity)
    usable = cores.allowed if quota is None else min(cores.allowed, int(quota))
    return Cpu(
        name=info.name,
        architecture=architecture(machine),
        physical_cores=cores.physical,
        performance_cores=cores.performance,
        logical_cores=cores.logical,
        usable_cores=max(1, usable),
        features=info.features,
    )


def _without_sys(info: CpuInfo, affinity: Collection[int] | None) -> Cores:
    """A sandbox without /sys: /proc/cpuinfo knows cores on x86, processors everywhere."""
    logical = max(1, info.processors)
    physical = min(logical, info.cores) or logical
    allowed = logical if affinity is None else min(logical, len(affinity))
    return Cores(
        physical=physical,
        performance=physical,
        logical=logical,
        allowed=max(1, min(physical, allowed * physical // logical)),
    )


def read_linux_cpu(proc: Path = Path("/proc"), sys: Path = SYS) -> Cpu:
    info = parse_cpuinfo(read_text(proc / "cpuinfo"))
    machine = platform.machine()
    quota = cpu_quota(read_cgroups(proc))
    return build_cpu(info, read_topology(sys), _affinity(), quota, machine)


def _affinity() -> frozenset[int] | None:
    try:
        return frozenset(os.sched_getaffinity(0))
    except (AttributeError, OSError):
        return None
