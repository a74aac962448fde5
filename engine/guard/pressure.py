"""How full memory is, in three levels, from one reading. Pure.

Thresholds: engine.md section 5 of the house plan, after apple-oss, systemd-oomd and earlyoom.
"""

from enum import IntEnum

from engine.types.hardware import Memory, Pressure

_MIB = 1 << 20
_WARN_SHARE, _WARN_BYTES = 0.08, 1024 * _MIB
_FULL_SHARE, _FULL_BYTES = 0.04, 512 * _MIB
_WARN_COMMIT_BYTES = 1536 * _MIB
_FULL_COMMIT_BYTES = 700 * _MIB


class Level(IntEnum):
    ENOUGH = 0
    LOW = 1
    FULL = 2


def level_of(memory: Memory) -> Level:
    """The worst that any of the readings says."""
    return max(_of_available(memory), _of_commit(memory), _of_pressure(memory))


def reserve_bytes(memory: Memory) -> int:
    """Below this much available a load is given up and a model is let go."""
    return _threshold(memory, _FULL_SHARE, _FULL_BYTES)


def _of_available(memory: Memory) -> Level:
    if memory.available_bytes < reserve_bytes(memory):
        return Level.FULL
    if memory.available_bytes < _threshold(memory, _WARN_SHARE, _WARN_BYTES):
        return Level.LOW
    return Level.ENOUGH


def _threshold(memory: Memory, share: float, most_bytes: int) -> int:
    """A share of what there is to use, at most a fixed number: 8 % of 256 GB is plenty."""
    usable = min(memory.total_bytes, memory.limit_bytes or memory.total_bytes)
    return min(int(usable * share), most_bytes)


def _of_commit(memory: Memory) -> Level:
    left = memory.commit_left_bytes
    if left is None or left >= _WARN_COMMIT_BYTES:
        return Level.ENOUGH
    return Level.FULL if left < _FULL_COMMIT_BYTES else Level.LOW


def _of_pressure(memory: Memory) -> Level:
    """Work waits for memory also where a cgroup is full, a disk is slow, or memory is free again
    since seconds: with plenty available it is no reason to stop anything."""
    warn_bytes = _threshold(memory, _WARN_SHARE, _WARN_BYTES)
    if memory.pressure is Pressure.CRITICAL:
        return Level.FULL if memory.available_bytes < 2 * warn_bytes else Level.LOW
    if memory.pressure is Pressure.WARN and memory.available_bytes < 4 * warn_bytes:
        return Level.LOW
    return Level.ENOUGH
