"""The ledger as a person reads it."""

import csv
from datetime import UTC, datetime, timedelta

import pytest

from app.connection_log import ConnectionLog
from app.errors import StorageError
from app.ledger import Ledger
from engine.types.connections import Connection, Purpose

START = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


def record(minute, host="hub.example"):
    return Connection(
        at=START + timedelta(minutes=minute),
        purpose=Purpose.SEARCH,
        scheme="https",
        host=host,
        port=443,
        bytes_sent=10,
        bytes_received=2000,
        outcome="done",
        duration_s=0.1,
    )


@pytest.fixture
def ledger(tmp_path):
    return Ledger(tmp_path / "connections.jsonl")


@pytest.fixture
def log(ledger, tmp_path):
    return ConnectionLog(ledger, tmp_path / "connections.jsonl")


def test_the_newest_are_first_whichever_program_wrote_them_last(ledger, log):
    for minute in (3, 1, 2):
        ledger.write(record(minute))
    assert log.newest_first() == (record(3), record(2), record(1))


def test_the_mark_tells_that_there_are_more(ledger, log):
    marks = [log.mark()]
    for minute in range(2):
        ledger.write(record(minute))
        marks.append(log.mark())
    assert marks[0] is None
    assert len(set(marks)) == 3
    assert log.mark() == marks[-1]


def test_a_copy_is_a_table_and_takes_the_place_of_an_older_one(ledger, log, tmp_path):
    target = tmp_path / "list.csv"
    target.write_text("old")
    ledger.write(record(1, host='odd, "name"'))
    ledger.write(record(2))
    log.save(target, ("When", "Where"), lambda one: (one.at.isoformat(), one.host))
    with target.open(encoding="utf-8-sig", newline="") as file:
        lines = list(csv.reader(file))
    assert lines == [
        ["When", "Where"],
        [record(2).at.isoformat(), "hub.example"],
        [record(1).at.isoformat(), 'odd, "name"'],
    ]
    assert [path.name for path in tmp_path.glob("*.part")] == []


def test_what_cannot_be_written_leaves_nothing_behind(ledger, log, tmp_path):
    with pytest.raises(StorageError):
        log.save(tmp_path / "none" / "list.csv", (), lambda _: ())
    (tmp_path / "taken").mkdir()
    with pytest.raises(StorageError):
        log.save(tmp_path / "taken", (), lambda _: ())
    assert not list(tmp_path.glob("*.part"))
