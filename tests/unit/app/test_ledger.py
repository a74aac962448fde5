"""What left this computer can be read back, whatever happened to the file."""

import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread

import pytest

from app.ledger import Ledger
from engine.types.connections import BEGUN, Connection, Purpose

RECORD = Connection(
    at=datetime(2026, 1, 1, 12, tzinfo=UTC),
    purpose=Purpose.ANSWER,
    scheme="http",
    host="nas",
    port=8080,
    bytes_sent=3,
    bytes_received=400,
    outcome="done",
    duration_s=1.5,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "connections.jsonl"


def test_records_come_back_as_they_were(path: Path) -> None:
    ledger = Ledger(path)
    assert ledger.read() == ()
    records = tuple(replace(RECORD, port=port) for port in range(3))
    for record in records:
        ledger.write(record)
    assert Ledger(path).read() == records


def test_it_is_the_persons_alone(path: Path) -> None:
    Ledger(path).write(RECORD)
    assert path.stat().st_mode & 0o077 == 0


def test_lines_that_are_none_hide_no_others(path: Path) -> None:
    ledger = Ledger(path)
    ledger.write(RECORD)
    with path.open("ab") as file:
        file.write(b'\xff\n[]\n{"at": 3}\n{"purpose": "spying"}\n{"at": "20')
        file.write(b"\n")
    ledger.write(replace(RECORD, port=1))
    assert ledger.read() == (RECORD, replace(RECORD, port=1))


def test_every_connection_there_ever_was_can_be_read(path: Path) -> None:
    ledger = Ledger(path, limit_bytes=2000)
    for port in range(200):
        ledger.write(replace(RECORD, port=port))
    assert [record.port for record in ledger.read()] == list(range(200))
    assert all(file.stat().st_size <= 2000 for file in path.parent.iterdir())
    for count in (0, 1, 9, 150, 300):
        newest = [record.port for record in ledger.newest(count)]
        assert newest == list(range(max(200 - count, 0), 200))


def test_what_an_earlier_snug_kept_is_read_first(path: Path) -> None:
    old = Ledger(path.with_name("connections.old.jsonl"))
    old.write(replace(RECORD, port=1))
    (path.parent / "connections.copy.jsonl").write_text("nothing of ours")
    ledger = Ledger(path, limit_bytes=300)
    for port in (2, 3, 4):
        ledger.write(replace(RECORD, port=port))
    assert [record.port for record in ledger.read()] == [1, 2, 3, 4]


def test_it_does_not_grow_without_end_and_keeps_the_newest(path: Path) -> None:
    ledger = Ledger(path, limit_bytes=2000, most_files=3)
    for port in range(200):
        ledger.write(replace(RECORD, port=port))
    files = list(path.parent.iterdir())
    assert len(files) <= 3
    assert sum(file.stat().st_size for file in files) <= 6000
    ports = [record.port for record in ledger.read()]
    assert ports == list(range(ports[0], 200))
    assert len(ports) > 10


def test_several_writers_do_not_mix_their_lines(path: Path) -> None:
    ledgers = [Ledger(path) for _ in range(4)]
    threads = [
        Thread(target=lambda ledger=ledger: [ledger.write(RECORD) for _ in range(50)])
        for ledger in ledgers
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ledgers[0].read() == (RECORD,) * 200


def test_a_place_that_can_not_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="file"):
        Ledger(tmp_path / "file" / "connections.jsonl").write(RECORD)


def test_two_programs_that_make_room_together_lose_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = Ledger(path, limit_bytes=2000), Ledger(path, limit_bytes=2000)
    written = 0
    while not second._is_full(250):
        first.write(replace(RECORD, port=written))
        written += 1
    real = second._is_full

    def slow(more_bytes: int) -> bool:
        """The other one is quicker, each time."""
        full = real(more_bytes)
        if full:
            first._make_room(more_bytes)
        return full

    monkeypatch.setattr(second, "_is_full", slow)
    monkeypatch.setattr("app.ledger._LOCK_S", 0.1)
    for port in (written, written + 1):
        second.write(replace(RECORD, port=port))
        first.write(replace(RECORD, port=port))
    assert {record.port for record in first.read()} == set(range(written + 2))


def test_what_a_full_disk_refused_is_read_and_written_later(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger, real = Ledger(path), os.write
    records = tuple(replace(RECORD, port=port) for port in range(4))
    ledger.write(records[0])
    monkeypatch.setattr(os, "write", lambda handle, data: real(handle, data[:40]))
    for record in records[1:3]:
        with pytest.raises(OSError, match="space"):
            ledger.write(record)
    assert ledger.read() == records[:3]
    assert ledger.newest(2) == records[1:3]
    monkeypatch.undo()
    ledger.write(records[3])
    assert ledger.read() == records
    assert Ledger(path).read() == records


def test_another_program_goes_on_after_half_a_line(path: Path) -> None:
    Ledger(path).write(RECORD)
    with path.open("ab") as file:
        file.write(b'{"at": "2026-')
    Ledger(path).write(replace(RECORD, port=1))
    assert Ledger(path).read() == (RECORD, replace(RECORD, port=1))


BEGIN = replace(RECORD, outcome=BEGUN, bytes_received=0, duration_s=0.0, id="a")
END = replace(RECORD, id="a")


def test_a_connection_that_has_ended_is_one_record(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "connections.jsonl")
    for record in (BEGIN, replace(BEGIN, id="b"), END):
        ledger.write(record)
    assert ledger.read() == (replace(BEGIN, id="b"), END)
    assert ledger.newest(1) == (END,)
    assert ledger.newest(2) == ledger.read()


def test_a_begin_in_an_older_file_is_known_by_its_end(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "connections.jsonl", limit_bytes=1)  # a file for each line
    for record in (BEGIN, replace(RECORD, id="c"), END):
        ledger.write(record)
    assert ledger.read() == ledger.newest(9) == (replace(RECORD, id="c"), END)


def test_what_was_killed_is_still_there(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "connections.jsonl")
    ledger.write(BEGIN)
    assert Ledger(tmp_path / "connections.jsonl").read() == (BEGIN,)
