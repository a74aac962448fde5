"""The file `.ok` in a pack's folder: it was tried and may be used, and this is how its files were.

Written last and in one step, removed first. It says nothing that is believed over the manifest.
"""

import json
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.packs import names
from engine.types.packs import Manifest

NAME = ".ok"
LIBRARY = re.compile(r".+\.(?:dll|dylib|so(?:\.[0-9.]+)?)", re.IGNORECASE)
_UNFINISHED = f"{NAME}.new"
_LARGEST_BYTES = 256 << 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """`order` grows with every pack that is put to use. `times` are of the files' last changes, in
    nanoseconds, by their path in the pack."""

    order: int
    times: dict[str, int]


def read(folder: Path) -> Stamp | None:
    """None for none, and for one that makes no sense."""
    with suppress(OSError, ValueError, RecursionError):
        if (folder / NAME).stat().st_size <= _LARGEST_BYTES:
            return _stamp(json.loads((folder / NAME).read_bytes()))
    return None


def _stamp(content: Any) -> Stamp | None:
    order, times = (content.get(key) for key in ("order", "times")) if content else (0, {})
    if not isinstance(order, int) or not isinstance(times, dict) or order < 1:
        return None
    return Stamp(order=order, times=times)


def write(folder: Path, manifest: Manifest, order: int) -> None:
    """Raises `OSError`."""
    times = {name: _path(folder, name).stat().st_mtime_ns for name in _names(manifest)}
    with (folder / _UNFINISHED).open("w", encoding="utf-8") as file:
        json.dump({"order": order, "times": times}, file)
        file.flush()
        os.fsync(file.fileno())
    (folder / _UNFINISHED).replace(folder / NAME)


def drop(folder: Path) -> None:
    (folder / NAME).unlink(missing_ok=True)


def difference(folder: Path, manifest: Manifest, stamp: Stamp) -> str:
    """The first file that is not as it was, "" if all are. No file is opened."""
    sizes = {file.path: file.size_bytes for file in manifest.files}
    for name in _names(manifest):
        try:
            status = _path(folder, name).lstat()
        except OSError:
            return name
        if status.st_mtime_ns != stamp.times.get(name) or status.st_size != sizes.get(
            name, status.st_size
        ):
            return name
    return next((name for name in _libraries(folder) if name not in sizes), "")


def _names(manifest: Manifest) -> list[str]:
    return [*(file.path for file in manifest.files), *sorted(names.OURS)]


def _libraries(folder: Path) -> Iterator[str]:
    """Those beside the plug-in that it could be made to load."""
    for path in sorted(folder.rglob("*")):
        if LIBRARY.fullmatch(path.name):
            yield path.relative_to(folder).as_posix()


def _path(folder: Path, name: str) -> Path:
    return folder.joinpath(*name.split("/"))
