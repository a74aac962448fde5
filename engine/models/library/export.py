"""Takes a model along: a folder for a stick, with checksums and a note, that another Snug takes in.
The model itself is only read, whoever owns it. Any thread that may wait for a disk.
"""

from pathlib import Path

from engine.models.library.contents import Piece, manifest_of, pieces_of
from engine.models.library.copying import (
    Hashes,
    check_room,
    copy_pieces,
    free_folder_name,
    tally_of,
)
from engine.models.library.manifest import NAME, write_manifest
from engine.models.library.notes import CHECKSUMS, READ_ME, checksums, read_me
from engine.models.library.staging import claimed, finish, new_folder
from engine.models.library.tally import Progress, Tally
from engine.models.library.writing import write_errors, write_text
from engine.types.cancel import CancelToken
from engine.types.library import InstalledModel

_RESERVE_BYTES = 4 << 20
"""For the notes. A stick may get full: no program works on it."""


def export(model: InstalledModel, folder: Path, progress: Progress, cancel: CancelToken) -> Path:
    """The new folder, in `folder`. Raises `AlreadyThere`, `NoSpace`, `FileTooBigForDisk`,
    `FolderUnwritable`, `HashMismatch`, `PartsMissing`, `ModelMissing` or `Cancelled`."""
    pieces = pieces_of(model)
    with claimed(folder, cancel):
        tally = tally_of(pieces, folder, progress, cancel)
        check_room(pieces, folder, _RESERVE_BYTES)
        made = _write(model, pieces, folder, tally)
    tally.finish()
    return made


def _write(model: InstalledModel, pieces: tuple[Piece, ...], folder: Path, tally: Tally) -> Path:
    made = folder / free_folder_name(model, folder)
    with new_folder(folder, made.name) as staging:
        hashes = copy_pieces(pieces, staging, tally)
        _write_notes(model, pieces, hashes, staging)
        finish(staging, made, tuple(hashes))
    return made


def _write_notes(
    model: InstalledModel, pieces: tuple[Piece, ...], hashes: Hashes, staging: Path
) -> None:
    manifest = manifest_of(model, pieces, hashes)
    write_text(staging / CHECKSUMS, checksums(manifest))
    write_text(staging / READ_ME, read_me(manifest))
    with write_errors(staging / NAME):
        write_manifest(staging, manifest)
