"""How many connections a download should have: one, unless the server is slow per connection and
more of them really are faster together. Decisions only; the clock's time is passed in."""

from dataclasses import dataclass

from engine.types.downloads import FetchLimits

SLOW_BYTES_PER_S = 30e6
_ENOUGH_LEFT_BYTES = 64 << 20
_WINDOW_S = 3.0
_SETTLING_S = 1.0
"""A new connection is slow at first."""
_GAIN = 1.15
_HOLD_S = 60.0
"""So long nothing is tried again after more connections were no faster, or one was refused."""


@dataclass(frozen=True, slots=True)
class _Window:
    since_s: float
    bytes_before: int


class Tempo:
    def __init__(self, now_s: float) -> None:
        self.connections = 1
        self._window = _Window(now_s, 0)
        self._before_bytes_per_s: float | None = None
        """What it was with one connection less, while that is on trial."""
        self._held_until_s = 0.0

    def measure(
        self, now_s: float, fetched_bytes: int, left_bytes: int, limits: FetchLimits
    ) -> None:
        """`fetched_bytes` only grows. Changes `connections` by at most one, every few seconds."""
        passed_s = now_s - self._window.since_s
        if passed_s < _WINDOW_S:
            return
        speed = max(fetched_bytes - self._window.bytes_before, 0) / passed_s
        self._restart(now_s, fetched_bytes)
        if self._before_bytes_per_s is not None and speed < self._before_bytes_per_s * _GAIN:
            self.refused(now_s)
        else:
            self._before_bytes_per_s = None
            self._grow(now_s, speed, left_bytes, limits)

    def settle(self, now_s: float, fetched_bytes: int) -> None:
        """Measure from now on: something was waited for."""
        self._restart(now_s, fetched_bytes)
        self._before_bytes_per_s = None

    def refused(self, now_s: float) -> None:
        """The last connection was one too many."""
        self.connections = max(self.connections - 1, 1)
        self._before_bytes_per_s = None
        self._held_until_s = now_s + _HOLD_S

    def _grow(self, now_s: float, speed: float, left_bytes: int, limits: FetchLimits) -> None:
        self.connections = min(self.connections, max(limits.connections, 1))
        enough = left_bytes >= _ENOUGH_LEFT_BYTES and now_s >= self._held_until_s
        limited = limits.bytes_per_s > 0 and speed > 0.8 * limits.bytes_per_s
        if not enough or limited or speed / self.connections >= SLOW_BYTES_PER_S:
            return
        if self.connections < limits.connections and speed > 0:
            self.connections += 1
            self._before_bytes_per_s = speed
            self._window = _Window(now_s + _SETTLING_S, self._window.bytes_before)

    def _restart(self, now_s: float, fetched_bytes: int) -> None:
        self._window = _Window(now_s, fetched_bytes)
