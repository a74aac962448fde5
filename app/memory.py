"""How much memory this computer has, and how much of it Snug uses and may use, for a page that
shows it. Cheap: it asks the system for a few numbers. Any thread.
"""

from collections.abc import Callable
from dataclasses import dataclass

from engine.hardware.memory import read_memory
from engine.types.hardware import Cpu, HardwareReport, Memory
from engine.types.plans import Plan

_ANY = Cpu(
    name="",
    architecture="",
    physical_cores=1,
    performance_cores=1,
    logical_cores=1,
    usable_cores=1,
)
"""Budgets of main memory do not depend on the processor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryNow:
    """`usable_bytes` is what a model may take in all, `used_bytes` what the one that is loaded
    takes of it. `total_bytes` is of the machine, or of the limit that Snug lives in."""

    total_bytes: int
    usable_bytes: int
    used_bytes: int

    @property
    def left_bytes(self) -> int:
        return max(self.usable_bytes - self.used_bytes, 0)


def memory_now(loaded: Plan | None, read: Callable[[], Memory] = read_memory) -> MemoryNow:
    """`loaded` is the plan of the model that is in memory."""
    from engine.hardware.system import this_system  # noqa: PLC0415 - not for `snug --help`
    from engine.keeper.room import freed_by  # noqa: PLC0415
    from engine.planner.budgets import RAM, after_freeing, ram_budget  # noqa: PLC0415

    memory = read()
    report = HardwareReport(system=this_system(), cpu=_ANY, memory=memory)
    pools = loaded.memory if loaded is not None else ()
    used = sum(pool.use.total_bytes for pool in pools if pool.pool == RAM)
    total = memory.total_bytes if memory.limit_bytes is None else memory.limit_bytes
    usable = ram_budget(after_freeing(report, freed_by(loaded)))
    return MemoryNow(
        total_bytes=min(total, memory.total_bytes),
        usable_bytes=max(usable, used),
        used_bytes=used,
    )
