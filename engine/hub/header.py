"""The verdict before the download: what the header of a model on a hub says.

Reads a few megabytes of the file, on the thread that asks, and keeps them. What comes out equals
what the same file would say once it is here.
"""

from collections.abc import Callable
from pathlib import Path

from engine.errors import PartsMissing
from engine.hub.header_cache import HeaderCache
from engine.hub.names import taken_apart
from engine.hub.ranges import Ranges
from engine.hub.repos import is_commit, page_of
from engine.hub.sparse import read_sparse
from engine.models.gguf import GgufHeader
from engine.models.inspect import facts_of
from engine.models.shape import shape_of
from engine.models.split import merge_headers
from engine.net.door import Door
from engine.net.requests import Request
from engine.types.cancel import CancelToken
from engine.types.hub import HubFile, HubRepo, Offering
from engine.types.models import ModelFacts, ModelFormat
from engine.types.shapes import ModelShape

BUDGET_BYTES = 8 << 20
_FIRST_BYTES = 1 << 20
_FIRST_OF_PART_BYTES = 64 << 10
"""Later parts of a model have no vocabulary."""
_MOST_PARTS = 100
"""Twice as many as the largest models have: each is looked at."""


def read_remote(
    door: Door,
    request: Request,
    size_bytes: int | None,
    cancel: CancelToken,
    budget_bytes: int = BUDGET_BYTES,
    *,
    path: Path | None = None,
) -> tuple[ModelFacts, ModelShape]:
    """The facts and sizes of the one file that `request` asks for; `path` is what it would be
    called here. Raises a `RemoteError`, a `ModelFileError` or `Cancelled`."""
    path = path or Path(request.path.partition("?")[0].rpartition("/")[2])
    with Ranges(door, request, size_bytes, cancel, page=request.address) as ranges:
        header = read_sparse(ranges, path, budget_bytes)
    return facts_of(path, header), shape_of(header, path)


class RemoteHeaders:
    """Looks at models of a hub; `folder` keeps what was read. `request_for` gives the request for
    a file of a repository."""

    def __init__(
        self, door: Door, folder: Path, request_for: Callable[[HubRepo, str], Request]
    ) -> None:
        self._door = door
        self._cache = HeaderCache(folder)
        self._request_for = request_for

    def look(
        self, repo: HubRepo, offering: Offering, cancel: CancelToken
    ) -> tuple[ModelFacts, ModelShape] | None:
        """Of all parts together; None for ONNX, whose sizes no header tells, and for more parts
        than any model has. Raises `PartsMissing`, and what `read_remote` does."""
        if offering.format is not ModelFormat.GGUF or len(offering.files) > _MOST_PARTS:
            return None
        path = Path(offering.files[0].path.rpartition("/")[2])
        if offering.missing:
            raise PartsMissing(path, offering.missing)
        headers = [self._header(repo, file, cancel) for file in offering.files]
        header = merge_headers(headers, path) if len(headers) > 1 else headers[0]
        return facts_of(path, header), shape_of(header, path)

    def _header(self, repo: HubRepo, file: HubFile, cancel: CancelToken) -> GgufHeader:
        key = (repo.hub.address, repo.id, repo.revision, file.path, file.sha256)
        header = self._cache.get(key, file.size_bytes)
        if header is None:
            header = self._read(repo, file, cancel)
            if file.sha256 or is_commit(repo.revision):  # else another file may be called so later
                self._cache.put(key, header)
        return header

    def _read(self, repo: HubRepo, file: HubFile, cancel: CancelToken) -> GgufHeader:
        request = self._request_for(repo, file.path)
        page = page_of(repo.hub, repo.id)
        later = taken_apart(file.path).part > 1
        first_bytes = _FIRST_OF_PART_BYTES if later else _FIRST_BYTES
        path = Path(file.path.rpartition("/")[2])
        with Ranges(self._door, request, file.size_bytes, cancel, page) as ranges:
            return read_sparse(ranges, path, BUDGET_BYTES, first_bytes)
