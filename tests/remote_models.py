"""Model files behind the loopback hub, and a reader of their headers that counts what it took."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.hub.header import RemoteHeaders, read_remote
from engine.hub.repos import resolve_request
from engine.net.door import Door
from engine.net.requests import Patience, Request
from engine.types.cancel import CancelToken
from engine.types.connections import Connection
from engine.types.hub import Hub, HubFile, HubKind, HubRepo, Offering
from engine.types.models import ModelFacts, ModelFormat
from engine.types.shapes import ModelShape
from tests.servers.hub import Hub as Server
from tests.servers.hub import Repo, hub_server
from tests.servers.hub_contents import OnDisk


@dataclass(frozen=True)
class Sparse(OnDisk):
    """A hash of the name will do: those of gigabytes of zeros take minutes."""

    @property
    def sha256(self) -> str:  # type: ignore[override]
        return hashlib.sha256(self.path.name.encode()).hexdigest()


class Reader:
    """A hub with one repository of these files, and what was read of it."""

    def __init__(self, server: Server, paths: tuple[Path, ...], kept: Path) -> None:
        self.server = server
        self.kept = kept
        self.cancel = CancelToken()
        self.connections: list[Connection] = []
        self.door = Door(lambda: False, self.connections.append, patience=Patience(first_s=5.0))
        self.repo = HubRepo(
            hub=Hub(kind=HubKind.HUGGING_FACE, address=server.address),
            id="maker/model",
            revision="5ca1ab1e" * 5,
            gated=False,
            licence="",
            files=tuple(HubFile(path=p.name, size_bytes=p.stat().st_size) for p in paths),
        )
        self.offering = Offering(
            name="M", quantization="", format=ModelFormat.GGUF, files=self.repo.files
        )

    @property
    def headers(self) -> RemoteHeaders:
        return RemoteHeaders(self.door, self.kept, self.request)

    def request(self, repo: HubRepo, path: str) -> Request:
        return resolve_request(repo, path, None)

    def read(self, path: Path, *, size_known: bool = True) -> tuple[ModelFacts, ModelShape]:
        size = path.stat().st_size if size_known else None
        request = self.request(self.repo, path.name)
        return read_remote(self.door, request, size, self.cancel, path=path)

    def look(self) -> tuple[ModelFacts, ModelShape]:
        found = self.headers.look(self.repo, self.offering, self.cancel)
        assert found is not None
        return found

    @property
    def received_bytes(self) -> int:
        return sum(each.bytes_received for each in self.connections)


Serve = Callable[..., Reader]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Called with paths, it serves them as "maker/model" until the test is over."""
    with ExitStack() as stack:

        def start(*paths: Path) -> Reader:
            files = {path.name: Sparse(path) for path in paths}
            server = stack.enter_context(hub_server(Repo(id="maker/model", files=files)))
            return Reader(server, paths, tmp_path / "kept")

        yield start
