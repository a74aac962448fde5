"""Headers read from a hub that misbehaves: the right facts or the right error, and no long wait."""

import time
from pathlib import Path
from threading import Timer

import pytest

from engine.errors import (
    Cancelled,
    EngineError,
    FileChanged,
    LicenceNotAccepted,
    ModelFileError,
    NotOnHub,
    RemoteError,
    ServerBusy,
    ServerFailed,
    ServerIncomprehensible,
    ServerSilent,
    TokenMissing,
    TokenRefused,
)
from engine.hub.ranges import Ranges
from engine.models.gguf import read_header
from engine.models.inspect import facts_of
from engine.net.door import Door
from engine.net.requests import Request
from engine.types.cancel import CancelToken
from engine.types.connections import Purpose
from tests.remote_models import Serve, serve
from tests.servers.hub import MODES
from tests.servers.odd import Line, odd_server
from tests.vocabularies import write_true

__all__ = ["serve"]

MIB = 1 << 20
WELL = (
    "200 for 206",  # of which a few MB are under way when enough is there
    "206 short",
    "no length",
    "chunked",
    "addresses for one use",
    "relative redirect",
    "slow per connection",
    "one bit once",
)
BADLY: dict[str, type[EngineError]] = {
    "206 from byte 0": ServerIncomprehensible,
    "206 that lies": ModelFileError,
    "206 with another total": FileChanged,
    "206 without Content-Range": ServerIncomprehensible,
    "206 in many parts": ServerIncomprehensible,
    "416 always": FileChanged,
    "gzip": ServerIncomprehensible,
    "longer than announced": ServerIncomprehensible,
    "longer length": ServerIncomprehensible,
    "empty": FileChanged,
    "not HTTP": RemoteError,
    "expired always": ServerFailed,
    "redirect loop": ServerIncomprehensible,
    "redirect without end": ServerIncomprehensible,
    "redirect nowhere": ServerIncomprehensible,
    "redirect to a file": ServerIncomprehensible,
    "redirect to another scheme": ServerIncomprehensible,
    "429 twice": ServerBusy,
    "429 always": ServerBusy,
    "503 twice": ServerFailed,
    "500 always": ServerFailed,
    "hub down": ServerFailed,
    "no token": TokenMissing,
    "bad token": TokenMissing,
    "licence not accepted": LicenceNotAccepted,
    "no such file": NotOnHub,
    "no such repository": NotOnHub,
    "bare 401": TokenMissing,
    "bare 403": LicenceNotAccepted,
    "bare 404": NotOnHub,
    "captive portal": ServerIncomprehensible,
    "wrong linked size": FileChanged,
}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of three ranges: a header of 4.2 MB."""
    return write_true("llama-3.2-1b", tmp_path_factory.mktemp("faults"))


@pytest.mark.parametrize("mode", WELL)
def test_what_is_only_unusual_changes_nothing(mode: str, model: Path, serve: Serve) -> None:
    reader = serve(model)
    reader.server.use(mode)
    assert reader.read(model)[0] == facts_of(model, read_header(model))
    assert reader.received_bytes <= 10 * MIB


@pytest.mark.parametrize("mode", BADLY)
def test_what_is_wrong_has_its_name(mode: str, model: Path, serve: Serve) -> None:
    assert mode in MODES
    reader = serve(model)
    reader.server.use(mode)
    with pytest.raises(BADLY[mode]):
        reader.read(model)
    assert not list(reader.kept.glob("*"))


def test_a_token_that_is_not_known_any_more(model: Path, serve: Serve) -> None:
    reader = serve(model)
    reader.server.use("bad token")
    request = reader.request(reader.repo, model.name)
    secret = "hf_averysecrettoken"  # noqa: S105
    keyed = Request(
        purpose=Purpose.DOWNLOAD, address=request.address, path=request.path, key=secret
    )
    with (
        Ranges(reader.door, keyed, None, CancelToken(), "page") as ranges,
        pytest.raises(TokenRefused) as caught,
    ):
        ranges.read(0, 10)
    assert secret not in f"{caught.value!r} {vars(caught.value)} {ranges!r}"


@pytest.mark.parametrize("mode", ["silent head always", "silent hub"])
def test_a_cancel_ends_it_at_once(mode: str, model: Path, serve: Serve) -> None:
    reader = serve(model)
    reader.server.use(mode)
    ended = time.monotonic()

    def cancel() -> None:
        nonlocal ended
        ended = time.monotonic()
        reader.cancel.cancel()

    timer = Timer(0.2, cancel)
    timer.start()
    with pytest.raises(Cancelled):
        reader.read(model)
    assert time.monotonic() - ended < 2
    timer.join()


def test_the_key_stays_with_the_hub_and_the_store_is_asked_again(model: Path, serve: Serve) -> None:
    """One redirect is enough for all ranges."""
    reader = serve(model)
    reader.read(model)
    assert len(reader.server.seen("hub")) == 1
    assert len(reader.server.seen("cdn")) > 2
    assert all(seen.token is None for seen in reader.server.seen("cdn"))


def ranged(line: Line, data: bytes, etag: str) -> None:
    first, last = line.asked.headers["range"].removeprefix("bytes=").split("-")
    part = data[int(first) : int(last) + 1]
    span = f"bytes {first}-{int(first) + len(part) - 1}/{len(data)}"
    line.say(206, part, "application/octet-stream", Content_Range=span, ETag=etag)


def test_another_file_in_the_middle_is_noticed() -> None:
    data = bytes(range(256)) * 64

    def script(line: Line) -> None:
        ranged(line, data, f'"{line.number}"')

    with odd_server(script, path="") as odd:
        request = Request(purpose=Purpose.DOWNLOAD, address=odd.address, path="/m.gguf")
        door = Door(lambda: False)
        with Ranges(door, request, None, CancelToken(), "page") as ranges:
            assert ranges.read(0, 100) == data[:100]
            assert ranges.size_bytes == len(data)
            with pytest.raises(FileChanged):
                ranges.read(100, 200)


def test_a_few_lost_connections_are_no_trouble() -> None:
    data = bytes(range(256)) * 64

    def script(line: Line) -> None:
        if line.number % 2 == 0:
            line.head(206, Content_Length="100", Content_Range=f"bytes 0-99/{len(data)}")
            line.send(data[:50])
            line.reset()
        else:
            ranged(line, data, '"a"')

    with odd_server(script, path="") as odd:
        request = Request(purpose=Purpose.DOWNLOAD, address=odd.address, path="/m.gguf")
        with Ranges(Door(lambda: False), request, None, CancelToken(), "page") as ranges:
            for _ in range(3):
                assert ranges.read(0, 100) == data[:100]
            with pytest.raises(ServerSilent):
                ranges.read(0, 100)


def test_a_server_that_forgets_ranges_on_the_way() -> None:
    data = bytes(range(256)) * 64

    def script(line: Line) -> None:
        if line.number:
            line.say(200, data, "application/octet-stream", ETag='"a"')
        else:
            ranged(line, data, '"a"')

    with odd_server(script, path="") as odd:
        request = Request(purpose=Purpose.DOWNLOAD, address=odd.address, path="/m.gguf")
        with Ranges(Door(lambda: False), request, None, CancelToken(), "page") as ranges:
            assert ranges.read(0, 100) == data[:100]
            assert ranges.is_seekable
            assert ranges.read(5000, 5100) == data[5000:5100]
            assert not ranges.is_seekable
            assert ranges.read(5100, 99_999) == data[5100:]
            with pytest.raises(ServerIncomprehensible):
                ranges.read(0, 10)
    assert len(odd.asked) == 2
