"""httpx, and nothing else in Snug: sends one request and passes on what comes back.

Runs on the thread of `Sending`. Only here a socket is opened, and only for as long as `send` runs.
"""

import logging
import ssl
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import httpx

from engine.errors import EngineError, ProxyRefused, ServerIncomprehensible
from engine.net.address import origin_of
from engine.net.mapping import mapped
from engine.net.pieces import BY_PROXY, Head, Piece
from engine.net.proxies import Proxy, proxy_for
from engine.net.reading import read_body
from engine.net.requests import Patience, Request, Route
from engine.net.resolving import is_in_this_network, numbers_of
from engine.net.trust import trust

for _name in ("httpx", "httpcore"):  # they would write every address into our log
    logging.getLogger(_name).setLevel(logging.WARNING)

_SENDABLE = "".join(map(chr, range(0x21, 0x7F)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """How a request is sent: `deliver` gets what comes, `trace` every step of httpcore."""

    patience: Patience
    route: Callable[[], Route]
    deliver: Callable[[Piece], None]
    trace: Callable[[str, Mapping[str, Any]], None]


def send(request: Request, means: Means) -> EngineError | None:
    """Deliver the answer's head and body; returns why that was not possible."""
    way = _Way(request, means)
    try:
        way.go()
    except Exception as error:  # noqa: BLE001 - proxies and name services raise what they like
        return mapped(error, way.address)
    return None


class _Way:
    """One request on its way. `address` is that of the computer that it has to do with now."""

    def __init__(self, request: Request, means: Means) -> None:
        self._request = request
        self._means = means
        self._proxy: Proxy | None = None
        self._stands = False
        self._waiting_s = max(means.patience.first_s, means.patience.silence_s)
        self.address = request.address

    def go(self) -> None:
        route = self._means.route()
        self._proxy = proxy_for(self._request, route)
        with self._trust(route) as context:
            *others, last = self._numbers()
            for number in others:
                try:
                    self._go_to(number, context)
                except (httpx.ConnectError, httpx.ConnectTimeout):
                    if self._stands:
                        raise
                else:
                    return
            self._go_to(last, context)

    def _numbers(self) -> tuple[str, ...]:
        """Of the computer to connect to. Names are looked up here, and not by the library: that
        would connect at once, although the person may have left meanwhile."""
        if self._proxy is not None:
            self.address = self._proxy.address
            return numbers_of(self._connected_to)
        found = numbers_of(self._connected_to)
        plain = self._request.address.startswith("http:")  # else a certificate proves the name
        if self._request.elsewhere and plain and any(map(is_in_this_network, found)):
            raise ServerIncomprehensible(self._request.address, "a redirect into this network")
        return found

    @property
    def _connected_to(self) -> str:
        """The name of it."""
        return origin_of(self._proxy.address if self._proxy else self._request.address)[1]

    def _go_to(self, number: str, context: ssl.SSLContext) -> None:
        with ExitStack() as stack:
            client = stack.enter_context(self._client(number, context))
            response = self._answer(client, self._built(client, number))
            stack.callback(response.close)
            self._receive(response)

    def _answer(self, client: httpx.Client, sent: httpx.Request) -> httpx.Response:
        try:
            response = client.send(sent, stream=True)
        except httpx.ProxyError as error:  # its answer to CONNECT
            status = str(error)[:3]  # what it says beside may be the password that it was told
            raise self._refusal(status) from None
        if self._proxy is not None and response.status_code == 407:
            response.close()
            raise self._refusal("407: it wants a name and password")
        return response

    def _refusal(self, said: str) -> ProxyRefused:
        return ProxyRefused(self._proxy.address if self._proxy else "", said)

    def _client(self, number: str, context: ssl.SSLContext) -> httpx.Client:
        """Half of the time to connect is for each address of a name, of which the first may lead
        nowhere."""
        proxy = None
        if self._proxy is not None:
            scheme, _, port = origin_of(self._proxy.address)
            proxy = httpx.Proxy(
                httpx.URL(scheme=scheme, host=number, port=port),
                auth=self._proxy.login,
                ssl_context=context if self._proxy.is_https else None,
            )
        return httpx.Client(
            verify=context,
            trust_env=False,  # `proxies` has looked
            proxy=proxy,
            follow_redirects=False,  # a key must not travel on
            timeout=httpx.Timeout(self._waiting_s, connect=self._means.patience.connect_s / 2),
        )

    def _built(self, client: httpx.Client, number: str) -> httpx.Request:
        """For the name, to the number."""
        scheme, host, port = origin_of(self._request.address)
        built = client.build_request(
            self._request.verb,
            httpx.URL(scheme=scheme, host=host, port=port, path="/"),
            headers=self._request.headers,
            content=self._request.content,
            extensions={"trace": self._trace, "sni_hostname": self._connected_to},
        )
        there = built.url if self._proxy else built.url.copy_with(host=number)
        built.url = _Exact(there, _target(self._request.url))
        return built

    def _trust(self, route: Route) -> AbstractContextManager[ssl.SSLContext]:
        """A file of authorities is not looked at where nothing is encrypted."""
        by_tls = self._proxy is not None and self._proxy.is_https
        by_tls = by_tls or self._request.address.startswith("https:")
        return trust(route.authorities if by_tls else None, self._request.address)

    def _trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Until a proxy has let us through, it is the proxy that does not answer."""
        if self._proxy is not None:
            connecting = event.startswith("connection.") and not event.endswith(".complete")
            self.address = self._proxy.address if connecting else self._request.address
        self._stands = self._stands or event.endswith("connect_tcp.complete")
        self._means.trace(event, {**info, BY_PROXY: self._proxy is not None})

    def _receive(self, response: httpx.Response) -> None:
        headers = {name.lower(): value for name, value in response.headers.items()}
        self._means.deliver(Head(status=response.status_code, headers=headers))
        left = self._request.limit_bytes
        both_tls = self._proxy is not None and self._proxy.is_https
        pieces = read_body(self._request, response, self._waiting_s, tls_in_tls=both_tls)
        for chunk in pieces:
            self._means.deliver(chunk)
            left -= len(chunk)
            if left < 0:
                raise ServerIncomprehensible(self._request.address, "the answer has no end")


class _Exact(httpx.URL):
    """An address whose path and query go out as they are: quoted anew, a signed one is void."""

    def __init__(self, base: httpx.URL, target: bytes) -> None:
        super().__init__(base)
        self._target = target

    @property
    def raw_path(self) -> bytes:
        return self._target


def _target(url: str) -> bytes:
    """All that follows the host; what can not be sent as it is, as a browser would spell it."""
    after = url.partition("://")[2]
    at = next((index for index, sign in enumerate(after) if sign in "/?"), len(after))
    target = quote(after[at:], safe=_SENDABLE)
    return (target if target.startswith("/") else f"/{target}").encode("ascii")
