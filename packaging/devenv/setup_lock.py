"""One setup at a time for one person: two would build the same engine or clear each other's work.

The system releases the lock when its holder dies, however it dies. Programs that setup started
hold it too (on POSIX): a `pip` that outlives its killed setup is waited for, not fought with.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from devenv.commands import say
from devenv.places import ON_WINDOWS, cache


@contextmanager
def only_one() -> Iterator[None]:
    """Wait until no other setup of this person runs."""
    cache().mkdir(parents=True, exist_ok=True)
    handle = os.open(cache() / "setup.lock", os.O_RDWR | os.O_CREAT, 0o600)
    os.set_inheritable(handle, True)
    try:
        if not _lock(handle, wait=False):
            say("another setup is running; waiting for it")
            _lock(handle, wait=True)
        yield
    finally:
        os.close(handle)


def _lock(handle: int, *, wait: bool) -> bool:
    try:
        _lock_on_windows(handle, wait) if ON_WINDOWS else _lock_on_posix(handle, wait)
    except OSError:
        return wait and _lock(handle, wait=True)  # Windows gives up after ten tries
    return True


def _lock_on_posix(handle: int, wait: bool) -> None:
    import fcntl

    fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


def _lock_on_windows(handle: int, wait: bool) -> None:
    import msvcrt

    msvcrt.locking(handle, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
