"""What the tests of the door share."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.servers.odd import odd_server
from tests.unit.engine.net.world import Serve, World


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts servers whose address has no path."""
    with ExitStack() as stack:
        yield lambda script: stack.enter_context(odd_server(script, path=""))


@pytest.fixture
def world() -> World:
    return World()
