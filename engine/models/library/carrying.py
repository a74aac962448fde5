"""Brings one unit of a library into another, whole or not at all; the original stays. On the same
disk by a second name for the same bytes, elsewhere by a copy that is read back from the disk. Any
thread that may wait for a disk."""

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from engine.errors import HashMismatch
from engine.guard.whole import sync_folder
from engine.models.library.contents import Piece
from engine.models.library.copying import copy_piece
from engine.models.library.disks import check_space
from engine.models.library.plain_files import forget, read_errors, read_through
from engine.models.library.staging import finish, new_folder, part_of
from engine.models.library.tally import Tally
from engine.models.library.units import Unit, holds, is_same
from engine.models.library.writing import write_errors

_FOR_LOOSE_FILES = "Models"
"""The folder for files that can not lie in the new library itself: others of their names do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """A unit, the folder that has its files now, and the paths that were made for that. `links`
    are those of its links that could be made there too."""

    unit: Unit
    folder: Path
    made: tuple[Path, ...]
    links: tuple[str, ...]


def carry(unit: Unit, library: Path, tally: Tally, *, same_disk: bool) -> Carried:
    """Nothing is made where an equal one is there already. Raises `FolderUnwritable`, `NoSpace`,
    `FileTooBigForDisk`, `HashMismatch`, `ModelMissing` or `Cancelled`."""
    for folder in candidates(unit, library):
        with read_errors(unit.folder):
            lacking = _lacking(unit, folder, library, tally)
        if lacking is not None:
            made = _make(lacking, folder, library, tally, same_disk=same_disk)
            return Carried(unit=unit, folder=folder, made=made, links=_make_links(unit, folder))
    raise AssertionError  # there is always another number


def find(unit: Unit, library: Path, tally: Tally) -> Path | None:
    """The folder that has all of it already. Raises as `carry`."""
    for folder in candidates(unit, library):
        if unit.is_empty:
            return folder
        if not os.path.lexists(folder):
            return None
        with read_errors(unit.folder):
            if holds(folder, unit, tally):
                return folder
    return None


def undo(carried: Carried) -> None:
    """Delete what `carry` has made."""
    for path in carried.made:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            with suppress(OSError):
                path.unlink()


def candidates(unit: Unit, library: Path) -> Iterator[Path]:
    """Folders that may take it, in the order in which they are tried; without an end."""
    name = unit.name or _FOR_LOOSE_FILES
    if not unit.name:
        yield library
    yield library / name
    yield from (library / f"{name} {number}" for number in count(2))


def _lacking(unit: Unit, folder: Path, library: Path, tally: Tally) -> tuple[Piece, ...] | None:
    """What is still to be copied to `folder`; None if the place is taken by something else."""
    with suppress(OSError):
        if folder != library:
            folder.rmdir()  # only ever an empty one, which takes no place
    if not os.path.lexists(folder):
        return unit.files
    if folder != library:
        return () if holds(folder, unit, tally) else None
    lacking = [piece for piece in unit.files if not is_same(folder / piece.name, piece, tally)]
    taken = any(os.path.lexists(folder / piece.name) for piece in lacking)
    return None if taken else tuple(lacking)


def _make(
    pieces: tuple[Piece, ...], folder: Path, library: Path, tally: Tally, *, same_disk: bool
) -> tuple[Path, ...]:
    if not pieces:
        return ()
    with new_folder(library, folder.name) as staging:
        for piece in pieces:
            if not (same_disk and _named_again(piece, staging, tally)):
                check_space(library, piece.size_bytes)
                _copy(piece, staging, tally)
        if folder != library:
            finish(staging, folder, tuple(piece.name for piece in pieces))
            return (folder,)
        return _put_loose(pieces, staging, folder)


def _named_again(piece: Piece, staging: Path, tally: Tally) -> bool:
    """False on a disk that knows one name a file only, as those of sticks do."""
    part = part_of(staging, piece.name)
    with suppress(OSError, NotImplementedError):
        os.link(piece.source.resolve(), part)
        tally.add(2 * piece.size_bytes)
        return True
    return False


def _copy(piece: Piece, staging: Path, tally: Tally) -> None:
    content = copy_piece(piece, staging, tally)
    part = part_of(staging, piece.name)
    with read_errors(part):
        forget(part)
        again = read_through(part, tally)
    if again != content:
        raise HashMismatch(part, f"{again.sha256} instead of {content.sha256}")


def _put_loose(pieces: tuple[Piece, ...], staging: Path, folder: Path) -> tuple[Path, ...]:
    made = tuple(folder / piece.name for piece in pieces)
    with write_errors(folder):
        for piece, path in zip(pieces, made, strict=True):
            if os.path.lexists(path):  # it came meanwhile; not every system would mind
                raise FileExistsError(errno.EEXIST, "not ours", str(path))
            part_of(staging, piece.name).rename(path)
    sync_folder(folder)
    return made


def _make_links(unit: Unit, folder: Path) -> tuple[str, ...]:
    """Those that are in the new folder too. Not every disk has links."""
    return tuple(name for name in unit.links if _link(unit.folder / name, folder / name))


def _link(old: Path, new: Path) -> bool:
    if not os.path.lexists(new):
        with suppress(OSError, NotImplementedError):
            new.parent.mkdir(parents=True, exist_ok=True)
            new.symlink_to(os.path.realpath(old), target_is_directory=old.is_dir())
    return new.is_symlink() and os.path.realpath(new) == os.path.realpath(old)
