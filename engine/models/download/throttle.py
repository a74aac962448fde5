"""The person's limit of bytes a second, over all connections of a download: a bucket that may be
overdrawn by one piece and is then waited for. A new limit counts at once. Any thread."""

from collections.abc import Callable
from threading import Lock

_BURST_S = 0.2
_LOOK_S = 0.1
"""How soon a new limit, or the end, is noticed."""


class Throttle:
    """`limit_bytes_per_s` is asked each time; 0 is without limit."""

    def __init__(self, limit_bytes_per_s: Callable[[], int], clock: Callable[[], float]) -> None:
        self._limit = limit_bytes_per_s
        self._clock = clock
        self._lock = Lock()
        self._credit_bytes = 0.0
        self._at_s = clock()

    def spend(self, count_bytes: int) -> None:
        with self._lock:
            self._refill()
            self._credit_bytes -= count_bytes

    @property
    def wait_s(self) -> float:
        """How long to wait before reading on; then ask again."""
        with self._lock:
            limit = self._refill()
            return 0.0 if limit <= 0 else min(max(-self._credit_bytes / limit, 0.0), _LOOK_S)

    @property
    def is_felt(self) -> bool:
        """Whether the limit, and not the server, says how fast it goes."""
        with self._lock:
            limit = self._refill()
            return limit > 0 and self._credit_bytes < limit * _BURST_S / 2

    def _refill(self) -> int:
        limit, now = self._limit(), self._clock()
        passed_s, self._at_s = max(now - self._at_s, 0.0), now
        if limit <= 0:
            self._credit_bytes = 0.0
        else:
            most = limit * _BURST_S
            self._credit_bytes = min(self._credit_bytes + limit * passed_s, most)
        return limit
