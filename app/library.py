"""The models on this computer, and what a person does with them: use, bring, check, take with them,
move, remove. Only those in the library's folder are ever changed.

Any thread but the GUI's, unless a docstring says that a call is quick.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from engine.types.cancel import CancelToken
from engine.types.library import Brought, InstalledModel, Verification, Way
from engine.types.plans import Plan

Progress = Callable[[float], None]
"""Gets how much is done, 0 to 1, on the thread that works."""


class LibraryService:
    """See the module. Ids are those of `InstalledModel`; an unknown one raises `ModelMissing`."""

    @property
    def folder(self) -> Path:
        """The library's folder, which need not be there yet. Quick."""
        raise NotImplementedError

    def models(self, *, refresh: bool = False) -> tuple[InstalledModel, ...]:
        """All models on this computer; looks at the disk once, or again for `refresh`."""
        raise NotImplementedError

    @property
    def known(self) -> tuple[InstalledModel, ...]:
        """As far as anybody has looked yet. Quick."""
        raise NotImplementedError

    def get(self, model_id: str) -> InstalledModel:
        raise NotImplementedError

    def verdicts(self, models: Sequence[InstalledModel], cancel: CancelToken) -> Mapping[str, Plan]:
        """The plan of each usable model on this machine as it is now, by id. What the model in
        memory holds counts as free. Raises `Cancelled`."""
        raise NotImplementedError

    def last_used(self, model_id: str) -> datetime | None:
        """When it answered last (UTC). Quick."""
        raise NotImplementedError

    # --- which one answers ------------------------------------------------------------------------

    @property
    def chosen_id(self) -> str | None:
        """Of the model that answers when one of this computer does; None if it is not in the list.
        Quick."""
        raise NotImplementedError

    def use(self, model_id: str) -> None:
        """Answer with it from now on, whichever computer answered before. Loads nothing."""
        raise NotImplementedError

    # --- bringing ---------------------------------------------------------------------------------

    def look_at(self, paths: Sequence[Path], cancel: CancelToken) -> Brought:
        """What models lie there. Copies nothing. Raises `Cancelled`."""
        raise NotImplementedError

    def add(
        self, brought: Brought, way: Way, progress: Progress, cancel: CancelToken
    ) -> tuple[InstalledModel, ...]:
        """Copy them into the library, or remember where they lie. Raises `NoSpace`,
        `AlreadyThere`, `HashMismatch`, `FolderUnwritable`, a `ModelFileError` or `Cancelled`."""
        raise NotImplementedError

    # --- keeping ----------------------------------------------------------------------------------

    def verify(self, model_id: str, progress: Progress, cancel: CancelToken) -> Verification:
        """Read every byte. Raises `Cancelled`."""
        raise NotImplementedError

    def space_of_removal(self, model_id: str) -> int:
        """Bytes that `remove` would free. Quick."""
        raise NotImplementedError

    def remove(self, model_id: str, *, to_bin: bool = True) -> int:
        """To the bin, or for good; one that is only used in place leaves the list and stays where
        it is. Returns the bytes that the disk has more. Raises `NotOurs`."""
        raise NotImplementedError

    def move(self, folder: Path, progress: Progress, cancel: CancelToken) -> None:
        """The whole library into another folder. Raises `NoSpace`, `FolderUnwritable` or
        `Cancelled`; the old one is then still in use."""
        raise NotImplementedError

    def export(self, model_id: str, folder: Path, progress: Progress, cancel: CancelToken) -> Path:
        """A folder to take along, inside `folder`. Raises as `add`."""
        raise NotImplementedError

    def check_update(self, model_id: str, cancel: CancelToken) -> bool | None:
        """Whether where it came from has other bytes now; None where that can not be told. Raises
        a `RemoteError` or `Cancelled`."""
        raise NotImplementedError
