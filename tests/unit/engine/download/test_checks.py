"""What the disk has changed of a file is found, whichever check was written down of it."""

import hashlib
import random
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.models.download.checks import check_so_far, compare
from engine.models.download.ranges import Span
from engine.models.download.records import Check
from engine.models.download.storage import PositionalFile
from engine.types.cancel import CancelToken
from tests.servers.plain_file import bytes_of

CHUNK = 1000
COUNT = 20
SIZE = COUNT * CHUNK - 1


@pytest.fixture
def file(tmp_path: Path) -> Iterator[PositionalFile]:
    file = PositionalFile(tmp_path / "part")
    file.write([bytes_of(0, SIZE)], 0)
    yield file
    file.close()


def span_of(number: int) -> Span:
    return number * CHUNK, min((number + 1) * CHUNK, SIZE)


def check_of(number: int, *, from_start: bool) -> Check:
    start, end = span_of(number)
    if from_start:
        return check_so_far(hashlib.sha256(bytes_of(0, end)))
    return Check(value=zlib.crc32(bytes_of(start, end)))


@pytest.mark.parametrize("seed", range(30))
def test_damage_is_found(file: PositionalFile, seed: int) -> None:
    chance = random.Random(seed)
    checks = {n: check_of(n, from_start=chance.random() < 0.7) for n in range(COUNT)}
    damaged = set(chance.sample(range(COUNT), seed % 4))
    for number in damaged:
        file.write([b"???"], span_of(number)[0] + chance.randrange(CHUNK - 4))
    right, wrong = compare(file, checks, span_of, CancelToken())
    assert wrong <= damaged
    assert bool(wrong) == bool(damaged)
    assert not right & damaged
    assert right >= set(range(min(damaged, default=COUNT)))


def test_repairs_come_to_an_end(file: PositionalFile) -> None:
    """One chunk at a time where one hash goes over all of them."""
    checks = {number: check_of(number, from_start=True) for number in range(COUNT)}
    for number in (3, 4, 17):
        file.write([b"???"], span_of(number)[0])
    rounds = []
    while wrong := compare(file, checks, span_of, CancelToken())[1]:
        rounds.append(sorted(wrong))
        for start, end in map(span_of, wrong):
            file.write([bytes_of(start, end)], start)
    assert rounds == [[3], [4], [17]]


def test_a_file_that_became_shorter(file: PositionalFile) -> None:
    checks = {number: check_of(number, from_start=number % 2 == 0) for number in range(COUNT)}
    file.cut(5 * CHUNK + 10)
    right, _ = compare(file, checks, span_of, CancelToken())
    assert right == {0, 1, 2, 3, 4}
