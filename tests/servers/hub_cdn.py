"""The second origin of the loopback hub, which has the bytes of large files, for signed addresses.

As seen of Hugging Face's in 2026: an ETag that is not the sha256, XML for errors, and no second way
to say who asks.
"""

import hmac
import time
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

from tests.servers.hub_contents import Content
from tests.servers.hub_shelf import Shelf, etag_of
from tests.servers.hub_wire import Line, range_of

JSON = "application/json; charset=utf-8"
TEXT = "text/plain; charset=utf-8"
_SECRET = b"of the signer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One request at the hub, or at the second origin, and all that is needed to answer it."""

    line: Line
    shelf: Shelf
    hub: str
    cdn: str
    private: str


def signed(visit: Visit, path: str, content: Content, *, within_s: float = 3600) -> str:
    """An address at the second origin that is good for a while, for whoever has it."""
    expires = str(int(time.time() + within_s))
    name = path.rpartition("/")[2]
    query = {
        "response-content-disposition": f'inline; filename="{name}"',
        "Expires": expires,
        "Nonce": str(visit.shelf.count("addresses")),
        "Signature": _signature(content.sha256, expires),
    }
    return f"{visit.cdn}/xet-bridge-us/{content.sha256}?{urlencode(query)}"


def _signature(sha256: str, expires: str) -> str:
    return hmac.new(_SECRET, f"{sha256}{expires}".encode(), "sha256").hexdigest()


def answer_cdn(visit: Visit) -> None:
    if (content := content_at(visit)) is not None:
        send_file(visit, content)


def content_at(visit: Visit) -> Content | None:
    """What a signed address means. None: it means nothing, and that was answered."""
    asked = visit.line.asked
    sha256 = asked.path.rpartition("/")[2]
    expires = asked.query.get("Expires", [""])[0]
    signature = asked.query.get("Signature", [""])[0]
    content = visit.shelf.by_hash(sha256)
    if asked.token is not None:
        _say_xml(visit, 400, "InvalidArgument", "Only one auth mechanism allowed")
    elif not hmac.compare_digest(signature, _signature(sha256, expires)):
        _say_xml(visit, 403, "SignatureDoesNotMatch", "The signature does not match")
    elif int(expires) < time.time():
        expired(visit)
    elif content is None:
        _say_xml(visit, 404, "NoSuchKey", "The specified key does not exist.")
    else:
        return content
    return None


def expired(visit: Visit) -> None:
    _say_xml(visit, 403, "AccessDenied", "Request has expired")


def _say_xml(visit: Visit, status: int, code: str, message: str) -> None:
    body = f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>{message}</Message></Error>"
    visit.line.say(status, body.encode(), "application/xml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The part of a file that a request is for. `ranged`: it asked for one."""

    first: int
    end: int
    total: int
    ranged: bool

    def headers(self, content: Content) -> dict[str, str | int]:
        found: dict[str, str | int] = {
            "Content-Type": "application/octet-stream",
            "Content-Length": self.end - self.first,
            "ETag": etag_of(content),
            "Accept-Ranges": "bytes",
        }
        if self.ranged:
            found["Content-Range"] = f"bytes {self.first}-{self.end - 1}/{self.total}"
        return found

    @property
    def status(self) -> int:
        return 206 if self.ranged else 200


def part_of(visit: Visit, content: Content) -> Part | None:
    """What is asked for. None: there is no such part, and that was answered."""
    headers, total = visit.line.asked.headers, content.size_bytes
    if headers.get("if-match", etag_of(content)) not in ("*", etag_of(content)):
        _say_xml(visit, 412, "PreconditionFailed", "At least one of the conditions did not hold")
        return None
    wanted = range_of(headers.get("range", ""))
    if wanted is None or headers.get("if-range", etag_of(content)) != etag_of(content):
        return Part(first=0, end=total, total=total, ranged=False)
    first, end = wanted
    if first is None:
        first, end = max(total - (end or 0), 0), total
    end = min(total if end is None else end, total)
    if first >= end:
        no_such_range(visit, total)
        return None
    return Part(first=first, end=end, total=total, ranged=True)


def no_such_range(visit: Visit, total: int) -> None:
    visit.line.say(416, b"", TEXT, Content_Range=f"bytes */{total}")


def send_file(
    visit: Visit, content: Content, *, headers: dict[str, str | int] | None = None
) -> None:
    """The whole file, or the part that was asked for, as a good server does."""
    if (part := part_of(visit, content)) is None:
        return
    visit.line.head(part.status, part.headers(content) | (headers or {}))
    send_body(visit, content.pieces(part.first, part.end))


def send_body(visit: Visit, pieces: Iterator[bytes], speed: int = 0) -> None:
    """At `speed` bytes a second, where that is not 0."""
    if visit.line.asked.method == "HEAD":
        return
    speed = speed or visit.shelf.speed
    for piece in pieces:
        step = max(speed // 20, 1) if speed else len(piece) or 1
        for at in range(0, len(piece), step):
            visit.line.send(piece[at : at + step])
            if speed:
                visit.line.wait(step / speed)
