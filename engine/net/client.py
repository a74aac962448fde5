"""The door in the shape that a library of others wants: an httpx client with no other way out.

Runs on whatever thread the library uses it on. Nothing but what is read goes out: GET and HEAD.
"""

import logging
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import httpx

from engine.errors import AddressUnusable, EngineError, ServerIncomprehensible
from engine.net.address import origin_of
from engine.net.door import Door
from engine.net.exchange import Exchange
from engine.net.following import MOST_HOPS, Trail
from engine.net.locations import place_of
from engine.net.requests import Method, Request
from engine.types.cancel import CancelToken
from engine.types.connections import Purpose

_LIMIT_BYTES = 64 << 20
_SILENCE_S = 30.0
"""Somebody looks at the screen until it is there: no model is loaded for it."""
_WHOLE_S = 120.0
_BEARER = "Bearer "
_RANGE = re.compile(r"bytes=([0-9]{1,18})-([0-9]{1,18})?")
_TRAIL = "snug.trail"

logging.getLogger("httpx").setLevel(logging.WARNING)  # it would write every address into our log


def make_client(
    door: Door,
    purpose: Purpose,
    cancel: CancelToken,
    limit_bytes: int = _LIMIT_BYTES,
    only: str | None = None,
) -> httpx.Client:
    """A client whose every request, redirects included, is one of `door`'s, for `purpose`.

    `only` is the address of the server that may be asked: libraries ask others for reasons of
    their own, which no person has. That is `AddressUnusable`, and nothing is sent.

    Each method of it, and reading from its answers, raises our `EngineError` as it is: it is no
    httpx.HTTPError, so that what is made to catch those lets it through. Of the headers that a
    library sets only the key (Authorization, if it is a bearer's), the range and If-Match count.
    """
    return httpx.Client(
        transport=_Transport(door, cancel, _Terms(purpose, limit_bytes, only)),
        trust_env=False,
        follow_redirects=True,
        max_redirects=MOST_HOPS + 1,  # ours ends it first
        timeout=None,  # noqa: S113 - the door has its own patience
    )


@dataclass(frozen=True, slots=True)
class _Terms:
    purpose: Purpose
    limit_bytes: int
    only: str | None


class _Transport(httpx.BaseTransport):
    def __init__(self, door: Door, cancel: CancelToken, terms: _Terms) -> None:
        self._door = door
        self._cancel = cancel
        self._terms = terms

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        trail = self._trail(request)
        exchange = self._door.ask(trail.request, self._cancel).__enter__()
        try:
            trail.leads_on(exchange)  # raises where the client must not follow
            headers = [(name.encode(), said.encode()) for name, said in exchange.headers.items()]
            return httpx.Response(exchange.status, headers=headers, stream=_Body(exchange))
        except BaseException as error:
            exchange.__exit__(type(error), error, error.__traceback__)
            raise

    def _trail(self, request: httpx.Request) -> Trail:
        """A request that the client makes of a redirect has the extensions of the one before: it
        is sent as we have read the redirect, not as the client has."""
        wanted = self._wanted(request)
        trail = request.extensions.get(_TRAIL)
        if not isinstance(trail, Trail) or not trail.has_led:
            self._require_the_one(wanted)
            trail = request.extensions[_TRAIL] = Trail(wanted)
        elif origin_of(trail.request.address) != origin_of(wanted.address):
            raise ServerIncomprehensible(trail.request.address, "a redirect in two senses")
        return trail

    def _require_the_one(self, wanted: Request) -> None:
        only = self._terms.only
        if only is not None and origin_of(only) != origin_of(wanted.address):
            raise AddressUnusable(wanted.address, "not the server that a person chose")

    def _wanted(self, request: httpx.Request) -> Request:
        address, path = place_of(_spelled(request.url))
        if request.method not in (Method.GET, Method.HEAD):
            raise AddressUnusable(address, f"{request.method} is not for reading")
        first, last = _range(request.headers, address)
        return Request(
            purpose=self._terms.purpose,
            address=address,
            path=path,
            key=_key(request.headers),
            first_s=_SILENCE_S,
            limit_bytes=self._terms.limit_bytes,
            method=Method(request.method),
            first_byte=first,
            last_byte=last,
            if_match=request.headers.get("if-match", ""),
        )


class _Body(httpx.SyncByteStream):
    """The body as it comes; closing it ends the exchange."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self._error: BaseException | None = None
        self._closed = False

    def __iter__(self) -> Iterator[bytes]:
        self._exchange.silence_s = min(self._exchange.silence_s, _SILENCE_S)
        try:
            yield from self._exchange.chunks(_WHOLE_S)
        except EngineError as error:
            self._error = error
            raise

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            error = self._error
            self._exchange.__exit__(type(error) if error else None, error, None)


def _spelled(url: httpx.URL) -> str:
    host = url.netloc.decode("ascii")
    if url.userinfo:
        raise AddressUnusable(f"{url.scheme}://{host}", "a key does not belong into an address")
    return f"{url.scheme}://{host}{url.raw_path.decode('ascii')}"


def _key(headers: Mapping[str, str]) -> str | None:
    said = headers.get("authorization", "")
    return said.removeprefix(_BEARER) if said.startswith(_BEARER) else None


def _range(headers: Mapping[str, str], address: str) -> tuple[int | None, int | None]:
    said = headers.get("range")
    if said is None:
        return None, None
    found = _RANGE.fullmatch(said)
    if found is None:
        raise AddressUnusable(address, "not such a range")
    return int(found[1]), int(found[2]) if found[2] else None
