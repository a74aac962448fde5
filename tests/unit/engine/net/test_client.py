"""The door in the shape of an httpx client: nothing gets round it, whatever the library does."""

import threading
import time
from collections.abc import Iterator

import httpx
import huggingface_hub
import pytest
from huggingface_hub.utils import _http

from engine.errors import (
    AddressUnusable,
    Cancelled,
    OfflineOnly,
    ServerIncomprehensible,
    ServerSilent,
    ServerUnreachable,
)
from engine.net import client as client_module
from engine.net.client import make_client
from engine.net.door import Door
from engine.net.requests import Patience
from engine.types.cancel import CancelToken
from engine.types.connections import Connection, Purpose
from tests.servers.odd import Line, Script
from tests.unit.engine.net.world import Serve

KEY = "hf_secret"
AUTHORIZED = {"Authorization": f"Bearer {KEY}"}


@pytest.fixture
def records() -> list[Connection]:
    return []


@pytest.fixture
def client(records: list[Connection]) -> Iterator[httpx.Client]:
    door = Door(lambda: False, records.append, patience=Patience(connect_s=5.0, first_s=5.0))
    with make_client(door, Purpose.SEARCH, CancelToken()) as it:
        yield it


def says(body: bytes = b"[]") -> Script:
    return lambda line: line.say(200, body, X_Total="1", Set_Cookie="id=1")


def test_what_is_read_is_one_record_and_no_more_than_we_say_goes_out(
    serve: Serve, client: httpx.Client, records: list[Connection]
) -> None:
    odd = serve(says(b'["a"]'))
    headers = {**AUTHORIZED, "User-Agent": "torch/2 telemetry", "X-Amzn-Trace-Id": "me"}
    for _ in range(2):
        answer = client.get(f"{odd.address}/api?search=a%20b&full=1", headers=headers)
        assert answer.json() == ["a"]
        assert answer.headers["x-total"] == "1"
    asked = odd.asked[1]
    assert asked.path == "/api?search=a%20b&full=1"
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert set(asked.headers) == {
        "accept",
        "accept-encoding",
        "authorization",
        "connection",
        "host",
        "user-agent",
    }
    assert asked.headers["user-agent"] == "Snug"
    assert [(r.purpose, r.bytes_received, r.outcome) for r in records] == [
        (Purpose.SEARCH, 5, "done")
    ] * 2


def test_headers_may_be_in_any_writing(serve: Serve, client: httpx.Client) -> None:
    """Caches and proxies add what they like."""
    answer = client.get(serve(lambda line: line.say(200, b"x", X_Cache="Zürich 雲")).address)
    assert (answer.content, answer.headers["x-cache"]) == (b"x", "Zürich 雲")


def test_a_redirect_is_another_record_and_the_key_stays(
    serve: Serve, client: httpx.Client, records: list[Connection]
) -> None:
    store = serve(says(b"x"))
    hub = serve(lambda line: line.say(302, b"", Location=f"{store.address}/s?X-Sig=a%2fb'|"))
    answer = client.get(f"{hub.address}/r", headers={**AUTHORIZED, "Range": "bytes=3-9"})
    assert answer.content == b"x"
    assert len(records) == 2
    assert "authorization" not in store.asked[0].headers
    assert store.asked[0].headers["range"] == "bytes=3-9"
    assert store.asked[0].path == "/s?X-Sig=a%2fb'|"


def test_a_redirect_can_be_told_and_not_followed(serve: Serve, client: httpx.Client) -> None:
    hub = serve(lambda line: line.say(302, b"", Location="/x", X_Linked_Size="5"))
    answer = client.head(f"{hub.address}/r", follow_redirects=False)
    assert (answer.status_code, answer.headers["x-linked-size"]) == (302, "5")
    assert [asked.method for asked in hub.asked] == ["HEAD"]


@pytest.mark.parametrize("location", ["ftp://x/y", "http://a@127.0.0.1/", "/r", "http:/x"])
def test_what_we_would_not_follow_the_client_can_not(
    serve: Serve, client: httpx.Client, location: str
) -> None:
    hub = serve(lambda line: line.say(302, b"", Location=location))
    with pytest.raises(ServerIncomprehensible):
        client.get(f"{hub.address}/r")
    assert len(hub.asked) == 1


def test_redirects_end(serve: Serve, client: httpx.Client, records: list[Connection]) -> None:
    hub = serve(lambda line: line.say(302, b"", Location=f"/{line.number}"))
    with pytest.raises(ServerIncomprehensible):
        client.get(f"{hub.address}/r")
    assert len(records) == 6


