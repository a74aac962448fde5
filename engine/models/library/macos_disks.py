"""Asks macOS what file system a path lies on. Only used there; any thread."""

import ctypes
import os
from pathlib import Path

_ROOM_BYTES = 4096
"""struct statfs takes 2168 bytes."""
_KIND_AT, _KIND_BYTES = 72, 16
"""f_fstypename in <sys/mount.h>, with 64-bit inodes, the only layout of Apple silicon."""


def is_removable(place: Path) -> bool:
    """Of a real path: everything but the disk that the system started from is seen there."""
    return place.is_relative_to("/Volumes")


def kind_of(path: Path) -> str:
    """Such as "apfs" or "msdos". Raises `OSError`."""
    library = ctypes.CDLL(None, use_errno=True)
    call = getattr(library, "statfs$INODE64", None) or library.statfs
    room = ctypes.create_string_buffer(_ROOM_BYTES)
    if call(os.fsencode(path), room) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), str(path))
    return parse_kind(room.raw)


def parse_kind(statfs: bytes) -> str:
    """From the bytes of a struct statfs."""
    name = statfs[_KIND_AT : _KIND_AT + _KIND_BYTES]
    return name.partition(b"\0")[0].decode("ascii", "replace")
