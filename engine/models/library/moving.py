"""Moves the whole library to another folder: everything is copied, then the caller switches, then
the old files go. Killed or cancelled at any moment, the folder in use has every model whole. Any
thread that may wait for a disk.
"""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from engine.errors import Cancelled, FolderUnwritable
from engine.models.library.carrying import Carried, candidates, carry, find, undo
from engine.models.library.contents import Piece
from engine.models.library.copying import check_room
from engine.models.library.disks import on_same_disk
from engine.models.library.plain_files import is_one, read_errors, size_if_there
from engine.models.library.staging import claimed
from engine.models.library.tally import Progress, Tally
from engine.models.library.units import NOTE_NAME, Unit, empty_folders, units_of
from engine.types.cancel import CancelToken

_NOTE_LIMIT_BYTES = 1 << 20
_OF_ITS_OWN = "Snug"
_BOTH_WAYS = 2
"""What is written is read again."""


def move_library(
    source: Path,
    target: Path,
    progress: Progress,
    cancel: CancelToken,
    *,
    switch: Callable[[], None] = lambda: None,
    kept: frozenset[str] = frozenset(),
) -> tuple[Path, ...]:
    """`switch` is called when all is in `target`: from then on the caller has to use that. `kept`
    names entries that stay in `source`. Returns the files that could not be deleted there. What an
    interrupted move has copied is not copied again; one that was cut off while it deleted is
    finished first, for half of a model in `target` would count as another one.

    Raises `FolderUnwritable` (also where one folder is in the other), `NoSpace`,
    `FileTooBigForDisk`, `HashMismatch`, `ModelMissing` or `Cancelled`; `source` is then as it
    was."""
    if _is_same_folder(source.resolve(), target.resolve()):
        return ()
    _refuse_nested(source.resolve(), target.resolve())
    finish_move(source, cancel)
    with read_errors(source):
        units = units_of(source, kept)
    tally = Tally(_BOTH_WAYS * sum(unit.size_bytes for unit in units), progress, cancel)
    with ExitStack() as claims:
        for folder in sorted({target, source} if source.is_dir() else {target}):
            claims.enter_context(claimed(folder, cancel))
        carried = _carry_all(units, source, target, tally)
        _write_note(target, source, kept)  # before: a kill behind the switch must leave it
        with _unless_it_fails(target):
            switch()
        left = tuple(path for one in carried for path in _delete_old(one))
        (target / NOTE_NAME).unlink(missing_ok=True)
    _leave_no_husk(source)
    tally.finish()
    return left


def place_in(folder: Path, library: Path) -> Path:
    """Where the library goes when a person names `folder`: into one of its own below, if anything
    but parts of the library lies there, which would else count as Snug's. Raises nothing."""
    theirs = {name for name in _names(folder) if not name.startswith(".")} - _names(library)
    return folder / _OF_ITS_OWN if theirs and folder.name != _OF_ITS_OWN else folder


def _names(folder: Path) -> set[str]:
    with suppress(OSError):
        return set(os.listdir(folder))  # noqa: PTH208  names are wanted
    return set()


def new_place(path: Path, source: Path, target: Path) -> Path:
    """For `switch`: where a model's file or folder of `source` is in `target`. Mostly it is called
    the same; not where a different model had that name. Raises nothing."""
    with suppress(OSError):
        for unit in units_of(source, frozenset()):
            own = [piece for piece in unit.files if unit.name or piece.source == path]
            folder = _taken_by(unit, own, target) if _is_of(path, unit) else None
            if folder is not None:
                return folder / path.relative_to(unit.folder)
    return target / path.relative_to(source)


def _is_of(path: Path, unit: Unit) -> bool:
    if unit.name:
        return path.is_relative_to(unit.folder)
    return any(piece.source == path for piece in unit.files)


def _taken_by(unit: Unit, pieces: Sequence[Piece], target: Path) -> Path | None:
    """The folder that `carry` chose, as far as sizes tell."""
    for folder in candidates(unit, target):
        if not folder.exists():
            return None
        is_like = all(size_if_there(folder / piece.name) == piece.size_bytes for piece in pieces)
        if is_like and not _is_same_folder(folder, unit.folder):
            return folder
    return None


