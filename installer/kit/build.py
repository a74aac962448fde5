"""Makes the kit beside its place and renames it, so that half a kit never looks like a whole one:
the sums are written last, and the name comes after them."""

import contextlib
import hashlib
import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from engine.guard.whole import sync_folder
from engine.models.library.staging import patiently
from kit import page
from kit.contents import START, Contents, KitFile
from kit.names import KitMistake
from release import sums

_CHUNK_BYTES = 1 << 20
_MAKING = ".making-"
_SPARE_BYTES = 4 << 20
"""For the page, the sums and what a file system needs for itself."""
_RUNS = ".appimage"


def name_of(version: str) -> str:
    return f"snug-{version}-usb-kit"


def build(contents: Contents, into: Path, made_s: int, *, zipped: bool = False) -> Path:
    """The folder, or the ZIP with that folder in it. `made_s`: the time that all files get, in
    seconds since 1970. Raises `KitMistake`, or `OSError` for a disk that fails; both leave
    nothing behind."""
    name = name_of(contents.version)
    target = into / (f"{name}.zip" if zipped else name)
    into.mkdir(parents=True, exist_ok=True)
    _clear_unfinished(into, name)
    _check_free(target, contents, zipped=zipped)
    work = Path(tempfile.mkdtemp(prefix=f"{_MAKING}{name}-", dir=into))
    try:
        folder = work / name
        _fill(folder, contents, made_s)
        made = _zip(folder, work / f"{name}.zip", made_s) if zipped else folder
        patiently(lambda: made.rename(target))
    finally:
        shutil.rmtree(work, ignore_errors=True)
    sync_folder(into)
    return target


def _check_free(target: Path, contents: Contents, *, zipped: bool) -> None:
    """Before anything is written: that there is nothing, and that there is room."""
    if target.exists() or target.is_symlink():
        msg = f"{target} is there already; remove it or choose another folder"
        raise KitMistake(msg)
    size = sum(file.size_bytes for file in contents.files)
    needed = size * (2 if zipped else 1) + _SPARE_BYTES
    free = shutil.disk_usage(target.parent).free
    if needed > free:
        msg = (
            f"the kit needs {needed / 1e9:.1f} GB in {target.parent} and {free / 1e9:.1f} GB are"
            " free. Make room, or leave out a model."
        )
        raise KitMistake(msg)


def _clear_unfinished(into: Path, name: str) -> None:
    """What a killed build left; it has no sums, and is never taken for a kit."""
    for left in into.glob(f"{_MAKING}{name}-*"):
        shutil.rmtree(left, ignore_errors=True)


def _fill(folder: Path, contents: Contents, made_s: int) -> None:
    folder.mkdir()
    found = {file.name: _copied(file, folder / file.name) for file in contents.files}
    text = page.document(contents, made_s).encode()
    with _lasting(folder / START) as out:
        out.write(text)
    found[START] = hashlib.sha256(text).hexdigest()
    with _lasting(folder / sums.NAME) as out:
        out.write(sums.text_of(found).encode())
    for path in (*_below(folder), folder):
        _settle(path, made_s)


@contextlib.contextmanager
def _lasting(path: Path) -> Iterator[BinaryIO]:
    """A new file that is on the stick, and not only on its way, when the block ends."""
    with path.open("xb") as out:
        yield out
        out.flush()
        os.fsync(out.fileno())


def _copied(file: KitFile, target: Path) -> str:
    """The sha256 of what was read. A link's own file is copied. Raises `KitMistake` for one that
    grew or shrank meanwhile."""
    target.parent.mkdir(parents=True, exist_ok=True)
    digest, size = hashlib.sha256(), 0
    with file.source.open("rb") as source, _lasting(target) as out:
        while chunk := source.read(_CHUNK_BYTES):
            digest.update(chunk)
            out.write(chunk)
            size += len(chunk)
    if size != file.size_bytes:
        msg = f"{file.source.name} changed while it was copied; try again when it is finished"
        raise KitMistake(msg)
    return digest.hexdigest()


def _settle(path: Path, made_s: int) -> None:
    """One time and equal modes, where a stick has them and lets us."""
    with contextlib.suppress(OSError):
        path.chmod(_mode(path))
    with contextlib.suppress(OSError):
        os.utime(path, (made_s, made_s))


def _mode(path: Path) -> int:
    return 0o755 if path.is_dir() or path.suffix.lower() == _RUNS else 0o644


def _below(folder: Path) -> Iterable[Path]:
    return sorted(folder.rglob("*"), key=lambda path: path.as_posix().encode())


def _zip(folder: Path, target: Path, made_s: int) -> Path:
    """Nothing is packed: models and installers are packed already. The sums come last."""
    when = datetime.fromtimestamp(made_s, UTC).timetuple()[:6]
    files = [path for path in _below(folder) if path.is_file()]
    files.sort(key=lambda path: path.name == sums.NAME)
    with _lasting(target) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for path in files:
            entry = zipfile.ZipInfo(path.relative_to(folder.parent).as_posix(), when)
            entry.create_system = 3  # modes are Unix's, whatever this runs on
            entry.external_attr = (0o100000 | _mode(path)) << 16
            entry.file_size = path.stat().st_size
            with path.open("rb") as source, archive.open(entry, "w") as out:
                shutil.copyfileobj(source, out, _CHUNK_BYTES)
    return target
