"""The ledger in words and in rows."""

from datetime import date, timedelta, timezone

import pytest
from PySide6.QtCore import QModelIndex
from PySide6.QtTest import QAbstractItemModelTester

from engine import errors
from engine.errors import RemoteError
from engine.types.connections import Purpose
from tests.unit.ui.settings.room import connection, connections
from ui.settings import ledger_words
from ui.settings.ledger_rows import Day, Record, rows_of
from ui.settings.ledger_view import LedgerModel

TODAY = date(2026, 11, 30)
EAST = timezone(timedelta(hours=8))


def rows(records, before=None, zone=EAST):
    return rows_of(tuple(records), zone, TODAY, before)


def newest_first(count):
    return list(reversed(connections(count)))


def test_rows_are_grouped_by_the_day_of_the_person():
    found = rows(newest_first(300))
    days = [row.day for row in found.rows if isinstance(row, Day)]
    assert days == [date(2026, 11, 30), date(2026, 11, 29)]
    first = found.rows[1]
    assert isinstance(first, Record)
    assert ledger_words.time_words(first) == "17:30"  # half past nine in London
    assert sum(isinstance(row, Record) for row in found.rows) == 300


def test_what_is_new_is_told_apart_from_what_has_changed():
    before = rows(newest_first(20))
    same = rows(newest_first(20), before)
    more = rows([connection(-2), connection(-1), *newest_first(20)], before)
    fewer = rows(newest_first(10), before)
    other_day = rows([connection(-2000), *newest_first(20)], before)
    assert (same.added, more.added) == (0, 2)
    assert before.added is fewer.added is other_day.added is None


def test_the_model_puts_new_rows_in_where_they_belong(qtbot):
    model = LedgerModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    inserted, reset = [], []
    model.rowsInserted.connect(lambda _parent, first, last: inserted.append((first, last)))
    model.modelReset.connect(lambda: reset.append(True))
    first = rows(newest_first(20))
    model.show_rows(first)
    second = rows([connection(-1), *newest_first(20)], first)
    model.show_rows(second)
    model.show_rows(rows([connection(-1), *newest_first(20)], second))
    assert (inserted, len(reset)) == ([(1, 1)], 1)
    assert model.rowCount(QModelIndex()) == len(second.rows)


@pytest.mark.parametrize("purpose", Purpose)
def test_every_purpose_has_words(purpose):
    said = ledger_words.purpose_words(purpose)
    assert said[0].isupper()
    assert "_" not in said


def codes(kind):
    return {kind.code, *(code for sub in kind.__subclasses__() for code in codes(sub))}


@pytest.mark.parametrize("code", sorted(codes(RemoteError) - {RemoteError.code}))
def test_every_ending_has_words_of_its_own(code):
    assert code in ledger_words.ENDED


def test_no_ending_is_a_bare_code():
    for outcome in ("done", "cancelled", errors.NoSpace.code, "http_418"):
        said = ledger_words.ended_words(outcome)
        assert said
        assert said != outcome
        assert "_" not in said


@pytest.mark.parametrize(
    ("size", "said"),
    [(0, "0 KB"), (1, "1 KB"), (999_000, "999 KB"), (1_500_000, "1.5 MB"), (2 * 10**9, "2.0 GB")],
)
def test_amounts(size, said):
    assert ledger_words.amount(size) == said


def test_a_row_is_read_whole():
    row = rows([connection(host="nas", port=8080, scheme="http", bytes_received=4_000)]).rows[1]
    said = ledger_words.record_words(row)
    assert said == "17:30, Asked which models are there, nas:8080, 4 KB received, Done"


def test_days_have_names():
    assert ledger_words.day_words(TODAY, TODAY) == "Today"
    assert ledger_words.day_words(TODAY - timedelta(days=1), TODAY) == "Yesterday"
    assert "2026" in ledger_words.day_words(TODAY - timedelta(days=2), TODAY)


@pytest.mark.parametrize(
    ("received", "sent", "amounts", "end"),
    [
        (0, 0, "nothing sent or received", "Not made: Snug was set to stay offline"),
        (3_800_000, 0, "3.8 MB received", "Stopped: Snug was set to stay offline"),
        (0, 2_000, "2 KB sent", "Stopped: Snug was set to stay offline"),
    ],
)
def test_what_was_cut_off_by_the_switch_was_made(received, sent, amounts, end):
    cut = connection(bytes_received=received, bytes_sent=sent, outcome="offline_only")
    assert ledger_words.amounts_words(cut) == amounts
    assert ledger_words.end_words(cut) == end
