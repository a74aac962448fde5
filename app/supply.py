"""Builds what has to do with getting and keeping models, with plain constructor calls: for the
container, and for the command line, which needs neither chats nor a keeper. Asks nobody."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

from app import fitting
from app.events import EventBus
from app.hub_settings import HubSettings
from app.installed import Installed, Places, installed_in
from app.judging import Judge
from app.models import ModelService
from app.paths import RESOURCES, Paths
from app.settings import Settings
from app.usage import Later, Usage
from engine.net.door import Door
from engine.types.cancel import CancelToken
from engine.types.connections import Purpose
from engine.types.library import Manifest

if TYPE_CHECKING:
    from app.downloads import DownloadService
    from app.library import LibraryService
    from app.shop import Shop

CATALOGUE = RESOURCES / "catalogue.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What everything here stands on."""

    paths: Paths
    settings: Settings
    events: EventBus
    door: Door
    hub: HubSettings
    places: Places
    installed: Installed


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """Who is told what by the library; see `LibraryParts` and `Usage`."""

    let_go: Callable[[Path], None] = lambda _: None
    stop_remote: Callable[[], None] = lambda: None
    later: Later = lambda work: work()


def ground(
    paths: Paths, settings: Settings, events: EventBus, door: Door, hub: HubSettings
) -> Ground:
    places = Places(paths, settings)
    return Ground(
        paths=paths,
        settings=settings,
        events=events,
        door=door,
        hub=hub,
        places=places,
        installed=installed_in(paths, places, events.publish),
    )


class Supply:
    """The services, each made when somebody first asks for it: a start is to be quick."""

    def __init__(self, on: Ground, models: ModelService, surroundings: Surroundings) -> None:
        self._on = on
        self._models = models
        self._surroundings = surroundings
        self._lock = RLock()
        self._downloads: DownloadService | None = None
        self._library: LibraryService | None = None
        self._shop: Shop | None = None
        self.hub = on.hub
        self.usage = Usage(on.paths.usage, surroundings.later)
        self._judge = Judge(
            lambda: fitting.record(on.paths), lambda kept: fitting.machine(on.paths, kept)
        )
        on.events.subscribe(self.usage.hear)
        on.events.subscribe(self._judge.hear)

    @property
    def downloads(self) -> "DownloadService":
        with self._lock:
            self._downloads = self._downloads or self._make_downloads()
            return self._downloads

    @property
    def library(self) -> "LibraryService":
        with self._lock:
            self._library = self._library or self._make_library()
            return self._library

    @property
    def shop(self) -> "Shop":
        with self._lock:
            self._shop = self._shop or self._make_shop()
            return self._shop

    def close(self, timeout_s: float) -> bool:
        """Pause downloads, and write what is not written yet. False if that took longer."""
        with self._lock:
            downloads = self._downloads
        ended = downloads is None or downloads.close(timeout_s)
        self.usage.write()
        return ended

    def _make_downloads(self) -> "DownloadService":
        from app.download_queue import DownloadQueue  # noqa: PLC0415 - see above
        from app.downloads import DownloadService  # noqa: PLC0415
        from app.fetching import HubFetching  # noqa: PLC0415

        on = self._on
        return DownloadService(
            DownloadQueue(on.paths.downloads),
            HubFetching(on.door, self.hub),
            on.events.publish,
            lambda _: _look_again(on.installed),
        )

    def _make_library(self) -> "LibraryService":
        from app.library import LibraryParts, LibraryService  # noqa: PLC0415 - see above

        on = self._on
        return LibraryService(
            LibraryParts(
                installed=on.installed,
                places=on.places,
                settings=on.settings,
                models=self._models,
                usage=self.usage,
                judge=self._judge,
                publish=on.events.publish,
                let_go=self._surroundings.let_go,
                stop_remote=self._surroundings.stop_remote,
                holding=self.downloads.held,
                is_updated=partial(_asked, on.door, self.hub),
            )
        )

    def _make_shop(self) -> "Shop":
        from app.headers import HubHeaders  # noqa: PLC0415 - see above
        from app.shop import Shop, ShopParts  # noqa: PLC0415

        on = self._on
        return Shop(
            ShopParts(
                catalogue=CATALOGUE,
                door=on.door,
                settings=self.hub,
                headers=HubHeaders(on.door, self.hub, on.paths.remote_headers),
                judge=self._judge,
                folder=lambda: on.places.library,
            )
        )


def _look_again(installed: Installed) -> None:
    installed.models(refresh=True)


def _asked(door: Door, hub: HubSettings, manifest: Manifest, cancel: CancelToken) -> bool | None:
    """Asks where the model came from, whichever hub is in use now."""
    origin = manifest.origin
    if origin is None:
        return None
    from app.fetching import client_of  # noqa: PLC0415 - rare
    from app.updates import is_updated  # noqa: PLC0415

    client = client_of(door, hub, origin.hub)
    repo = client.look(origin.repo, None, cancel, purpose=Purpose.LOOK_FOR_UPDATE)
    return is_updated(manifest, repo)
