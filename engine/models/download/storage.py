"""Bytes at positions of a file, read and written by several threads; and what a disk's errors mean.

Follows no links. Windows has no positional calls, so there a lock holds seek and write together.
"""

import errno
import os
import stat
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock

from engine.errors import EngineError, FolderUnwritable, NoSpace

_FLAGS = (
    os.O_RDWR
    | os.O_CREAT
    | sum(getattr(os, name, 0) for name in ("O_BINARY", "O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK"))
)
_FULL = {errno.ENOSPC, errno.EDQUOT}
_MOST_PIECES = 512
"""Fewer than any system takes at once (IOV_MAX)."""


class PositionalFile:
    """Everything raises `OSError`, `EBADF` once it is closed."""

    def __init__(self, path: Path) -> None:
        self._handle = os.open(path, _FLAGS, 0o666)
        self._lock = Lock()
        self._closed = False

    @property
    def size_bytes(self) -> int:
        return os.fstat(self._usable()).st_size

    def name_on_disk(self) -> str:
        """Another one for another file, also if that has the same path."""
        status = os.fstat(self._usable())
        return f"{status.st_dev:x}.{status.st_ino:x}"

    def is_at(self, path: Path) -> bool:
        """Whether the path still leads to this file. Raises `OSError` if it leads nowhere. Some
        shares number a file anew at each look: there its size tells."""
        before_bytes, there = self.size_bytes, path.lstat()
        if os.path.samestat(os.fstat(self._usable()), there):
            return True
        return stat.S_ISREG(there.st_mode) and before_bytes <= there.st_size <= self.size_bytes

    def cut(self, size_bytes: int) -> None:
        os.ftruncate(self._usable(), size_bytes)

    def write(self, pieces: Sequence[bytes], at: int) -> None:
        """All of it, one piece behind the other."""
        for first in range(0, len(pieces), _MOST_PIECES):
            some = pieces[first : first + _MOST_PIECES]
            done = _write_some(self._usable(), some, at, self._lock)
            wanted = sum(map(len, some))
            at += wanted
            if done < wanted:
                self._write_rest(b"".join(some)[done:], at - (wanted - done))

    def _write_rest(self, data: bytes, at: int) -> None:
        """The disk took a part; what it says to the rest is why."""
        while data:
            done = _write_some(self._usable(), [data], at, self._lock)
            data, at = data[done:], at + done

    def read(self, at: int, buffer: memoryview) -> int:
        """How many bytes were put into the buffer: fewer only at the file's end."""
        done = 0
        while done < len(buffer):
            count = _read_some(self._usable(), at + done, buffer[done:], self._lock)
            if not count:
                break
            done += count
        return done

    def sync(self) -> None:
        """May take long; closing does not wait for it, and it does not care."""
        handle = os.dup(self._usable())
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            os.close(self._handle)

    def _usable(self) -> int:
        if self._closed:
            raise OSError(errno.EBADF, "closed")
        return self._handle


if sys.platform == "win32":

    def _write_some(handle: int, pieces: Sequence[bytes], at: int, lock: Lock) -> int:
        with lock:
            os.lseek(handle, at, os.SEEK_SET)
            return os.write(handle, b"".join(pieces))

    def _read_some(handle: int, at: int, buffer: memoryview, lock: Lock) -> int:
        with lock:
            os.lseek(handle, at, os.SEEK_SET)
            data = os.read(handle, len(buffer))
        buffer[: len(data)] = data
        return len(data)

else:

    def _write_some(handle: int, pieces: Sequence[bytes], at: int, lock: Lock) -> int:
        del lock
        return os.pwritev(handle, pieces, at)

    def _read_some(handle: int, at: int, buffer: memoryview, lock: Lock) -> int:
        del lock
        return os.preadv(handle, [buffer], at)


def disk_error(
    error: OSError, folder: Path, needed_bytes: int, free_bytes: Callable[[Path], int]
) -> EngineError:
    """The error to raise for one of the disk that `folder` lies on."""
    if error.errno in _FULL:
        return NoSpace(folder, needed_bytes, _free_of(folder, free_bytes))
    return FolderUnwritable(folder, error.strerror or str(error))


def _free_of(folder: Path, free_bytes: Callable[[Path], int]) -> int:
    """0 where the system does not tell: the disk is full anyway."""
    try:
        return free_bytes(folder)
    except OSError:
        return 0


def clear_odd(path: Path) -> None:
    """A link or pipe where a file of ours belongs is taken away, and so is a file that has another
    name elsewhere: what is written must not come out there. Raises `OSError`."""
    try:
        status = path.lstat()
    except FileNotFoundError:
        return
    if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
        path.unlink()
