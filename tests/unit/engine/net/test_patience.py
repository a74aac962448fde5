"""Servers that are too fast, too slow or silent, resolvers as well; and leaving at any moment."""

import gc
import socket
import threading
import time
import tracemalloc
from contextlib import suppress

import psutil
import pytest

from engine.errors import (
    Cancelled,
    EngineError,
    OfflineOnly,
    ServerIncomprehensible,
    ServerSilent,
    ServerUnreachable,
)
from tests.servers.odd import Line, says
from tests.unit.engine.net.world import (
    MIB,
    SHORT,
    Serve,
    World,
    drips,
    floods,
    sends,
    wait_for_quiet,
)

# --- too fast, too slow -------------------------------------------------------------------------


def test_a_fast_server_fills_no_memory(serve: Serve, world: World) -> None:
    odd = serve(floods)
    with world.ask(odd.address, limit_bytes=1 << 50) as exchange:
        most = 0
        chunks = exchange.chunks()
        tracemalloc.start()
        for _ in range(5):
            time.sleep(0.05)
            most = max(most, exchange._flow.unread_bytes)
            next(chunks)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert MIB < most <= 4 * MIB
    assert peak < 12 * MIB  # the server's own are in it


@pytest.mark.parametrize("how", ["cancel", "switch", "leave"])
def test_leaving_while_the_server_waits_for_room(serve: Serve, world: World, how: str) -> None:
    odd = serve(floods)
    begun_s = time.monotonic()
    with suppress(Cancelled, OfflineOnly), world.ask(odd.address, limit_bytes=1 << 50) as exchange:
        while exchange._flow.unread_bytes < 2 * MIB:
            assert time.monotonic() - begun_s < 30
            time.sleep(0.005)
        begun_s = time.monotonic()
        if how == "cancel":
            world.cancel.cancel()
        elif how == "switch":
            world.turn_the_switch()
        if how != "leave":
            next(exchange.chunks())
    assert time.monotonic() - begun_s < 2
    wait_for_quiet()
    assert world.record.outcome == {"cancel": "cancelled", "switch": "offline_only"}.get(
        how, "done"
    )


def test_a_head_that_drips_is_given_up(serve: Serve, world: World) -> None:
    world.patience = SHORT
    odd = serve(drips(b"HTTP/1.1 200 OK\r\nX: " + b"y" * 1000, 0.02))
    with pytest.raises(ServerSilent):
        world.ask(odd.address).__enter__()


def test_a_body_that_drips_can_be_left(serve: Serve, world: World) -> None:
    odd = serve(drips(b"HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n" + b"y" * 999, 0.01))
    with world.ask(odd.address) as exchange:
        chunks = exchange.chunks()
        assert next(chunks) == b"y"
        world.cancel.cancel()
        with pytest.raises(Cancelled):
            next(chunks)


@pytest.mark.parametrize("begun", [False, True])
def test_a_silent_server_is_given_up(serve: Serve, world: World, begun: bool) -> None:
    def script(line: Line) -> None:
        if begun:
            line.head(200, Content_Length="100")
            line.send(b"x")
        line.hang()

    world.patience = SHORT
    with pytest.raises(ServerSilent), world.ask(serve(script).address) as exchange:
        exchange.body()
    assert world.record.bytes_received == int(begun)


# --- names --------------------------------------------------------------------------------------


class Resolver:
    """Answers when it is let, with loopback."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked, self.answer = threading.Event(), threading.Event()
        self._real = socket.getaddrinfo
        monkeypatch.setattr(socket, "getaddrinfo", self._look_up)

    def _look_up(self, host: str, *rest: object, **more: object) -> object:
        if host.replace(".", "").isdigit():
            return self._real(host, *rest, **more)  # type: ignore[arg-type]
        self.asked.set()
        self.answer.wait(20)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 0))]


@pytest.mark.parametrize("how", ["cancel", "switch", "wait"])
def test_a_resolver_that_never_answers(
    serve: Serve, world: World, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """And when it does answer at last, nothing is connected any more."""
    resolver, odd = Resolver(monkeypatch), serve(says(200, b""))
    connected: list[object] = []
    real = socket.create_connection
    monkeypatch.setattr(
        socket, "create_connection", lambda *at, **more: connected.append(at) or real(*at, **more)
    )

    def leave() -> None:
        resolver.asked.wait(10)
        if how == "cancel":
            world.cancel.cancel()
        elif how == "switch":
            world.turn_the_switch()

    world.patience = SHORT
    exchange = world.ask(f"http://hub.example:{odd.port}")
    thread = threading.Thread(target=leave)
    thread.start()
    begun_s = time.monotonic()
    expected = {"cancel": Cancelled, "switch": OfflineOnly}.get(how, ServerUnreachable)
    with pytest.raises(expected):
        exchange.__enter__()
    assert time.monotonic() - begun_s < 1.5
    resolver.answer.set()
    thread.join()
    wait_for_quiet()
    assert not connected
    assert not odd.asked


def test_the_next_number_is_tried_and_the_name_is_said(
    serve: Serve, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = serve(says(200, b"x"))
    found = [
        (socket.AF_INET, socket.SOCK_STREAM, 6, "", (number, 0))
        for number in ("127.0.0.2", "127.0.0.1")
    ]
    real = socket.getaddrinfo
    monkeypatch.setattr(
        socket,
        "getaddrinfo",
        lambda host, *rest, **more: found if host == "hub.example" else real(host, *rest, **more),
    )
    with world.ask(f"http://hub.example:{odd.port}") as exchange:
        assert exchange.body() == b"x"
        assert exchange.is_near
        assert exchange.origin == ("http", "hub.example", odd.port)
    assert odd.asked[0].headers["host"] == f"hub.example:{odd.port}"
    with pytest.raises(ServerIncomprehensible):
        world.ask(f"http://hub.example:{odd.port}", elsewhere=True).__enter__()
    assert len(odd.asked) == 1


# --- nothing is left ----------------------------------------------------------------------------


def test_a_hundred_exchanges_leave_nothing_behind(serve: Serve, world: World) -> None:
    odds = [serve(says(200, b"x" * 100_000)), serve(floods), serve(sends(b"x", length=9))]
    before = psutil.Process().num_fds() if hasattr(psutil.Process, "num_fds") else 0
    for number in range(100):
        with suppress(EngineError), world.ask(odds[number % 3].address) as exchange:
            if number % 2:
                exchange.body()
    wait_for_quiet()
    for odd in odds:
        while len(odd.gone) < len(odd.asked):
            time.sleep(0.005)
    gc.collect()
    assert len(world.records) == 100
    if before:
        assert psutil.Process().num_fds() <= before
    assert not world.cancel._callbacks
