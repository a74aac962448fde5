"""How many connections a download should have: one, unless the server is slow per connection and
more of them really are faster together. Decisions only; the clock's time is passed in."""

from engine.types.downloads import FetchLimits

SLOW_BYTES_PER_S = 30e6
_ENOUGH_LEFT_BYTES = 64 << 20
_WINDOW_S = 3.0
_SETTLING_S = 1.0
"""A new connection is slow at first."""
_GAIN = 1.15
_HOLD_S = 60.0
"""So long nothing is tried again after more connections were no faster, or one was refused."""


class Tempo:
    def __init__(self, now_s: float) -> None:
        self.connections = 1
        self._since_s = now_s
        self._bytes_before = 0
        self._quiet_until_s = now_s
        self._held_until_s = now_s
        self._trial: tuple[int, float] | None = None
        """How many there were before, and how fast they were, while more are on trial."""

    def measure(
        self, now_s: float, fetched_bytes: int, left_bytes: int, limits: FetchLimits
    ) -> None:
        """`fetched_bytes` only grows. Changes `connections` every few seconds at most."""
        if now_s < self._quiet_until_s:
            self._restart(now_s, fetched_bytes)
        passed_s = now_s - self._since_s
        if passed_s < _WINDOW_S:
            return
        speed = (fetched_bytes - self._bytes_before) / passed_s
        self._restart(now_s, fetched_bytes)
        if self._trial is not None and speed < self._trial[1] * _GAIN:
            self.refused(now_s)
            return
        self._trial = None
        self.connections = min(self.connections, max(limits.connections, 1))
        if left_bytes >= _ENOUGH_LEFT_BYTES and self._is_slow(now_s, speed, limits):
            self._grow(now_s, speed, limits)

    def settle(self, now_s: float, fetched_bytes: int) -> None:
        """Measure from now on: something was waited for."""
        self._restart(now_s, fetched_bytes)
        self._trial = None

    def refused(self, now_s: float) -> None:
        """The last connections were too many."""
        before = self.connections - 1 if self._trial is None else self._trial[0]
        self.connections = max(before, 1)
        self._trial = None
        self._held_until_s = now_s + _HOLD_S

    def _is_slow(self, now_s: float, speed: float, limits: FetchLimits) -> bool:
        limited = limits.bytes_per_s > 0 and speed > 0.8 * limits.bytes_per_s
        slow = 0 < speed / self.connections < SLOW_BYTES_PER_S
        return slow and not limited and now_s >= self._held_until_s

    def _grow(self, now_s: float, speed: float, limits: FetchLimits) -> None:
        wanted = min(self.connections * 2, limits.connections)
        if wanted > self.connections:
            self._trial = self.connections, speed
            self._quiet_until_s = now_s + _SETTLING_S
            self.connections = wanted

    def _restart(self, now_s: float, fetched_bytes: int) -> None:
        self._since_s, self._bytes_before = now_s, fetched_bytes
