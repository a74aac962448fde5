"""How downloads are fetched: through the one door, from the hub that each was chosen at, with the
token that is kept for that one. Everything but a fetcher's `run` asks nobody on a network."""

import os
import shutil
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from app.download_items import Deliver, Fetcher
from app.hub_settings import HubSettings
from engine.errors import AlreadyThere, EngineError, FolderUnwritable, NoSpace
from engine.hub.repos import page_of
from engine.net.door import Door
from engine.types.downloads import Wanted, WantedFile
from engine.types.hub import Hub, HubKind, HubRepo

if TYPE_CHECKING:
    from engine.hub.hub import HubClient
    from engine.net.requests import Request

MANIFEST = "snug-model.json"


def client_of(door: Door, settings: HubSettings, hub: Hub) -> "HubClient":
    """Speaks to `hub`, whatever the settings say later."""
    from engine.hub.hub import HubClient  # noqa: PLC0415 - slow, and rare

    return HubClient(door, lambda: hub, lambda: settings.token_of(hub))


class HubFetching:
    """See `Fetching`."""

    def __init__(self, door: Door, settings: HubSettings) -> None:
        self._door = door
        self._settings = settings

    def fetcher(self, wanted: Wanted, deliver: Deliver) -> Fetcher:
        from engine.models.download.download import Download  # noqa: PLC0415 - rare
        from engine.models.download.surroundings import Surroundings  # noqa: PLC0415

        client = client_of(self._door, self._settings, wanted.hub)
        repo = _repo_of(wanted)

        def request_for(file: WantedFile) -> "Request":
            return client.file_request(repo, file.path)

        return Download(
            wanted,
            self._door,
            request_for,
            self._settings.limits,
            deliver,
            around=Surroundings(
                refusal=partial(_refused, wanted, self._settings),
                offline=lambda: self._door.closed,
            ),
        )

    def progress(self, wanted: Wanted) -> tuple[int, int]:
        return _progress_of(wanted)

    def check_room(self, wanted: Wanted) -> None:
        """Raises `NoSpace`, `FolderUnwritable`, or `AlreadyThere` if it was fetched before."""
        if is_complete(wanted):
            raise AlreadyThere(wanted.folder)
        check_space(wanted, self._settings.limits().reserve_bytes)

    def discard(self, wanted: Wanted) -> None:
        from engine.models.download.download import discard  # noqa: PLC0415 - rare

        discard(wanted)


def is_complete(wanted: Wanted) -> bool:
    """Whether all of its files are in place, with the manifest that comes last."""
    names = (MANIFEST, *(file.name for file in wanted.files))
    return all(wanted.folder.joinpath(name).is_file() for name in names)


def check_space(wanted: Wanted, reserve_bytes: int) -> None:
    """For what is not here yet. Raises `NoSpace` or `FolderUnwritable`."""
    folder = wanted.folder  # need not be there
    there = next((path for path in (folder, *folder.parents) if path.exists()), None)
    if there is None or not there.is_dir() or not os.access(there, os.W_OK):
        raise FolderUnwritable(folder, "no permission, or its disk is not there")
    try:
        free_bytes = max(shutil.disk_usage(there).free - reserve_bytes, 0)
    except OSError as error:
        raise FolderUnwritable(folder, str(error)) from error
    done_bytes, total_bytes = _progress_of(wanted)
    needed_bytes = max(total_bytes - done_bytes, 0)
    if needed_bytes > free_bytes:
        raise NoSpace(folder, needed_bytes, free_bytes)


def _progress_of(wanted: Wanted) -> tuple[int, int]:
    from engine.models.download.download import progress_of  # noqa: PLC0415 - rare

    return progress_of(wanted)


def _refused(
    wanted: Wanted,
    settings: HubSettings,
    status: int,
    headers: Mapping[str, str],
    address: str,
) -> EngineError:
    """What a status means where the file was asked for: at the hub, or at its store."""
    from engine.hub.refusals import refusal, storage_refusal  # noqa: PLC0415 - rare

    hub = wanted.hub
    if address != hub.address:
        return storage_refusal(status, headers, address)
    has_token = settings.token_of(hub) is not None
    return refusal(status, headers, address, page_of(hub, wanted.repo), has_token)


def repo_named(hub: Hub, text: str) -> str:
    """owner/name, where people may have copied the address of its page, here or at a mirror."""
    text = text.strip().partition("?")[0]
    if text.startswith(f"{hub.address}/"):
        path = text.removeprefix(hub.address)
    elif "://" in text:
        path = text.partition("://")[2].partition("/")[2]
    else:
        return text
    parts = [part for part in path.split("/") if part]
    if hub.kind is HubKind.MODELSCOPE and parts[:1] == ["models"]:
        parts = parts[1:]
    return "/".join(parts[:2])


def _repo_of(wanted: Wanted) -> HubRepo:
    return HubRepo(
        hub=wanted.hub,
        id=wanted.repo,
        revision=wanted.revision,
        gated=False,
        licence=wanted.licence,
        files=(),
    )
