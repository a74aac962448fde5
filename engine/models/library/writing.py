"""Writes model files to disks that may be slow, full or pulled out: what fails, fails with a name,
and what is reported as written is on the disk. Any thread that may wait for a disk."""

import errno
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path

from engine.errors import EngineError, FileTooBigForDisk, FolderUnwritable, NoSpace
from engine.models.library.disks import free_bytes

_FULL = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}
_FIRST_BYTES = 16 << 20
_LEAST_BYTES, _MOST_BYTES = 2 << 20, 256 << 20
_QUICK_S, _SLOW_S = 0.1, 0.4


@contextmanager
def write_errors(path: Path, needed_bytes: int = 0) -> Iterator[None]:
    """Turns an `OSError` while `path` is written into an error of our tree."""
    try:
        yield
    except OSError as error:
        raise _named(path, error, needed_bytes) from error


def _named(path: Path, error: OSError, needed_bytes: int) -> EngineError:
    if error.errno in _FULL:
        return NoSpace(path.parent, needed_bytes, _free(path))
    if error.errno == errno.EFBIG:
        return FileTooBigForDisk(path, str(error))
    return FolderUnwritable(path.parent, str(error))


def _free(path: Path) -> int:
    with suppress(OSError):
        return free_bytes(path)
    return 0


class UnfinishedFile:
    """A file of `size_bytes` that is being written; see `unfinished`.

    What a system takes at once it may still have in memory only. If it were written out at the end,
    a stick would keep a person waiting for minutes at 100 %, and nothing could be cancelled.
    """

    def __init__(self, path: Path, file: FileIO, size_bytes: int) -> None:
        self._path = path
        self._file = file
        self._left_bytes = size_bytes
        self._waiting_bytes = 0
        self._at_once_bytes = _FIRST_BYTES

    def write(self, piece: memoryview) -> None:
        """Raises `NoSpace`, `FileTooBigForDisk` or `FolderUnwritable`."""
        with write_errors(self._path, self._left_bytes):
            rest = piece
            while rest:  # a disk that is nearly full takes a part
                rest = rest[self._file.write(rest) or 0 :]
            self._waiting_bytes += len(piece)
            if self._waiting_bytes >= self._at_once_bytes:
                self._write_out()
        self._left_bytes = max(0, self._left_bytes - len(piece))

    def _write_out(self) -> None:
        """Small steps on slow disks, large ones on fast ones. Raises `OSError`."""
        before = time.monotonic()
        os.fsync(self._file.fileno())
        took_s = time.monotonic() - before
        if took_s > _SLOW_S:
            self._at_once_bytes = max(_LEAST_BYTES, self._at_once_bytes // 2)
        elif took_s < _QUICK_S:
            self._at_once_bytes = min(_MOST_BYTES, self._at_once_bytes * 2)
        self._waiting_bytes = 0


@contextmanager
def unfinished(path: Path, size_bytes: int) -> Iterator[UnfinishedFile]:
    """A new file; at the end of the block all of it is on the disk. Raises as `write`."""
    with write_errors(path, size_bytes):
        file = FileIO(path, "xb")
    with file:
        yield UnfinishedFile(path, file, size_bytes)
        with write_errors(path):
            os.fsync(file.fileno())


def write_text(path: Path, text: str) -> None:
    """UTF-8 with the line ends as they are. Raises as `UnfinishedFile.write`."""
    data = text.encode()
    with unfinished(path, len(data)) as file:
        file.write(memoryview(data))
