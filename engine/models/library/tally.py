"""How far a long piece of work on files is, and whether it is still wanted. It never tells a person
less than before. One thread at a time."""

from collections.abc import Callable

from engine.errors import Cancelled
from engine.types.cancel import CancelToken

Progress = Callable[[float], None]
"""Gets how much is done, 0 to 1, on the thread that works."""

_STEP = 1 / 1000
"""More steps than a bar can show only cost time."""


class Tally:
    """Counts bytes towards `total_bytes`."""

    def __init__(self, total_bytes: int, progress: Progress, cancel: CancelToken) -> None:
        self._total_bytes = max(1, total_bytes)
        self._progress = progress
        self._cancel = cancel
        self._done_bytes = 0
        self._told = 0.0
        self.check()
        progress(0.0)

    def check(self) -> None:
        """Raises `Cancelled`."""
        if self._cancel.cancelled:
            raise Cancelled

    def add(self, count_bytes: int) -> None:
        """So many more are done. Raises `Cancelled`."""
        self.check()
        self._done_bytes += count_bytes
        done = min(1.0, self._done_bytes / self._total_bytes)
        if done >= self._told + _STEP:
            self._told = done
            self._progress(done)

    def finish(self) -> None:
        """All is done; it can no longer be cancelled."""
        self._told = 1.0
        self._progress(1.0)
