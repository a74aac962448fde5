"""Compares every byte of a model with what it should be. Changes nothing; any thread that may wait
for a disk.
"""

from pathlib import Path

from engine.errors import ModelFileError, ModelMissing
from engine.models.inspect import inspect
from engine.models.library.contents import expected_hash, folder_of, inner_name, own_files
from engine.models.library.plain_files import Content, forget, read_through, size_if_there, size_of
from engine.models.library.tally import Progress, Tally
from engine.models.library.walk import look
from engine.types.cancel import CancelToken
from engine.types.library import FileRecord, InstalledModel, Soundness, Verification
from engine.types.models import ModelFormat


def verify(model: InstalledModel, progress: Progress, cancel: CancelToken) -> Verification:
    """Read all of its files. One that is gone, or that the disk can not read, is a bad one. Raises
    `ModelMissing` where nothing of it may be looked at, or `Cancelled`."""
    files = own_files(model)
    tally = Tally(sum(size_if_there(path) or 0 for path in files), progress, cancel)
    bad, proven = list(_absent(model)), True
    for path in files:
        record = _record(model, path)
        if not _is_sound(path, record, tally):
            bad.append(record.name)
        proven = proven and bool(record.sha256)
    if not proven and not bad:
        bad += _senseless(model)
    tally.finish()
    return Verification(soundness=_soundness(bad=bad, proven=proven), bad=tuple(bad))


def _soundness(*, bad: list[str], proven: bool) -> Soundness:
    if bad:
        return Soundness.DAMAGED
    return Soundness.SOUND if proven else Soundness.UNPROVEN


def _record(model: InstalledModel, path: Path) -> FileRecord:
    """What `path` should be: of the manifest, or else of what is there. Size -1: nobody told."""
    name = inner_name(model, path)
    known = model.manifest.files if model.manifest is not None else ()
    for record in known:
        if record.name == name and record.sha256:
            return record
    sizes = (record.size_bytes for record in known if record.name == name)
    return FileRecord(name=name, size_bytes=next(sizes, -1), sha256=expected_hash(model, path))


def _absent(model: InstalledModel) -> tuple[str, ...]:
    """Parts that a split model counts, and files that its manifest counts, but that are not
    there."""
    known = model.manifest.files if model.manifest is not None else ()
    here = {inner_name(model, path) for path in model.files}
    folder = folder_of(model)
    gone = [file.name for file in known if file.name not in here]
    if not model.files:
        gone.append(model.path.name)
    names = [*model.missing, *(name for name in gone if look(folder / name) is None)]
    return tuple(dict.fromkeys(names))


def _is_sound(path: Path, record: FileRecord, tally: Tally) -> bool:
    try:
        content = _content(path, record, tally)
    except PermissionError as error:
        raise ModelMissing(path, str(error)) from error
    except OSError:
        return False
    if content is None:
        return False
    return record.sha256 in ("", content.sha256)


def _content(path: Path, record: FileRecord, tally: Tally) -> Content | None:
    """None for a wrong size: no need to read on. Raises `OSError`."""
    size_bytes = size_of(path)
    if record.size_bytes not in (-1, size_bytes):
        tally.add(size_bytes)
        return None
    forget(path)
    return read_through(path, tally)


def _senseless(model: InstalledModel) -> list[str]:
    """Files whose headers can not be read as a model's."""
    is_folder = model.format is ModelFormat.ONNX
    paths = (model.path,) if is_folder else own_files(model)
    return [path.name if is_folder else inner_name(model, path) for path in paths if _fails(path)]


def _fails(path: Path) -> bool:
    try:
        inspect(path)
    except ModelFileError:
        return True
    return False
