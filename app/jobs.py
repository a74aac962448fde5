"""One serialised worker for everything that touches a person's data, so that nothing races.

The window hands its blocking work to it and hears back on the worker's thread.
"""

from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


class SerialWorker:
    """Runs one piece of work after the other, in order of arrival, on one named thread.

    The thread is a daemon: work that hangs, on a lost network drive for one, keeps nobody here.
    """

    def __init__(self, name: str) -> None:
        self._queue: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def submit(self, work: Callable[[], T], done: Callable[[Future[T]], None]) -> None:
        """Queue `work`; `done` gets its finished future on the worker's thread."""
        future: Future[T] = Future()
        future.add_done_callback(done)
        self._queue.put(lambda: _settle(future, work))

    def close(self, timeout_s: float) -> bool:
        """Finish what was queued, then end the thread. False if that takes longer."""
        self._queue.put(None)
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _work(self) -> None:
        while (work := self._queue.get()) is not None:
            work()


def _settle(future: Future[T], work: Callable[[], T]) -> None:
    try:
        result = work()
    except Exception as error:  # noqa: BLE001 - it is told to whoever asked
        future.set_exception(error)
    else:
        future.set_result(result)
