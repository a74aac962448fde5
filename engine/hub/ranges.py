"""A file on a hub, read in pieces from any place: what a verdict before a download needs of it.

Redirects are followed once; then the place where the file really lies is asked, until it refuses.
Every answer is compared with what was asked. Runs on the thread that asks, and waits for servers.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from types import TracebackType
from typing import Self

from engine.errors import FileChanged, ServerIncomprehensible
from engine.hub.refusals import refusal, refuse_page, storage_refusal
from engine.net.address import origin_of
from engine.net.door import Door
from engine.net.exchange import Exchange
from engine.net.following import Trail
from engine.net.lost import ConnectionLost
from engine.net.requests import Request
from engine.types.cancel import CancelToken
from engine.types.connections import Purpose

_PART = re.compile(r"bytes (\d{1,18})-(\d{1,18})/(\d{1,18}|\*)")
_MOST_BYTES = 256 << 20
"""Of one answer: more than any header."""
_MOST_ANSWERS = 64
"""For one piece: a server may give less at a time than it is asked for, but not crumbs."""
_CHANCES = 3
_FIRST_WORD_S = 30.0
_SILENCE_S = 30.0
_PART_S = 120.0
"""For all of one answer, a megabyte: no server may drip it."""


class Ranges:
    """Use it as a context manager. `size_bytes` is that of the file, None until a server tells it;
    `received_bytes` counts everything that came. Raises what `Door.ask` does, and the hub's
    refusals; `FileChanged` where a server has another file than expected."""

    def __init__(
        self, door: Door, request: Request, size_bytes: int | None, cancel: CancelToken, page: str
    ) -> None:
        self._door = door
        self._request = replace(
            request,
            purpose=Purpose.LOOK_AT_MODEL,
            limit_bytes=_MOST_BYTES,
            first_s=_FIRST_WORD_S,
        )
        self._cancel = cancel
        self._page = page
        self._final: Request | None = None
        """Where the file lies, while that answers."""
        self._etags: dict[str, str] = {}
        self._chances = _CHANCES
        self._whole: _Whole | None = None
        self._kept_open = ExitStack()
        self.size_bytes = size_bytes
        self.received_bytes = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._kept_open.close()

    @property
    def address(self) -> str:
        """The hub's, for errors."""
        return self._request.address

    @property
    def is_seekable(self) -> bool:
        """False once a server has sent the whole file, though asked for a part."""
        return self._whole is None

    def read(self, first: int, end: int) -> bytes:
        """The bytes from `first` up to `end`, or to where the file ends. Where the server knows no
        ranges, `first` may only grow from call to call."""
        found = bytearray()
        answers = 0
        while len(found) < self._clamped(end) - first:
            piece = self._read_again(first + len(found), self._clamped(end))
            answers += 1
            if not piece or answers > _MOST_ANSWERS:
                raise ServerIncomprehensible(self._request.address, "fewer bytes than asked for")
            found += piece
        return bytes(found)

    def _clamped(self, end: int) -> int:
        return end if self.size_bytes is None else min(end, self.size_bytes)

    def _read_again(self, first: int, end: int) -> bytes:
        """A few lost connections are no trouble: what was asked for is small."""
        while True:
            try:
                return self._read_once(first, end)
            except ConnectionLost:
                if self._whole is not None or not self._chances:
                    raise
                self._chances -= 1
                self._final = None

    def _read_once(self, first: int, end: int) -> bytes:
        if self._whole is not None:
            return self._from_whole(self._whole, first, end)
        with ExitStack() as stack:
            exchange = self._ask(stack, first, end)
            exchange.silence_s = min(exchange.silence_s, _SILENCE_S)
            refuse_page(exchange.headers, self._request.address)
            if exchange.status == 206:
                return self._part(exchange, first, end)
            self._learn_size(_length(exchange.headers))
            whole = self._whole = _Whole(exchange.chunks())
            self._kept_open = stack.pop_all()
        return self._from_whole(whole, first, end)

    # --- asking -----------------------------------------------------------------------------------

    def _ask(self, stack: ExitStack, first: int, end: int) -> Exchange:
        """An answer that holds bytes."""
        if self._final is not None:
            request = replace(self._final, first_byte=first, last_byte=end - 1)
            exchange = stack.enter_context(self._door.ask(request, self._cancel))
            if exchange.status in (200, 206):
                self._require_same(request.url, exchange.headers.get("etag", ""))
                return exchange
            stack.close()  # links to a store run out: ask the hub for a new one
        trail = Trail(replace(self._request, first_byte=first, last_byte=end - 1))
        exchange = stack.enter_context(self._door.ask(trail.request, self._cancel))
        while trail.leads_on(exchange):
            self._require_same("hub", exchange.headers.get("x-linked-etag", ""))
            self._learn_size(_number(exchange.headers.get("x-linked-size", "")))
            stack.close()
            exchange = stack.enter_context(self._door.ask(trail.request, self._cancel))
        self._require_good(exchange, trail.request)
        self._require_same(trail.request.url, exchange.headers.get("etag", ""))
        self._final = trail.request
        return exchange

    def _require_good(self, exchange: Exchange, asked: Request) -> None:
        if exchange.status in (200, 206):
            return
        if origin_of(asked.address) != origin_of(self._request.address):
            raise storage_refusal(exchange.status, exchange.headers, asked.address)
        has_token = bool(self._request.key)
        raise refusal(
            exchange.status, exchange.headers, self._request.address, self._page, has_token
        )

    def _require_same(self, place: str, etag: str) -> None:
        """A link to a store is signed anew each time; the file behind it stays."""
        if etag and self._etags.setdefault(place.partition("?")[0], etag) != etag:
            raise FileChanged(self._request.address, "another ETag")

    def _learn_size(self, size_bytes: int | None) -> None:
        if size_bytes is None:
            return
        if self.size_bytes not in (None, size_bytes):
            detail = f"{size_bytes} bytes instead of {self.size_bytes}"
            raise FileChanged(self._request.address, detail)
        self.size_bytes = size_bytes

    # --- answers ----------------------------------------------------------------------------------

    def _part(self, exchange: Exchange, first: int, end: int) -> bytes:
        match = _PART.fullmatch(exchange.headers.get("content-range", ""))
        if match is None or int(match[1]) != first or not first <= int(match[2]) < end:
            raise ServerIncomprehensible(self._request.address, "other bytes than asked for")
        self._learn_size(_number(match[3]))
        promised = int(match[2]) - first + 1
        found = bytearray()
        for chunk in exchange.chunks(_PART_S):
            self.received_bytes += len(chunk)
            found += chunk
            if len(found) > promised:
                raise ServerIncomprehensible(self._request.address, "more bytes than promised")
        return bytes(found)

    def _from_whole(self, whole: "_Whole", first: int, end: int) -> bytes:
        before = whole.received_bytes
        try:
            return whole.take(first, end)
        finally:
            self.received_bytes += whole.received_bytes - before


class _Whole:
    """A file that comes from its start: what nobody asks for is let go of."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._held = bytearray()
        self._at = 0
        """Where in the file `_held` begins."""
        self.received_bytes = 0

    def take(self, first: int, end: int) -> bytes:
        """Fewer bytes, or none, where the answer ends before, or where they are gone."""
        if first < self._at:
            return b""
        while self._at + len(self._held) < end:
            chunk = next(self._chunks, b"")
            if not chunk:
                break
            self.received_bytes += len(chunk)
            self._held += chunk
            self._forget(first)
        self._forget(first)
        return bytes(self._held[: end - first])

    def _forget(self, first: int) -> None:
        unwanted = min(first - self._at, len(self._held))
        del self._held[:unwanted]
        self._at += unwanted


def _length(headers: Mapping[str, str]) -> int | None:
    return _number(headers.get("content-length", ""))


def _number(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[0-9]{1,18}", text) else None
