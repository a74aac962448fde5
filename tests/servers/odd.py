"""A server on loopback that does exactly what a script says, byte by byte, right or wrong.

A script gets each connection's request and writes what it likes to the socket. Connections are
served one thread each; the socket is closed, or reset, when the script returns.
"""

import json
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field

_ACCEPT_S = 0.05
_READ_S = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request as it came in. Names of headers are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, object]:
        value = json.loads(self.body)
        assert isinstance(value, dict)
        return value


@dataclass(slots=True, kw_only=True)
class Line:
    """A connection in a script's hands. `number` counts from 0."""

    socket: socket.socket
    asked: Asked
    number: int
    closing: threading.Event

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def head(self, status: int = 200, kind: str = "text/event-stream", **headers: str) -> None:
        """A head without a length: the body ends with the connection."""
        lines = [f"HTTP/1.1 {status} Whatever", f"Content-Type: {kind}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        self.send("\r\n".join([*lines, "", ""]).encode())

    def say(self, status: int, body: bytes, kind: str = "application/json", **headers: str) -> None:
        self.head(status, kind, Content_Length=str(len(body)), **headers)
        self.send(body)

    def chunk(self, data: bytes) -> None:
        self.send(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def hang(self, seconds: float = 60.0) -> None:
        """Say nothing until the test is over, or the other side is gone."""
        deadline = time.monotonic() + seconds
        self.socket.settimeout(_ACCEPT_S)
        while not self.closing.is_set() and time.monotonic() < deadline:
            with suppress(TimeoutError):
                if not self.socket.recv(1):
                    return

    def reset(self) -> None:
        """End the connection as a crash does."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


Script = Callable[[Line], None]


@dataclass(slots=True, kw_only=True)
class Odd:
    """The running server: its address, and every request it got."""

    address: str
    port: int
    asked: list[Asked] = field(default_factory=list)
    gone: list[float] = field(default_factory=list)
    """When each connection was over."""


@contextmanager
def odd_server(
    script: Script, *, path: str = "/v1", tls: ssl.SSLContext | None = None, hello: bytes = b""
) -> Iterator[Odd]:
    """`hello` is said to whoever comes, before anything is read."""
    closing = threading.Event()
    threads: list[threading.Thread] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        odd = Odd(address=f"http://127.0.0.1:{port}{path}", port=port)
        listening.settimeout(_ACCEPT_S)

        def accept() -> None:
            while not closing.is_set():
                with suppress(TimeoutError):
                    connection, _ = listening.accept()
                    thread = threading.Thread(
                        target=_serve,
                        args=(script, connection, odd, closing, tls, hello),
                        daemon=True,
                    )
                    threads.append(thread)
                    thread.start()

        accepting = threading.Thread(target=accept, daemon=True)
        accepting.start()
        try:
            yield odd
        finally:
            closing.set()
            accepting.join()
            for thread in threads:
                thread.join(_READ_S)


def _serve(
    script: Script,
    connection: socket.socket,
    odd: Odd,
    closing: threading.Event,
    tls: ssl.SSLContext | None,
    hello: bytes,
) -> None:
    with ExitStack() as stack, suppress(OSError):
        stack.enter_context(connection)
        connection.settimeout(_READ_S)
        connection.sendall(hello)
        if tls is not None:
            connection = stack.enter_context(tls.wrap_socket(connection, server_side=True))
        asked = _read(connection)
        if asked is not None:
            odd.asked.append(asked)
            number = len(odd.asked) - 1
            script(Line(socket=connection, asked=asked, number=number, closing=closing))
    odd.gone.append(time.monotonic())


def _read(connection: socket.socket) -> Asked | None:
    with connection.makefile("rb") as stream:
        first = stream.readline().decode("latin-1").split()
        if len(first) < 2:
            return None
        headers: dict[str, str] = {}
        while line := stream.readline().decode("latin-1").strip():
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        body = stream.read(int(headers.get("content-length", "0")))
    return Asked(method=first[0], path=first[1], headers=headers, body=body)


# --- what a good server would say ---------------------------------------------------------------


def event(value: object) -> bytes:
    return b"data: " + json.dumps(value, ensure_ascii=False).encode() + b"\n\n"


def delta(**fields: object) -> bytes:
    return event({"choices": [{"index": 0, "delta": fields, "finish_reason": None}]})


def answer(pieces: Sequence[str], finish_reason: str = "stop", usage: object = None) -> bytes:
    """A whole stream, as OpenAI's servers write it."""
    parts = [delta(role="assistant", content="")]
    parts += [delta(content=piece) for piece in pieces]
    parts.append(event({"choices": [{"index": 0, "delta": {}, "finish_reason": finish_reason}]}))
    if usage is not None:
        parts.append(event({"choices": [], "usage": usage}))
    return b"".join([*parts, b"data: [DONE]\n\n"])


def models(*names: str) -> bytes:
    return json.dumps({"object": "list", "data": [{"id": name} for name in names]}).encode()


def good(pieces: Sequence[str] = ("Par", "is"), name: str = "m") -> Script:
    """A server without fault."""

    def script(line: Line) -> None:
        if line.asked.path.endswith("/models"):
            line.say(200, models(name))
        else:
            line.head()
            line.send(answer(pieces, usage={"prompt_tokens": 7, "completion_tokens": 2}))

    return script


def says(status: int, body: bytes, kind: str = "application/json", **headers: str) -> Script:
    return lambda line: line.say(status, body, kind, **headers)


def streams(*parts: bytes) -> Script:
    def script(line: Line) -> None:
        line.head()
        for part in parts:
            line.send(part)

    return script
