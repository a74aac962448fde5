"""Redirects, each followed as a request of its own that the ledger knows of.

The key is for the origin that it was meant for: once a redirect has left that, it stays behind.
Runs on the thread that asks.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from engine.errors import ServerIncomprehensible
from engine.net.address import is_near, origin_of
from engine.net.door import Door
from engine.net.exchange import Exchange
from engine.net.locations import led_to, place_of
from engine.net.pieces import Hop
from engine.net.requests import Method, Request
from engine.types.cancel import CancelToken

MOST_HOPS = 5
_REDIRECTS = (301, 302, 303, 307, 308)
_READERS = (Method.GET, Method.HEAD)


class Trail:
    """The way of one request from server to server. `request` is the one to send now."""

    def __init__(self, request: Request, most: int = MOST_HOPS) -> None:
        self.request = request
        self.hops: tuple[Hop, ...] = ()
        self.has_led = False
        """Whether `request` was made of a redirect and has not been sent yet."""
        self._most = most
        self._seen = {request.url}

    def leads_on(self, exchange: Exchange) -> bool:
        """Whether the answer is a redirect; `request` is then where to. Only what is read is asked
        again elsewhere. Raises `ServerIncomprehensible` for one that must not be followed."""
        self.has_led = False
        if exchange.status not in _REDIRECTS or self.request.verb not in _READERS:
            return False
        old = self.request
        address, path = led_to(place_of(old.url), exchange.headers.get("location", ""))
        same = origin_of(address) == origin_of(old.address)
        self.request = replace(
            old,
            address=address,
            path=path,
            key=old.key if same else None,
            elsewhere=old.elsewhere or not (exchange.is_near or is_near(exchange.origin[1])),
        )
        self._remember(exchange)
        self.has_led = True
        return True

    def _remember(self, exchange: Exchange) -> None:
        headers = {name: text for name, text in exchange.headers.items() if name != "location"}
        hop = Hop(origin=exchange.origin, status=exchange.status, headers=headers)
        self.hops = (*self.hops, hop)
        if self.request.url in self._seen or len(self.hops) > self._most:
            raise ServerIncomprehensible(self.request.address, "redirects without an end")
        self._seen.add(self.request.url)


@contextmanager
def follow(
    door: Door, request: Request, cancel: CancelToken, most: int = MOST_HOPS
) -> Iterator[Exchange]:
    """The answer at the end of at most `most` redirects, which are its `hops`. A range and an
    If-Match are asked of every server on the way. Raises what `Door.ask` does, and
    `ServerIncomprehensible` for a redirect that must not be followed."""
    trail = Trail(request, most)
    while True:
        with door.ask(trail.request, cancel) as exchange:
            if not trail.leads_on(exchange):
                exchange.hops = trail.hops
                yield exchange
                return
