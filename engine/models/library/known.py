"""Finds out whether a folder of models holds the very same model already: by size first, by hash
then. Reads manifests, and files only where that saves a copy. Any thread that may wait for a disk.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from engine.errors import AlreadyThere
from engine.models.library.contents import Piece
from engine.models.library.manifest import read_manifest
from engine.models.library.plain_files import read_errors, read_through, size_if_there
from engine.models.library.tally import Tally
from engine.models.library.walk import entries_of
from engine.types.library import FileRecord

_ENDING = ".gguf"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """A model that is there: files with their sizes, hashes where its manifest has them."""

    folder: Path
    files: tuple[FileRecord, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Alike:
    """Models of as many bytes as `pieces`. `unread_bytes` have to be read to compare them."""

    pieces: tuple[Piece, ...]
    places: tuple[_Place, ...]

    @property
    def unread_bytes(self) -> int:
        if not self.places:
            return 0
        there = (record for place in self.places for record in place.files)
        return sum(map(_unread_bytes, self.pieces)) + sum(map(_unread_bytes, there))


def find_alike(pieces: tuple[Piece, ...], parent: Path) -> Alike:
    """Those in `parent` and in the folders there. Reads no content, raises nothing."""
    wanted = _sizes(pieces)
    places = (place for place in _places(parent) if _sizes(place.files) == wanted)
    return Alike(pieces=pieces, places=tuple(places))


def refuse_equal(alike: Alike, tally: Tally) -> None:
    """Raises `AlreadyThere`, with the path to load, if one of them is the same; `ModelMissing` or
    `Cancelled`."""
    if not alike.places:
        return
    hashes = [piece.sha256 or _hash(piece.source, tally) for piece in alike.pieces]
    for place in alike.places:
        there = [file.sha256 or _hash(place.folder / file.name, tally) for file in place.files]
        if sorted(there) == sorted(hashes):
            first = there.index(hashes[0])
            raise AlreadyThere(_path_of_first(place, alike.pieces[0], first))


def _path_of_first(place: _Place, first: Piece, index: int) -> Path:
    """A GGUF model is named by its first file, a model of many files by their folder."""
    is_file = first.name.lower().endswith(_ENDING)
    return place.folder / place.files[index].name if is_file else place.folder


def _unread_bytes(file: Piece | FileRecord) -> int:
    return 0 if file.sha256 else file.size_bytes


def _sizes(files: Sequence[Piece] | Sequence[FileRecord]) -> list[int]:
    return sorted(file.size_bytes for file in files)


def _hash(path: Path, tally: Tally) -> str:
    """Raises `ModelMissing` or `Cancelled`."""
    with read_errors(path):
        return read_through(path, tally).sha256


def _places(parent: Path) -> Iterator[_Place]:
    """In `parent` itself, single files; in its folders, those of a manifest, or else also single
    files."""
    yield from _single_files(parent)
    for folder in _folders(parent):
        manifest = read_manifest(folder)
        if manifest is None:
            yield from _single_files(folder)
        elif all(_is_whole(folder, record) for record in manifest.files):
            yield _Place(folder=folder, files=manifest.files)


def _single_files(folder: Path) -> Iterator[_Place]:
    for path in entries_of(folder):
        if path.name.lower().endswith(_ENDING) and (size_bytes := size_if_there(path)):
            yield _Place(folder=folder, files=(FileRecord(name=path.name, size_bytes=size_bytes),))


def _is_whole(folder: Path, record: FileRecord) -> bool:
    return size_if_there(folder / record.name) == record.size_bytes


def _folders(parent: Path) -> list[Path]:
    with suppress(OSError):
        return [path for path in entries_of(parent) if path.is_dir()]
    return []
