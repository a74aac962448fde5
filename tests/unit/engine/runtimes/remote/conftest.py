"""A fresh world for each test, and servers that end with it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.servers.odd import Odd, Script, odd_server
from tests.unit.engine.runtimes.remote.world import World


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def serve() -> Iterator[Callable[[Script], Odd]]:
    with ExitStack() as stack:
        yield lambda script: stack.enter_context(odd_server(script))
