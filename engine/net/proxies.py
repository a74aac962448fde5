"""Which proxy a request goes through, if any. Decides only; `transport` connects.

What is near is never asked by way of another computer, and no proxy may read a key.
"""

import re
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from engine.errors import AddressUnusable
from engine.net.address import is_near, origin_of
from engine.net.requests import Request, Route

STRAIGHT_ON = "none"
_PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"[A-Za-z0-9._-]+|[0-9A-Fa-f:.]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Proxy:
    """`address` is what may be shown: neither name nor password are in it."""

    address: str
    login: tuple[str, str] | None = field(default=None, repr=False)

    @property
    def is_https(self) -> bool:
        return self.address.startswith("https:")


def proxy_for(request: Request, route: Route) -> Proxy | None:
    """None: straight on. What the system says counts where `route` leaves it to that: HTTP_PROXY,
    HTTPS_PROXY, ALL_PROXY and NO_PROXY, or the settings of Windows and macOS. Raises
    `AddressUnusable` for a proxy that we can not speak with."""
    scheme, host, port = origin_of(request.address)
    if route.proxy == STRAIGHT_ON or is_near(host) or (scheme != "https" and request.key):
        return None
    if route.proxy:
        return parse_proxy(route.proxy)
    found = getproxies()
    said = (found.get(scheme) or found.get("all") or "").strip()
    if not said or proxy_bypass(f"{host}:{port}"):
        return None
    return parse_proxy(said)


def parse_proxy(text: str) -> Proxy:
    """A proxy's address, "http://" where nothing is said, with a name and password or without.
    Raises `AddressUnusable`, whose words repeat neither."""
    text = text.strip()
    text = text if "://" in text else f"http://{text}"
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:  # whose words repeat what was typed
        raise AddressUnusable("proxy", "not an address") from None
    if parts.scheme not in _PORTS:
        raise AddressUnusable(_shown(parts.scheme, parts.hostname, port), "not an HTTP proxy")
    host = parts.hostname or ""
    if not _HOST.fullmatch(host) or port == 0:
        raise AddressUnusable("proxy", "not an address")
    return Proxy(
        address=_shown(parts.scheme, host, port or _PORTS[parts.scheme]),
        login=None if parts.username is None else _login(parts.username, parts.password),
    )


def _login(name: str, password: str | None) -> tuple[str, str]:
    return unquote(name), unquote(password or "")


def _shown(scheme: str, host: str | None, port: int | None) -> str:
    host = host or "proxy"
    host = f"[{host}]" if ":" in host else host
    return f"{scheme}://{host}" + (f":{port}" if port else "")
