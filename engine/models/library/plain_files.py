"""Reads whole model files from a disk, in pieces and with their hash. A link is followed, since
other programs keep their models behind links; a pipe or a device is never opened. Any thread that
may wait for a disk."""

import errno
import hashlib
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import FileIO
from pathlib import Path

from engine.errors import ModelMissing
from engine.models.library.manifest import is_sha256
from engine.models.library.tally import Tally

_READ = os.O_RDONLY | sum(
    getattr(os, name, 0) for name in ("O_BINARY", "O_NONBLOCK", "O_CLOEXEC", "O_SEQUENTIAL")
)
_PIECE_BYTES = 1 << 20
"""A slow stick reads that in a tenth of a second: work ends soon after it was cancelled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What was read of a file."""

    size_bytes: int
    sha256: str


def _keep_nothing(piece: memoryview) -> None:
    pass


@contextmanager
def opened(path: Path) -> Iterator[FileIO]:
    """Raises `OSError`; `FileNotFoundError` also for what is no plain file."""
    _check_plain(path.stat(), path)  # opening a device may already do something
    with FileIO(os.open(path, _READ), "rb") as file:
        _check_plain(os.fstat(file.fileno()), path)
        yield file


def _check_plain(status: os.stat_result, path: Path) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise FileNotFoundError(errno.ENOENT, "no plain file", str(path))


def is_one(path: Path, other: Path) -> bool:
    """Whether both are the very same file or folder. Some shares number nothing: no then. Raises
    `OSError`."""
    status = path.stat()
    return status.st_ino != 0 and os.path.samestat(status, other.stat())


def size_of(path: Path) -> int:
    """Bytes of a plain file, or of the one that a link leads to. Raises `OSError` as `opened`."""
    status = path.stat()
    _check_plain(status, path)
    return status.st_size


def size_if_there(path: Path) -> int | None:
    """None for what is no plain file, or can not be asked."""
    with suppress(OSError):
        return size_of(path)
    return None


def read_through(
    path: Path, tally: Tally, take: Callable[[memoryview], None] = _keep_nothing
) -> Content:
    """Read all of it; each piece also goes to `take`, whose errors are passed on. Raises `OSError`
    or `Cancelled`."""
    digest, size_bytes = hashlib.sha256(), 0
    room = memoryview(bytearray(_PIECE_BYTES))
    with opened(path) as file:
        while count := file.readinto(room):
            piece = room[:count]
            digest.update(piece)
            take(piece)
            size_bytes += count
            tally.add(count)
    return Content(size_bytes=size_bytes, sha256=digest.hexdigest())


def forget(path: Path) -> None:
    """Else the system would read back what it remembers, not what the disk has. Only Linux can; not
    what is in use. Raises `OSError`."""
    if sys.platform == "linux":
        with opened(path) as file, suppress(OSError):
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def stated_hash(path: Path) -> str:
    """The SHA-256 that a file is named after, as Ollama and the Hugging Face cache name theirs;
    "" if it is not. Raises `OSError`."""
    blob = path.resolve()
    if blob.parent.name != "blobs":
        return ""
    name = blob.name.removeprefix("sha256-")
    return name if is_sha256(name) else ""


@contextmanager
def read_errors(path: Path) -> Iterator[None]:
    """A file that can no longer be read is gone for us: its disk was pulled out, or fails."""
    try:
        yield
    except OSError as error:
        raise ModelMissing(path, str(error)) from error
