"""Finds model files below a folder: bounded, never led astray by links, and never opens anything,
so that a pipe, a device or a socket with a model's name can not stop it.

Any thread but the window's: a slow disk makes it wait, and a cancel ends it at the next entry.
"""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine.errors import Cancelled
from engine.models.onnx_folder import CONFIG
from engine.types.cancel import CancelToken

DEEPEST = 6
"""Folders below the one that was named."""
MOST_ENTRIES = 100_000
"""A tenth of a second on a disk of today."""
_ENDING = ".gguf"
_UNFINISHED = ".part"
_JUNCTION = 0xA0000003
"""Windows' reparse tag of a folder that stands for another one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFile:
    """A regular file, seen through any link. `identity` (device and number) is the same for the
    same bytes under another name. A file that can not even be asked is `hidden`."""

    path: Path
    size_bytes: int = 0
    modified_ns: int = 0
    identity: tuple[int, int] = (0, 0)
    hidden: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFolder:
    """`files` are its model files by name; `is_model`: it is one itself, of ONNX Runtime."""

    path: Path
    files: tuple[FoundFile, ...]
    is_model: bool = False


@dataclass(slots=True)
class _Budget:
    cancel: CancelToken
    left: int

    def spend(self) -> bool:
        if self.cancel.cancelled:
            raise Cancelled
        self.left -= 1
        return self.left >= 0


def walk(
    folder: Path,
    cancel: CancelToken,
    *,
    deepest: int = DEEPEST,
    most_entries: int = MOST_ENTRIES,
) -> Iterator[FoundFolder]:
    """Every folder with models, `folder` itself first. What can not be entered is passed over.
    Raises `Cancelled`."""
    yield from _walk(folder, deepest, _Budget(cancel, most_entries))


def look(path: Path) -> FoundFile | None:
    """None for what is no regular file, or not there."""
    try:
        status = path.stat()  # not of the entry: Windows knows its number only this way
    except PermissionError:
        return FoundFile(path=path, hidden=True)
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    return FoundFile(
        path=path,
        size_bytes=status.st_size,
        modified_ns=status.st_mtime_ns,
        identity=(status.st_dev, status.st_ino),
    )


def is_model_file(name: str) -> bool:
    """By its name alone. Files that begin with a dot are shadows that macOS leaves on sticks."""
    return name.lower().endswith(_ENDING) and not name.startswith(".")


def _walk(folder: Path, deepest: int, budget: _Budget) -> Iterator[FoundFolder]:
    names: list[str] = []
    below: list[str] = []
    is_model = False
    for entry in _entries(folder, budget):
        if is_model_file(entry.name):
            names.append(entry.name)
        elif entry.name == CONFIG:
            is_model = look(folder / CONFIG) is not None
        elif _is_folder(entry):
            below.append(entry.name)
    files = (look(folder / name) for name in sorted(names))
    found = tuple(file for file in files if file is not None)
    if found or is_model:
        yield FoundFolder(path=folder, files=found, is_model=is_model)
    if is_model or deepest <= 0:
        return
    for name in sorted(below):
        yield from _walk(folder / name, deepest - 1, budget)


def _entries(folder: Path, budget: _Budget) -> Iterator["os.DirEntry[str]"]:
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if not budget.spend():
                    return
                yield entry
    except (OSError, ValueError):
        return


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    """A real one: links may lead in circles, and hidden ones hold caches and unfinished files."""
    try:
        if entry.name.startswith(".") or entry.name.endswith(_UNFINISHED):
            return False
        if not entry.is_dir(follow_symlinks=False):
            return False
        return getattr(entry.stat(follow_symlinks=False), "st_reparse_tag", 0) != _JUNCTION
    except OSError:
        return False


def leads_elsewhere(path: Path) -> bool:
    """A link, or Windows' junction, which Python does not call one. Raises `OSError`."""
    status = path.lstat()
    return stat.S_ISLNK(status.st_mode) or getattr(status, "st_reparse_tag", 0) == _JUNCTION


def is_real_folder(path: Path) -> bool:
    """What is in it is here, and nowhere else. Raises `OSError`."""
    return path.is_dir() and not leads_elsewhere(path)


def entries_of(folder: Path) -> list[Path]:
    """What lies directly in it, by name; nothing where nobody may look."""
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def inside(folder: Path) -> Iterator[Path]:
    """Whatever lies in it at any depth, links themselves and not what they lead to: for those who
    move or delete. Raises `OSError` where it may not look."""
    for path in sorted(folder.iterdir()):
        yield path
        if is_real_folder(path):
            yield from inside(path)


def subfolders(folder: Path, cancel: CancelToken) -> tuple[Path, ...]:
    """Real folders directly in `folder`, at most `MOST_ENTRIES`. Raises `Cancelled`."""
    budget = _Budget(cancel, MOST_ENTRIES)
    names = [entry.name for entry in _entries(folder, budget) if _is_folder(entry)]
    return tuple(folder / name for name in sorted(names))
