"""Copies a model into the library, making its hash on the way: it is there whole or not at all. The
original is only read. Any thread that may wait for a disk.

Never by links or shared blocks: what another program does to its file must not reach ours.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from engine.errors import FileTooBigForDisk, HashMismatch, ModelCutOff
from engine.models.library.contents import Piece, loaded_path, manifest_of, pieces_of
from engine.models.library.disks import check_space, largest_file_bytes
from engine.models.library.known import find_alike, refuse_equal
from engine.models.library.manifest import NAME, write_manifest
from engine.models.library.naming import free_name, safe_name
from engine.models.library.plain_files import Content, read_errors, read_through
from engine.models.library.staging import claimed, finish, new_folder, part_of
from engine.models.library.tally import Progress, Tally
from engine.models.library.writing import unfinished, write_errors
from engine.types.cancel import CancelToken
from engine.types.library import InstalledModel

Hashes = Mapping[str, str]
"""Of files, by their names in the model's new folder."""


def copy_in(
    model: InstalledModel, library_folder: Path, progress: Progress, cancel: CancelToken
) -> Path:
    """What is to be loaded from now on. Raises `AlreadyThere` (with the path of the equal model),
    `NoSpace`, `FileTooBigForDisk`, `FolderUnwritable`, `HashMismatch`, `PartsMissing`,
    `ModelMissing` (also for a stick that was pulled out) or `Cancelled`."""
    pieces = pieces_of(model)
    with claimed(library_folder, cancel):
        tally = tally_of(pieces, library_folder, progress, cancel)
        check_room(pieces, library_folder)
        folder = _copy(model, pieces, library_folder, tally)
    tally.finish()
    return loaded_path(model, pieces, folder)


def _copy(
    model: InstalledModel, pieces: tuple[Piece, ...], library_folder: Path, tally: Tally
) -> Path:
    folder = library_folder / free_folder_name(model, library_folder)
    with new_folder(library_folder, folder.name) as staging:
        hashes = copy_pieces(pieces, staging, tally)
        with write_errors(staging / NAME):
            write_manifest(staging, manifest_of(model, pieces, hashes))
        finish(staging, folder, tuple(hashes))
    return folder


def tally_of(
    pieces: tuple[Piece, ...], folder: Path, progress: Progress, cancel: CancelToken
) -> Tally:
    """For a copy of them into `folder`. Raises `AlreadyThere`, after a comparison that counts
    too, `ModelMissing` or `Cancelled`."""
    alike = find_alike(pieces, folder)
    size_bytes = sum(piece.size_bytes for piece in pieces)
    tally = Tally(alike.unread_bytes + size_bytes, progress, cancel)
    refuse_equal(alike, tally)
    return tally


def check_room(pieces: Sequence[Piece], folder: Path, reserve_bytes: int | None = None) -> None:
    """Raises `FileTooBigForDisk` or `NoSpace`."""
    limit_bytes = largest_file_bytes(folder)
    for piece in pieces:
        if limit_bytes is not None and piece.size_bytes > limit_bytes:
            raise FileTooBigForDisk(folder / piece.name, f"at most {limit_bytes} bytes")
    check_space(folder, sum(piece.size_bytes for piece in pieces), reserve_bytes)


def free_folder_name(model: InstalledModel, parent: Path) -> str:
    """The model's name and quantization; with a number where that is taken."""
    has_both = model.quantization.casefold() in model.name.casefold()
    wanted = model.name if has_both else f"{model.name} {model.quantization}"
    return free_name(safe_name(wanted), lambda name: (parent / name).exists())


def copy_pieces(pieces: tuple[Piece, ...], staging: Path, tally: Tally) -> Hashes:
    """Raises as `copy_in`."""
    return {piece.name: copy_piece(piece, staging, tally).sha256 for piece in pieces}


def copy_piece(piece: Piece, staging: Path, tally: Tally) -> Content:
    """Raises as `copy_in`."""
    part = part_of(staging, piece.name)
    with unfinished(part, piece.size_bytes) as file, read_errors(piece.source):
        content = read_through(piece.source, tally, file.write)
    if content.size_bytes != piece.size_bytes:
        raise ModelCutOff(piece.source, f"{content.size_bytes} of {piece.size_bytes} bytes")
    if piece.sha256 not in ("", content.sha256):
        raise HashMismatch(piece.source, f"{content.sha256} instead of {piece.sha256}")
    return content
