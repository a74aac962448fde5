"""The body of an answer, as quickly as the system gives it, and never less than was announced.

Runs on the thread of `Sending`.
"""

import re
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

import httpx

from engine.errors import ServerSilent
from engine.net.lost import ConnectionLost
from engine.net.requests import Method, Request

_READ_BYTES = 1 << 20
_BODILESS = (204, 304)
_NUMBER = re.compile(r"[0-9]{1,18}")


def read_body(
    request: Request, response: httpx.Response, waiting_s: float, *, tls_in_tls: bool = False
) -> Iterator[bytes]:
    """Pieces of the body. Where its length is known, only the first comes through the HTTP
    library, with whatever that has read already; the others straight from the socket, which is
    three times as fast. Raises `ConnectionLost` if it ends early, or what the library raises."""
    pieces = response.iter_raw()
    length = None if tls_in_tls else _length_of(request, response.status_code, response.headers)
    if length is None:
        yield from pieces
        return
    first = next(pieces, b"")
    if first:
        yield first
    if len(first) >= length:  # and the library may have closed the socket
        return
    connection = response.extensions["network_stream"].get_extra_info("socket")
    is_tls = isinstance(connection, ssl.SSLSocket)
    read = _records(response.extensions["network_stream"]) if is_tls else connection.recv
    try:
        connection.settimeout(waiting_s)
        yield from _straight(read, length - len(first), request.address)
    except TimeoutError as error:
        raise ServerSilent(request.address, str(error)) from error
    except OSError as error:
        raise ConnectionLost(request.address, str(error)) from error


def _length_of(request: Request, status: int, headers: Mapping[str, str]) -> int | None:
    if request.verb == Method.HEAD or status in _BODILESS or "transfer-encoding" in headers:
        return None
    length = headers.get("content-length", "")
    return int(length) if _NUMBER.fullmatch(length) else None


def _straight(read: Callable[[int], bytes], left: int, address: str) -> Iterator[bytes]:
    while left > 0:
        piece = read(min(left, _READ_BYTES))
        if not piece:
            raise ConnectionLost(address, f"{left} bytes are missing at the end")
        left -= len(piece)
        yield piece


def _records(stream: Any) -> Callable[[int], bytes]:
    """Reads what is there already in one go. TLS gives 16 KiB at a time, and to wake whoever waits
    for each of them takes longer than to decrypt it."""
    connection: ssl.SSLSocket = stream.get_extra_info("socket")
    space = memoryview(bytearray(_READ_BYTES))

    def read(most_bytes: int) -> bytes:
        filled = connection.recv_into(space[:most_bytes])
        with suppress(OSError):  # it comes again with the next read
            while 0 < filled < most_bytes and stream.get_extra_info("is_readable"):
                more = connection.recv_into(space[filled:most_bytes])
                if not more:
                    break
                filled += more
        return bytes(space[:filled])

    return read
