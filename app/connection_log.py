"""The ledger as a person reads it: the newest first, whether it has grown, and a copy to keep.

It only ever reads the ledger itself. `mark` is quick; the rest waits for the disk, so not on the
GUI's thread.
"""

import csv
import io
from collections.abc import Callable, Sequence
from pathlib import Path

from app.errors import from_os_error
from app.ledger import Ledger
from engine.guard.whole import replace_file
from engine.types.connections import Connection

SHOWN = 20_000
"""More nobody reads; the copy has all."""
Mark = tuple[int, int, int] | None
"""Another one when there are other records; None as long as there are none."""
LineOf = Callable[[Connection], Sequence[str]]


class ConnectionLog:
    """`path` is where `ledger` writes."""

    def __init__(self, ledger: Ledger, path: Path) -> None:
        self._ledger = ledger
        self._path = path

    def mark(self) -> Mark:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino

    def newest_first(self) -> tuple[Connection, ...]:
        """At most `SHOWN`."""
        return _newest_first(self._ledger.newest(SHOWN))

    def save(self, target: Path, head: Sequence[str], line_of: LineOf) -> None:
        """All records as a table (CSV) that spreadsheets open, a line each. `target` is replaced in
        one step. Raises `StorageError`."""
        records = _newest_first(self._ledger.read())
        text = io.StringIO(newline="")
        table = csv.writer(text)
        table.writerow(head)
        table.writerows(line_of(record) for record in records)
        try:
            replace_file(target, text.getvalue().encode("utf-8-sig"))
        except OSError as error:
            raise from_os_error(target, error) from error


def _newest_first(records: Sequence[Connection]) -> tuple[Connection, ...]:
    """Several programs write them, so that the file's order is not enough."""
    return tuple(sorted(records, key=lambda record: record.at.timestamp(), reverse=True))
