"""The hash of a growing file: bytes that are handed over and bytes that are read again are each
taken once, in order, and never before they are there."""

import hashlib
import random
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.models.download import follower as followers
from engine.models.download.checks import check_so_far
from engine.models.download.follower import Follower
from engine.models.download.plan import Plan
from engine.models.download.storage import PositionalFile
from tests.servers.plain_file import bytes_of, hash_of

CHUNK = 64 << 10
SIZE = 3_000_000


@pytest.fixture
def file(tmp_path: Path) -> Iterator[PositionalFile]:
    file = PositionalFile(tmp_path / "part")
    yield file
    file.close()


def grown(file: PositionalFile, plan: Plan, follower: Follower, chance: random.Random) -> None:
    """As connections do: most bytes are handed over, some only written."""
    segment = plan.take()
    assert segment
    while segment.left_bytes:
        end = min(segment.at + chance.randrange(1, 100_000), SIZE)
        at, data = segment.at, bytes_of(segment.at, end)
        file.write([data], at)
        plan.advance(segment, len(data))
        if chance.random() < 0.8:
            follower.offer(at, data)
    plan.give_back(segment)


@pytest.mark.parametrize("seed", range(6))
def test_every_byte_is_taken_once(file: PositionalFile, seed: int) -> None:
    """Else it would read behind what is there, and hash holes."""
    plan = Plan(SIZE)
    follower = Follower(file, plan, CHUNK)
    follower.start()
    grown(file, plan, follower, random.Random(seed))
    assert follower.finished.wait(20)
    assert follower.sha256 == hash_of(SIZE)
    assert follower.checks == {
        number: check_so_far(hashlib.sha256(bytes_of(0, min((number + 1) * CHUNK, SIZE))))
        for number in range(-(-SIZE // CHUNK))
    }
    assert follower.stop()


def test_what_comes_in_another_order_is_read(file: PositionalFile) -> None:
    plan = Plan(SIZE)
    follower = Follower(file, plan, CHUNK)
    follower.start()
    file.write([bytes_of(SIZE // 2, SIZE)], SIZE // 2)
    follower.offer(SIZE // 2, bytes_of(SIZE // 2, SIZE))
    assert follower.position_bytes == 0
    segment = plan.take()
    assert segment
    file.write([bytes_of(0, SIZE // 2)], 0)
    plan.advance(segment, SIZE)
    assert follower.finished.wait(20)
    assert follower.sha256 == hash_of(SIZE)


def test_who_hands_over_does_not_wait_for_ever(
    file: PositionalFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody hashes, and what waits already is enough."""
    monkeypatch.setattr(followers, "_MOST_HANDED_BYTES", 10)
    plan = Plan(SIZE)
    follower = Follower(file, plan, CHUNK)
    follower.offer(0, bytes_of(0, 100))
    follower.offer(100, bytes_of(100, 200))
    waiting = threading.Thread(target=follower.offer, args=(100, bytes_of(100, 200)))
    waiting.start()
    waiting.join(5)
    assert not waiting.is_alive()


def test_a_file_that_became_shorter_is_an_error(file: PositionalFile) -> None:
    file.write([b"x"], 0)
    follower = Follower(file, Plan(SIZE, [(0, SIZE)]), CHUNK)
    follower.start()
    assert follower.finished.wait(20)
    assert isinstance(follower.error, OSError)
    assert hashlib.sha256().hexdigest() == follower.sha256


def test_stopping_is_quick(file: PositionalFile) -> None:
    follower = Follower(file, Plan(SIZE), CHUNK)
    follower.start()
    assert follower.stop(2)
    assert not follower.finished.is_set()
