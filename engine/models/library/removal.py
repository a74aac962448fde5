"""Removes models of the library, to the system's bin or for good, and tells what space that frees.
Never another program's or a person's own, and nothing that another model needs. Any thread.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from engine.errors import FolderUnwritable, NoBin, NotOurs
from engine.models.library.contents import folder_of, inner_name
from engine.models.library.manifest import NAME, read_manifest
from engine.models.library.notes import NOTES
from engine.models.library.pairing import is_called_projector
from engine.models.library.walk import entries_of, inside, is_real_folder
from engine.types.library import InstalledModel, Owner
from engine.types.models import ModelFormat

ToBin = Callable[[Path], None]
"""Puts a file or folder into the bin. Raises `OSError` where there is none for it."""

_LITTER = (".DS_Store", "Thumbs.db", "desktop.ini", ".directory")
"""Files that desktops leave in every folder that somebody has looked into."""
_IN_USE = (32, 33)
"""ERROR_SHARING_VIOLATION and ERROR_LOCK_VIOLATION: nothing takes such a file away."""
_BLOCK_BYTES = 512
"""What st_blocks counts, whatever the disk's own blocks are."""


def default_bin() -> ToBin:
    """The system's own."""
    from send2trash import (  # type: ignore[import-untyped]  # noqa: PLC0415  loads a desktop's
        send2trash,
    )

    def put(path: Path) -> None:
        send2trash(str(path))

    return put


def remove(model: InstalledModel, to_bin: ToBin, *, library: Path | None = None) -> int:
    """Put it into the bin; the bytes that are free once that is emptied. Raises `NotOurs`, or
    `NoBin` where the bin does not take it, or `FolderUnwritable` while another program uses it:
    what was not taken is still there. An empty folder inside `library` goes too."""
    return _remove(model, lambda path: _put_away(path, to_bin), library)


def delete_for_good(model: InstalledModel, *, library: Path | None = None) -> int:
    """The bytes that are free now. Raises `NotOurs` or `FolderUnwritable`; see `remove`."""
    return _remove(model, _delete, library)


def space_of(model: InstalledModel) -> int:
    """Bytes that its removal frees: blocks that are really in use, and none of a file that is
    still there under another name. Raises nothing."""
    return _space_of(_own_files(model))


def _remove(model: InstalledModel, take_away: Callable[[Path], None], library: Path | None) -> int:
    if model.owner is not Owner.SNUG:
        raise NotOurs(model.path, model.owner.value)
    files = _own_files(model)
    freed_bytes = _space_of(files)
    for path in _as_one(model, files):
        take_away(path)
    if library is not None:
        _leave_no_husk(folder_of(model), library)
    return freed_bytes


def _own_files(model: InstalledModel) -> tuple[Path, ...]:
    """Without the projector if another model in the folder may need it, and without what somebody
    has put into a folder of ours."""
    if model.format is ModelFormat.ONNX and model.manifest is not None:
        counted = {file.name for file in model.manifest.files}
        return tuple(path for path in model.files if inner_name(model, path) in counted)
    if model.projector is None or not _has_others(model):
        return model.files
    return tuple(path for path in model.files if path != model.projector)


def _has_others(model: InstalledModel) -> bool:
    """Whether the folder has a model beside this one."""
    own = set(model.files)
    others = (path for path in entries_of(folder_of(model)) if path not in own)
    return any(_is_model(path.name) for path in others)


def _is_model(name: str) -> bool:
    return name.lower().endswith(".gguf") and not is_called_projector(name)


def _as_one(model: InstalledModel, files: tuple[Path, ...]) -> Iterable[Path]:
    """Their folder, if it holds this model and nothing else: so it comes back whole from the
    bin."""
    folder = folder_of(model)
    if not folder.is_dir():
        return ()
    ours = NOTES if read_manifest(folder) is not None else (NAME,)
    notes = [path for path in entries_of(folder) if path.name in ours]
    of_one_model = ours is NOTES or model.format is ModelFormat.ONNX
    if of_one_model and _has_only(folder, frozenset((*files, *notes))):
        return (folder,)
    here = [path for path in files if path.is_symlink() or path.exists()]
    return here if _has_others(model) else [*here, *notes]


def _is_litter(name: str) -> bool:
    return name in _LITTER or name.startswith("._")


def _has_only(folder: Path, files: frozenset[Path]) -> bool:
    """At any depth; not where nobody may look."""
    with suppress(OSError):
        others = (path for path in inside(folder) if path not in files)
        return all(_is_litter(path.name) or is_real_folder(path) for path in others)
    return False


def _put_away(path: Path, to_bin: ToBin) -> None:
    try:
        to_bin(path)
    except OSError as error:
        if getattr(error, "winerror", None) in _IN_USE:
            raise FolderUnwritable(path.parent, str(error)) from error
        raise NoBin(path, str(error)) from error


def _delete(path: Path) -> None:
    """What describes a model goes last: until then what is left is known as a part of one."""
    try:
        if is_real_folder(path):
            notes_last = sorted(path.iterdir(), key=lambda one: one.name in NOTES)
            for one in notes_last:
                _delete(one)
            path.rmdir()
        else:
            path.unlink()
    except FileNotFoundError:
        return
    except OSError as error:
        raise FolderUnwritable(path.parent, str(error)) from error


def _leave_no_husk(folder: Path, library: Path) -> None:
    with suppress(OSError):
        if library in folder.parents:
            folder.rmdir()  # only ever an empty one


# --- space ----------------------------------------------------------------------------------------


def _space_of(files: Iterable[Path]) -> int:
    sizes: dict[tuple[int, int], int] = {}
    names: Counter[tuple[int, int]] = Counter()
    links: dict[tuple[int, int], int] = {}
    for path in files:
        with suppress(OSError):
            status = path.lstat()
            key = (status.st_dev, status.st_ino)
            names[key] += 1
            links[key] = status.st_nlink
            blocks = getattr(status, "st_blocks", None)
            sizes[key] = status.st_size if blocks is None else blocks * _BLOCK_BYTES
    return sum(size for key, size in sizes.items() if names[key] >= links[key])
