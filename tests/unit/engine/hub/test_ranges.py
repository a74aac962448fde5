"""A file read in pieces from a server that does not do what it is asked."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from engine.errors import FileChanged, ServerIncomprehensible, ServerSilent
from engine.hub import ranges as ranges_module
from engine.hub.ranges import Ranges
from engine.net.door import Door
from engine.net.requests import Patience, Request
from engine.types.cancel import CancelToken
from engine.types.connections import Connection, Purpose
from tests.servers.odd import Line, Odd, Script, odd_server

DATA = bytes(range(256)) * 64
Open = Callable[[Script], tuple[Ranges, Odd, list[Connection]]]


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as it:
        yield it


@pytest.fixture
def opened(stack: ExitStack) -> Open:
    def start(script: Script) -> tuple[Ranges, Odd, list[Connection]]:
        ledger: list[Connection] = []
        odd = stack.enter_context(odd_server(script, path=""))
        door = Door(lambda: False, ledger.append, patience=Patience(first_s=5.0))
        asked = Request(purpose=Purpose.DOWNLOAD, address=odd.address, path="/m.gguf")
        ranges = Ranges(door, asked, len(DATA), CancelToken(), page=odd.address)
        return stack.enter_context(ranges), odd, ledger

    return start


def part(line: Line, most: int = len(DATA), **headers: str) -> None:
    found = re.fullmatch(r"bytes=(\d+)-(\d+)", line.asked.headers["range"])
    assert found
    first = int(found[1])
    end = min(int(found[2]) + 1, first + most)
    said = f"bytes {first}-{end - 1}/{len(DATA)}"
    line.say(206, DATA[first:end], Content_Range=said, **headers)


def test_a_server_that_gives_less_at_a_time_is_asked_again(opened: Open) -> None:
    ranges, odd, ledger = opened(lambda line: part(line, 1000))
    assert ranges.read(100, 16_000) == DATA[100:16_000]
    assert len(odd.asked) == len(ledger) == 16
    assert ranges.received_bytes == 15_900


def test_but_crumbs_are_not_gathered(opened: Open) -> None:
    ranges, odd, _ = opened(lambda line: part(line, 1))
    with pytest.raises(ServerIncomprehensible):
        ranges.read(0, len(DATA))
    assert len(odd.asked) < 70


def test_nor_drops(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    def drips(line: Line) -> None:
        line.head(206, Content_Length="999", Content_Range=f"bytes 0-998/{len(DATA)}")
        while not line.closing.wait(0.05):
            line.send(b"x")

    monkeypatch.setattr(ranges_module, "_PART_S", 0.3)
    ranges, _, _ = opened(drips)
    with pytest.raises(ServerSilent):
        ranges.read(0, 999)


def test_a_new_link_to_another_file_is_noticed(opened: Open) -> None:
    """Links are signed anew, and may run out in between."""
    links: list[str] = []

    def script(line: Line) -> None:
        if line.asked.path == "/m.gguf":
            links.append(f"/store/m?signature={len(links)}")
            line.say(302, b"", Location=links[-1])
        elif line.asked.path != links[-1] or line.number == 2:
            line.say(403, b"")
        else:
            part(line, ETag=f'"{len(links)}"')

    ranges, odd, _ = opened(script)
    assert ranges.read(0, 10) == DATA[:10]
    with pytest.raises(FileChanged):
        ranges.read(10, 20)
    assert len(odd.asked) == 5


def test_all_of_it_where_a_part_was_asked_for(opened: Open) -> None:
    ranges, odd, _ = opened(lambda line: line.say(200, DATA))
    assert [ranges.read(first, first + 9) for first in (0, 5000)] == [DATA[:9], DATA[5000:5009]]
    assert not ranges.is_seekable
    assert len(odd.asked) == 1
