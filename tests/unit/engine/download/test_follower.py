"""The hash of a growing file: bytes at hand and bytes that are read are each taken once."""

import hashlib
from pathlib import Path
from threading import Lock

import pytest

from engine.models.download.follower import Follower
from engine.models.download.plan import Plan
from engine.models.download.storage import PositionalFile

DATA = bytes(range(256)) * 40


class Overtaken:
    """A lock, and while one waits for it, a connection brings more."""

    def __init__(self, follower: Follower, data: bytes) -> None:
        self._follower = follower
        self._data = data
        self._lock = Lock()

    def acquire(self, *, blocking: bool = True) -> bool:
        return self._lock.acquire(blocking=blocking)

    def release(self) -> None:
        self._lock.release()

    def __enter__(self) -> None:
        data, self._data = self._data, b""
        if data:
            self._follower.offer(self._follower.position_bytes, data)
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


@pytest.mark.parametrize("more", [1, 3000, len(DATA)])
def test_what_comes_while_it_waits_is_not_taken_twice(more: int, tmp_path: Path) -> None:
    """Else it would read behind what is there, and hash holes."""
    file = PositionalFile(tmp_path / "part")
    file.write([DATA], 0)
    plan = Plan(len(DATA), [(0, len(DATA))])
    follower = Follower(file, plan, 4096)
    follower._lock = Overtaken(follower, DATA[:more])  # type: ignore[assignment]
    try:
        follower._catch_up(1)
        follower._lock = Lock()
        follower._catch_up(len(DATA))
    finally:
        file.close()
    assert follower.position_bytes == len(DATA)
    assert follower.sha256 == hashlib.sha256(DATA).hexdigest()
