"""Asks Linux what kind of disk a path lies on. Only used there; any thread."""

import os
from pathlib import Path, PurePosixPath

from engine.models.library.mounts import Mount, is_portable, mount_of, read_mounts

_BLOCKS = Path("/sys/dev/block")


def is_removable(place: Path) -> bool:
    """Of a real path. True where nothing is known. Raises `OSError`."""
    mount = mount_of(PurePosixPath(place), read_mounts())
    if mount is None or mount.is_network:
        return True
    block = _block(mount)
    return _hangs_outside(block) if block is not None else not mount.is_local


def kind_of(place: Path) -> str:
    """The file system of a real path, such as "ext4"; "" where nothing is known."""
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
