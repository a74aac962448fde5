"""Encrypted bodies are whole or an error, and no handshake keeps another waiting."""

import socket
import ssl
import threading
import time
from pathlib import Path

import pytest

from engine.errors import Cancelled, EngineError, ServerIncomprehensible
from engine.net import sending
from engine.net.door import Door
from engine.net.exchange import Exchange
from engine.net.following import follow
from engine.net.lost import ConnectionLost
from engine.net.requests import Request, Route
from engine.types.cancel import CancelToken
from engine.types.connections import Purpose
from tests.servers.authority import Authority
from tests.servers.odd import Line, odd_server, says
from tests.servers.proxy import proxy_to
from tests.unit.engine.net.world import MIB, Serve, sends


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


def ask(port: int, authority: Authority, cancel: CancelToken | None = None) -> Exchange:
    door = Door(lambda: False, route=lambda: Route(authorities=authority.pem))
    request = Request(purpose=Purpose.DOWNLOAD, address=f"https://localhost:{port}", path="/x")
    return door.ask(request, cancel or CancelToken())


@pytest.mark.parametrize("piece", [1, 1000, 16_384, 100_001])
def test_an_encrypted_body_is_whole(authority: Authority, piece: int) -> None:
    body = bytes(range(256)) * (min(piece * 100, 4 * MIB) // 256)
    parts = [body[at : at + piece] for at in range(0, len(body), piece)]
    script = sends(*parts, length=len(body))
    tls = authority.server("localhost")
    with odd_server(script, tls=tls) as odd, ask(odd.port, authority) as exchange:
        assert exchange.body() == body


@pytest.mark.parametrize("sent", [1, 100_000])
def test_an_encrypted_body_cut_short_is_an_error(authority: Authority, sent: int) -> None:
    def script(line: Line) -> None:
        sends(b"x" * sent, length=2 * MIB)(line)
        line.reset()

    with (
        odd_server(script, tls=authority.server("localhost")) as odd,
        pytest.raises(ConnectionLost),
        ask(odd.port, authority) as exchange,
    ):
        exchange.body()


def test_a_handshake_that_never_ends_keeps_nobody_else_waiting(authority: Authority) -> None:
    met, cancel, ended = threading.Event(), CancelToken(), threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as silent:

        def wait_for_it() -> None:
            with pytest.raises((Cancelled, EngineError)):
                ask(silent.getsockname()[1], authority, cancel).__enter__()
            ended.set()

        thread = threading.Thread(target=wait_for_it)
        thread.start()
        met_one, _ = silent.accept()
        met_one.recv(1)
        met.set()
        begun_s = time.monotonic()
        with odd_server(says(200, b"x"), tls=authority.server("localhost")) as odd:
            for _ in range(3):
                with ask(odd.port, authority) as exchange:
                    assert exchange.body() == b"x"
        assert time.monotonic() - begun_s < 3
        assert not ended.is_set()
        cancel.cancel()
        thread.join()
        met_one.close()


def test_a_redirect_from_elsewhere_reaches_this_network_by_no_name(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first server counts as one of elsewhere, the second's name stands for this computer."""
    real = socket.getaddrinfo
    monkeypatch.setattr(
        socket,
        "getaddrinfo",
        lambda host, *rest, **more: real(
            "127.0.0.1" if str(host).endswith(".example") else host, *rest, **more
        ),
    )
    monkeypatch.setattr(sending, "is_in_this_network", lambda _: False)
    router = serve(says(200, b"admin"))
    hub = serve(says(302, b"", Location=f"http://cdn.example:{router.port}/reboot"))
    door = Door(lambda: False)
    request = Request(purpose=Purpose.DOWNLOAD, address=f"http://hub.example:{hub.port}", path="/x")
    with pytest.raises(ServerIncomprehensible), follow(door, request, CancelToken()):
        raise AssertionError
    assert not router.asked
    monkeypatch.undo()


def test_what_answers_behind_a_proxy_of_this_network_is_elsewhere(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = socket.getaddrinfo
    monkeypatch.setattr(
        socket,
        "getaddrinfo",
        lambda host, *rest, **more: real(
            "127.0.0.1" if host == "router.example" else host, *rest, **more
        ),
    )
    monkeypatch.setenv("NO_PROXY", "router.example")
    router = serve(says(200, b"admin"))
    hub = serve(says(302, b"", Location=f"http://router.example:{router.port}/reboot"))
    with proxy_to(hub.port) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.address)
        monkeypatch.setenv("http_proxy", proxy.address)
        request = Request(purpose=Purpose.DOWNLOAD, address="http://hub.example", path="/x")
        with (
            pytest.raises(ServerIncomprehensible),
            follow(Door(lambda: False), request, CancelToken()),
        ):
            raise AssertionError
    assert (len(hub.asked), router.asked) == (1, [])


def test_a_context_is_never_lent_twice_at_once(authority: Authority) -> None:
    from engine.net.trust import trust

    with trust(authority.pem, "https://x") as one, trust(authority.pem, "https://x") as other:
        assert one is not other
        assert one.verify_mode is other.verify_mode is ssl.CERT_REQUIRED
    with trust(authority.pem, "https://x") as again:
        assert again is one or again is other
