"""The only door between threads and widgets: a locked queue and one argument-less signal.

Any thread may `publish`; its cost is an append, and a wake-up only when none is under way.
The GUI thread drains the queue: the first growth of a reply at once, further ones at most
about 30 times a second and joined, everything in the order it was published.
"""

import sys
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from threading import Lock
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.events import Event, EventBus, ReplyGrew
from app.jobs import Errands, SerialWorker
from engine.types.cancel import CancelToken

T = TypeVar("T")

PAUSE_MS = 33
"""Rest between two deliveries; what arrives meanwhile is joined."""

_Item = Event | Callable[[], None]


def joined(items: list[_Item]) -> list[_Item]:
    """`items` with every run of growth of one and the same turn made into one event."""
    result: list[_Item] = []
    run: list[ReplyGrew] = []
    for item in items:
        if isinstance(item, ReplyGrew) and (not run or run[0].turn_id == item.turn_id):
            run.append(item)
            continue
        result.extend(_one(run))
        run = [item] if isinstance(item, ReplyGrew) else []
        if not run:
            result.append(item)
    result.extend(_one(run))
    return result


def _one(run: list[ReplyGrew]) -> list[ReplyGrew]:
    if len(run) < 2:
        return run
    text = "".join(grown.text for grown in run)
    return [ReplyGrew(conversation_id=run[0].conversation_id, turn_id=run[0].turn_id, text=text)]


class Bridge(QObject):
    """Carries events and results of background work to the GUI thread."""

    _woken = Signal()

    def __init__(self, bus: EventBus, worker: SerialWorker) -> None:
        super().__init__()
        self._worker = worker
        self._lock = Lock()
        self._queue: deque[_Item] = deque()
        self._awake = False
        self._closed = False
        self._listeners: list[Callable[[Event], None]] = []
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(PAUSE_MS)
        self._rest.timeout.connect(self._drain)
        self._woken.connect(self._drain, Qt.ConnectionType.QueuedConnection)
        self._unsubscribe = bus.subscribe(self._put)

    def listen(self, listener: Callable[[Event], None]) -> None:
        """`listener` gets every event, on the GUI thread."""
        self._listeners.append(listener)

    def run(
        self,
        work: Callable[[], T],
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
    ) -> None:
        """Do `work` on the serial worker; then `done` or `failed` on the GUI thread.

        After `close` nothing is started and nothing comes back.
        """
        self.run_on(self._worker, work, done, failed)

    def run_on(
        self,
        worker: SerialWorker,
        work: Callable[[], T],
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
    ) -> None:
        """As `run`, on a worker of its own: for what may take long, such as the network."""
        if not self._closed:
            worker.submit(work, lambda future: self._put(_answer(future, done, failed)))

    def errand(
        self,
        errands: Errands,
        work: Callable[[CancelToken], T],
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
    ) -> CancelToken:
        """As `run`, on a thread of its own; the token ends the work. After `close` it begins
        cancelled, and nothing comes back."""
        if self._closed:
            token = CancelToken()
            token.cancel()
            return token
        return errands.start(work, lambda future: self._put(_answer(future, done, failed)))

    def call(self, then: Callable[[], None]) -> None:
        """From any thread: `then` on the GUI thread, after what was published before."""
        self._put(then)

    def close(self) -> None:
        """End all deliveries, those under way included. GUI thread."""
        self._unsubscribe()
        with self._lock:
            self._closed = True
            self._queue.clear()
        self._rest.stop()

    def _put(self, item: _Item) -> None:
        with self._lock:
            if self._closed:
                return
            self._queue.append(item)
            wake, self._awake = not self._awake, True
        if wake:
            self._woken.emit()

    def _drain(self) -> None:
        with self._lock:
            items = list(self._queue)
            self._queue.clear()
            self._awake = bool(items)
        if items and not self._closed:
            self._rest.start()
        for item in joined(items):
            self._deliver(item)

    def _deliver(self, item: _Item) -> None:
        """One broken receiver must not cost the others their events."""
        try:
            for receive in (item,) if callable(item) else self._receivers(item):
                if not self._closed:
                    receive()
        except Exception:  # noqa: BLE001 - goes the way of every unhandled error: log, or test
            sys.excepthook(*sys.exc_info())

    def _receivers(self, event: Event) -> list[Callable[[], None]]:
        return [partial(listener, event) for listener in self._listeners]


def _answer(
    future: Future[T], done: Callable[[T], None], failed: Callable[[Exception], None]
) -> Callable[[], None]:
    def deliver() -> None:
        try:
            result = future.result()
        except Exception as error:  # noqa: BLE001 - `failed` shows it, whatever it is
            failed(error)
        else:
            done(result)

    return deliver
