"""What is asked through the door, and how long it is waited for. Values only."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from engine.types.connections import Purpose

_MIB = 1 << 20
_CONVERSATION = (Purpose.LIST_MODELS, Purpose.CHECK_MODEL, Purpose.ANSWER)
_JSON = "application/json, text/event-stream"


class Method(StrEnum):
    GET = "GET"
    HEAD = "HEAD"
    POST = "POST"
    PUT = "PUT"


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """How far hosts are reached. `proxy`: "" is what the system says, "none" is straight on, else
    the address of a proxy, which may hold a name and password and is never shown or logged whole.
    `authorities`: a PEM file with certificates to trust beside those of the system."""

    proxy: str = field(default="", repr=False)
    authorities: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """`path` is added to `address`, the server's base. A `body` makes it a POST of JSON. `key` goes
    to that server alone and is neither shown nor logged. `limit_bytes` bounds the answer. `path`,
    whose query may be signed, is sent byte for byte and neither shown nor logged."""

    purpose: Purpose
    address: str
    path: str = field(repr=False)
    key: str | None = field(default=None, repr=False)
    body: Mapping[str, object] | None = field(default=None, repr=False)
    first_s: float | None = None
    """Other than the door's."""
    limit_bytes: int = 8 * _MIB
    method: Method | None = None
    """None: GET, or POST with a body."""
    first_byte: int | None = None
    """Ask for the bytes from here on, up to and with `last_byte` where that is set."""
    last_byte: int | None = None
    if_match: str = ""
    """Only of the file with this ETag. Servers often ignore it: compare the answer's too."""

    elsewhere: bool = False
    """A server elsewhere sent us here: that must not be into this network."""

    @property
    def url(self) -> str:
        return self.address + self.path

    @property
    def content(self) -> bytes | None:
        if self.body is None:
            return None
        return json.dumps(self.body, ensure_ascii=False).encode("utf-8", "replace")

    @property
    def verb(self) -> str:
        if self.method is not None:
            return self.method.value
        return Method.GET if self.body is None else Method.POST

    @property
    def headers(self) -> dict[str, str]:
        headers = {
            "Accept": _JSON if self.purpose in _CONVERSATION else "*/*",
            "Accept-Encoding": "identity",  # nothing to unpack, so nothing that unpacks to a flood
            "User-Agent": "Snug",
            "Connection": "close",
        }
        if self.body is not None:
            headers["Content-Type"] = "application/json"
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        if self.first_byte is not None or self.last_byte is not None:
            last = "" if self.last_byte is None else self.last_byte
            headers["Range"] = f"bytes={self.first_byte or 0}-{last}"
        if self.if_match:
            headers["If-Match"] = self.if_match
        return headers


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """Seconds until a silent server is given up: until it is connected, until its first word (it
    may have to read a long text, or to load the model), between two words, and until all of a short
    text is there: a list, or an error."""

    connect_s: float = 10.0
    first_s: float = 300.0
    silence_s: float = 120.0
    whole_s: float = 30.0


def is_sendable(key: str) -> bool:
    """Whether a key can be put into a header as it is."""
    return key.isascii() and key.isprintable() and key == key.strip()
