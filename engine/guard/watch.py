"""Reads memory once a second and tells when it becomes tight, and when it no longer is.

One thread of its own. It must not need memory to say that there is none.
"""

import logging
from collections.abc import Callable
from threading import Event, Thread

from engine.guard.pressure import Level, level_of
from engine.types.hardware import Memory

log = logging.getLogger("snug.guard")

_CALM_S = 60.0
"""Memory has to be enough for so long before it counts as enough again."""
_FULL_READINGS = 2
"""One reading alone may be another program's short need."""


class Alarm:
    """Levels with memory: quick to rise, slow to fall. Pure but for what it has seen."""

    def __init__(self) -> None:
        self.level = Level.ENOUGH
        self._full_readings = 0
        self._calm_since_s: float | None = None

    def take(self, seen: Level, now_s: float) -> bool:
        """A new reading; True if `level` has to be told (again, while it stays FULL)."""
        self._full_readings = self._full_readings + 1 if seen is Level.FULL else 0
        if seen is Level.FULL and self._full_readings < _FULL_READINGS:
            seen = Level.LOW
        if seen >= self.level:
            self._calm_since_s = None
            changed, self.level = seen > self.level, seen
            return changed or seen is Level.FULL
        return self._fall(seen, now_s)

    def _fall(self, seen: Level, now_s: float) -> bool:
        """From FULL to LOW at once (something was let go), to ENOUGH after a calm while."""
        if self.level is Level.FULL:
            self.level = Level.LOW
        if seen is not Level.ENOUGH:
            self._calm_since_s = None
            return False
        if self._calm_since_s is None:
            self._calm_since_s = now_s
        if now_s - self._calm_since_s < _CALM_S:
            return False
        self.level = Level.ENOUGH
        return True


class MemoryWatch:
    """Calls `tell(level)` on its own thread, and `tick()` after every reading."""

    def __init__(
        self,
        *,
        read: Callable[[], Memory],
        tell: Callable[[Level], None],
        tick: Callable[[], None],
        clock: Callable[[], float],
        period_s: float = 1.0,
    ) -> None:
        self._read = read
        self._tell = tell
        self._tick = tick
        self._clock = clock
        self._period_s = period_s
        self._alarm = Alarm()
        self._ended = Event()
        self._thread = Thread(target=self._work, name="snug-guard", daemon=True)
        self._thread.start()

    def close(self, timeout_s: float) -> bool:
        self._ended.set()
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _work(self) -> None:
        while not self._ended.wait(self._period_s):
            try:
                self._look()
            except Exception:  # one bad reading must not end the watch
                log.exception("memory could not be watched")

    def _look(self) -> None:
        if self._alarm.take(level_of(self._read()), self._clock()):
            self._tell(self._alarm.level)
        self._tick()
