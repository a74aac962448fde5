"""One Snug at a time changes packs: the lock over their folder, and what the system says of it.

Taking it never waits for long. Any thread; a second one does not get it either.
"""

import errno
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from engine.errors import PackRefused
from engine.guard import lock
from engine.types.packs import PackProblem

_LOCK = ".lock"
_TRIES = 20
_WITHOUT_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP}
_FULL = {errno.ENOSPC, errno.EDQUOT}


@contextmanager
def alone(folder: Path, asked_for: Path) -> Iterator[None]:
    """No other Snug changes the packs in `folder` meanwhile. An empty folder does not stay. Raises
    `PackRefused`, also for what can not be written meanwhile."""
    with _writing(asked_for):
        try:
            held = _lock(folder, asked_for)
            try:
                yield
            finally:
                if held is not None:
                    held.release(delete=True)
        finally:
            drop_empty(folder)


def _lock(folder: Path, asked_for: Path) -> lock.FileLock | None:
    """None on a disk that has no locks. Raises `PackRefused` or `OSError`."""
    try:
        held = _taken(folder)
    except OSError as error:
        if error.errno in _WITHOUT_LOCKS:
            return None
        raise
    if held is None:
        raise PackRefused(asked_for, PackProblem.ALREADY_BUSY)
    return held


def _taken(folder: Path) -> lock.FileLock | None:
    """Again if another Snug came to its end meanwhile, and left no empty folder."""
    for _ in range(_TRIES):
        with suppress(FileNotFoundError, FileExistsError):
            return _taken_once(folder)
    return _taken_once(folder)


def _taken_once(folder: Path) -> lock.FileLock | None:
    folder.mkdir(0o755, parents=True, exist_ok=True)
    return lock.take(folder / _LOCK)


@contextmanager
def _writing(asked_for: Path) -> Iterator[None]:
    """Reading has errors of its own: what the system says else is about our folder."""
    try:
        yield
    except OSError as error:
        full = error.errno in _FULL
        problem = PackProblem.NO_SPACE if full else PackProblem.NOT_WRITABLE
        raise PackRefused(asked_for, problem, str(error)) from error


def drop_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()
