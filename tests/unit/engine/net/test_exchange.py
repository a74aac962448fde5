"""Bodies that are too long, too short or packed, and what is asked for."""

import threading
import time
import traceback

import pytest

from engine.errors import EngineError, ServerIncomprehensible
from engine.net.lost import ConnectionLost
from engine.net.requests import Method
from tests.servers.odd import Line, says
from tests.unit.engine.net.world import MIB, Serve, World, sends

# --- how much comes -----------------------------------------------------------------------------


@pytest.mark.parametrize("size", [0, 1, 65_000, 3 * MIB])
@pytest.mark.parametrize("announced", [True, False])
def test_the_record_tells_what_the_server_wrote(
    serve: Serve, world: World, size: int, announced: bool
) -> None:
    body = bytes(range(256)) * (size // 256) + b"x" * (size % 256)
    odd = serve(sends(body, length=size if announced else None))
    with world.ask(odd.address) as exchange:
        assert exchange.body() == body
    assert (world.record.bytes_received, world.record.outcome) == (size, "done")


def test_what_came_and_was_not_read_counts(serve: Serve, world: World) -> None:
    sent = threading.Event()

    def script(line: Line) -> None:
        line.head(200)
        line.send(b"x" * 1000)
        sent.set()
        line.hang()

    with world.ask(serve(script).address) as exchange:
        sent.wait(5)
        while exchange._flow.received_bytes < 1000:
            time.sleep(0.005)
    assert world.record.bytes_received == 1000


def test_more_than_announced_is_not_taken(serve: Serve, world: World) -> None:
    with world.ask(serve(sends(b"x" * 9, b"y" * 100_000, length=9)).address) as exchange:
        assert exchange.body() == b"x" * 9


@pytest.mark.parametrize("sent", [0, 5, MIB])
def test_less_than_announced_is_never_an_answer(serve: Serve, world: World, sent: int) -> None:
    odd = serve(sends(b"x" * sent, length=2 * MIB))
    with pytest.raises(ConnectionLost), world.ask(odd.address) as exchange:
        exchange.body()
    assert (world.record.bytes_received, world.record.outcome) == (sent, "server_silent")


def test_chunks_come_together_and_an_end_that_is_missing_is_seen(
    serve: Serve, world: World
) -> None:
    whole = b"3\r\nabc\r\n5\r\ndefgh\r\n"
    odd = serve(sends(whole, b"0\r\n\r\n", Transfer_Encoding="chunked"))
    with world.ask(odd.address) as exchange:
        assert exchange.body() == b"abcdefgh"
    odd = serve(sends(whole, Transfer_Encoding="chunked"))
    with pytest.raises(ConnectionLost), world.ask(odd.address) as exchange:
        exchange.body()


@pytest.mark.parametrize("length", ["-1", "x", "1, 2", "9" * 40])
def test_a_length_that_is_none_is_not_believed(serve: Serve, world: World, length: str) -> None:
    odd = serve(sends(b"abc", Content_Length=length))
    with pytest.raises(EngineError), world.ask(odd.address) as exchange:
        exchange.body()


@pytest.mark.parametrize("encoding", ["gzip", "br", "GZIP, identity"])
def test_what_is_packed_is_refused(serve: Serve, world: World, encoding: str) -> None:
    odd = serve(says(200, b"\x1f\x8b", Content_Encoding=encoding))
    with pytest.raises(ServerIncomprehensible), world.ask(odd.address) as exchange:
        exchange.body()
    assert odd.asked[0].headers["accept-encoding"] == "identity"


def test_a_limit_ends_what_has_no_end(serve: Serve, world: World) -> None:
    odd = serve(sends(b"x" * MIB, length=1 << 50))
    with (
        pytest.raises(ServerIncomprehensible),
        world.ask(odd.address, limit_bytes=1000) as exchange,
    ):
        exchange.body()


# --- what is asked ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [(None, None, None), (0, None, "bytes=0-"), (5, 9, "bytes=5-9"), (None, 9, "bytes=0-9")],
)
def test_a_range_is_asked_for(
    serve: Serve, world: World, first: int | None, last: int | None, said: str | None
) -> None:
    odd = serve(says(206, b"abcde", Content_Range="bytes 5-9/99"))
    with world.ask(odd.address, first_byte=first, last_byte=last, if_match='"e"') as exchange:
        assert exchange.headers["content-range"] == "bytes 5-9/99"
    assert odd.asked[0].headers.get("range") == said
    assert odd.asked[0].headers["if-match"] == '"e"'
    assert odd.asked[0].headers["accept"] == "*/*"


def test_a_head_has_a_length_and_no_body(serve: Serve, world: World) -> None:
    odd = serve(lambda line: line.head(200, Content_Length="12345"))
    with world.ask(odd.address, method=Method.HEAD) as exchange:
        assert exchange.headers["content-length"] == "12345"
        assert exchange.body() == b""
    assert odd.asked[0].method == "HEAD"


@pytest.mark.parametrize("path", ["/a%2fb?s=%2B+|'{}", "/a//../b?", "?x", "/ö?ü"])
def test_what_is_signed_goes_out_byte_for_byte(serve: Serve, world: World, path: str) -> None:
    odd = serve(says(200, b""))
    with world.ask(odd.address, path=path):
        pass
    spelled = path.replace("ö", "%C3%B6").replace("ü", "%C3%BC")
    assert odd.asked[0].path == (spelled if spelled.startswith("/") else "/" + spelled)


KEY = "hf_secret"
ECHOES = {
    "status line": b"NO %b\r\n\r\n",
    "header": b"HTTP/1.1 200 OK\r\nno header %b\r\n\r\n",
    "value": b"HTTP/1.1 200 OK\r\nX-Echo: \0%b\r\n\r\n",
    "length": b"HTTP/1.1 200 OK\r\nContent-Length: %b\r\n\r\n",
    "chunk": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%b\r\n",
}


@pytest.mark.parametrize("name", ECHOES)
def test_a_key_that_a_server_sends_back_is_not_repeated(
    serve: Serve, world: World, name: str
) -> None:
    odd = serve(lambda line: line.send(ECHOES[name] % line.asked.headers["authorization"].encode()))
    with pytest.raises(ServerIncomprehensible) as raised, world.ask(odd.address, key=KEY) as answer:
        answer.body()
    assert raised.value.detail
    assert KEY not in "".join(traceback.format_exception(raised.value))
