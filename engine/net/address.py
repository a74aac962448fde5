"""What a person types as a server's address, as the one form we use. Pure; asks nobody."""

import ipaddress
import re
from typing import NoReturn
from urllib.parse import SplitResult, quote, urlsplit

from engine.errors import AddressUnusable

_MOST_CHARACTERS = 2000
_PORTS = {"http": 80, "https": 443}
_DEFAULT_PATH = "/v1"
_ENDPOINTS = ("/chat/completions", "/models")
"""People copy whole addresses; what follows the base is ours to add."""
_NAME = re.compile(r"(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_-]{1,63})*")
_NUMBER = re.compile(r"\d+|0x[0-9a-f]*")
"""A host that ends so is a number to the system, in one of many spellings: only a dotted quad of
plain decimals is what it looks like."""
_AT = re.compile(r"[@\uff20\ufe6b]|%40")
_UNWANTED = re.compile(r"[\x00-\x20\x7f\\<>\"{}|^`\u0080-\u00a0\u2000-\u200f\u2028-\u202f\ufeff]")


def parse_address(text: str) -> str:
    """The base address, such as "http://nas:8080/v1": scheme and host in lower case, IDN as ASCII,
    no default port, no trailing dot or slash, and /v1 where there is no path.

    Without a scheme it is http for this computer and the local network, else https. Raises
    `AddressUnusable` for anything with an @, a query or a fragment: it may hold a key.
    """
    text = text.strip()
    if len(text) > _MOST_CHARACTERS or _UNWANTED.search(text):
        _refuse(text, "not an address")
    try:
        parts = urlsplit(text if "://" in text else f"//{text}")
        port = parts.port
    except ValueError:  # whose words repeat what was typed
        raise AddressUnusable(_shown(text), "not an address") from None
    _require_bare(text, parts)
    host = _host(text, parts.hostname or "")
    scheme = parts.scheme or ("http" if is_near(host) else "https")
    if scheme not in _PORTS:
        _refuse(text, "neither http nor https")
    if port == 0:
        _refuse(text, "port 0")
    shown = "" if port in (None, _PORTS[scheme]) else f":{port}"
    return f"{scheme}://{host}{shown}{_path(parts.path)}"


def origin_of(address: str) -> tuple[str, str, int]:
    """Scheme, host and port of an address that `parse_address` made."""
    parts = urlsplit(address)
    return parts.scheme, parts.hostname or "", parts.port or _PORTS.get(parts.scheme, 0)


def is_near(host: str) -> bool:
    """Whether `host` looks like this computer or one of the same network."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_private  # link-local and here as well
    except ValueError:
        return "." not in host or host.endswith((".local", ".lan", ".home.arpa", ".localhost"))


def _require_bare(text: str, parts: SplitResult) -> None:
    if _AT.search(text):
        _refuse(text, "a user name or key does not belong into an address")
    if parts.query or parts.fragment or text.endswith(("?", "#")):
        _refuse(text, "a query does not belong into an address")


def _host(text: str, host: str) -> str:
    if ":" in host:
        if "%" in host:
            _refuse(text, "a zone belongs to one computer only")
        return _ipv6(text, host)
    host = (host if host.isascii() else _ascii(text, host)).removesuffix(".")
    if not _NAME.fullmatch(host):
        _refuse(text, "not a host's name")
    if _NUMBER.fullmatch(host.rpartition(".")[2]) and not _is_quad(host):
        _refuse(text, "not an IPv4 address")
    return host


def _ipv6(text: str, host: str) -> str:
    try:
        number = ipaddress.IPv6Address(host)
    except ValueError as error:
        raise AddressUnusable(_shown(text), "not an IPv6 address") from error
    return str(number.ipv4_mapped) if number.ipv4_mapped else f"[{number.compressed}]"


def _is_quad(host: str) -> bool:
    try:
        ipaddress.IPv4Address(host)
    except ValueError:
        return False
    return True


def _ascii(text: str, host: str) -> str:
    """An international name, as the HTTP library will spell it: one opinion, not two."""
    import httpx  # noqa: PLC0415 - slow, and such names are rare

    try:
        return httpx.URL(f"http://{host}/").raw_host.decode("ascii").lower()
    except (httpx.InvalidURL, UnicodeError) as error:
        raise AddressUnusable(_shown(text), "not a host's name") from error


def _path(path: str) -> str:
    path = path.rstrip("/")
    for endpoint in _ENDPOINTS:
        path = path.removesuffix(endpoint).rstrip("/")
    return quote(path, safe="/%:!$&'()*+,;=~-._") or _DEFAULT_PATH


def _shown(text: str) -> str:
    """What may be told and logged of a text that may hold a key."""
    *before, text = _AT.split(text)
    return ("…@" if before else "") + re.split(r"[?#]", text)[0][:200]


def _refuse(text: str, why: str) -> NoReturn:
    raise AddressUnusable(_shown(text), why)