def finish_move(library: Path, cancel: CancelToken) -> tuple[Path, ...]:
    """After a kill behind the switch: delete those old files that `library` has byte for byte.
    Returns and raises as `move_library`. Quick where there is nothing to do."""
    noted = _read_note(library)
    if noted is None:
        return ()
    source, kept = noted
    tally = Tally(0, lambda _: None, cancel)
    with claimed(library, cancel):
        with read_errors(source):
            units = units_of(source, kept)
        found = ((unit, find(unit, library, tally)) for unit in units)
        left = tuple(
            path
            for unit, folder in found
            if folder is not None
            for path in _delete_old(Carried(unit=unit, folder=folder, made=(), links=()))
        )
        (library / NOTE_NAME).unlink(missing_ok=True)
    _leave_no_husk(source)
    return left


def _is_same_folder(folder: Path, other: Path) -> bool:
    """Also under two names, as where capital letters do not count, or through a share."""
    with suppress(OSError):
        return folder == other or is_one(folder, other)
    return False


def _refuse_nested(source: Path, target: Path) -> None:
    below = any(_is_same_folder(source, above) for above in target.parents)
    if below or any(_is_same_folder(target, above) for above in source.parents):
        raise FolderUnwritable(target, f"one folder is inside the other: {source}")


def _carry_all(units: Sequence[Unit], source: Path, target: Path, tally: Tally) -> list[Carried]:
    """What was copied before a cancel is deleted; after a failure it waits for the next try."""
    carried: list[Carried] = []
    same_disk = on_same_disk(source, target)
    if not same_disk:
        check_room([piece for unit in units for piece in _absent(unit, target)], target)
    try:
        for unit in units:
            carried.append(carry(unit, target, tally, same_disk=same_disk))  # noqa: PERF401
    except Cancelled:
        for one in carried:
            undo(one)
        raise
    return carried


def _absent(unit: Unit, target: Path) -> list[Piece]:
    """Those that have to be copied, as far as a look at names and sizes tells."""
    folder = target / unit.name
    return [piece for piece in unit.files if size_if_there(folder / piece.name) != piece.size_bytes]


# --- the old files --------------------------------------------------------------------------------


def _delete_old(carried: Carried) -> Iterator[Path]:
    """The old files one by one, each only while the new one is there. What stays."""
    unit = carried.unit
    for piece in unit.files:
        is_there = size_if_there(carried.folder / piece.name) == piece.size_bytes
        if not (is_there and _delete(piece.source)):
            yield piece.source
    for name in unit.links:
        if not (name in carried.links and _delete(unit.folder / name)):
            yield unit.folder / name
    for folder in empty_folders(unit):
        _leave_no_husk(folder)


def _delete(path: Path) -> bool:
    """False for a file that is in use, as on Windows, or on a disk that may only be read."""
    with suppress(OSError):
        path.unlink(missing_ok=True)
        return True
    return False


def _leave_no_husk(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()  # only ever an empty one


# --- the note -------------------------------------------------------------------------------------


@contextmanager
def _unless_it_fails(library: Path) -> Iterator[None]:
    """Then nothing has moved."""
    try:
        yield
    except BaseException:
        (library / NOTE_NAME).unlink(missing_ok=True)
        raise


def _write_note(library: Path, source: Path, kept: frozenset[str]) -> None:
    """Without it an interrupted move only leaves more behind."""
    with suppress(OSError, ValueError):
        text = json.dumps({"from": str(source.resolve()), "kept": sorted(kept)})
        (library / NOTE_NAME).write_text(text, encoding="utf-8")


def _read_note(library: Path) -> tuple[Path, frozenset[str]] | None:
    """None for no note, one that makes no sense, and one of a folder that is not there."""
    try:
        with (library / NOTE_NAME).open("rb") as file:
            noted = json.loads(file.read(_NOTE_LIMIT_BYTES))
        source, kept = Path(noted["from"]), frozenset(map(str, noted["kept"]))
        _refuse_nested(source.resolve(), library.resolve())
    except (OSError, ValueError, TypeError, KeyError, RecursionError, FolderUnwritable):
        return None
    is_other = source.is_dir() and not _is_same_folder(source.resolve(), library.resolve())
    return (source, kept) if is_other else None
