"""The presenter of "Privacy": the switch that closes the door, and every connection ever made.

No Qt here; GUI thread. The ledger is read in order on a thread of its own, and only when it grew.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Protocol

from app.connection_log import LineOf, Mark
from engine.types.connections import Connection
from ui.settings.ledger_rows import LedgerRows, rows_of
from ui.settings.ordered import Ordered, Run

_SETTLING = 1


class Log(Protocol):
    """What is asked of `ConnectionLog`."""

    def mark(self) -> Mark: ...
    def newest_first(self) -> tuple[Connection, ...]: ...
    def save(self, target: Path, head: tuple[str, ...], line_of: LineOf) -> None: ...


class PrivacyView(Protocol):
    def show_offline(self, *, offline: bool) -> None: ...
    def show_ledger(self, rows: LedgerRows) -> None: ...
    def say_saved(self, target: Path) -> None: ...
    def refuse(self, error: Exception) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacyParts:
    """`set_offline` tells the whole window; `moved` hears that another program has changed it."""

    run: Run
    log: Log
    offline: Callable[[], bool]
    set_offline: Callable[[bool], None]
    moved: Callable[[], None]
    today: Callable[[], date]
    head: Callable[[], tuple[str, ...]]
    line_of: LineOf


class PrivacyPresenter:
    """See the module."""

    def __init__(self, parts: PrivacyParts, view: PrivacyView) -> None:
        self._parts = parts
        self._view = view
        self._ordered = Ordered(parts.run)
        self._mark: Mark = None
        self._rows: LedgerRows | None = None
        self._offline: bool | None = None
        self._settling = 0
        """Looks that may still see what was before the person's last click."""

    def look(self) -> None:
        """What is true now; called again and again while the page is shown."""
        self._ordered.do("look", self._read, self._found, self._view.refuse)

    def _read(self) -> tuple[bool, Mark, LedgerRows | None]:
        parts, before = self._parts, self._rows
        mark, today = parts.log.mark(), parts.today()
        same = before is not None and mark == self._mark and before.today == today
        rows = None if same else rows_of(parts.log.newest_first(), None, today, before)
        return parts.offline(), mark, rows

    def _found(self, now: tuple[bool, Mark, LedgerRows | None]) -> None:
        offline, mark, rows = now
        if offline == self._offline:
            self._settling = 0
        elif self._settling:
            self._settling -= 1
        else:
            self._show_offline(offline)
        if rows is not None:
            self._mark, self._rows = mark, rows
            self._view.show_ledger(rows)

    def _show_offline(self, offline: bool) -> None:
        first = self._offline is None
        self._offline = offline
        self._view.show_offline(offline=offline)
        if not first:
            self._parts.moved()

    def set_offline(self, offline: bool) -> None:
        self._ordered.forget("look")
        self._settling = _SETTLING
        self._offline = offline
        self._parts.set_offline(offline)

    def save(self, target: Path) -> None:
        """A copy of all connections as a table, for the person to keep."""
        parts = self._parts
        self._ordered.do(
            "save",
            lambda: parts.log.save(target, parts.head(), parts.line_of),
            lambda _: self._view.say_saved(target),
            self._view.refuse,
        )

    def close(self) -> None:
        self._ordered.close()
