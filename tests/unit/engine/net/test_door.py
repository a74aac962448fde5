"""The door itself: what it trusts, which way it goes out, and that it rests until it is asked."""

import os
import socket
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from engine.errors import (
    AddressUnusable,
    RemoteError,
    ServerIncomprehensible,
    ServerUnreachable,
    ServerUntrusted,
)
from engine.net.address import parse_address
from engine.net.door import Door
from engine.net.mapping import mapped
from engine.net.proxies import proxy_for
from engine.net.requests import Patience, Request, Route
from engine.net.trust import trust
from engine.types.cancel import CancelToken
from engine.types.connections import BEGUN, Connection, Purpose
from tests.servers.authority import Authority
from tests.servers.odd import Line, Odd, Script, models, odd_server

ROOT = Path(__file__).resolve().parents[4]
KEY = "sk-secret"


def get(
    address: str,
    key: str | None = KEY,
    records: list[Connection] | None = None,
    route: Route | None = None,
) -> bytes:
    kept: list[Connection] = [] if records is None else records
    door = Door(
        lambda: False,
        kept.append,
        patience=Patience(connect_s=10.0, first_s=10.0),
        route=lambda: route or Route(),
    )
    request = Request(purpose=Purpose.LIST_MODELS, address=address, path="/models", key=key)
    with door.ask(request, CancelToken()) as exchange:
        assert exchange.status == 200
        return exchange.body()


@pytest.fixture
def serve() -> Iterator[Callable[[Script], Odd]]:
    with ExitStack() as stack:
        yield lambda script: stack.enter_context(odd_server(script))


@contextmanager
def tls_server(authority: Authority) -> Iterator[Odd]:
    with odd_server(
        lambda line: line.say(200, models("m")), tls=authority.server("localhost")
    ) as it:
        yield it


def test_a_connection_is_written_down_before_anything_leaves(
    serve: Callable[[Script], Odd],
) -> None:
    begun: list[Connection] = []
    ended: list[Connection] = []
    seen: list[list[Connection]] = []

    def script(line: Line) -> None:
        seen.append(list(begun))
        line.say(200, models("m"))

    door = Door(lambda: False, ended.append, begun=begun.append)
    request = Request(purpose=Purpose.LIST_MODELS, address=serve(script).address, path="/models")
    with door.ask(request, CancelToken()) as exchange:
        exchange.body()
    assert seen == [begun]
    assert [record.outcome for record in (*begun, *ended)] == [BEGUN, "done"]
    assert begun[0].id == ended[0].id != ""


def test_a_server_that_nobody_vouches_for_gets_no_key(tmp_path: Path) -> None:
    with tls_server(Authority(tmp_path)) as odd:
        with pytest.raises(ServerUntrusted):
            get(f"https://localhost:{odd.port}/v1")
        assert not odd.asked


def test_a_server_that_the_person_vouches_for_is_asked_with_the_key(tmp_path: Path) -> None:
    """Only the name that its certificate is for is trusted."""
    authority = Authority(tmp_path)
    route = Route(authorities=authority.pem)
    with tls_server(authority) as odd:
        assert get(f"https://localhost:{odd.port}/v1", route=route) == models("m")
        assert odd.asked[0].headers["authorization"] == f"Bearer {KEY}"
        with pytest.raises(ServerUntrusted):
            get(f"https://127.0.0.1:{odd.port}/v1", route=route)
        with pytest.raises(ServerUntrusted):  # not for good
            get(f"https://localhost:{odd.port}/v1")


def test_the_trust_is_the_systems_with_everything_checked() -> None:
    with trust(None, "https://nas") as context:
        assert type(context).__module__.startswith("truststore")
        assert context.verify_mode is ssl.CERT_REQUIRED
        assert context.check_hostname


def test_https_where_no_https_is_spoken_is_not_understood() -> None:
    with (
        odd_server(lambda _: None, hello=b"HTTP/1.1 400 Bad Request\r\n\r\n") as odd,
        pytest.raises(ServerIncomprehensible),
    ):
        get(f"https://localhost:{odd.port}/v1")


def test_a_key_never_travels_on_to_another_server(serve: Callable[[Script], Odd]) -> None:
    other = serve(lambda line: line.say(200, models("m")))

    def redirect(line: Line) -> None:
        line.say(307, b"", Location=f"{other.address}/models")

    odd = serve(redirect)
    with pytest.raises(AssertionError):  # it is told, not followed
        get(odd.address)
    assert len(odd.asked) == 1
    assert not other.asked


