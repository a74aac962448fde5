"""The models on this computer, and what a person does with them: use, bring, check, take with them,
move, remove. Only those in the library's folder are ever changed.

Any thread but the GUI's, unless a docstring says that a call is quick.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import Protocol

from app.errors import StorageError
from app.events import Event, ModelChosen
from app.installed import Installed, Places
from app.models import ModelService
from app.refusals import refusal_of
from app.settings import CHOSEN_MODEL, LIBRARY_FOLDER, USED_IN_PLACE, Setting, Settings
from app.starter import read_manifest
from app.usage import Usage
from engine.errors import AlreadyThere, ModelFileError, ModelMissing, NotOurs
from engine.types.cancel import CancelToken
from engine.types.library import (
    Brought,
    InstalledModel,
    Manifest,
    Owner,
    Soundness,
    Verification,
    Way,
)
from engine.types.plans import Plan

Progress = Callable[[float], None]
"""Gets how much is done, 0 to 1, on the thread that works."""


class Judging(Protocol):
    def of_file(self, path: Path, cancel: CancelToken) -> Plan: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryParts:
    """What the library works with. `let_go` makes whoever has a file open close it; `stop_remote`
    ends answers from elsewhere; `holding(old, new)` keeps downloads still, and leads them on to a
    new folder when it ends; `is_updated` asks a hub."""

    installed: Installed
    places: Places
    settings: Settings
    models: ModelService
    usage: Usage
    judge: Judging
    publish: Callable[[Event], None] = lambda _: None
    let_go: Callable[[Path], None] = lambda _: None
    stop_remote: Callable[[], None] = lambda: None
    holding: Callable[[Path, Path], AbstractContextManager[None]] = lambda *_: nullcontext()
    is_updated: Callable[[Manifest, CancelToken], bool | None] = lambda *_: None


class LibraryService:
    """See the module. Ids are those of `InstalledModel`; an unknown one raises `ModelMissing`."""

    def __init__(self, parts: LibraryParts) -> None:
        self._parts = parts
        self._used_in_place = Lock()
        """Two imports at once each add theirs."""

    @property
    def folder(self) -> Path:
        """The library's folder, which need not be there yet. Quick."""
        return self._parts.places.library

    def models(self, *, refresh: bool = False) -> tuple[InstalledModel, ...]:
        """All models on this computer; looks at the disk once, or again for `refresh`."""
        return self._parts.installed.models(refresh=refresh)

    @property
    def known(self) -> tuple[InstalledModel, ...]:
        """As far as anybody has looked yet. Quick."""
        return self._parts.installed.known

    def get(self, model_id: str) -> InstalledModel:
        found = (model for model in self.models() if model.id == model_id)
        if (model := next(found, None)) is None:
            raise ModelMissing(Path(model_id), "no such model is in the list")
        return model

    def verdicts(self, models: Sequence[InstalledModel], cancel: CancelToken) -> Mapping[str, Plan]:
        """The plan of each usable model on this machine as it is now, by id. What the model in
        memory holds counts as free. Raises `Cancelled`."""
        found: dict[str, Plan] = {}
        for model in models:
            if model.usable:
                with suppress(ModelFileError):
                    found[model.id] = self._parts.judge.of_file(model.path, cancel)
        return found

    def last_used(self, model_id: str) -> datetime | None:
        """When it answered last (UTC). Quick."""
        paths = (model.path for model in self.known if model.id == model_id)
        return next((self._parts.usage.last_used(path) for path in paths), None)

    # --- which one answers ------------------------------------------------------------------------

    @property
    def chosen_id(self) -> str | None:
        """Of the model that answers when one of this computer does; None if it is not in the list.
        Quick."""
        file = self._parts.models.file
        return next((model.id for model in self.known if model.path == file), None)

    def use(self, model_id: str) -> None:
        """Answer with it from now on, whichever computer answered before. Loads nothing. Raises
        the `ModelFileError` why it can not be used, or `StorageError` if the choice can not be
        kept; it holds all the same."""
        model = self.get(model_id)
        if (refusal := refusal_of(model)) is not None:
            raise refusal
        self._choose(model.path)

    def use_starter(self) -> None:
        """Answer with what came with Snug. Raises `StorageError` as `use`."""
        self._choose(None)

    def _choose(self, path: Path | None) -> None:
        """None is the starter."""
        parts = self._parts
        parts.models.use(path)
        try:
            parts.settings.set(CHOSEN_MODEL, "" if path is None else str(path))
            parts.stop_remote()
        finally:
            parts.publish(ModelChosen())

    # --- bringing ---------------------------------------------------------------------------------

    def look_at(self, paths: Sequence[Path], cancel: CancelToken) -> Brought:
        """What models lie there. Copies nothing. Raises `Cancelled` only."""
        from engine.models.library.bring import look_at  # noqa: PLC0415 - rare

        return look_at(paths, cancel)

    def add(
        self, brought: Brought, way: Way, progress: Progress, cancel: CancelToken
    ) -> tuple[InstalledModel, ...]:
        """Copy them into the library, or remember where they lie. Raises `NoSpace`,
        `AlreadyThere` (where all are), `HashMismatch`, `FolderUnwritable`, a `ModelFileError` or
        `Cancelled`."""
        try:
            if way is Way.COPY:
                added = self._copy(brought, progress, cancel)
            else:
                added = tuple(model.path for model in brought.models)
                self._change_used_in_place(lambda known: (*known, *added))
        finally:  # what was copied before it failed is there
            models = self.models(refresh=True)
        return tuple(model for model in models if model.path in added)

    def _copy(self, brought: Brought, progress: Progress, cancel: CancelToken) -> tuple[Path, ...]:
        from engine.models.library.copying import copy_in  # noqa: PLC0415 - rare

        folder, total_bytes = self.folder, max(sum(m.size_bytes for m in brought.models), 1)
        copied: list[Path] = []
        there: AlreadyThere | None = None
        done_bytes = 0
        for model in brought.models:
            share = _part_of(progress, done_bytes / total_bytes, model.size_bytes / total_bytes)
            try:
                copied.append(copy_in(model, folder, share, cancel))
            except AlreadyThere as error:  # the others are still wanted
                there = error
            done_bytes += model.size_bytes
        if there is not None and not copied:
            raise there
        return tuple(copied)

    def _change_used_in_place(self, change: Callable[[Sequence[Path]], Sequence[Path]]) -> None:
        with self._used_in_place:
            paths = change(self._parts.places.used_in_place())
            lines = dict.fromkeys(str(path) for path in paths if "\n" not in str(path))
            self._parts.settings.set(USED_IN_PLACE, "\n".join(lines))

    # --- keeping ----------------------------------------------------------------------------------

    def verify(self, model_id: str, progress: Progress, cancel: CancelToken) -> Verification:
        """Read every byte. What is found damaged is shown so from then on. Raises `Cancelled`."""
        from engine.models.library.verify import verify  # noqa: PLC0415 - rare

        model = self.get(model_id)
        found = verify(model, progress, cancel)
        self._parts.installed.mark(model, damaged=found.soundness is Soundness.DAMAGED)
        return found

    def space_of_removal(self, model_id: str) -> int:
        """Bytes that `remove` would free."""
        from engine.models.library.removal import space_of  # noqa: PLC0415 - rare

        model = self.get(model_id)
        return space_of(model) if model.owner is Owner.SNUG else 0

    def remove(self, model_id: str, *, to_bin: bool = True) -> int:
        """To the bin, or for good; one that is only used in place leaves the list and stays where
        it is. Returns the bytes that the disk has more. Raises `NotOurs` for what is another
        program's, `NoBin`, `FolderUnwritable` or `StorageError`."""
        model = self.get(model_id)
        if model.owner not in (Owner.SNUG, Owner.PERSON):
            raise NotOurs(model.path, model.owner.value)
        was_chosen = self.chosen_id == model.id
        self._parts.let_go(model.path)
        try:
            freed_bytes = self._take_out(model, to_bin=to_bin)
            if was_chosen:
                self._choose_none()
        finally:
            self.models(refresh=True)
        return freed_bytes

    def _take_out(self, model: InstalledModel, *, to_bin: bool) -> int:
        from engine.models.library import removal  # noqa: PLC0415 - rare

        if model.owner is Owner.PERSON:
            self._change_used_in_place(lambda known: [it for it in known if it != model.path])
            return 0
        if to_bin:
            return removal.remove(model, removal.default_bin(), library=self.folder)
        return removal.delete_for_good(model, library=self.folder)

    def _choose_none(self) -> None:
        """The starter instead of one that is gone. Where another computer answers, it goes on."""
        self._parts.models.use(None)
        with suppress(StorageError):  # a choice that is gone counts as none
            self._parts.settings.set(CHOSEN_MODEL, "")
        self._parts.publish(ModelChosen())

    def move(self, folder: Path, progress: Progress, cancel: CancelToken) -> None:
        """The whole library into `folder`, or one of its own in it where other things lie. Raises
        `NoSpace`, `FolderUnwritable`, `StorageError` or `Cancelled`; the old one is then still in
        use."""
        from engine.models.library.moving import move_library, place_in  # noqa: PLC0415 - rare

        old, parts = self.folder, self._parts
        folder = place_in(folder, old)
        kept = frozenset({read_manifest().file})  # came with Snug, and is looked for where it is
        try:
            with parts.holding(old, folder):
                move_library(
                    old,
                    folder,
                    progress,
                    cancel,
                    switch=lambda: self._switch(old, folder),
                    kept=kept,
                )
            parts.usage.moved(old, folder)
        finally:
            self.models(refresh=True)

    def _switch(self, old: Path, new: Path) -> None:
        """The new folder is in use from now on, and a model that was chosen there stays so. Raises
        `StorageError`."""
        from engine.models.library.moving import new_place  # noqa: PLC0415 - rare

        parts = self._parts
        changes: list[tuple[Setting[str], str]] = [(LIBRARY_FOLDER, str(new))]
        chosen = parts.settings.get(CHOSEN_MODEL)
        if chosen and Path(chosen).is_relative_to(old):
            moved = new_place(Path(chosen), old, new)
            changes.append((CHOSEN_MODEL, str(moved)))
            parts.let_go(Path(chosen))
            parts.models.use(moved)
        parts.settings.change(*changes)

    def export(self, model_id: str, folder: Path, progress: Progress, cancel: CancelToken) -> Path:
        """A folder to take along, inside `folder`. Raises as `add`."""
        from engine.models.library.export import export  # noqa: PLC0415 - rare

        return export(self.get(model_id), folder, progress, cancel)

    def check_update(self, model_id: str, cancel: CancelToken) -> bool | None:
        """Whether where it came from has other bytes now; None where that can not be told. Raises
        a `RemoteError` or `Cancelled`."""
        manifest = self.get(model_id).manifest
        if manifest is None or manifest.origin is None:
            return None
        return self._parts.is_updated(manifest, cancel)


def _part_of(progress: Progress, before: float, share: float) -> Progress:
    return lambda done: progress(min(before + share * done, 1.0))
