"""What is asked through the door, and how long it is waited for. Values only."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.types.connections import Purpose

_MIB = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """`path` is added to `address`, the server's base. A `body` makes it a POST of JSON. `key` goes
    to that server alone and is neither shown nor logged. `limit_bytes` bounds the answer."""

    purpose: Purpose
    address: str
    path: str
    key: str | None = field(default=None, repr=False)
    body: Mapping[str, object] | None = field(default=None, repr=False)
    first_s: float | None = None
    """Other than the door's."""
    limit_bytes: int = 8 * _MIB

    @property
    def url(self) -> str:
        return self.address + self.path

    @property
    def content(self) -> bytes | None:
        if self.body is None:
            return None
        return json.dumps(self.body, ensure_ascii=False).encode("utf-8", "replace")

    @property
    def headers(self) -> dict[str, str]:
        headers = {
            "Accept": "application/json, text/event-stream",
            "Accept-Encoding": "identity",  # nothing to unpack, so nothing that unpacks to a flood
            "User-Agent": "Snug",
            "Connection": "close",
        }
        if self.body is not None:
            headers["Content-Type"] = "application/json"
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
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
