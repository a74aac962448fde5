"""The way by a real proxy and with a private authority: who learns what, and what goes wrong."""

import os
import traceback
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from engine.errors import (
    AddressUnusable,
    ProxyRefused,
    ServerUnreachable,
    ServerUntrusted,
)
from engine.net.door import Door
from engine.net.proxies import parse_proxy, proxy_for
from engine.net.requests import Patience, Request, Route
from engine.types.cancel import CancelToken
from engine.types.connections import Connection, Purpose
from tests.servers.authority import Authority
from tests.servers.odd import Line, Odd, odd_server, says
from tests.servers.proxy import proxy_to

KEY = "hf_secret"
HUB = "https://hub.example"


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


@pytest.fixture
def hub(authority: Authority) -> Iterator[Odd]:
    with odd_server(says(200, b"weights"), tls=authority.server("hub.example", "localhost")) as it:
        yield it


def get(
    address: str, route: Route, records: list[Connection] | None = None, key: str | None = KEY
) -> bytes:
    door = Door(
        lambda: False,
        [].append if records is None else records.append,
        patience=Patience(connect_s=10.0, first_s=10.0),
        route=lambda: route,
    )
    request = Request(purpose=Purpose.DOWNLOAD, address=address, path="/x?X-Sig=a%2fb", key=key)
    with door.ask(request, CancelToken()) as exchange:
        assert exchange.status == 200
        return exchange.body()


def test_by_a_proxy_of_the_settings_to_a_server_of_a_private_authority(
    hub: Odd, authority: Authority
) -> None:
    records: list[Connection] = []
    with proxy_to(hub.port) as proxy:
        route = Route(proxy=proxy.address, authorities=authority.pem)
        assert get(HUB, route, records) == b"weights"
    assert proxy.lines == ["CONNECT hub.example:443"]  # neither path nor key
    assert hub.asked[0].path == "/x?X-Sig=a%2fb"
    assert hub.asked[0].headers["authorization"] == f"Bearer {KEY}"
    assert "proxy-authorization" not in hub.asked[0].headers
    assert [(r.host, r.port, r.bytes_received) for r in records] == [("hub.example", 443, 7)]


