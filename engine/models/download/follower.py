"""Hashes a file while it is still being written: on a thread of its own, always in order, never
further than the bytes that are there without a hole. So only a short tail is left at the end.

Along the way it takes the CRC-32 of every chunk, which costs next to nothing then.
"""

import hashlib
import zlib
from threading import Event, Thread

from engine.models.download.plan import Plan
from engine.models.download.storage import PositionalFile

_BUFFER_BYTES = 1 << 20
_LOOK_S = 0.02


class Follower:
    """`error` says why it could not read on. `crcs` only grows."""

    def __init__(self, file: PositionalFile, plan: Plan, chunk_bytes: int) -> None:
        self._file = file
        self._plan = plan
        self.chunk_bytes = chunk_bytes
        self._sha256 = hashlib.sha256()
        self._buffer = memoryview(bytearray(min(_BUFFER_BYTES, chunk_bytes)))
        self._stopped = Event()
        self._crc = 0
        self._thread = Thread(target=self._run, name="snug-hash", daemon=True)
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

    # --- on the thread ----------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            while not self._follow():
                if self._stopped.wait(_LOOK_S):
                    return
        except OSError as error:
            self.error = error
        self.finished.set()

    def _follow(self) -> bool:
        """Read what is there by now; whether that is all."""
        size, until = self._plan.size_bytes, self._plan.prefix_bytes
        while self.position_bytes < until and not self._stopped.is_set():
            self._read(until)
        return size is not None and self.position_bytes >= size and self._plan.complete

    def _read(self, until: int) -> None:
        at = self.position_bytes
        room = self.chunk_bytes - at % self.chunk_bytes
        view = self._buffer[: min(len(self._buffer), until - at, room)]
        count = self._file.read(at, view)
        if count < len(view):
            raise OSError(5, "the file became shorter")
        self._sha256.update(view)
        self._crc = zlib.crc32(view, self._crc)
        self.position_bytes += count
        if count == room or self.position_bytes == self._plan.size_bytes:
            self.crcs[at // self.chunk_bytes] = self._crc
            self._crc = 0
