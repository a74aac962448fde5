"""The keeper's thread: takes work in order, one piece at a time, and outlives what fails in it."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Lock, Thread

from engine.errors import Cancelled, EngineError, EngineStopped
from engine.types.cancel import CancelToken

log = logging.getLogger("snug.keeper")


@dataclass(slots=True, eq=False)
class Work:
    """A piece of work and the token that ends it; `fail` tells when it is not even begun."""

    run: Callable[[], None]
    fail: Callable[[EngineError], None] = lambda _: None
    cancel: CancelToken = field(default_factory=CancelToken)


class WorkQueue:
    """`done` is called after each piece, on the thread. Everything else is called by any."""

    def __init__(self, name: str, done: Callable[[], None]) -> None:
        self._done = done
        self._queue: SimpleQueue[Work | None] = SimpleQueue()
        self._lock = Lock()
        self._wanted: list[Work] = []
        """Queued or running. A load and the reply that waits for it share one cancel token."""
        self._closed = False
        self._thread = Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def put(self, work: Work) -> None:
        with self._lock:
            closed = self._closed
            if not closed:
                self._wanted.append(work)
                self._queue.put(work)
        if closed:
            work.fail(Cancelled())

    @property
    def wanted(self) -> int:
        """How many pieces are queued or running."""
        with self._lock:
            return len(self._wanted)

    def cancel_all(self) -> None:
        with self._lock:
            wanted = tuple(self._wanted)
        for work in wanted:
            work.cancel.cancel()

    def close(self) -> None:
        """Cancel everything and take no more; the thread ends. Safe to call twice."""
        with self._lock:
            first, self._closed = not self._closed, True
        self.cancel_all()
        if first:
            self._queue.put(None)

    def join(self, timeout_s: float) -> bool:
        """Whether the thread has ended."""
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _work(self) -> None:
        while (work := self._queue.get()) is not None:
            try:
                _do(work)
            except Exception:  # a listener failed; the thread must go on for the others
                log.exception("what was told of the model could not be taken")
            finally:
                self._done()
                with self._lock:
                    self._wanted.remove(work)


def _do(work: Work) -> None:
    """Every foreign exception becomes a final `Failed`."""
    try:
        work.run()
    except EngineError as error:
        work.fail(error)
    except Exception as error:
        log.exception("the keeper failed")
        work.fail(EngineStopped(f"{type(error).__name__}: {error}"))
