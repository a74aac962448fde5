"""Where a redirect leads, read from its Location. Pure; asks nobody.

What it says is a stranger's word: it may not lead away from encryption, into the person's own
network, or carry a key. Its path and query stay as they are, byte for byte, and are never repeated
in an error: they may be signed.
"""

import re
from typing import NoReturn

from engine.errors import AddressUnusable, ServerIncomprehensible
from engine.net.address import is_near, origin_of, parse_address

_MOST_CHARACTERS = 16_000
_UNWANTED = re.compile(r"[\x00-\x20\x7f-\xa0\\\u2028\u2029\ufeff]")
_PARTS = re.compile(r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?]*))?([^?]*)(\?.*)?", re.DOTALL)
"""Scheme, host, path and query, as RFC 3986 appendix B tells them apart."""
_DEFAULT_PORTS = {"http": 80, "https": 443}

Place = tuple[str, str]
"""Scheme and host as a server's base address, and everything after it."""


def place_of(url: str) -> Place:
    """Of an address that is in use already."""
    scheme, _, rest = url.partition("://")
    host = re.split(r"[/?]", rest, maxsplit=1)[0]
    return f"{scheme}://{host}", rest[len(host) :]


def led_to(start: Place, location: str) -> Place:
    """Where `location` leads from `start`. Raises `ServerIncomprehensible`."""
    if not location or len(location) > _MOST_CHARACTERS or _UNWANTED.search(location):
        _refuse(start, "a redirect to no address")
    parts = _PARTS.fullmatch(location.partition("#")[0])
    if parts is None:
        _refuse(start, "a redirect to no address")
    scheme, host, path, query = parts.groups()
    if scheme is not None and host is None:
        _refuse(start, "a redirect to no server")
    if host is None:
        return start[0], _relative(start[1], path, query)
    base = _base(start, (scheme or start[0].partition(":")[0]).lower(), host)
    _require_allowed(start, base)
    return base, (path or "/") + (query or "")


def _base(start: Place, scheme: str, host: str) -> str:
    if scheme not in _DEFAULT_PORTS:
        _refuse(start, "a redirect to neither http nor https")
    try:
        _, name, port = origin_of(parse_address(f"{scheme}://{host}/"))
    except AddressUnusable:  # whose words may repeat a key
        _refuse(start, "a redirect to no server")
    name = f"[{name}]" if ":" in name else name
    return f"{scheme}://{name}" + ("" if port == _DEFAULT_PORTS[scheme] else f":{port}")


def _require_allowed(start: Place, base: str) -> None:
    (scheme, host, _), (next_scheme, next_host, _) = origin_of(start[0]), origin_of(base)
    if scheme == "https" and next_scheme != "https":
        _refuse(start, "a redirect away from https")
    if is_near(next_host) and not is_near(host):
        _refuse(start, "a redirect into this network")


def _relative(before: str, path: str, query: str | None) -> str:
    """RFC 3986 section 5.2, for what has no host."""
    old_path, _, old_query = before.partition("?")
    if not path:
        kept = f"?{old_query}" if "?" in before else ""
        return (old_path or "/") + (kept if query is None else query)
    if not path.startswith("/"):
        path = old_path.rpartition("/")[0] + "/" + path
    return _without_dots(path) + (query or "")


def _without_dots(path: str) -> str:
    kept: list[str] = []
    *folders, last = path.split("/")[1:]
    for name in folders:
        _step(kept, name)
    if last in (".", ".."):
        _step(kept, last)
        last = ""
    return "/" + "/".join([*kept, last])


def _step(kept: list[str], name: str) -> None:
    if name == "..":
        del kept[-1:]
    elif name != ".":
        kept.append(name)


def _refuse(start: Place, why: str) -> NoReturn:
    raise ServerIncomprehensible(start[0], why)
