"""Bodies that can not be read: the status of an error says enough, and a list is not awaited."""

import time
from collections.abc import Callable

import pytest

from engine.errors import KeyRefused, ServerFailed, ServerSilent
from engine.net.requests import Patience
from tests.servers.odd import Line, Odd, Script, says
from tests.unit.engine.runtimes.remote.world import World, ask

Serve = Callable[[Script], Odd]


@pytest.fixture
def world() -> World:
    return World(patience=Patience(whole_s=0.4))


def cut(line: Line) -> None:
    line.head(401, "application/json", Content_Length="100")
    line.send(b'{"err')


def drips(status: int) -> Script:
    def script(line: Line) -> None:
        line.head(status, "application/json")
        while not line.closing.is_set():
            line.send(b" ")
            time.sleep(0.05)

    return script


@pytest.mark.parametrize(
    "script",
    [says(401, b"\x1f\x8bno", Content_Encoding="gzip"), cut, Line.reset, drips(401)],
    ids=["packed", "cut", "reset", "dripping"],
)
def test_a_key_is_refused_by_the_status_alone_and_once(
    world: World, serve: Serve, script: Script
) -> None:
    def refuse(line: Line) -> None:
        if script is Line.reset:
            line.head(401, "application/json", Content_Length="100")
        script(line)

    odd = serve(refuse)
    assert isinstance(ask(world.model(odd.address)).error, KeyRefused)
    assert len(odd.asked) == 1
    assert world.records[-1].outcome == "key_refused"


def test_a_list_that_drips_is_given_up(world: World, serve: Serve) -> None:
    began_s = time.monotonic()
    with pytest.raises(ServerSilent):
        world.load(serve(drips(200)).address)
    assert time.monotonic() - began_s < 10


def test_of_an_error_only_its_beginning_is_read(world: World, serve: Serve) -> None:
    error = ask(world.model(serve(says(500, b" " * (32 << 20))).address)).error
    assert isinstance(error, ServerFailed)
    assert world.records[-1].bytes_received < 8 << 20  # what was on its way when it was enough
