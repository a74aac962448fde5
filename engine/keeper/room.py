"""Room for the next model: waits until the last one's memory is really back, and gives back what
this process holds without need."""

import ctypes
import sys
import time
from collections.abc import Callable

from engine.types.cancel import CancelToken
from engine.types.hardware import Memory
from engine.types.plans import LoadMode, Plan

_WAIT_S = 5.0
_POLL_S = 0.05
_SHARE = 0.8
"""Other programs take and give memory meanwhile: most of it back is back."""


def freed_by(plan: Plan | None) -> tuple[tuple[str, int], ...]:
    """What unloading gives back, per pool. Mapped weights count as available already."""
    if plan is None:
        return ()
    mapped = plan.layout.load_mode is LoadMode.MMAP
    return tuple(
        (
            pool.pool,
            pool.use.total_bytes - (pool.use.weights_bytes if mapped and pool.pool == "ram" else 0),
        )
        for pool in plan.memory
    )


def wait_for_room(
    read: Callable[[], Memory],
    before_bytes: int,
    wanted_bytes: int,
    cancel: CancelToken,
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> bool:
    """Wait until available memory grew by most of `wanted_bytes`; drivers are slow to give it
    back. False after a few seconds, or when cancelled."""
    deadline = clock() + _WAIT_S
    while read().available_bytes < before_bytes + wanted_bytes * _SHARE:
        if cancel.cancelled or clock() > deadline:
            return False
        sleep(_POLL_S)
    return True


def trim() -> None:
    """Give unused memory of this process back to the system.

    Python's own collector is left alone: it would destroy what belongs to other threads.
    """
    if sys.platform == "linux":
        trim_heap = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim_heap is not None:
            trim_heap(0)
