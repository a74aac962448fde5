"""What a download needs of the computer, passed in so that tests need not wait for it."""

import random
import shutil
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

import psutil

from engine.errors import EngineError
from engine.models.download.answers import plain_refusal
from engine.models.download.retries import Pace

Refusal = Callable[[int, Mapping[str, str], str], EngineError]

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def boot_id() -> str:
    """A text that is another one after a start of the computer; it may be another one without,
    which only means that more is checked. Only Linux has a name for it."""
    with suppress(OSError, ValueError):
        return _BOOT_ID.read_text("ascii").strip()
    return f"about {round(psutil.boot_time() / 10)}"


def free_bytes(folder: Path) -> int:
    """Raises `OSError`. Some disks of a network do not say, which is no reason not to try."""
    usage = shutil.disk_usage(folder)
    return usage.free if usage.total else 1 << 62


def _jitter() -> float:
    return random.uniform(0.75, 1.25)  # noqa: S311 - not for secrets


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """`clock` never goes back, in seconds. `wait` is until the event is set, at most so long.
    `stall_s` without a byte is silence. `offline` is looked at while nothing is asked.
    `refusal` makes an error of what a hub itself answers: status, headers, its address."""

    clock: Callable[[], float] = time.monotonic
    wait: Callable[[Event, float], bool] = Event.wait
    jitter: Callable[[], float] = _jitter
    free_bytes: Callable[[Path], int] = free_bytes
    boot_id: Callable[[], str] = boot_id
    offline: Callable[[], bool] = lambda: False
    refusal: Refusal = plain_refusal
    stall_s: float = 30.0
    pace: Pace = field(default_factory=Pace)
