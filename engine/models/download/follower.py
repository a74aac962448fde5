"""Hashes a file while it is still being written, always in order. Who writes the next bytes hands
them over, while the processor has them at hand; what comes in another order is read again by a
thread, never further than the bytes are there without a hole. So only a short tail is left at the
end. Along the way it takes the CRC-32 of every chunk.
"""

import hashlib
import zlib
from threading import Event, Lock, Thread

from engine.models.download.plan import Plan
from engine.models.download.storage import PositionalFile

_BUFFER_BYTES = 1 << 20
_LOOK_S = 0.05
_NEAR_BYTES = 8 << 20
"""Closer than this to the one who writes, reading would only disturb."""


class Follower:
    """`error` says why it could not read on. `crcs` only grows."""

    def __init__(self, file: PositionalFile, plan: Plan, chunk_bytes: int) -> None:
        self._file = file
        self._plan = plan
        self._sha256 = hashlib.sha256()
        self._buffer = memoryview(bytearray(_BUFFER_BYTES))
        self._lock = Lock()
        self._stopped = Event()
        self._crc = 0
        self._thread = Thread(target=self._run, name="snug-hash", daemon=True)
        self.chunk_bytes = chunk_bytes
        self.crcs: dict[int, int] = {}
        self.position_bytes = 0
        self.finished = Event()
        self.error: OSError | None = None

    def start(self) -> None:
        self._thread.start()

    def stop(self, within_s: float = 1.0) -> bool:
        """Whether it has ended."""
        self._stopped.set()
        self._thread.join(within_s)
        return not self._thread.is_alive()

    @property
    def sha256(self) -> str:
        """Once it has finished."""
        return self._sha256.hexdigest()

    def offer(self, at: int, data: bytes) -> None:
        """These bytes have just been written. Taken only if they are the next ones."""
        if at != self.position_bytes or not self._lock.acquire(blocking=False):
            return
        try:
            if at == self.position_bytes:
                self._take(memoryview(data))
        finally:
            self._lock.release()

    def _take(self, view: memoryview) -> None:
        self._sha256.update(view)
        while view:
            number, inside = divmod(self.position_bytes, self.chunk_bytes)
            some = view[: self.chunk_bytes - inside]
            self._crc = zlib.crc32(some, self._crc)
            self.position_bytes += len(some)
            whole = inside + len(some) == self.chunk_bytes
            if whole or self.position_bytes == self._plan.size_bytes:
                self.crcs[number], self._crc = self._crc, 0
            view = view[len(some) :]

    # --- on the thread ----------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            seen = 0
            while not self._is_done():
                until = self._plan.prefix_bytes
                lags = until - self.position_bytes > _NEAR_BYTES
                if lags or seen == self.position_bytes:
                    self._catch_up(until)
                seen = self.position_bytes
                if self._stopped.wait(0 if self._is_done() else _LOOK_S):
                    return
        except OSError as error:
            self.error = error
        self.finished.set()

    def _is_done(self) -> bool:
        size = self._plan.size_bytes
        return size is not None and self.position_bytes >= size and self._plan.complete

    def _catch_up(self, until: int) -> None:
        while self.position_bytes < until and not self._stopped.is_set():
            with self._lock:
                at = self.position_bytes
                if at >= until:  # `offer` was quicker while the lock was waited for
                    return
                view = self._buffer[: min(len(self._buffer), until - at)]
                if self._file.read(at, view) < len(view):
                    raise OSError(5, "the file became shorter")
                self._take(view)
