"""Whether a server has a model, asked of servers that have, have not, or talk of other things."""

from collections.abc import Callable

import pytest

from engine.errors import (
    EngineError,
    KeyRefused,
    RemoteError,
    RemoteModelMissing,
    ServerFailed,
    ServerIncomprehensible,
    ServerUnreachable,
)
from tests.servers.odd import Line, Odd, Script, models, says
from tests.unit.engine.runtimes.remote.world import KEY, World

Serve = Callable[[Script], Odd]
ERROR = b'{"error": {"message": "it is %s", "type": "t"}}'


def test_a_model_that_the_server_has_is_loaded(world: World, serve: Serve) -> None:
    odd = serve(says(200, models("other", "m")))
    info = world.load(odd.address).info
    assert (info.name, info.backend) == ("m", "remote")
    assert [asked.path for asked in odd.asked] == ["/v1/models"]
    assert odd.asked[0].headers["authorization"] == f"Bearer {KEY}"


def test_a_model_that_the_server_does_not_have_is_missing(world: World, serve: Serve) -> None:
    with pytest.raises(RemoteModelMissing, match="m"):
        world.load(serve(says(200, models("other"))).address)
    assert world.records[-1].outcome == "done"


@pytest.mark.parametrize("status", [404, 405, 501])
def test_a_server_that_does_not_tell_its_models_may_have_it(
    world: World, serve: Serve, status: int
) -> None:
    assert world.load(serve(says(status, b"")).address).info.name == "m"


@pytest.mark.parametrize(
    ("script", "kind"),
    [
        (says(401, ERROR), KeyRefused),
        (says(403, ERROR), KeyRefused),
        (says(500, ERROR), ServerFailed),
        (says(200, b"<html>Welcome</html>", "text/html"), ServerIncomprehensible),
        (says(200, b"{}"), ServerIncomprehensible),
        (says(200, b'{"data": [{"id": "m"'), ServerIncomprehensible),
        (says(302, b"", Location="https://other.example/"), ServerIncomprehensible),
        (lambda line: line.send(b"SSH-2.0-OpenSSH_9.2\r\n\r\n"), ServerIncomprehensible),
        (
            lambda line: line.send(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 200_000),
            ServerIncomprehensible,
        ),
        (says(200, models("m"), Content_Encoding="gzip"), ServerIncomprehensible),
    ],
)
def test_what_is_no_list_of_models_is_an_error(
    world: World, serve: Serve, script: Script, kind: type[EngineError]
) -> None:
    with pytest.raises(RemoteError) as failed:
        world.load(serve(script).address)
    assert type(failed.value) is kind
    assert world.records[-1].outcome in (kind.code, "done")


def test_a_list_without_end_is_given_up(world: World, serve: Serve) -> None:
    def endless(line: Line) -> None:
        line.head(200, "application/json")
        for _ in range(40):
            line.send(b" " * (1 << 20))

    with pytest.raises(ServerIncomprehensible, match="no end"):
        world.load(serve(endless).address)


def test_where_nothing_listens_nothing_is_reached(world: World, serve: Serve) -> None:
    with pytest.raises(ServerUnreachable):
        world.load("http://127.0.0.1:9/v1")
    assert [(r.outcome, r.bytes_sent) for r in world.records] == [("server_unreachable", 0)]
