"""What has come and nobody has read yet: a little of it, so that a fast server fills no memory.

Filled by the thread that talks to the server, which waits here while there is enough, and emptied
by the one that asked. Whoever closes it wakes both.
"""

from collections import deque
from threading import Condition, Lock

from engine.net.pieces import Piece

_MIB = 1 << 20
_MOST_BYTES = 3 * _MIB
"""Of body that waits; beside it the filling thread holds one piece of at most 1 MiB."""
_TAKEN_BYTES = 256 * 1024
"""Small pieces are handed out together, about so many bytes at a time."""


class StoppedError(Exception):
    """Nobody waits for the answer any more."""


class Flow:
    """Pieces in order. `received_bytes` counts the body as it comes in, read or not."""

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._lock = Lock()
        self._filled = Condition(self._lock)
        self._room = Condition(self._lock)
        self._pieces: deque[Piece] = deque()
        self._closed = False
        self.unread_bytes = 0
        self.received_bytes = 0

    def put(self, piece: Piece) -> None:
        """Waits for room. Raises `StoppedError` once it is closed."""
        size_bytes = _size_of(piece)
        with self._lock:
            if not self._closed:
                self.received_bytes += size_bytes
            while not self._closed and self._is_full(size_bytes):
                self._room.wait()
            if self._closed:
                raise StoppedError
            self._pieces.append(piece)
            self.unread_bytes += size_bytes
            self._filled.notify()

    def take(self, within_s: float) -> Piece | None:
        """The next piece, of the body what is there of it; None after that time, or if closed."""
        with self._lock:
            self._filled.wait_for(lambda: self._pieces or self._closed, within_s)
            if self._closed or not self._pieces:
                return None
            piece = self._pieces.popleft()
            if isinstance(piece, bytes):
                piece = self._with_more(piece)
                self.unread_bytes -= len(piece)
                self._room.notify()
            return piece

    def close(self) -> None:
        """Quick; from any thread. What is left unread is given up."""
        with self._lock:
            self._closed = True
            self._pieces.clear()
            self.unread_bytes = 0
            self._filled.notify_all()
            self._room.notify_all()

    def _is_full(self, more_bytes: int) -> bool:
        """A piece larger than all the room may pass when nothing else waits."""
        crowded = self.unread_bytes + more_bytes > self._most_bytes
        return crowded and more_bytes > 0 and self.unread_bytes > 0

    def _with_more(self, first: bytes) -> bytes:
        found, size_bytes = [first], len(first)
        while self._pieces and size_bytes < _TAKEN_BYTES:
            piece = self._pieces[0]
            if not isinstance(piece, bytes):
                break
            found.append(piece)
            size_bytes += len(piece)
            self._pieces.popleft()
        return first if len(found) == 1 else b"".join(found)


def _size_of(piece: Piece) -> int:
    return len(piece) if isinstance(piece, bytes) else 0
