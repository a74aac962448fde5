"""New folders that are there whole or not at all: their files are written in a folder beside, which
then gets its name in one step. What a killed Snug left is cleared away. Any thread that may wait.
"""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from engine.errors import Cancelled
from engine.guard import lock
from engine.guard.whole import sync_folder
from engine.models.library.naming import free_name
from engine.models.library.walk import entries_of
from engine.models.library.writing import write_errors
from engine.types.cancel import CancelToken

ENDING: Final = ".snug.part"
"""Of an unfinished folder; the files in it have one of their own."""
FILE_ENDING: Final = ".part"
LOCK_NAME: Final = ".snug-library.lock"

_PAUSE_S = 0.05
_RENAMES, _RENAME_PAUSE_S = 10, 0.2
"""Windows lets no folder be renamed while a virus scanner looks at what is new in it."""


@contextmanager
def claimed(parent: Path, cancel: CancelToken) -> Iterator[None]:
    """Only one Snug at a time makes new folders in `parent`, which is created; another one waits.
    Left-overs are cleared first. Raises `FolderUnwritable`, `NoSpace` or `Cancelled`."""
    with write_errors(parent / LOCK_NAME):
        parent.mkdir(parents=True, exist_ok=True)
    held = _wait_for(parent / LOCK_NAME, cancel)
    try:
        if held is not None:
            clear_left_overs(parent)
        yield
    finally:
        if held is not None:
            held.release(delete=True)


def _wait_for(path: Path, cancel: CancelToken) -> lock.FileLock | None:
    """None on a disk that has no locks. Raises `Cancelled`."""
    with suppress(OSError):
        while (held := lock.take(path)) is None:
            if cancel.cancelled:
                raise Cancelled
            time.sleep(_PAUSE_S)
        return held
    return None


def sweep(parent: Path) -> None:
    """Give back the space that a killed Snug took, unless another one is at work there. Waits for
    nobody, raises nothing."""
    if not any(is_unfinished(path.name) for path in entries_of(parent)):
        return
    with suppress(OSError):
        held = lock.take(parent / LOCK_NAME)
        if held is not None:
            clear_left_overs(parent)
            held.release(delete=True)


def clear_left_overs(parent: Path) -> None:
    """Only while `parent` is claimed."""
    for path in entries_of(parent):
        if is_unfinished(path.name) and path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)


def is_unfinished(name: str) -> bool:
    return name.startswith(".") and ENDING in name


@contextmanager
def new_folder(parent: Path, name: str) -> Iterator[Path]:
    """A folder to write into, under `part_of` names; use `finish` to keep it. Everything in it is
    deleted where the block ends without. Raises `FolderUnwritable` or `NoSpace`."""
    wanted = f".{name}{ENDING}"  # hidden: whoever looks for models passes it over
    staging = parent / free_name(wanted, lambda taken: (parent / taken).exists())
    with write_errors(staging):
        staging.mkdir()
    try:
        yield staging
    finally:
        if staging.exists():
            shutil.rmtree(staging, ignore_errors=True)


def part_of(staging: Path, name: str) -> Path:
    """Where a file of this name is written; its folder is created. Raises as `new_folder`."""
    path = staging.joinpath(f"{name}{FILE_ENDING}")
    with write_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    return path


def finish(staging: Path, target: Path, names: tuple[str, ...]) -> None:
    """The files get their names, then the folder. Raises `FolderUnwritable`."""
    with write_errors(target):
        for name in names:
            part_of(staging, name).rename(staging / name)
        for folder in {(staging / name).parent for name in names}:
            sync_folder(folder)
        patiently(lambda: staging.rename(target))
    sync_folder(target.parent)


def patiently(rename: Callable[[], object]) -> None:
    """Tries it for two seconds. Raises `OSError`."""
    for _ in range(_RENAMES - 1):
        with suppress(PermissionError):
            rename()
            return
        time.sleep(_RENAME_PAUSE_S)
    rename()
