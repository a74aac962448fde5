"""The system's own lock on a file: it ends with the process, however that ends.

No process number that could be stale, no clock that could be set. Taking one never waits. A lock
belongs to its handle: a second one in the same process does not get it either. Any thread.
"""

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

HELD_BY_ANOTHER = {errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK}
_PAUSE_S = 0.005


class FileLock:
    """A lock that is held. Not released when it is forgotten: only by `release` or the end."""

    def __init__(self, path: Path, handle: int) -> None:
        self._path = path
        self._handle = handle

    def release(self, *, delete: bool = False) -> None:
        """`delete`: the file too, for a lock whose name will not be needed again."""
        if delete and sys.platform != "win32":  # while it is held: then it can only be ours
            self._delete()
        os.close(self._handle)
        if delete and sys.platform == "win32":  # a file that is open stays, ours or another's
            self._delete()

    def _delete(self) -> None:
        with suppress(OSError):
            self._path.unlink()


def take(path: Path) -> FileLock | None:
    """None while another holds it. Raises `OSError` if there is no place for it, or no locks."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        lock_handle(handle)
        if _has_name(handle, path):
            return FileLock(path, handle)
    except OSError as error:
        os.close(handle)
        if error.errno in HELD_BY_ANOTHER:
            return None
        raise
    os.close(handle)
    return None


def _has_name(handle: int, path: Path) -> bool:
    """False if it was deleted while we came: the next one would lock another file."""
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


@contextmanager
def held(path: Path, wait_s: float, *, delete: bool = False) -> Iterator[bool]:
    """Hold it for a while; False if `wait_s` was not enough, or if there are no locks there.
    `delete`: see `FileLock.release`."""
    lock = None
    with suppress(OSError):
        lock = _wait_for(path, wait_s)
    try:
        yield lock is not None
    finally:
        if lock is not None:
            lock.release(delete=delete)


def _wait_for(path: Path, wait_s: float) -> FileLock | None:
    deadline = time.monotonic() + wait_s
    while (lock := take(path)) is None and time.monotonic() < deadline:
        time.sleep(_PAUSE_S)
    return lock


if sys.platform == "win32":
    import msvcrt

    def lock_handle(handle: int) -> None:
        """Raises `OSError`, of `HELD_BY_ANOTHER` or where there are no locks."""
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def lock_handle(handle: int) -> None:
        """Raises `OSError`, of `HELD_BY_ANOTHER` or where there are no locks."""
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
