"""What a server's answer to a request for bytes really is: which bytes, of which file. Pure.

Nothing is taken on trust: a 206 has to say the place that was asked for and the whole size, and a
web page where a file was asked for is not the file.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from engine.errors import (
    EngineError,
    NotOnHub,
    ServerBusy,
    ServerFailed,
    ServerIncomprehensible,
    TokenMissing,
    TokenRefused,
)
from engine.models.library.manifest import is_sha256
from engine.net.waits import retry_after_s

_CONTENT_RANGE = re.compile(r"bytes ([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18})")
_LONGEST_ETAG = 300
_GONE = (401, 403, 404, 410)
"""Of the store that a hub sent us on to: its signed addresses run out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Bytes from `start` up to but not with `end`, of a file of `total_bytes`; None: not told.
    `sha256` is "" where the hub has not told it."""

    start: int
    end: int | None
    total_bytes: int | None
    etag: str
    sha256: str
    is_text: bool = False
    """The server calls it a text."""


class AddressExpired(ServerFailed):
    """A signed address ran out: ask the hub for another one, at once."""


class RangeRefused(ServerFailed):
    """416: the server says that the file does not have these bytes. Ask for all of it: then it has
    to tell the size."""


class PartsUnusable(ServerIncomprehensible):
    """A 206 that is not the part that was asked for: from this server only whole files are safe."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A status and headers, with those of the redirects before; names in lower case. `moved` says
    whether another server answers than the one that was asked."""

    address: str
    status: int
    headers: Mapping[str, str]
    hops: tuple[Mapping[str, str], ...] = ()
    moved: bool = False


def judge(heard: Heard, first: int, last: int | None) -> Answer:
    """The answer to a request for the bytes from `first` on, up to and with `last`. Raises a
    `ServerIncomprehensible` for one that can not be used."""
    _require_plain(heard)
    linked_etag, linked_sha256 = _linked(heard)
    start, end, total = _bytes_of(heard, first, last)
    linked_size = _number(_first_of(heard, "x-linked-size"))
    if total is not None and linked_size is not None and total != linked_size:
        raise ServerIncomprehensible(heard.address, f"{total} bytes, not {linked_size}")
    return Answer(
        start=start,
        end=end,
        total_bytes=linked_size if total is None else total,
        etag=linked_etag,
        sha256=linked_sha256,
        is_text=heard.headers.get("content-type", "").lower().startswith("text/"),
    )


def _bytes_of(heard: Heard, first: int, last: int | None) -> tuple[int, int | None, int | None]:
    if heard.status == 206:
        return _part(heard, first, last)
    if heard.status != 200:
        raise ServerIncomprehensible(heard.address, str(heard.status))
    total = None
    if "transfer-encoding" not in heard.headers:
        total = _number(heard.headers.get("content-length", ""))
    return 0, total, total


def _part(heard: Heard, first: int, last: int | None) -> tuple[int, int, int]:
    stated = heard.headers.get("content-range", "")
    match = _CONTENT_RANGE.fullmatch(stated.strip())
    if match is None:
        raise PartsUnusable(heard.address, f"a part, but of what: {stated[:60]!r}")
    start, its_last, total = (int(text) for text in match.groups())
    limit = total - 1 if last is None else last
    if start != first or not start <= its_last <= limit or its_last >= total:
        raise PartsUnusable(heard.address, f"not the bytes asked for: {stated[:60]!r}")
    return start, its_last + 1, total


def _require_plain(heard: Heard) -> None:
    packed = heard.headers.get("content-encoding", "identity").strip().lower()
    if packed not in ("identity", ""):
        raise ServerIncomprehensible(heard.address, "packed, though not asked to")
    if heard.headers.get("content-type", "").lower().startswith(("text/html", "application/xhtml")):
        raise ServerIncomprehensible(heard.address, "a web page")


def _linked(heard: Heard) -> tuple[str, str]:
    """The ETag, the hub's own if it tells one of the file it leads to; and the hash that this is
    for large files."""
    linked = _bare(_first_of(heard, "x-linked-etag"))
    etag = linked or _bare(heard.headers.get("etag", ""))
    return etag, linked.lower() if is_sha256(linked.lower()) else ""


def _first_of(heard: Heard, name: str) -> str:
    texts = (headers.get(name, "") for headers in (*heard.hops, heard.headers))
    return next((text for text in texts if text), "")


def _bare(etag: str) -> str:
    return etag.strip().removeprefix("W/").strip('"')[:_LONGEST_ETAG]


def _number(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[0-9]{1,18}", text.strip()) else None


# --- answers that hold no file --------------------------------------------------------------------


def passing_failure(heard: Heard) -> EngineError | None:
    """The error for what may be better the next time; None where the hub itself refuses, which
    somebody has to say who knows this hub."""
    if heard.status in (429, 503):
        return ServerBusy(heard.address, str(heard.status), retry_after_s(heard.headers))
    if heard.status == 416:
        return RangeRefused(heard.address, "416")
    if heard.moved and heard.status in _GONE:
        return AddressExpired(heard.address, f"{heard.status} from where the hub keeps its files")
    if heard.status in (408, 412, 425) or heard.status >= 500 or heard.moved:
        return ServerFailed(heard.address, str(heard.status))
    return None


def plain_refusal(status: int, headers: Mapping[str, str], address: str) -> EngineError:
    """For a server of which nothing else is known."""
    del headers
    kinds = {401: TokenMissing, 403: TokenRefused, 404: NotOnHub, 410: NotOnHub}
    return kinds.get(status, ServerIncomprehensible)(address, str(status))
