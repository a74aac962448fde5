"""A cancel token: set from any thread, read by the one that works.

It is the only mutable thing that crosses an engine port.
"""

from collections.abc import Callable
from threading import RLock


class CancelToken:
    """Says once and for good that a piece of work is no longer wanted."""

    __slots__ = ("_callbacks", "_cancelled", "_lock")

    def __init__(self) -> None:
        self._lock = RLock()
        self._cancelled = False
        self._callbacks: list[Callable[[], None]] = []

    @property
    def cancelled(self) -> bool:
        return self._cancelled

    def cancel(self) -> None:
        """Ask the work to stop. Safe to call twice and from any thread."""
        with self._lock:  # held while calling: after `forget` no callback can come any more
            self._cancelled = True
            callbacks, self._callbacks = self._callbacks, []
            for callback in callbacks:
                callback()

    def on_cancel(self, callback: Callable[[], None]) -> None:
        """Call `callback` at the moment of cancelling, or at once if that has passed.

        It must be quick and must not wait for anything.
        """
        with self._lock:
            if not self._cancelled:
                self._callbacks.append(callback)
                return
        callback()

    def forget(self, callback: Callable[[], None]) -> None:
        """Take back what `on_cancel` registered; unknown callbacks are ignored."""
        with self._lock:
            if callback in self._callbacks:
                self._callbacks.remove(callback)
