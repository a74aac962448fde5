"""The guard of `conftest.py` itself: loopback passes, everything else is refused."""

import socket

import pytest

from tests.conftest import is_of_this_machine


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost", "", None])
def test_this_machine_is_allowed(host: str | None) -> None:
    assert is_of_this_machine(host, named=True)


@pytest.mark.parametrize("host", ["192.0.2.1", "localhost.example.org", "example.org", "::2"])
def test_other_machines_are_refused(host: str) -> None:
    assert not is_of_this_machine(host, named=True)


def test_a_loopback_connection_works() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        client = socket.create_connection(server.getsockname())
        client.close()
