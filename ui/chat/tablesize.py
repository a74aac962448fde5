"""Widths of a table's columns. Pure, apart from the font it measures with. GUI thread."""

import re
from collections.abc import Sequence

from PySide6.QtGui import QFontMetricsF

from ui.chat.nodes import Mark, Table, Text

PAD = 15
WIDEST = 320
"""A column wants no more than this at 100 % text size; its cells wrap instead."""
_NARROWEST = 150
_NUMBER = re.compile(
    r"[-+\u2212\u2013(~≈<>]*\s?[£$€¥₹]?\s?\d[\d.,:/\s]*\s?[%)]?(\s?[^\W\d]{1,8}\.?(/[^\W\d]{1,4})?)?",
    re.UNICODE,
)


def is_number(text: str) -> bool:
    """Numbers with a sign, a currency, a unit or a percent sign."""
    return _NUMBER.fullmatch(text.strip()) is not None


class ColumnSizes:
    """Grows with the table and looks at each row once; the last one may still change."""

    def __init__(self, table: Table, cell: QFontMetricsF, head: QFontMetricsF) -> None:
        self._cell = cell
        self._natural = [head.horizontalAdvance(text.text) + 2 for text in table.head]
        self._longest = [0] * len(table.head)
        self._numeric = [True] * len(table.head)
        self._aligns = table.aligns
        self._settled = 0
        self._last: tuple[Text, ...] = ()
        self._last_natural: list[float] = [0.0] * len(table.head)

    def see(self, rows: Sequence[tuple[Text, ...]]) -> None:
        """All rows of the table; those before are as they were last time."""
        for row in rows[self._settled : -1]:
            for column, text in enumerate(row):
                self._add(column, text)
        self._settled = max(self._settled, len(rows) - 1)
        self._last = rows[-1] if rows else ()
        self._last_natural = [self._width(text) for text in self._last] or self._last_natural

    def _add(self, column: int, cell: Text) -> None:
        text = cell.text
        if self._numeric[column] and text and not is_number(text):
            self._numeric[column] = False
        if len(text) * 2 <= self._longest[column]:
            return  # cannot be the widest
        self._longest[column] = max(self._longest[column], len(text))
        self._natural[column] = max(self._natural[column], self._width(cell))

    def _width(self, cell: Text) -> float:
        width = max(self._cell.horizontalAdvance(line) for line in cell.text.split("\n")) + 2
        return width * 1.1 if any(span.marks & Mark.BOLD for span in cell.spans) else width

    def _all_natural(self) -> list[float]:
        return [max(pair) for pair in zip(self._natural, self._last_natural, strict=True)]

    def right(self, column: int) -> bool:
        """Whether a column stands to the right."""
        if self._aligns[column]:
            return self._aligns[column] == "right"
        last = self._last[column].text if self._last else "-"
        return column > 0 and self._numeric[column] and (not last or is_number(last))

    def centred(self, column: int) -> bool:
        return self._aligns[column] == "center"

    def widths(self, room: int, scale: float) -> list[int]:
        """Pixels of each column, padding included; in sum at least `room`."""
        limit = WIDEST * scale
        wanted = [min(natural, limit) + 2 * PAD for natural in self._all_natural()]
        over = sum(wanted) - room
        if over > 0:
            wanted = self._squeezed(wanted, over, _NARROWEST * scale + 2 * PAD)
        elif len(wanted) == 1 or sum(wanted) < room:
            wanted = self._spread(wanted, room)
        widths = [int(width) for width in wanted]
        widths[-1] += max(0, room - sum(widths))
        return widths

    @staticmethod
    def _squeezed(wanted: list[float], over: float, least: float) -> list[float]:
        """Takes what is too much from the wide columns, down to `least`."""
        spare = [max(0.0, width - least) for width in wanted]
        share = min(1.0, over / sum(spare)) if sum(spare) else 0.0
        return [width - extra * share for width, extra in zip(wanted, spare, strict=True)]

    def _spread(self, wanted: list[float], room: int) -> list[float]:
        """First lets capped columns have what they want, then shares out the rest."""
        natural = [max(w, n + 2 * PAD) for w, n in zip(wanted, self._all_natural(), strict=True)]
        if sum(natural) <= room:
            wanted = natural
        factor = room / sum(wanted)
        return [width * factor for width in wanted]
