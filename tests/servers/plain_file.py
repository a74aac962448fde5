"""A server of one file, in parts, as fast as is wished; and the file's bytes and hash."""

import hashlib
import random
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

_BLOCK = random.Random(5).randbytes((1 << 20) + 7919)
"""Of no length that anything else has, so that bytes at a wrong place are noticed."""


def bytes_of(start: int, end: int) -> bytes:
    """Of any file, at these positions."""
    inside, length = start % len(_BLOCK), end - start
    return (_BLOCK * (2 + length // len(_BLOCK)))[inside : inside + length]


def hash_of(size_bytes: int) -> str:
    digest = hashlib.sha256()
    for at in range(0, size_bytes, len(_BLOCK)):
        digest.update(_BLOCK[: size_bytes - at])
    return digest.hexdigest()


@dataclass(slots=True)
class Server:
    """Gives a file of so many bytes, at most so fast over each connection."""

    size_bytes: int
    bytes_per_s: float
    listening: socket.socket
    asked: list[int] = field(default_factory=list)
    """The first byte of each request."""
    sent_bytes: int = 0
    """What the system took; the other side need not have read it."""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.listening.getsockname()[1]}"

    def serve(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self.listening.accept()
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with suppress(OSError, ValueError), connection:
            head = connection.recv(65536).decode("latin-1").lower()
            first, _, last = head.partition("range: bytes=")[2].partition("\r\n")[0].partition("-")
            start, end = int(first), int(last) + 1 if last else self.size_bytes
            self.asked.append(start)
            connection.sendall(
                b'HTTP/1.1 206 Part\r\nContent-Length: %d\r\nETag: "1"\r\n'
                b"Content-Range: bytes %d-%d/%d\r\n\r\n"
                % (end - start, start, end - 1, self.size_bytes)
            )
            self._send(connection, start, end)

    def _send(self, connection: socket.socket, at: int, end: int) -> None:
        begun, first = time.monotonic(), at
        while at < end:
            inside = at % len(_BLOCK)
            piece = _BLOCK[inside : inside + min(256 * 1024, end - at)]
            connection.sendall(piece)
            at += len(piece)
            self.sent_bytes += len(piece)
            ahead_s = (at - first) / self.bytes_per_s - (time.monotonic() - begun)
            if ahead_s > 0:
                time.sleep(ahead_s)


@contextmanager
def serving(size_bytes: int, bytes_per_s: float = 1e12) -> Iterator[Server]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = Server(size_bytes, bytes_per_s, listening)
        thread = threading.Thread(target=server.serve)
        thread.start()
        try:
            yield server
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            thread.join()
