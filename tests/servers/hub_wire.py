"""HTTP/1.1 over plain sockets, one thread a connection, so that every byte can be right or wrong.

Knows requests, answers and ports; nothing of hubs. Ends with `Origin.close`, whatever still hangs.
"""

import socket
import struct
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from urllib.parse import parse_qs, unquote, urlsplit

_LOOK_S = 0.05
_MOST_HEAD_BYTES = 1 << 16
_REASONS = {200: "OK", 206: "Partial Content", 302: "Found", 404: "Not Found"}


class GoneError(Exception):
    """The other side, or the test, has ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request. `path` is decoded and without query; names of headers are in lower case."""

    method: str
    path: str
    query: Mapping[str, list[str]]
    headers: Mapping[str, str]

    @property
    def token(self) -> str | None:
        kind, _, value = self.headers.get("authorization", "").partition(" ")
        return value if kind == "Bearer" else None


@dataclass(slots=True, kw_only=True)
class Seen:
    """What became of a request. `first` and `end` are those of its `Range`, None without."""

    origin: str
    method: str
    path: str
    token: str | None
    first: int | None = None
    end: int | None = None
    status: int = 0
    sent_bytes: int = 0
    """Of the body, as far as the system took them."""
    at_s: float = field(default_factory=time.monotonic)


@dataclass(slots=True, kw_only=True)
class Line:
    """A connection with one request on it, in the hands of who answers."""

    socket: socket.socket
    asked: Asked
    seen: Seen
    closing: Event
    keep: bool

    def head(self, status: int, headers: Mapping[str, str | int] | None = None) -> None:
        """Without Content-Length or chunks the body ends with the connection."""
        given = dict(headers or {})
        names = {name.lower() for name in given}
        if not names & {"content-length", "transfer-encoding"}:
            self.keep = False
        if not self.keep:
            given.setdefault("Connection", "close")
        self.seen.status = status
        lines = [f"HTTP/1.1 {status} {_REASONS.get(status, 'Whatever')}"]
        lines += [f"{name}: {value}" for name, value in given.items()]
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode("latin-1"))

    def send(self, data: bytes) -> None:
        """A part of the body."""
        if self.closing.is_set():
            raise GoneError
        self.socket.sendall(data)
        self.seen.sent_bytes += len(data)

    def chunk(self, data: bytes) -> None:
        self.send(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def say(self, status: int, body: bytes, kind: str, **headers: str | int) -> None:
        """A whole answer. To HEAD the body is only announced."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.head(status, {"Content-Type": kind, "Content-Length": len(body)} | named)
        if self.asked.method != "HEAD":
            self.send(body)

    def hang(self) -> None:
        """Say nothing until the other side, or the test, is gone."""
        self.socket.settimeout(_LOOK_S)
        while not self.closing.is_set():
            with suppress(TimeoutError):
                if not self.socket.recv(1):
                    break
        raise GoneError

    def wait(self, seconds: float) -> None:
        if self.closing.wait(seconds):
            raise GoneError

    def drop(self) -> None:
        """End the connection in the middle, as if all was said."""
        raise GoneError

    def reset(self) -> None:
        """End it as a crash does."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        raise GoneError


Answer = Callable[[Line], None]


class Origin:
    """A listening port. `answer` is called for each request, on the thread of its connection."""

    def __init__(
        self, name: str, answer: Answer, record: Callable[[Seen], None], host: str = "127.0.0.1"
    ) -> None:
        self.name = name
        self.host = host if _is_ours(host) else "127.0.0.1"
        self._answer = answer
        self._record = record
        self._closing = Event()
        self._lock = Lock()
        self._open: set[socket.socket] = set()
        self._threads: list[Thread] = []
        self._listening: socket.socket | None = None
        self.port = 0
        self.listen()

    @property
    def address(self) -> str:
        return f"http://{self.host}:{self.port}"

    def listen(self) -> None:
        """Open the port: the same as before, if there was one."""
        self._listening = socket.create_server((self.host, self.port), backlog=128)
        self.port = self._listening.getsockname()[1]
        self._listening.settimeout(_LOOK_S)
        self._start(self._accept, self._listening)

    def vanish(self) -> None:
        """Close the port and reset every connection, as when the server's machine falls over."""
        with self._lock:
            listening, self._listening = self._listening, None
            connections = tuple(self._open)
        if listening is not None:
            with suppress(OSError):  # what waits for it would keep the port open for a moment
                listening.shutdown(socket.SHUT_RDWR)
            listening.close()
        for connection in connections:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._closing.set()
        self.vanish()
        for thread in self._threads:
            thread.join(10)

    def _start(self, work: Callable[[socket.socket], None], connection: socket.socket) -> None:
        thread = Thread(target=work, args=(connection,), daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self, listening: socket.socket) -> None:
        while listening is self._listening:
            with suppress(TimeoutError, OSError):
                connection, _ = listening.accept()
                connection.settimeout(None)
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._start(self._serve, connection)

    def _serve(self, connection: socket.socket) -> None:
        with self._lock:
            self._open.add(connection)
        try:
            with connection, suppress(OSError, GoneError):
                while self._answer_one(connection):
                    pass
        finally:
            with self._lock:
                self._open.discard(connection)

    def _answer_one(self, connection: socket.socket) -> bool:
        asked = _read_request(connection)
        if asked is None or self._closing.is_set():
            return False
        first, end = range_of(asked.headers.get("range", "")) or (None, None)
        seen = Seen(
            origin=self.name,
            method=asked.method,
            path=asked.path,
            token=asked.token,
            first=first,
            end=end,
        )
        self._record(seen)
        keep = asked.headers.get("connection", "").lower() != "close"
        line = Line(socket=connection, asked=asked, seen=seen, closing=self._closing, keep=keep)
        self._answer(line)
        return line.keep


def _is_ours(host: str) -> bool:
    """Linux and Windows are all of 127.0.0.0/8; macOS is only the first."""
    try:
        socket.create_server((host, 0)).close()
    except OSError:
        return False
    return True


def _read_request(connection: socket.socket) -> Asked | None:
    head = bytearray()
    while not head.endswith(b"\r\n\r\n"):  # nobody sends a body, so nothing follows the head
        data = connection.recv(_MOST_HEAD_BYTES)
        if not data or len(head) > _MOST_HEAD_BYTES:
            return None
        head += data
    first, *lines = head.decode("latin-1").split("\r\n")
    method, target, _ = first.split(" ")
    parts = urlsplit(target)
    pairs = (line.partition(":") for line in lines if line)
    return Asked(
        method=method,
        path=unquote(parts.path),
        query=parse_qs(parts.query, keep_blank_values=True),
        headers={name.strip().lower(): value.strip() for name, _, value in pairs},
    )


def range_of(text: str) -> tuple[int | None, int | None] | None:
    """First byte and end (not with it) of a `Range` with one range; (None, 5) is the last five."""
    unit, _, wanted = text.partition("=")
    begin, dash, last = wanted.partition("-")
    if unit != "bytes" or not dash or "," in wanted:
        return None
    if not begin:
        return None, int(last)
    return int(begin), int(last) + 1 if last else None
