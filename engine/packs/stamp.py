"""The file `.ok` in a pack's folder: it was tried and may be used, and this is how its files were.

Written last and in one step, removed first. It says nothing that is believed over the manifest.
"""

import json
import os
import re
import shutil
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.packs import disk, names
from engine.types.packs import Manifest

NAME = ".ok"
LIBRARY = re.compile(r".+\.(?:dll|dylib|so(?:\.[0-9.]+)?)", re.IGNORECASE)
_UNFINISHED = f"{NAME}.new"
_ASIDE = f"{NAME}.aside"
_LARGEST_BYTES = 256 << 10
_HIGHEST_ORDER = 1 << 53


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """`order` grows with every pack that is put to use. By their path in the pack: `times` are of
    the files' last changes in nanoseconds, `marks` what else tells one file from another. Whoever
    wants to can set a time; not so a mark. `version` is the Snug that looked."""

    order: int
    times: dict[str, int]
    marks: dict[str, list[int]]
    version: str


def read(folder: Path) -> Stamp | None:
    """None for none, and for one that makes no sense."""
    return _read(folder / NAME)


def read_aside(folder: Path) -> Stamp | None:
    """The one that was set aside."""
    return _read(folder / _ASIDE)


def was_written(folder: Path) -> bool:
    """Whether there is one, or was before it was set aside, even if it makes no sense."""
    return any(os.path.lexists(folder / name) for name in (NAME, _ASIDE))


def _read(path: Path) -> Stamp | None:
    with suppress(OSError, ValueError, RecursionError):
        return _stamp(json.loads(disk.content(path, _LARGEST_BYTES)))
    return None


def _stamp(content: Any) -> Stamp | None:
    if not isinstance(content, dict):
        return None
    order, times = content.get("order"), content.get("times")
    marks, version = content.get("marks", {}), content.get("version", "")
    if type(order) is not int or not 1 <= order <= _HIGHEST_ORDER:
        return None
    if not isinstance(times, dict) or not isinstance(marks, dict) or not isinstance(version, str):
        return None
    return Stamp(order=order, times=times, marks=marks, version=version)


def taken(folder: Path, manifest: Manifest, order: int, version: str) -> Stamp:
    """Of the files as they are now; it is not written. Raises `OSError`."""
    found = {name: _path(folder, name).lstat() for name in _names(manifest)}
    return Stamp(
        order=order,
        times={name: status.st_mtime_ns for name, status in found.items()},
        marks={name: [status.st_ctime_ns, status.st_ino] for name, status in found.items()},
        version=version,
    )


def write(folder: Path, stamp: Stamp) -> None:
    """Raises `OSError`."""
    body = {
        "order": stamp.order,
        "times": stamp.times,
        "marks": stamp.marks,
        "version": stamp.version,
    }
    _remove(folder / _UNFINISHED)
    with disk.create(folder / _UNFINISHED) as file:
        json.dump(body, file)
        file.flush()
        os.fsync(file.fileno())
    if not disk.is_plain(folder / NAME):
        _remove(folder / NAME)
    (folder / _UNFINISHED).replace(folder / NAME)
    _remove(folder / _ASIDE)


def drop(folder: Path) -> None:
    """Raises `OSError`."""
    _remove(folder / NAME)


def set_aside(folder: Path) -> None:
    """Like `drop`, but it is remembered that the pack was tried. Raises `OSError`."""
    if disk.is_plain(folder / NAME):
        _remove(folder / _ASIDE)
        (folder / NAME).replace(folder / _ASIDE)
    drop(folder)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def difference(folder: Path, manifest: Manifest, stamp: Stamp) -> str:
    """The first file or folder that is not as it was, "" if all are. No file is opened."""
    try:
        return _open_folder(folder) or _odd(folder, manifest) or _changed(folder, manifest, stamp)
    except OSError as error:
        return Path(str(error.filename)).name


def _open_folder(folder: Path) -> str:
    """The folder, or one that it lies in up to that of all packs, to which others may write."""
    paths = (folder, *folder.parents[:3])
    return next((path.name for path in paths if disk.is_open_to_others(path.stat())), "")


def _odd(folder: Path, manifest: Manifest) -> str:
    """What should not be there: links, pipes, other people's files, and libraries that the
    plug-in could be made to load."""
    listed = {file.path for file in manifest.files}
    for path, status in disk.entries(folder):
        name = path.relative_to(folder).as_posix()
        if disk.is_open_to_others(status):
            return name
        if not disk.is_folder(status) and not stat.S_ISREG(status.st_mode):
            return name
        if stat.S_ISREG(status.st_mode) and LIBRARY.fullmatch(path.name) and name not in listed:
            return name
    return ""


def _changed(folder: Path, manifest: Manifest, stamp: Stamp) -> str:
    sizes = {file.path: file.size_bytes for file in manifest.files}
    for name in _names(manifest):
        status = _path(folder, name).lstat()
        is_same = stat.S_ISREG(status.st_mode) and status.st_mtime_ns == stamp.times.get(name)
        if not is_same or status.st_size != sizes.get(name, status.st_size):
            return name
    return ""


def is_doubtful(folder: Path, manifest: Manifest, stamp: Stamp, version: str) -> bool:
    """Whether files that look the same have to be read again: they may be others, or it was
    another Snug that looked at them."""
    now = taken(folder, manifest, stamp.order, version)
    return (now.marks, now.version) != (stamp.marks, stamp.version)


def _names(manifest: Manifest) -> list[str]:
    return [*(file.path for file in manifest.files), *sorted(names.OURS)]


def _path(folder: Path, name: str) -> Path:
    return folder.joinpath(*name.split("/"))
