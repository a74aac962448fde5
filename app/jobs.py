"""One serialised worker for everything that touches a person's data, so that nothing races.

The window hands its blocking work to it and hears back on the worker's thread.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


class SerialWorker:
    """Runs one piece of work after the other, in order of arrival, on one named thread."""

    def __init__(self, name: str) -> None:
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)

    def submit(self, work: Callable[[], T], done: Callable[[Future[T]], None]) -> None:
        """Queue `work`; `done` gets its finished future on the worker's thread."""
        self._pool.submit(work).add_done_callback(done)

    def close(self) -> None:
        """Finish what was queued, then end the thread."""
        self._pool.shutdown(wait=True)
