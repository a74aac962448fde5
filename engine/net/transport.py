"""httpx, and nothing else in Snug: sends one request and passes on what comes back.

Runs on the thread of `Sending`. Only here a socket is opened, and only for as long as `send` runs.
"""

import logging
import ssl
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import httpx
import truststore

from engine.errors import EngineError, ServerIncomprehensible
from engine.net.address import is_near, origin_of
from engine.net.mapping import mapped
from engine.net.pieces import Head, Piece
from engine.net.requests import Patience, Request

for _name in ("httpx", "httpcore"):  # they would write every address into our log
    logging.getLogger(_name).setLevel(logging.WARNING)


def send(
    request: Request,
    patience: Patience,
    deliver: Callable[[Piece], None],
    trace: Callable[[str, Mapping[str, Any]], None],
) -> EngineError | None:
    """Deliver the answer's head and body; returns why that was not possible."""
    try:
        _send(request, patience, deliver, trace)
    except Exception as error:  # noqa: BLE001 - proxies and name services raise what they like
        return mapped(error, request.address)
    return None


def _send(
    request: Request,
    patience: Patience,
    deliver: Callable[[Piece], None],
    trace: Callable[[str, Mapping[str, Any]], None],
) -> None:
    with (
        _client(request, patience) as client,
        client.stream(
            "GET" if request.body is None else "POST",
            request.url,
            headers=request.headers,
            content=request.content,
            extensions={"trace": trace},
        ) as response,
    ):
        headers = {name.lower(): value for name, value in response.headers.items()}
        deliver(Head(status=response.status_code, headers=headers))
        left = request.limit_bytes
        for chunk in response.iter_raw():
            left -= len(chunk)
            if left < 0:
                raise ServerIncomprehensible(request.address, "the answer has no end")
            deliver(chunk)


def _client(request: Request, patience: Patience) -> httpx.Client:
    """Proxies are those of the environment or the system (HTTP_PROXY, NO_PROXY, …), but neither
    what is near is asked by way of another computer, nor may one read a key. Half of the time to
    connect is for each address of a name, of which the first may lead nowhere."""
    scheme, host, _port = origin_of(request.address)
    waiting_s = max(patience.first_s, patience.silence_s)
    return httpx.Client(
        verify=_trust(),
        trust_env=not is_near(host) and (scheme == "https" or not request.key),
        follow_redirects=False,  # a key must not travel on
        timeout=httpx.Timeout(waiting_s, connect=patience.connect_s / 2),
    )


@lru_cache(maxsize=1)
def _trust() -> ssl.SSLContext:
    """The certificates that this computer trusts, with everything checked."""
    return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
