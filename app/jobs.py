"""One serialised worker for everything that touches a person's data, so that nothing races; and
errands, which take long and touch none of it.

The window hands its blocking work to them and hears back on their threads.
"""

import time
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Lock, Thread, current_thread
from typing import TypeVar

from engine.types.cancel import CancelToken

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


class Errands:
    """Work that may take minutes, each piece on a daemon thread of its own: looking into a hub,
    reading every byte of a model, copying one."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = Lock()
        self._running: dict[Thread, CancelToken] = {}
        self._closed = False

    def start(
        self, work: Callable[[CancelToken], T], done: Callable[[Future[T]], None]
    ) -> CancelToken:
        """`done` gets the finished future on the errand's thread. The token ends the work. After
        `close` it begins cancelled."""
        cancel = CancelToken()
        future: Future[T] = Future()
        future.add_done_callback(done)
        thread = Thread(target=self._run, args=(future, work, cancel), name=self._name, daemon=True)
        with self._lock:
            if self._closed:
                cancel.cancel()
            self._running[thread] = cancel
            thread.start()  # before `close` could wait for it
        return cancel

    def close(self, timeout_s: float) -> bool:
        """Cancel all and wait. False if something did not end in time."""
        deadline_s = time.monotonic() + timeout_s
        with self._lock:
            self._closed = True
            running = dict(self._running)
        for cancel in running.values():
            cancel.cancel()
        for thread in running:
            thread.join(max(deadline_s - time.monotonic(), 0))
        return not any(thread.is_alive() for thread in running)

    def _run(
        self, future: Future[T], work: Callable[[CancelToken], T], cancel: CancelToken
    ) -> None:
        try:
            _settle(future, lambda: work(cancel))
        finally:
            with self._lock:
                self._running.pop(current_thread(), None)


def _settle(future: Future[T], work: Callable[[], T]) -> None:
    try:
        result = work()
    except Exception as error:  # noqa: BLE001 - it is told to whoever asked
        future.set_exception(error)
    else:
        future.set_result(result)
