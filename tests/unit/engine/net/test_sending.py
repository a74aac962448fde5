"""Once the switch or a cancel has returned, nothing more is written, whatever was going on."""

import random
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from typing import Any

import pytest
from httpcore._backends.sync import SyncStream

from engine.errors import Cancelled, EngineError, OfflineOnly, ServerUnreachable
from engine.net import sending
from engine.net.door import Door
from engine.net.requests import Request
from engine.net.sending import Sending
from engine.types.cancel import CancelToken
from engine.types.connections import Connection, Purpose
from tests.servers.odd import good, odd_server

STEPS = (
    "connect_tcp.started",
    "connect_tcp.complete",
    "send_request_headers.started",
    "send_request_body.started",
)


def request_to(address: str) -> Request:
    return Request(
        purpose=Purpose.ANSWER,
        address=address,
        path="/chat/completions",
        key="sk-secret",
        body={"text": "x" * 200_000},
    )


class Writes:
    """What streams wrote to their sockets after `closed` was set."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.closed = threading.Event()
        self.late: list[int] = []
        real = SyncStream.write

        def write(stream: SyncStream, buffer: bytes, timeout: float | None = None) -> None:
            closed = self.closed.is_set()
            real(stream, buffer, timeout)
            if closed and buffer:
                self.late.append(len(buffer))

        monkeypatch.setattr(SyncStream, "write", write)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("by_cancel", [False, True], ids=["switch", "cancel"])
def test_at_every_step_it_is_the_last(
    monkeypatch: pytest.MonkeyPatch, step: str, by_cancel: bool
) -> None:
    offline, cancel, writes = threading.Event(), CancelToken(), Writes(monkeypatch)
    door = Door(offline.is_set)
    real = Sending._trace

    def trace(it: Sending, event: str, info: Mapping[str, Any]) -> None:
        if event.endswith(step):
            if by_cancel:
                cancel.cancel()
            else:
                offline.set()
                door.end_all()
            writes.closed.set()
        real(it, event, info)

    monkeypatch.setattr(Sending, "_trace", trace)
    with odd_server(good()) as odd:
        with pytest.raises(Cancelled if by_cancel else OfflineOnly):
            door.ask(request_to(odd.address), cancel).__enter__()
        time.sleep(0.05)
    assert writes.closed.is_set()
    assert not writes.late


def test_whenever_the_switch_is_turned_nothing_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = random.Random(4)
    with odd_server(good()) as odd:
        for _ in range(40):
            offline, writes = threading.Event(), Writes(monkeypatch)
            door = Door(offline.is_set)

            def ask(door: Door = door) -> None:
                try:
                    with door.ask(request_to(odd.address), CancelToken()) as exchange:
                        exchange.body()
                except EngineError:
                    pass

            asking = threading.Thread(target=ask)
            asking.start()
            time.sleep(dice.uniform(0, 0.02))
            offline.set()
            door.end_all()
            writes.closed.set()
            asking.join()
            assert not writes.late
            monkeypatch.undo()


def test_a_connection_that_is_there_just_as_all_is_stopped_is_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The library gives it to nobody then."""
    made: list[socket.socket] = []
    door = Door(lambda: False)

    def stopped_now(stream: Any) -> bool:
        made.append(stream.get_extra_info("socket"))
        door.end_all()
        return False

    monkeypatch.setattr(sending, "_is_near", stopped_now)
    with odd_server(good()) as odd:
        with pytest.raises(EngineError), door.ask(request_to(odd.address), CancelToken()) as asked:
            asked.body()
        deadline = time.monotonic() + 30
        while made[0].fileno() != -1 and time.monotonic() < deadline:
            time.sleep(0.01)
    assert made[0].fileno() == -1


def test_a_switch_turned_elsewhere_is_seen_before_anything_is_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By another program: nobody calls `end_all` here."""
    looks = iter([False, False])  # as it begins
    with odd_server(good()) as odd, pytest.raises(OfflineOnly):
        Door(lambda: next(looks, True)).ask(request_to(odd.address), CancelToken()).__enter__()
    assert not odd.asked


def test_the_end_of_an_encrypted_connection_never_goes_on_in_plain_text() -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    ours, theirs = socket.socketpair()
    with context.wrap_socket(ours, do_handshake_on_connect=False) as connection, theirs:
        sending._end(connection)
        assert connection._sslobj is not None  # type: ignore[attr-defined]
        assert theirs.recv(1) == b""


def test_without_a_thread_for_it_there_is_an_error_and_nothing_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def no_thread(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    records: list[Connection] = []
    door, cancel = Door(lambda: False, records.append), CancelToken()
    monkeypatch.setattr(threading.Thread, "start", no_thread)
    with pytest.raises(ServerUnreachable):
        door.ask(request_to("http://127.0.0.1:9/v1"), cancel).__enter__()
    assert [record.outcome for record in records] == ["server_unreachable"]
    assert not door._open
    assert not cancel._callbacks
