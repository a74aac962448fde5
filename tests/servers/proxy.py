"""A proxy on loopback: forwards plain requests and tunnels the others, wherever they want to go.

Whatever host is asked for, the connection goes to `target`, so that tests need no names.
"""

import base64
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from tests.servers.odd import Line, odd_server

_PIECE_BYTES = 1 << 16


@dataclass(slots=True, kw_only=True)
class Seen:
    """`port` of the proxy, and the first lines of all that it was asked."""

    port: int = 0
    lines: list[str] = field(default_factory=list)
    logins: list[str] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def proxy_to(
    target: int, *, login: str = "", answer: int = 0, tls: ssl.SSLContext | None = None
) -> Iterator[Seen]:
    """With `login` ("name:password") others are refused; with `answer` everybody is."""
    seen = Seen()

    def script(line: Line) -> None:
        asked = line.asked
        seen.lines.append(f"{asked.method} {asked.path}")
        said = asked.headers.get("proxy-authorization", "")
        seen.logins.append(base64.b64decode(said.removeprefix("Basic ")).decode())
        if answer or (login and seen.logins[-1] != login):
            line.say(answer or 407, b"no", Proxy_Authenticate="Basic")
            return
        with socket.create_connection(("127.0.0.1", target), 10) as onward:
            if asked.method == "CONNECT":
                line.send(b"HTTP/1.1 200 Connection established\r\n\r\n")
            else:
                path = "/" + asked.path.partition("://")[2].partition("/")[2]
                head = f"{asked.method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                onward.sendall(head.encode())
            _tunnel(line.socket, onward)

    with odd_server(script, tls=tls) as odd:
        seen.port = odd.port
        yield seen


def _tunnel(one: socket.socket, other: socket.socket) -> None:
    back = threading.Thread(target=_copy, args=(other, one), daemon=True)
    back.start()
    _copy(one, other)
    back.join()


def _copy(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while piece := source.recv(_PIECE_BYTES):
            sink.sendall(piece)
    for end in (source, sink):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