def test_by_a_proxy_of_the_environment(
    hub: Odd, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    route = Route(authorities=authority.pem)
    with proxy_to(hub.port, login="me:p@ss") as proxy:
        monkeypatch.setenv("HTTPS_PROXY", f"http://me:p%40ss@127.0.0.1:{proxy.port}")
        monkeypatch.delenv("NO_PROXY", raising=False)
        assert get(HUB, route) == b"weights"
        assert proxy.logins == ["me:p@ss"]
        assert get(f"https://localhost:{hub.port}", route) == b"weights"  # never by way of it
        assert len(proxy.lines) == 1


def test_the_name_and_password_of_a_proxy_are_told_to_nobody_else(
    hub: Odd, authority: Authority
) -> None:
    with proxy_to(hub.port, login="me:secret") as proxy:
        with pytest.raises(ProxyRefused) as raised:
            get(HUB, Route(proxy=f"http://me:wrong@127.0.0.1:{proxy.port}"))
        assert raised.value.address == proxy.address
        assert "407" in raised.value.detail
        assert "wrong" not in f"{raised.value!r}{raised.value.__cause__!r}"
        route = Route(proxy=f"http://me:secret@127.0.0.1:{proxy.port}", authorities=authority.pem)
        assert get(HUB, route) == b"weights"
        assert "secret" not in repr(route)
        assert "secret" not in repr(parse_proxy(route.proxy))


def test_a_proxy_of_plain_requests_reads_no_key() -> None:
    with odd_server(says(200, b"plain")) as odd, proxy_to(odd.port) as proxy:
        route = Route(proxy=proxy.address)
        assert get("http://hub.example", route, key=None) == b"plain"
        assert proxy.lines == ["GET http://hub.example/x?X-Sig=a%2fb"]
        assert proxy_for(request_to("http://hub.example", KEY), route) is None


def request_to(address: str, key: str | None = None) -> Request:
    return Request(purpose=Purpose.DOWNLOAD, address=address, path="/", key=key)


@pytest.mark.parametrize("address", [HUB, "http://hub.example"])
@pytest.mark.parametrize("status", [403, 407, 502])
def test_a_proxy_that_lets_nothing_through_is_named(address: str, status: int) -> None:
    with proxy_to(0, answer=status) as proxy:
        if (address, status) in (("http://hub.example", 403), ("http://hub.example", 502)):
            with pytest.raises(AssertionError):  # it may be the server's own word
                get(address, Route(proxy=proxy.address), key=None)
            return
        with pytest.raises(ProxyRefused) as raised:
            get(address, Route(proxy=proxy.address), key=None)
        assert raised.value.address == proxy.address
        assert str(status) in raised.value.detail


def test_what_a_proxy_says_is_not_repeated() -> None:
    """It was told a password."""

    def script(line: Line) -> None:
        said = line.asked.headers["proxy-authorization"]
        line.send(f"HTTP/1.1 403 {said}\r\nContent-Length: 0\r\n\r\n".encode())

    with odd_server(script) as odd, pytest.raises(ProxyRefused) as raised:
        get(HUB, Route(proxy=f"http://me:secret@127.0.0.1:{odd.port}"))
    assert raised.value.detail == "403"
    assert "Basic" not in "".join(traceback.format_exception(raised.value))


def test_a_407_without_a_proxy_is_an_answer() -> None:
    with odd_server(says(407, b"")) as odd, pytest.raises(AssertionError):
        get(odd.address, Route())


def test_a_proxy_that_is_not_there_is_what_can_not_be_reached() -> None:
    with pytest.raises(ServerUnreachable) as raised:
        get(HUB, Route(proxy="http://me:secret@127.0.0.1:9"))
    assert raised.value.address == "http://127.0.0.1:9"
    assert "secret" not in str(raised.value)


def test_a_server_behind_a_proxy_that_nobody_vouches_for(hub: Odd) -> None:
    with proxy_to(hub.port) as proxy, pytest.raises(ServerUntrusted) as raised:
        get(HUB, Route(proxy=proxy.address))
    assert raised.value.address == HUB
    assert not hub.asked


def test_an_encrypted_proxy_is_checked_as_servers_are(authority: Authority, hub: Odd) -> None:
    with proxy_to(hub.port, tls=authority.server("localhost")) as proxy:
        address = f"https://localhost:{proxy.port}"
        trusting = Route(proxy=address, authorities=authority.pem)
        assert get(HUB, trusting) == b"weights"
        with pytest.raises(ServerUntrusted) as raised:
            get(HUB, Route(proxy=address))
    assert raised.value.address == address


@pytest.mark.parametrize(
    ("content", "told"), [(None, "No such file"), (b"", ""), (b"no certificate", "")]
)
def test_a_file_of_authorities_that_can_not_be_read_is_named(
    tmp_path: Path, content: bytes | None, told: str
) -> None:
    file = tmp_path / "company.pem"
    if content is not None:
        file.write_bytes(content)
    records: list[Connection] = []
    with pytest.raises(ServerUntrusted) as raised:
        get("https://localhost:9", Route(authorities=file), records)
    assert str(file) in raised.value.detail
    assert told in raised.value.detail
    assert [record.outcome for record in records] == ["server_untrusted"]


def test_a_file_of_authorities_does_not_matter_where_nothing_is_encrypted(tmp_path: Path) -> None:
    with odd_server(says(200, b"x")) as odd:
        assert get(odd.address, Route(authorities=tmp_path / "gone")) == b"x"


def test_a_changed_file_of_authorities_counts_at_once(authority: Authority, tmp_path: Path) -> None:
    other = Authority(tmp_path, "Other")
    with ExitStack() as stack:
        odd = stack.enter_context(odd_server(says(200, b"x"), tls=other.server("localhost")))
        address, route = f"https://localhost:{odd.port}", Route(authorities=authority.pem)
        with pytest.raises(ServerUntrusted):
            get(address, route)
        authority.pem.write_bytes(other.pem.read_bytes())
        os.utime(authority.pem, ns=(1, 1))
        assert get(address, route) == b"x"


@pytest.mark.parametrize(
    ("text", "address", "login"),
    [
        ("proxy:3128", "http://proxy:3128", None),
        ("HTTP://proxy", "http://proxy:80", None),
        ("https://a:b@[::1]:8443/", "https://[::1]:8443", ("a", "b")),
        ("http://DOMAIN%5Cme:p%3A%40@proxy:1", "http://proxy:1", ("DOMAIN\\me", "p:@")),
        ("http://me@proxy:1", "http://proxy:1", ("me", "")),
    ],
)
def test_how_a_proxy_may_be_written(text: str, address: str, login: tuple[str, str] | None) -> None:
    found = parse_proxy(text)
    assert (found.address, found.login) == (address, login)


@pytest.mark.parametrize(
    "text",
    [
        "socks5://me:secret@proxy:1080",
        "socks://proxy",
        "http://",
        "http://me:secret@proxy:x",
        "http://me:secret@[proxy",
        "http://me:secret@pro xy",
        "ftp://secret.proxy",
    ],
)
def test_what_is_no_proxy_of_ours(text: str) -> None:
    with pytest.raises(AddressUnusable) as raised:
        parse_proxy(text)
    assert ":secret" not in str(raised.value)


@pytest.mark.parametrize(
    ("variables", "address", "by"),
    [
        ({}, HUB, None),
        ({"ALL_PROXY": "http://p:1"}, HUB, "http://p:1"),
        ({"HTTP_PROXY": "http://p:1"}, HUB, None),
        ({"HTTPS_PROXY": " "}, HUB, None),
        ({"https_proxy": "p:1"}, HUB, "http://p:1"),
        ({"HTTPS_PROXY": "http://p:1", "NO_PROXY": "example"}, HUB, None),
        ({"HTTPS_PROXY": "http://p:1", "NO_PROXY": "*"}, HUB, None),
        ({"HTTPS_PROXY": "http://p:1", "NO_PROXY": "other.example"}, HUB, "http://p:1"),
        ({"HTTPS_PROXY": "http://p:1"}, "https://127.0.0.1", None),
        ({"HTTPS_PROXY": "http://p:1"}, "https://nas.local", None),
    ],
)
def test_what_the_environment_says(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], address: str, by: str | None
) -> None:
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    found = proxy_for(request_to(address), Route())
    assert (found and found.address) == by
    assert proxy_for(request_to(address), Route(proxy="none")) is None