def test_this_computer_is_asked_directly_and_others_through_the_proxy(
    serve: Callable[[Script], Odd], monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy = serve(lambda line: line.say(200, models("by proxy")))
    odd = serve(lambda line: line.say(200, models("m")))
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.port}")
    monkeypatch.delenv("NO_PROXY", raising=False)
    assert get(odd.address) == models("m")
    assert not proxy.asked
    assert get("http://nas.example/v1", None) == models("by proxy")
    assert proxy.asked[0].path == "http://nas.example/v1/models"


@pytest.mark.parametrize(
    ("address", "key", "by_proxy"),
    [
        ("http://nas:8080", KEY, False),
        ("http://nas:8080", None, False),
        ("http://10.0.0.1", None, False),
        ("http://169.254.1.1", None, False),
        ("https://studio.local", KEY, False),
        ("http://localhost.", KEY, False),
        ("http://[::ffff:10.0.0.1]", KEY, False),
        ("http://0.0.0.0", KEY, False),
        ("http://nas.example", KEY, False),
        ("http://nas.example", None, True),
        ("https://nas.example", KEY, True),
    ],
)
def test_a_proxy_sees_neither_what_is_near_nor_a_key(
    monkeypatch: pytest.MonkeyPatch, address: str, key: str | None, by_proxy: bool
) -> None:
    for scheme in ("HTTP", "HTTPS"):
        monkeypatch.setenv(f"{scheme}_PROXY", "http://127.0.0.1:9")
    request = Request(
        purpose=Purpose.LIST_MODELS, address=parse_address(address), path="/models", key=key
    )
    assert (proxy_for(request, Route()) is not None) is by_proxy
    chosen = proxy_for(request, Route(proxy="http://me:secret@proxy.example"))
    assert (chosen is not None) is by_proxy
    assert proxy_for(request, Route(proxy="none")) is None


@pytest.mark.parametrize(
    ("proxy", "error"),
    [
        ("socks5://127.0.0.1:1", AddressUnusable),
        ("nonsense://x", AddressUnusable),
        ("http://127.0.0.1:9", ServerUnreachable),
    ],
)
def test_a_proxy_that_does_not_work_is_named(
    proxy: str, error: type[RemoteError], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALL_PROXY", proxy)
    records: list[Connection] = []
    with pytest.raises(error) as raised:
        get("http://nas.example/v1", None, records)
    assert raised.value.address == proxy
    assert [record.outcome for record in records] == [error.code]


def test_a_server_that_takes_no_connection_is_given_up() -> None:
    """Its queue is full: it neither accepts nor refuses."""
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        port = full.getsockname()[1]
        waiting = [socket.socket() for _ in range(3)]
        for one in waiting:
            one.setblocking(False)
            one.connect_ex(("127.0.0.1", port))
        door = Door(lambda: False, patience=Patience(connect_s=0.5))
        request = Request(
            purpose=Purpose.ANSWER, address=f"http://127.0.0.1:{port}/v1", path="/models"
        )
        with pytest.raises(RemoteError):
            door.ask(request, CancelToken()).__enter__()
        for one in waiting:
            one.close()


def test_unknown_failures_are_ours_and_foreign_words_are_kept() -> None:
    error = mapped(RuntimeError("odd"), "http://nas/v1")
    assert type(error) is ServerUnreachable
    assert error.detail == "odd"


def test_nothing_is_connected_by_importing_or_building_the_program(tmp_path: Path) -> None:
    """An audit hook sees every socket of a fresh process that builds everything there is."""
    code = """
import sys
seen = []
sys.addaudithook(lambda event, _: seen.append(event) if event.startswith("socket.") else None)
from app.container import build
from app.paths import find
from app.settings import REMOTE_ADDRESS, REMOTE_MODEL, REMOTE_ON, Settings
settings = Settings(find().settings)
for setting, value in ((REMOTE_ADDRESS, "http://nas/v1"), (REMOTE_MODEL, "m"), (REMOTE_ON, True)):
    settings.set(setting, value)
container = build(find())
assert container.remote.current() is not None
container.close(5.0)
assert "httpx" not in sys.modules
print(seen)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "SNUG_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"
