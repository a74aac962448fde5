"""What is known of the disk that a path lies on: whether it may be pulled out, its room, and how
large a file it takes. Asks the system, writes nothing; any thread that may wait for a disk.
"""

import os
import shutil
import sys
from pathlib import Path, PurePosixPath

from engine.errors import NoSpace
from engine.models.library.mounts import Mount, is_portable, mount_of, read_mounts

RESERVE_BYTES = 512 << 20
"""Space that is left free on every disk: a full one breaks other programs."""

_FAT_LIMIT_BYTES = (4 << 30) - 1
_FAT = ("vfat", "msdos", "fat", "fat16", "fat32")
_BLOCKS = Path("/sys/dev/block")


def is_removable(path: Path) -> bool:
    """Whether what lies there may be gone tomorrow: on a stick, a disk on a plug, a network. True
    where the system does not tell, since a copy is always safe. Raises nothing."""
    try:
        return _is_removable(_nearest(path))
    except (OSError, ValueError):
        return True


def largest_file_bytes(folder: Path) -> int | None:
    """How large a file may be there; None for no limit, or where the system does not tell. Raises
    nothing."""
    try:
        kind = _kind(_nearest(folder)).lower()
    except (OSError, ValueError):
        return None
    return _FAT_LIMIT_BYTES if kind in _FAT else None


def free_bytes(folder: Path) -> int:
    """On the disk that `folder`, which need not be there yet, will lie on. Raises `OSError`."""
    return shutil.disk_usage(_nearest(folder)).free


def check_space(folder: Path, needed_bytes: int) -> None:
    """Raises `NoSpace` unless as much fits beside the reserve; not where the system does not
    tell."""
    try:
        free = free_bytes(folder) - RESERVE_BYTES
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


if sys.platform == "win32":
    from engine.models.library.windows_disks import is_fixed, kind_of

    def _is_removable(place: Path) -> bool:
        return not is_fixed(place)

    def _kind(place: Path) -> str:
        return kind_of(place)

elif sys.platform == "darwin":
    from engine.models.library.macos_disks import kind_of

    def _is_removable(place: Path) -> bool:
        """Everything but the disk that the system started from is seen there."""
        return place.is_relative_to("/Volumes")

    def _kind(place: Path) -> str:
        return kind_of(place)

else:

    def _is_removable(place: Path) -> bool:
        mount = mount_of(PurePosixPath(place), read_mounts())
        if mount is None or mount.is_network:
            return True
        block = _block(mount)
        return _hangs_outside(block) if block is not None else not mount.is_local

    def _kind(place: Path) -> str:
        mount = mount_of(PurePosixPath(place), read_mounts())
        return mount.kind if mount is not None else ""


def _block(mount: Mount) -> Path | None:
    """The device's folder below /sys; file systems that span several devices have a number of
    their own, but name one of them. Raises `OSError`."""
    block = _BLOCKS / mount.number
    if not block.exists() and mount.device.startswith("/"):
        device = Path(mount.device).stat().st_rdev
        block = _BLOCKS / f"{os.major(device)}:{os.minor(device)}"
    return block.resolve() if block.exists() else None


def _hangs_outside(block: Path) -> bool:
    """Of a disk, a partition, or what is laid over others (encrypted, several as one)."""
    below = [*(block / "slaves").iterdir()] if (block / "slaves").is_dir() else []
    if below:
        return any(_hangs_outside(one.resolve()) for one in below)
    disk = block.parent if (block / "partition").exists() else block
    return is_portable(
        PurePosixPath(disk), _text(disk / "removable"), _text(disk / "device" / "type")
    )


def _text(path: Path) -> str:
    try:
        return path.read_text("ascii", "replace")
    except OSError:
        return ""
