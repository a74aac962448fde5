"""Hashes a file while it is still being written, always in order, on a thread of its own.

Who writes the next bytes hands them over; what comes in another order is read again, never further
than the bytes are there without a hole. So only a short tail is left at the end. At the end of
each chunk it notes how far the hash is, for who comes back to the file later.
"""

import hashlib
from collections import deque
from threading import Condition, Event, Thread

from engine.models.download.checks import check_so_far
from engine.models.download.plan import Plan
from engine.models.download.records import Check
from engine.models.download.storage import PositionalFile

_BUFFER_BYTES = 1 << 20
_LOOK_S = 0.05
_MOST_HANDED_BYTES = 4 << 20


class Follower:
    """`error` says why it could not read on. `checks` only grows."""

    def __init__(self, file: PositionalFile, plan: Plan, chunk_bytes: int) -> None:
        self._file = file
        self._plan = plan
        self._sha256 = hashlib.sha256()
        self._buffer = memoryview(bytearray(_BUFFER_BYTES))
        self._changed = Condition()
        self._handed: deque[bytes] = deque()
        self._handed_bytes = 0
        self._next_bytes = 0
        """Where what comes next begins: behind what was handed over."""
        self._stopped = Event()
        self._thread = Thread(target=self._run, name="snug-hash", daemon=True)
        self.chunk_bytes = chunk_bytes
        self.checks: dict[int, Check] = {}
        self.position_bytes = 0
        self.finished = Event()
        self.error: OSError | None = None

    def start(self) -> None:
        self._thread.start()

    def stop(self, within_s: float = 1.0) -> bool:
        """Whether it has ended."""
        self._stopped.set()
        with self._changed:
            self._changed.notify_all()
        self._thread.join(within_s)
        return not self._thread.is_alive()

    @property
    def sha256(self) -> str:
        """Once it has finished."""
        return self._sha256.hexdigest()

    def offer(self, at: int, data: bytes) -> None:
        """These bytes have just been written. Taken only if they are the next ones; waits while
        there is much to hash already."""
        with self._changed:
            while at == self._next_bytes and self._handed_bytes > _MOST_HANDED_BYTES:
                if self._stopped.is_set() or not self._changed.wait(_LOOK_S):
                    return
            if at == self._next_bytes:
                self._handed.append(data)
                self._next_bytes += len(data)
                self._handed_bytes += len(data)
                self._changed.notify_all()

    def _take(self, view: memoryview) -> None:
        while view:
            number, inside = divmod(self.position_bytes, self.chunk_bytes)
            some = view[: self.chunk_bytes - inside]
            self._sha256.update(some)
            self.position_bytes += len(some)
            whole = inside + len(some) == self.chunk_bytes
            if whole or self.position_bytes == self._plan.size_bytes:
                self.checks[number] = check_so_far(self._sha256)
            view = view[len(some) :]

    # --- on the thread ----------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            while not (self._is_done() or self._stopped.is_set()):
                if not self._take_handed():
                    self._catch_up()
        except OSError as error:
            self.error = error
        if not self._stopped.is_set():
            self.finished.set()

    def _is_done(self) -> bool:
        size = self._plan.size_bytes
        return size is not None and self.position_bytes >= size and self._plan.complete

    def _take_handed(self) -> bool:
        """What was handed over, or will be in a moment; whether there was anything."""
        with self._changed:
            if not self._handed:
                self._changed.wait(_LOOK_S)
            if not self._handed:
                return False
            data = self._handed.popleft()
            self._handed_bytes -= len(data)
            self._changed.notify_all()
        self._take(memoryview(data))
        return True

    def _catch_up(self) -> None:
        """Nobody hands over what is next: read it from the disk."""
        while (until := self._plan.prefix_bytes) > self.position_bytes:
            with self._changed:
                if self._handed or self._stopped.is_set():
                    return
                at = self.position_bytes
                view = self._buffer[: min(len(self._buffer), until - at)]
                self._next_bytes = at + len(view)
            if self._file.read(at, view) < len(view):
                raise OSError(5, "the file became shorter")
            self._take(view)