def test_our_errors_come_through_as_they_are(serve: Serve, client: httpx.Client) -> None:
    with pytest.raises(ServerUnreachable):
        client.get("http://127.0.0.1:9/")
    with pytest.raises(AddressUnusable):
        client.post("http://127.0.0.1:9/", json={})
    with pytest.raises(AddressUnusable):
        client.get("http://me:secret@127.0.0.1:9/")
    with pytest.raises(AddressUnusable):
        client.get("http://127.0.0.1:9/", headers={"Range": "bytes=-5"})
    with pytest.raises(ServerIncomprehensible):
        client.get(serve(lambda line: line.say(200, b"x", Content_Encoding="gzip")).address)


def test_a_body_cut_short_is_no_answer(
    serve: Serve, client: httpx.Client, records: list[Connection]
) -> None:
    def script(line: Line) -> None:
        line.head(200, Content_Length="9")
        line.send(b"four")

    with pytest.raises(ServerIncomprehensible.__mro__[1]):
        client.get(serve(script).address)
    assert [(r.outcome, r.bytes_received) for r in records] == [("server_silent", 4)]


def test_a_stream_that_is_left_ends_the_exchange(
    serve: Serve, client: httpx.Client, records: list[Connection]
) -> None:
    def script(line: Line) -> None:
        line.head(200)
        line.send(b"x")
        line.hang()

    odd = serve(script)
    with client.stream("GET", odd.address) as answer:
        assert next(answer.iter_raw()) == b"x"
    assert [record.outcome for record in records] == ["done"]


def _says_nothing(line: Line) -> None:
    line.hang()


def _stops(line: Line) -> None:
    line.head(200, Content_Length="9")
    line.hang()


def _drips(line: Line) -> None:
    line.head(200, Content_Length="999")
    while not line.closing.wait(0.05):
        line.send(b"x")


@pytest.mark.parametrize("script", [_says_nothing, _stops, _drips])
def test_nobody_waits_long_for_a_short_answer(
    serve: Serve, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The door is patient, for servers that load a model first."""
    monkeypatch.setattr(client_module, "_SILENCE_S", 0.2)
    monkeypatch.setattr(client_module, "_WHOLE_S", 0.4)
    began_s = time.monotonic()
    with (
        make_client(Door(lambda: False), Purpose.SEARCH, CancelToken()) as client,
        pytest.raises(ServerSilent),
    ):
        client.get(serve(script).address)
    assert time.monotonic() - began_s < 5


@pytest.mark.parametrize("by_cancel", [True, False])
def test_a_cancel_and_the_switch_hold(serve: Serve, by_cancel: bool) -> None:
    begun, offline, cancel = threading.Event(), threading.Event(), CancelToken()

    def script(line: Line) -> None:
        begun.set()
        line.hang()

    odd = serve(script)
    door = Door(offline.is_set)

    def leave() -> None:
        begun.wait(10)
        if by_cancel:
            cancel.cancel()
        else:
            offline.set()
            door.end_all()

    thread = threading.Thread(target=leave)
    thread.start()
    with make_client(door, Purpose.SEARCH, cancel) as client:
        for _ in range(2):
            with pytest.raises(Cancelled if by_cancel else OfflineOnly):
                client.get(odd.address)
    thread.join()
    assert len(odd.asked) == 1


def test_the_hubs_own_library_goes_through_it(
    serve: Serve, records: list[Connection], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which also asks its home for reasons of its own, unless its telemetry is off."""
    found = b'[{"_id":"1","id":"a/b","downloads":3,"likes":2,"tags":["gguf"]}]'
    odd = serve(says(found))
    door = Door(lambda: False, records.append)
    monkeypatch.setattr(huggingface_hub.utils._detect_agent, "_registry", None)
    monkeypatch.setattr(_http, "_GLOBAL_CLIENT", None)
    monkeypatch.setattr(
        _http,
        "_GLOBAL_CLIENT_FACTORY",
        lambda: make_client(door, Purpose.SEARCH, CancelToken(), only=odd.address),
    )
    api = huggingface_hub.HfApi(endpoint=odd.address, token=KEY)
    assert [model.id for model in api.list_models(search="b", limit=1)] == ["a/b"]
    odd_down = huggingface_hub.HfApi(endpoint="http://127.0.0.1:9", token=False)
    with pytest.raises(AddressUnusable):
        list(odd_down.list_models(search="b", limit=1))
    assert odd.asked[0].headers["authorization"] == f"Bearer {KEY}"
    assert [record.outcome for record in records] == ["done"]
