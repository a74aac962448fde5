"""The person's limit of bytes a second, over all connections of a download: a bucket that may be
overdrawn by one piece and is then waited for. A new limit counts at once. Any thread."""

from collections.abc import Callable
from threading import Lock

_BURST_S = 0.2
_LOOK_S = 0.1
"""How soon a new limit, or the end, is noticed."""
_SHORTEST_S = 0.001
"""Less is not worth a wait."""
_LEAST_PORTION_BYTES = 16 << 10


class Throttle:
    """`limit_bytes_per_s` may be set at any time; 0 is without limit."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = Lock()
        self._credit_bytes = 0.0
        self._at_s = clock()
        self.limit_bytes_per_s = 0

    def portion_bytes(self, most: int) -> int:
        """How much to take at a time: under a limit in small steps, so that what is shown does not
        jump."""
        limit = self.limit_bytes_per_s
        return most if limit <= 0 else min(max(limit // 10, _LEAST_PORTION_BYTES), most)

    def spend(self, count_bytes: int) -> float:
        """How long to wait before reading on; then ask again, with 0."""
        if self.limit_bytes_per_s <= 0:
            return 0.0
        with self._lock:
            limit = self._refill()
            self._credit_bytes -= count_bytes
            wait_s = -self._credit_bytes / limit
            return 0.0 if wait_s < _SHORTEST_S else min(wait_s, _LOOK_S)

    def _refill(self) -> int:
        limit, now = max(self.limit_bytes_per_s, 1), self._clock()
        passed_s, self._at_s = max(now - self._at_s, 0.0), now
        self._credit_bytes = min(self._credit_bytes + limit * passed_s, limit * _BURST_S)
        return limit
