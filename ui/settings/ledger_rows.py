"""The connections that Snug made as rows: the newest first, each day below its name.

Pure: no Qt, no clock.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, tzinfo

from engine.types.connections import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    day: date


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """`at` is the person's local time."""

    at: datetime
    connection: Connection


LedgerRow = Day | Record


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerRows:
    """`today` and those rows; `added` of them, below the first, are all that is new, or None where
    more has changed."""

    today: date
    rows: tuple[LedgerRow, ...] = ()
    added: int | None = None


def rows_of(
    records: Sequence[Connection], zone: tzinfo | None, today: date, before: LedgerRows | None
) -> LedgerRows:
    """`records` are the newest first; `zone` None is the one of this computer."""
    rows = tuple(_rows(records, zone))
    return LedgerRows(today=today, rows=rows, added=_added(rows, today, before))


def _rows(records: Sequence[Connection], zone: tzinfo | None) -> Iterator[LedgerRow]:
    last: date | None = None
    for connection in records:
        at = connection.at.astimezone(zone)
        if at.date() != last:
            last = at.date()
            yield Day(day=last)
        yield Record(at=at, connection=connection)


def _added(rows: tuple[LedgerRow, ...], today: date, before: LedgerRows | None) -> int | None:
    if before is None or before.today != today or not before.rows or not rows:
        return None
    more = len(rows) - len(before.rows)
    same = more >= 0 and rows[0] == before.rows[0] and rows[more + 1 :] == before.rows[1:]
    return more if same else None
