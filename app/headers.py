"""What was read of models on a hub: asked for once, kept beside the person's data, and found again
for the catalogue without any network."""

from pathlib import Path
from typing import NoReturn

from app.errors import StorageError
from app.fetching import client_of
from app.hub_settings import HubSettings
from app.shared_file import change_shared, read_shared
from engine.child.wire import WireError, decode, encode
from engine.errors import EngineError
from engine.models.catalogue import Entry
from engine.net.door import Door
from engine.types.cancel import CancelToken
from engine.types.hub import HubRepo, Offering
from engine.types.shapes import AnyShape


class _NotKeptError(EngineError):
    """The header would have to be asked for."""


class HubHeaders:
    """See `Headers` of the shop. `folder` keeps what was read."""

    def __init__(self, door: Door, settings: HubSettings, folder: Path) -> None:
        self._door = door
        self._settings = settings
        self._folder = folder
        self._index = folder / "catalogue.json"

    def read(self, repo: HubRepo, offering: Offering, cancel: CancelToken) -> AnyShape | None:
        """None where no header tells: of ONNX. Raises a `ModelFileError`, also for what can not
        chat, a `RemoteError` or `Cancelled`."""
        from engine.hub.header import RemoteHeaders  # noqa: PLC0415 - rare
        from engine.models.inspect import check_chat  # noqa: PLC0415

        client = client_of(self._door, self._settings, repo.hub)
        found = RemoteHeaders(self._door, self._folder, client.file_request).look(
            repo, offering, cancel
        )
        if found is None:
            return None
        facts, shape = found
        check_chat(facts)
        return shape

    def remember(self, entry: Entry, repo: HubRepo, offering: Offering) -> None:
        """Under which revision and names a model of the catalogue was found."""
        found = {"repo": encode(_without_files(repo)), "offering": encode(offering)}
        try:
            change_shared(self._index, lambda known: {**known, self._key(entry): found})
        except StorageError:
            return  # then it is estimated again

    def known(self, entry: Entry) -> tuple[AnyShape, int] | None:
        """The shape and the size in bytes of one that was read before. No network."""
        from engine.hub.header import RemoteHeaders  # noqa: PLC0415 - rare

        kept = read_shared(self._index).get(self._key(entry))
        if kept is None:
            return None
        try:
            repo = decode(HubRepo, kept["repo"])
            offering = decode(Offering, kept["offering"])
            kept_only = RemoteHeaders(self._door, self._folder, _refuse)
            found = kept_only.look(repo, offering, CancelToken())
        except (WireError, EngineError, KeyError, TypeError, IndexError):
            return None
        size_bytes = offering.size_bytes
        return None if found is None or size_bytes is None else (found[1], size_bytes)

    def _key(self, entry: Entry) -> str:
        hub = self._settings.hub()
        return f"{hub.address} {entry.repo_at(hub.kind)} {entry.quantization}"


def _without_files(repo: HubRepo) -> HubRepo:
    return HubRepo(
        hub=repo.hub,
        id=repo.id,
        revision=repo.revision,
        gated=repo.gated,
        licence=repo.licence,
        files=(),
    )


def _refuse(_repo: HubRepo, _path: str) -> NoReturn:
    raise _NotKeptError
