"""Which models are on this computer: looked up once, kept, and looked up again when somebody asks.

Any thread; looking waits for disks. `known` is quick.
"""

import logging
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from app.events import Event, LibraryChanged
from app.paths import Paths, shared_models
from app.settings import CHOSEN_MODEL, LIBRARY_FOLDER, OTHER_PROGRAMS, USED_IN_PLACE, Settings
from app.starter import find_starter, read_manifest
from engine.errors import EngineError
from engine.types.cancel import CancelToken
from engine.types.library import FileRecord, InstalledModel, Manifest, Owner, Trouble

if TYPE_CHECKING:
    from engine.models.library.scan import Place, ScanCache

log = logging.getLogger("snug.library")

Look = Callable[[CancelToken], tuple[InstalledModel, ...]]


class Installed:
    """`look` lists all models, from the disk."""

    def __init__(self, look: Look, publish: Callable[[Event], None] = lambda _: None) -> None:
        self._look = look
        self._publish = publish
        self._looking = Lock()
        self._models: tuple[InstalledModel, ...] | None = None
        self._damaged: set[str] = set()
        """What a check of every byte has found, until the files are other ones."""

    @property
    def known(self) -> tuple[InstalledModel, ...]:
        """As far as anybody has looked yet."""
        return self._models or ()

    def models(
        self, *, refresh: bool = False, cancel: CancelToken | None = None
    ) -> tuple[InstalledModel, ...]:
        """Looks at the disk the first time, or for `refresh`. Raises `Cancelled`."""
        with self._looking:
            before = self._models
            if before is not None and not refresh:
                return before
            after = tuple(map(self._as_checked, self._look(cancel or CancelToken())))
            self._models = after
        if before is not None and before != after:
            self._publish(LibraryChanged())
        return after

    def mark(self, model: InstalledModel, *, damaged: bool) -> None:
        """Whether a check has found its bytes to be other ones than they should be."""
        with self._looking:
            (self._damaged.add if damaged else self._damaged.discard)(_key_of(model))
        self.models(refresh=True)

    def _as_checked(self, model: InstalledModel) -> InstalledModel:
        if model.trouble is None and self._damaged and _key_of(model) in self._damaged:
            return replace(model, trouble=Trouble.DAMAGED)
        return model


def _key_of(model: InstalledModel) -> str:
    from engine.guard.record import key_of  # noqa: PLC0415 - rare

    return "\n".join(key_of(path) for path in model.files)


class Places:
    """Where models are looked for, as the settings say now."""

    def __init__(self, paths: Paths, settings: Settings) -> None:
        self._paths = paths
        self._settings = settings

    @property
    def library(self) -> Path:
        """The folder that Snug puts models into. Quick."""
        kept = self._settings.now(LIBRARY_FOLDER)[0]
        return Path(kept) if kept else self._paths.models

    def used_in_place(self) -> tuple[Path, ...]:
        """Models that stay where the person keeps them. Quick."""
        lines = self._settings.now(USED_IN_PLACE)[0].split(
            "\n"
        )  # names may hold other ends of lines
        return tuple(Path(line) for line in lines if line)

    def expected(self) -> tuple[Path, ...]:
        """Models that a person knows of, so that they have to be told when one is gone."""
        chosen = self._settings.now(CHOSEN_MODEL)[0]
        return (*self.used_in_place(), *([Path(chosen)] if chosen else []))

    def all(self) -> "tuple[Place, ...]":
        from engine.models.library.scan import Place  # noqa: PLC0415 - not for `snug --help`

        own = dict.fromkeys((self.library, self._paths.models))
        programs = [] if shared_models() in own else [Place(shared_models(), Owner.PROGRAM)]
        return (
            *(Place(folder, Owner.SNUG) for folder in own),
            *programs,  # without SNUG_HOME it is one with the person's own
            *(Place(path, Owner.PERSON) for path in self.used_in_place()),
            *(self._of_others() if self._settings.now(OTHER_PROGRAMS)[0] else ()),
        )

    def _of_others(self) -> "Sequence[Place]":
        from engine.hardware.system import this_system  # noqa: PLC0415 - as above
        from engine.models.library.others import other_places  # noqa: PLC0415

        return other_places(Path.home(), os.environ, this_system())


def installed_in(
    paths: Paths, places: Places, publish: Callable[[Event], None] = lambda _: None
) -> Installed:
    """With the real look at the disk."""
    return Installed(_Look(paths, places), publish)


class _Look:
    """One look after the other; see `Installed`."""

    def __init__(self, paths: Paths, places: Places) -> None:
        self._paths = paths
        self._places = places
        self._cache: ScanCache | None = None

    def __call__(self, cancel: CancelToken) -> tuple[InstalledModel, ...]:
        from engine.models.library.scan import ScanCache, scan  # noqa: PLC0415 - as above

        if self._cache is None:
            self._finish_move(cancel)
            self._cache = ScanCache(self._paths.scans)
        places, expected = self._places.all(), self._places.expected()
        found = scan(places, self._cache, cancel, expected=expected)
        self._cache.save()
        starter = find_starter(self._paths)
        return tuple(_as_starter(model) if model.path == starter else model for model in found)

    def _finish_move(self, cancel: CancelToken) -> None:
        """What a move or a copy that was killed has left behind. Quick where there was none."""
        from engine.models.library.moving import finish_move  # noqa: PLC0415 - as above
        from engine.models.library.staging import sweep  # noqa: PLC0415

        sweep(self._places.library)
        try:
            finish_move(self._places.library, cancel)
        except (EngineError, OSError):
            if cancel.cancelled:
                raise
            log.warning("a move of the library could not be finished", exc_info=True)


def _as_starter(model: InstalledModel) -> InstalledModel:
    """Whichever folder it lies in, it came with Snug."""
    told = read_manifest()
    file = FileRecord(name=told.file, size_bytes=told.size_bytes, sha256=told.sha256)
    manifest = Manifest(name=told.name, files=(file,), licence=told.licence)
    return replace(model, name=told.name, owner=Owner.PROGRAM, manifest=manifest)
