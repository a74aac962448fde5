"""A library as a mover sees it: parts that have to stay together, and whether another folder has
the very same. Reads names, and content to compare; any thread that may wait for a disk."""

import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from engine.models.library.contents import Piece
from engine.models.library.plain_files import is_one, read_through, size_if_there
from engine.models.library.staging import LOCK_NAME, is_unfinished
from engine.models.library.tally import Tally
from engine.models.library.walk import inside, is_real_folder, leads_elsewhere

NOTE_NAME = ".snug-moved-from.json"
"""Lies in a library whose old folder may not be empty yet."""
_OURS = (LOCK_NAME, NOTE_NAME)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A folder of the library, or all files that lie in the library itself (`name` ""). `files`
    have their names in the unit's own folder; `links` are those of links, which lead anywhere."""

    folder: Path
    name: str
    files: tuple[Piece, ...]
    links: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """As a folder that a killed move had no time to delete."""
        return not (self.files or self.links)

    @property
    def size_bytes(self) -> int:
        return sum(piece.size_bytes for piece in self.files)


def units_of(library: Path, kept: frozenset[str]) -> tuple[Unit, ...]:
    """Without what is called as in `kept`, and what is unfinished. Pipes and the like stay where
    they are. Raises `OSError`."""
    if not library.is_dir():
        return ()
    entries = [
        path
        for path in sorted(library.iterdir())
        if path.name not in (*kept, *_OURS) and not is_unfinished(path.name)
    ]
    folders = [path for path in entries if is_real_folder(path)]
    loose = _unit(library, library, [path for path in entries if path not in folders])
    units = (_unit(library, path, [*inside(path)]) for path in folders)
    return (*([] if loose.is_empty else [loose]), *units)


def _unit(library: Path, folder: Path, paths: list[Path]) -> Unit:
    """Links that stay inside the library would lead nowhere after a move: they become files."""
    names = {path: path.relative_to(folder).as_posix() for path in sorted(paths)}
    links = [path for path in names if leads_elsewhere(path) and not _stays_in(library, path)]
    files = (_piece(path, inner) for path, inner in names.items() if path not in links)
    return Unit(
        folder=folder,
        name="" if folder == library else folder.name,
        files=tuple(piece for piece in files if piece is not None),
        links=tuple(names[link] for link in links),
    )


def _stays_in(library: Path, link: Path) -> bool:
    return link.is_file() and link.resolve().is_relative_to(library.resolve())


def _piece(path: Path, name: str) -> Piece | None:
    """None for what is no plain file. Raises `OSError`."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        return None
    return Piece(source=path, name=name, size_bytes=status.st_size)


def holds(folder: Path, unit: Unit, tally: Tally) -> bool:
    """Whether every file of the unit is in `folder` with the same bytes. Raises `OSError` where
    the unit's own can not be read, or `Cancelled`."""
    if not all(_same_size(folder / piece.name, piece) for piece in unit.files):
        return False
    return all(is_same(folder / piece.name, piece, tally) for piece in unit.files)


def is_same(path: Path, piece: Piece, tally: Tally) -> bool:
    """Byte for byte, and not the piece itself, which a link above it leads to: that would go with
    the old one. Raises as `holds`."""
    if not _same_size(path, piece) or is_one(path.parent, piece.source.parent):
        return False
    if is_one(path, piece.source):
        tally.add(2 * piece.size_bytes)
        return True
    return read_through(piece.source, tally).sha256 == read_through(path, tally).sha256


def _same_size(path: Path, piece: Piece) -> bool:
    return not path.is_symlink() and size_if_there(path) == piece.size_bytes


def empty_folders(unit: Unit) -> Iterator[Path]:
    """The unit's folders, the deepest first, whether they are empty or not."""
    if unit.name and unit.folder.is_dir():
        with suppress(OSError):
            folders = [path for path in inside(unit.folder) if is_real_folder(path)]
            yield from sorted(folders, key=lambda path: -len(path.parts))
            yield unit.folder
