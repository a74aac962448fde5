"""What is known of the disk that a path lies on: whether it may be pulled out, its room, and how
large a file it takes. Asks the system, writes nothing; any thread that may wait for a disk.
"""

import shutil
import sys
from pathlib import Path

from engine.errors import NoSpace

if sys.platform == "win32":
    from engine.models.library import windows_disks as _system
elif sys.platform == "darwin":
    from engine.models.library import macos_disks as _system
else:
    from engine.models.library import linux_disks as _system

RESERVE_BYTES = 512 << 20
"""Space that is left free on every disk: a full one breaks other programs."""

_FAT_LIMIT_BYTES = (4 << 30) - 1
_FAT = ("vfat", "msdos", "fat", "fat16", "fat32")


def is_removable(path: Path) -> bool:
    """Whether what lies there may be gone tomorrow: on a stick, a disk on a plug, a network. True
    where the system does not tell, since a copy is always safe. Raises nothing."""
    try:
        return _system.is_removable(_nearest(path))
    except (OSError, ValueError):
        return True


def largest_file_bytes(folder: Path) -> int | None:
    """How large a file may be there; None for no limit, or where the system does not tell. Raises
    nothing."""
    try:
        kind = _system.kind_of(_nearest(folder)).lower()
    except (OSError, ValueError):
        return None
    return _FAT_LIMIT_BYTES if kind in _FAT else None


def free_bytes(folder: Path) -> int:
    """On the disk that `folder`, which need not be there yet, will lie on. Raises `OSError`."""
    return shutil.disk_usage(_nearest(folder)).free


def check_space(folder: Path, needed_bytes: int, reserve_bytes: int | None = None) -> None:
    """Raises `NoSpace` unless as much fits beside the reserve (`RESERVE_BYTES` unless told
    otherwise); not where the system does not tell."""
    try:
        free = free_bytes(folder) - (RESERVE_BYTES if reserve_bytes is None else reserve_bytes)
    except OSError:
        return
    if free < needed_bytes:
        raise NoSpace(folder, needed_bytes, max(0, free))


def on_same_disk(one: Path, other: Path) -> bool:
    """Raises `OSError`."""
    return _nearest(one).stat().st_dev == _nearest(other).stat().st_dev


def _nearest(path: Path) -> Path:
    """The real place of `path`, or of the last folder above it that is there. Raises `OSError`."""
    place = path.resolve()
    while not place.exists() and place != place.parent:
        place = place.parent
    return place
