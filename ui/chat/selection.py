"""One selection over any number of blocks and messages, also those not on screen. GUI thread."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ui.chat.column import Column, Entry, Row
from ui.chat.plain import cut_units, gap, linear, prefix, units

_WORD = re.compile(r"\w+|\s+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in the text: `position` UTF-16 units into the block of `row`."""

    entry: Entry
    row: Row
    position: int


class Selection:
    """From `anchor`, where it began, to `head`, where it is."""

    def __init__(self, column: Column, live: Callable[[], Iterator[tuple[Entry, Row]]]) -> None:
        self._column = column
        self._live = live
        self.anchor: Spot | None = None
        self.head: Spot | None = None

    def clear(self) -> None:
        self.anchor = self.head = None
        self._apply_all()

    def begin(self, spot: Spot) -> None:
        self.anchor = self.head = spot
        self._apply_all()

    def extend(self, spot: Spot) -> None:
        self.anchor = self.anchor or spot
        self.head = spot
        self._apply_all()

    def word(self, spot: Spot) -> None:
        """Selects the word at `spot`."""
        text = linear(spot.row.block)
        at = len(cut_units(text, 0, spot.position))
        for match in _WORD.finditer(text, max(0, at - 200), min(len(text), at + 200)):
            if match.start() <= at < match.end() or match.end() == at == len(text):
                start = units(text[: match.start()])
                self.anchor = Spot(spot.entry, spot.row, start)
                self.head = Spot(spot.entry, spot.row, start + units(match.group()))
        self._apply_all()

    def block(self, spot: Spot) -> None:
        self.anchor = Spot(spot.entry, spot.row, 0)
        self.head = Spot(spot.entry, spot.row, units(linear(spot.row.block)))
        self._apply_all()

    def message(self, entry: Entry) -> None:
        """Selects a whole turn."""
        if entry.rows:
            last = entry.rows[-1]
            self.anchor = Spot(entry, entry.rows[0], 0)
            self.head = Spot(entry, last, units(linear(last.block)))
            self._apply_all()

    @property
    def is_empty(self) -> bool:
        return self.anchor is None or self.anchor == self.head

    # --- order --------------------------------------------------------------------------------

    def _key(self, spot: Spot) -> tuple[int, int, int] | None:
        """Order of a spot; None when its block is gone."""
        entry = spot.entry
        if entry.index >= len(self._column.entries) or not entry.rows:
            return None
        if self._column.entries[entry.index] is not entry or spot.row not in entry.rows:
            return None
        return entry.index, entry.rows.index(spot.row), spot.position

    def _bounds(self) -> tuple[tuple[int, int, int], tuple[int, int, int]] | None:
        if self.anchor is None or self.head is None:
            return None
        a, b = self._key(self.anchor), self._key(self.head)
        if a is None or b is None or a == b:
            return None
        return min(a, b), max(a, b)

    # --- showing ------------------------------------------------------------------------------

    def _apply_all(self) -> None:
        bounds = self._bounds()
        for entry, row in self._live():
            row.widget.choose(self._range(entry, row, bounds))

    def apply(self, entry: Entry, row: Row) -> None:
        """For a block that has just come on screen."""
        if bounds := self._bounds():
            row.widget.choose(self._range(entry, row, bounds))

    @staticmethod
    def _range(
        entry: Entry, row: Row, bounds: tuple[tuple[int, int, int], tuple[int, int, int]] | None
    ) -> tuple[int, int] | None:
        if bounds is None or not bounds[0][0] <= entry.index <= bounds[1][0]:
            return None
        key = (entry.index, (entry.rows or []).index(row))
        if not bounds[0][:2] <= key <= bounds[1][:2]:
            return None
        length = units(linear(row.block))
        start = bounds[0][2] if key == bounds[0][:2] else 0
        end = bounds[1][2] if key == bounds[1][:2] else length
        return (start, min(end, length)) if start < end else None

    # --- copying ------------------------------------------------------------------------------

    def text(self) -> str:
        """The selected text; "" without a selection."""
        bounds = self._bounds()
        if bounds is None:
            return ""
        parts: list[str] = []
        for entry in self._column.entries[bounds[0][0] : bounds[1][0] + 1]:
            for row in entry.rows or ():
                part = self._range(entry, row, bounds)
                if part is not None:
                    parts.append(
                        _words(row, part, first=not parts, new=row is (entry.rows or [])[0])
                    )
        return "".join(parts)


def _words(row: Row, part: tuple[int, int], first: bool, new: bool) -> str:
    text = cut_units(linear(row.block), *part)
    marks = prefix(row.block) if part[0] == 0 else ""
    between = "" if first else "\n\n" if new else gap(row.block)
    return between + marks + text
