"""Main memory as Windows tells of it: what is there, what may still be promised, job limits.

Windows has no killer: an allocation beyond the commit limit fails, and that ends native code.
`parse_*` are pure, on bytes laid out as sysinfoapi.h and winnt.h say.
"""

import ctypes
import struct
from dataclasses import dataclass
from typing import Any

from engine.types.hardware import Memory

_STATUS = struct.Struct("<2I7Q")
"""MEMORYSTATUSEX."""
_JOB = struct.Struct("<2qI4x2QI4xQ2I48x4Q")
"""JOBOBJECT_EXTENDED_LIMIT_INFORMATION on 64 bits."""
_JOB_EXTENDED = 9
_LIMIT_PROCESS_MEMORY = 0x100
_LIMIT_JOB_MEMORY = 0x200


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    total_bytes: int
    available_bytes: int
    commit_total_bytes: int
    commit_left_bytes: int


def parse_status(data: bytes) -> Status | None:
    if len(data) < _STATUS.size:
        return None
    _, _, total, available, commit_total, commit_left, *_ = _STATUS.unpack_from(data)
    return Status(
        total_bytes=total,
        available_bytes=min(total, available),
        commit_total_bytes=commit_total,
        commit_left_bytes=min(commit_total, commit_left),
    )


def parse_job(data: bytes) -> int | None:
    """The tightest memory limit of the job we are in; None: none."""
    if len(data) < _JOB.size:
        return None
    values = _JOB.unpack_from(data)
    flags, process_bytes, job_bytes = values[2], values[9], values[10]
    limits = [process_bytes] * bool(flags & _LIMIT_PROCESS_MEMORY)
    limits += [job_bytes] * bool(flags & _LIMIT_JOB_MEMORY)
    return min(limits, default=None)


def build_windows_memory(status: Status | None, job_bytes: int | None, used_bytes: int) -> Memory:
    """`used_bytes`: what this process has promised itself already; a job's limit counts that."""
    if status is None:
        return Memory(total_bytes=0, available_bytes=0)
    limited = job_bytes is not None and job_bytes < status.total_bytes
    left = [max(0, job_bytes - used_bytes)] if job_bytes is not None else []
    return Memory(
        total_bytes=status.total_bytes,
        available_bytes=min([status.available_bytes, *left]),
        limit_bytes=job_bytes if limited else None,
        commit_left_bytes=min([status.commit_left_bytes, *left]),
        swap_total_bytes=max(0, status.commit_total_bytes - status.total_bytes),
        swap_free_bytes=_swap_free(status),
    )


def _swap_free(status: Status) -> int:
    """An upper bound: Windows tells of page file and memory as one."""
    swap_total = max(0, status.commit_total_bytes - status.total_bytes)
    return min(swap_total, max(0, status.commit_left_bytes - status.available_bytes))


def read_windows_memory() -> Memory:
    kernel: Any = ctypes.WinDLL("kernel32")  # type: ignore[attr-defined, unused-ignore]
    buffer = ctypes.create_string_buffer(struct.pack("<I", _STATUS.size), _STATUS.size)
    done = kernel.GlobalMemoryStatusEx(buffer)
    job = _job_bytes(kernel)
    used = _private_bytes() if job is not None else 0
    return build_windows_memory(parse_status(buffer.raw) if done else None, job, used)


def _job_bytes(kernel: Any) -> int | None:
    buffer = ctypes.create_string_buffer(_JOB.size)
    done = kernel.QueryInformationJobObject(None, _JOB_EXTENDED, buffer, _JOB.size, None)
    return parse_job(buffer.raw) if done else None


def _private_bytes() -> int:
    import psutil  # noqa: PLC0415 - 20 ms to import, and only inside a limited job

    return int(getattr(psutil.Process().memory_info(), "private", 0))
