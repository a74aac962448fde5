"""Redirects: followed only where safe, each one told, and the key stays where it belongs."""

import pytest

from engine.errors import Cancelled, RemoteError, ServerIncomprehensible
from engine.net.door import Door
from engine.net.following import follow
from engine.net.requests import Method, Patience, Request
from engine.types.cancel import CancelToken
from engine.types.connections import Connection, Purpose
from tests.servers.odd import Line, Script
from tests.unit.engine.net.world import Serve

KEY = "hf_secret"
SIGNED = "/b/%2b%2F%e4..;a=(1)?X-Sig=a%2fb+c'|~&Expires=1&q=%22{}[]"


def door_into(records: list[Connection]) -> Door:
    return Door(lambda: False, records.append, patience=Patience(connect_s=5.0, first_s=5.0))


def of(address: str, path: str = "/a", **more: object) -> Request:
    return Request(purpose=Purpose.DOWNLOAD, address=address, path=path, key=KEY, **more)  # type: ignore[arg-type]


def to(location: str, status: int = 302, **headers: str) -> Script:
    return lambda line: line.say(status, b"moved", Location=location, **headers)


def says(body: bytes) -> Script:
    return lambda line: line.say(200, body)


def test_the_way_is_told_and_the_key_stays_with_whom_it_was_meant_for(serve: Serve) -> None:
    records: list[Connection] = []
    store = serve(says(b"weights"))
    hub = serve(to(store.address + SIGNED, X_Linked_Size="7", X_Repo_Commit="abc"))
    with follow(door_into(records), of(hub.address, first_byte=2), CancelToken()) as exchange:
        assert exchange.body() == b"weights"
        assert exchange.origin == ("http", "127.0.0.1", store.port)
        [hop] = exchange.hops
    assert (hop.status, hop.origin) == (302, ("http", "127.0.0.1", hub.port))
    assert hop.headers["x-linked-size"] == "7"
    assert "location" not in hop.headers
    assert hub.asked[0].headers["authorization"] == f"Bearer {KEY}"
    assert "authorization" not in store.asked[0].headers
    assert store.asked[0].headers["range"] == "bytes=2-"
    assert store.asked[0].path == SIGNED
    assert [(record.port, record.outcome) for record in records] == [
        (hub.port, "done"),
        (store.port, "done"),
    ]
    assert "X-Sig" not in repr(records)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_within_one_server_the_key_goes_along(serve: Serve, status: int) -> None:
    def script(line: Line) -> None:
        moved = line.asked.path == "/a/b?c"
        line.say(status if moved else 200, b"", Location="../d?e=%2F")

    odd = serve(script)
    with follow(door_into([]), of(odd.address, "/a/b?c"), CancelToken()) as exchange:
        assert exchange.status == 200
    assert [asked.path for asked in odd.asked] == ["/a/b?c", "/d?e=%2F"]
    assert all(asked.headers["authorization"] == f"Bearer {KEY}" for asked in odd.asked)


def test_a_key_that_was_left_behind_is_not_picked_up_again(serve: Serve) -> None:
    hub_address: list[str] = []
    thief = serve(lambda line: line.say(302, b"", Location=f"{hub_address[0]}/delete?all=yes"))

    def script(line: Line) -> None:
        there = line.asked.path == "/a"
        line.say(302 if there else 200, b"", Location=f"{thief.address}/")

    hub = serve(script)
    hub_address.append(hub.address)
    with follow(door_into([]), of(hub.address), CancelToken()) as exchange:
        assert exchange.status == 200
    assert "authorization" not in hub.asked[-1].headers


@pytest.mark.parametrize(("most", "fine"), [(3, True), (2, False)])
def test_so_many_redirects_and_no_more(serve: Serve, most: int, fine: bool) -> None:
    def script(line: Line) -> None:
        line.say(302 if line.number < 3 else 200, b"", Location=f"/{line.number}")

    odd = serve(script)
    try:
        with follow(door_into([]), of(odd.address), CancelToken(), most) as exchange:
            assert fine
            assert len(exchange.hops) == 3
    except ServerIncomprehensible:
        assert not fine


@pytest.mark.parametrize("location", ["/a", "", "#x", "/b"])
def test_a_circle_ends(serve: Serve, location: str) -> None:
    records: list[Connection] = []
    odd = serve(lambda line: line.say(302, b"", Location=location if line.number == 0 else "/a"))
    with (
        pytest.raises(ServerIncomprehensible),
        follow(door_into(records), of(odd.address), CancelToken()),
    ):
        raise AssertionError
    assert len(odd.asked) <= 2
    assert records[-1].outcome == "server_incomprehensible"


def test_what_was_said_is_not_said_elsewhere(serve: Serve) -> None:
    other = serve(says(b""))
    odd = serve(to(f"{other.address}/x", 307))
    asked = of(odd.address, body={"secret": 1})
    with follow(door_into([]), asked, CancelToken()) as exchange:
        assert exchange.status == 307
        assert not exchange.hops
    assert not other.asked


def test_a_head_stays_a_head(serve: Serve) -> None:
    store = serve(lambda line: line.head(200, Content_Length="5"))
    hub = serve(to(f"{store.address}/x"))
    asked = of(hub.address, method=Method.HEAD, if_match='"e"')
    with follow(door_into([]), asked, CancelToken()) as exchange:
        assert exchange.headers["content-length"] == "5"
        assert exchange.body() == b""
    assert [store.asked[0].method, store.asked[0].headers["if-match"]] == ["HEAD", '"e"']


def test_a_cancel_on_the_way_ends_it(serve: Serve) -> None:
    cancel = CancelToken()
    store = serve(says(b""))

    def script(line: Line) -> None:
        cancel.cancel()
        line.say(302, b"", Location=store.address + "/x")

    hub = serve(script)
    records: list[Connection] = []
    with pytest.raises(Cancelled), follow(door_into(records), of(hub.address), cancel):
        raise AssertionError
    assert not store.asked
    assert [record.outcome for record in records] == ["cancelled"]


def test_an_error_never_tells_a_signed_address(serve: Serve) -> None:
    hub = serve(to("http://127.0.0.1:9/x?X-Sig=secret"))
    with (
        pytest.raises(RemoteError) as raised,
        follow(door_into([]), of(hub.address), CancelToken()),
    ):
        raise AssertionError
    assert "secret" not in f"{raised.value!r} {raised.value} {raised.value.__cause__!r}"
