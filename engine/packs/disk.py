"""Looks at files whose place anybody may have taken: follows no link, waits for no pipe and no
device, and reads no more than was asked. Any thread.
"""

import errno
import hashlib
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader
from pathlib import Path
from typing import IO

_READ = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_BINARY", "O_NONBLOCK", "O_NOFOLLOW"))
_JUNCTION = 0xA0000003
"""IO_REPARSE_TAG_MOUNT_POINT: on Windows a folder that lies elsewhere."""
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_OURS_ONLY = 0o644


@contextmanager
def opened(path: Path) -> Iterator[BufferedReader]:
    """Raises `OSError`; `FileNotFoundError` also for what is no plain file."""
    _check_plain(path.lstat(), path)  # opening a device may already do something
    with os.fdopen(os.open(path, _READ), "rb") as file:
        _check_plain(os.fstat(file.fileno()), path)
        yield file


def _check_plain(status: os.stat_result, path: Path) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise FileNotFoundError(errno.ENOENT, "no plain file", str(path))


def is_plain(path: Path) -> bool:
    """Whether a file is there that is no link."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def content(path: Path, most_bytes: int) -> bytes:
    """Raises `OSError`, also for a file that is larger."""
    with opened(path) as file:
        data = file.read(most_bytes + 1)
    if len(data) > most_bytes:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return data


def holds(path: Path, size_bytes: int, sha256: str) -> bool:
    """Whether that is a plain file with these bytes. Raises `OSError` for one that can not be
    read."""
    try:
        with opened(path) as file:
            same_size = os.fstat(file.fileno()).st_size == size_bytes
            return same_size and hashlib.file_digest(file, "sha256").hexdigest() == sha256
    except (FileNotFoundError, NotADirectoryError):
        return False


def create(path: Path) -> IO[str]:
    """A new text file that only we may write to. Raises `OSError`."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OURS_ONLY)
    return os.fdopen(handle, "w", encoding="utf-8")


def entries(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """Everything below, as it is itself; linked folders are not looked into. Raises `OSError`."""
    waiting = [folder]
    while waiting:
        for path, status in _inside(waiting.pop()):
            if is_folder(status):
                waiting.append(path)
            yield path, status


def folders(folder: Path) -> list[Path]:
    """Those in it that are no links. None where it can not be read."""
    try:
        return [path for path, status in _inside(folder) if is_folder(status)]
    except OSError:
        return []


def _inside(folder: Path) -> list[tuple[Path, os.stat_result]]:
    """By name. Raises `OSError`."""
    found = []
    with os.scandir(folder) as inside:
        for entry in sorted(inside, key=lambda entry: entry.name):
            with suppress(FileNotFoundError):  # another Snug has just come to its end
                found.append((Path(entry.path), entry.stat(follow_symlinks=False)))
    return found


def is_folder(status: os.stat_result) -> bool:
    """`status` is not of what a link leads to."""
    is_junction = getattr(status, "st_reparse_tag", 0) == _JUNCTION
    return stat.S_ISDIR(status.st_mode) and not is_junction


if sys.platform == "win32":  # who may write is said elsewhere there

    def is_open_to_others(status: os.stat_result) -> bool:  # noqa: ARG001
        return False

    def close_to_others(path: Path) -> None:
        pass

else:

    def is_open_to_others(status: os.stat_result) -> bool:
        """Whether somebody but us and root may write to it."""
        is_ours = status.st_uid in (0, os.geteuid())
        return not is_ours or bool(status.st_mode & _OTHERS_WRITE)

    def close_to_others(path: Path) -> None:
        """A umask may let a group write to what we make. Raises `OSError`."""
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & _OTHERS_WRITE:
            path.chmod(mode & ~_OTHERS_WRITE)
