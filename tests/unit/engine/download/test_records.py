"""A journal's bytes: what was written is read; what is torn, cut, foreign or newer is not believed,
and nothing of it is an error."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.models.download import journal as journals
from engine.models.download import records
from engine.models.download.journal import Journal
from engine.models.download.ranges import Ranges
from engine.models.download.records import Check, Found, Header, Stamp

CHUNK = 1 << 20
HEADER = Header(
    identity="ab" * 16,
    size_bytes=10 * CHUNK + 5,
    etag='W/"x"',
    sha256="cd" * 32,
    chunk_bytes=CHUNK,
    boot="boot 1.2",
)
ANY = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "x.journal"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    journal = Journal.create(path, HEADER)
    yield journal
    journal.close()


def found(path: Path) -> Found:
    found = journals.read(path)
    assert found
    return found


def test_what_is_written_is_read(path: Path, journal: Journal) -> None:
    assert found(path).written == ()
    journal.mark(0, 0, 100)
    journal.mark(1, 5 * CHUNK, 6 * CHUNK)
    journal.written(200, 300)
    journal.chunks({7: Check(value=123), 10: Check(value=5, from_start=True)})
    journal.best(777)
    journal.stamp(Stamp(size_bytes=5, mtime_ns=1 << 60))
    read = found(path)
    assert read.header == HEADER
    assert read.chunks == {7: Check(value=123), 10: Check(value=5, from_start=True)}
    assert read.best_bytes == 777
    assert read.stamp == Stamp(size_bytes=5, mtime_ns=1 << 60)
    end = 10 * CHUNK + 5
    spans = [(0, 100), (200, 300), (5 * CHUNK, 6 * CHUNK), (7 * CHUNK, 8 * CHUNK)]
    assert read.written == (*spans, (10 * CHUNK, end))
    journal.mark(0, 0, 150)
    journal.mark(1, 0, 0)
    assert found(path).written[0] == (0, 150)


def test_a_new_one_takes_the_place_of_the_old(path: Path, journal: Journal) -> None:
    journal.written(0, 5)
    Journal.create(path, HEADER, [(1, 3)], {2: Check(value=9)}, best_bytes=4).close()
    read = found(path)
    assert (read.written, read.chunks, read.best_bytes) == (
        ((1, 3), (2 * CHUNK, 3 * CHUNK)),
        {2: Check(value=9)},
        4,
    )
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_after_the_end_nothing_is_written(path: Path) -> None:
    journal = Journal.create(path, HEADER)
    journal.close()
    journal.mark(0, 0, 100)
    journal.chunks({1: Check(value=1)})
    assert found(path).written == ()
    journal.close()


def test_too_many_segments_lose_only_their_marks(path: Path, journal: Journal) -> None:
    journal.mark(records.SLOTS, 0, 100)
    journal.mark(records.SLOTS - 1, 200, 300)
    assert found(path).written == ((200, 300),)


def test_odd_entries_are_no_journal(tmp_path: Path) -> None:
    assert journals.read(tmp_path / "none") is None
    assert journals.read(tmp_path) is None


def full() -> bytes:
    """The bytes of one with everything in it."""
    pieces = {0: records.header_block(HEADER)}
    slots = [records.best(5), records.stamp(Stamp(size_bytes=1, mtime_ns=2))]
    slots += [records.mark(slot, slot * 1000, slot * 1000 + 500) for slot in range(4)]
    pieces.update(slots)
    added = [records.chunk(number, Check(value=number * 7)) for number in range(5)]
    added += [records.written(number * CHUNK, number * CHUNK + 99) for number in range(6, 9)]
    pieces[records.RECORDS_AT] = b"".join(added)
    data = bytearray(max(at + len(piece) for at, piece in pieces.items()))
    for at, piece in pieces.items():
        data[at : at + len(piece)] = piece
    return bytes(data)


WHOLE = full()


def believed(data: bytes) -> Ranges:
    read = records.parse(data)
    return Ranges() if read is None else Ranges(read.written)


@given(st.binary(max_size=20_000))
def test_any_bytes(data: bytes) -> None:
    assert records.parse(data) is None
    records.parse(WHOLE[:4096] + data)
    records.parse(WHOLE[: records.RECORDS_AT] + data)


@given(st.integers(0, len(WHOLE)))
def test_any_cut(end: int) -> None:
    """What is left is true."""
    whole = believed(WHOLE)
    assert all(whole.covers(*span) for span in believed(WHOLE[:end]).spans)


@given(st.integers(0, len(WHOLE) - 1), st.integers(1, 255))
def test_any_byte_that_changed(at: int, change: int) -> None:
    """Checksums notice it: nothing is there that was not."""
    data = bytearray(WHOLE)
    data[at] ^= change
    whole = believed(WHOLE)
    assert all(whole.covers(*span) for span in believed(bytes(data)).spans)


@given(st.integers(0, len(WHOLE)), st.integers(0, 5000))
def test_any_zeros(at: int, count: int) -> None:
    """As a file system leaves them after a power cut."""
    data = (WHOLE[:at] + bytes(count) + WHOLE[at + count :])[: len(WHOLE)]
    whole = believed(WHOLE)
    assert all(whole.covers(*span) for span in believed(data).spans)


@pytest.mark.parametrize(
    "change",
    [
        b'{"size_bytes": -1}',
        b'{"identity": 5}',
        b"[]",
        b"[" * 3000,
        b"\xff",
        b'{"identity": "", "etag": "", "sha256": "", "boot": "", "chunk_bytes": true}',
        b'{"identity": "", "etag": "", "sha256": "", "boot": "", "chunk_bytes": 1e9}',
    ],
)
def test_headers_that_make_no_sense(change: bytes) -> None:
    import struct
    import zlib

    block = b"SNUGDL1\n" + struct.pack("<I", len(change)) + change
    block = (block + struct.pack("<I", zlib.crc32(block))).ljust(4096, b"\0")
    assert records.parse(block + WHOLE[4096:]) is None


def test_one_of_a_newer_snug_is_not_believed() -> None:
    assert records.parse(WHOLE.replace(b"SNUGDL1", b"SNUGDL2")) is None


def test_tiny_chunks_cost_no_memory() -> None:
    """A header from elsewhere must not make a million numbers of one file."""
    header = Header(identity="", size_bytes=1 << 50, etag="", sha256="", chunk_bytes=0, boot="")
    data = records.header_block(header) + WHOLE[4096:]
    read = records.parse(data)
    assert read
    assert read.header.chunk_bytes == 1 << 16
