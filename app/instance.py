"""One Snug for one data folder.

The system's own file lock is held, which ends with the process however it ends; there is no
process number that could be stale. The lock file is never deleted: a second start could hold a
lock on a file without a name.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.errors import from_os_error
from engine.guard.lock import HELD_BY_ANOTHER, lock_handle


@contextmanager
def only_instance(folder: Path) -> Iterator[bool]:
    """True while this process holds the folder; False if another one does.

    True as well where the file system has no locks (some network folders): refusing to start
    there for ever would be worse. Raises `NotWritable` or `DiskFull` without a place for the lock.
    """
    handle = _open(folder / "snug.lock")
    try:
        yield _try_lock(handle)
    finally:
        os.close(handle)


def _open(path: Path) -> int:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise from_os_error(path, error) from error


def _try_lock(handle: int) -> bool:
    try:
        lock_handle(handle)
    except OSError as error:
        return error.errno not in HELD_BY_ANOTHER
    return True
