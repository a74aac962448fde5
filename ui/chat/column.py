"""The column as numbers: turns, their blocks, and how high each is or probably is. No Qt.

Heights are guessed from the amount of text until a block has been laid out, so a conversation of
any length opens at once. All lengths are whole pixels; y counts from the top of the column.
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from app.conversations.values import Turn, TurnState
from engine.types.chat import Role
from ui.chat.nodes import Block, Code, Heading, Paragraph, Rule, Table
from ui.chat.plain import linear

TURN_GAP = 18
EDGE = 20


class Row:
    """One block of one turn. `lead` is the space above it, part of `height`."""

    __slots__ = ("block", "height", "lead", "stamp", "widget")

    def __init__(self, block: Block) -> None:
        self.block = block
        self.lead = 0
        self.height = 0
        self.stamp = -1
        """Number of the width and style it was measured with; older means: only a guess."""
        self.widget: Any = None


class Entry:
    """One turn. `rows` is None until it comes near the visible part."""

    def __init__(self, turn: Turn, index: int) -> None:
        self.turn = turn
        self.index = index
        self.rows: list[Row] | None = None
        self.foot = 0
        """Height under the blocks: what stopped the answer, and its buttons."""
        self.guess = 0
        self.lines = turn.text.count("\n")
        self.stream: Any = None
        self._tops: list[int] | None = None

    @property
    def is_answer(self) -> bool:
        return self.turn.role is Role.ASSISTANT

    @property
    def is_writing(self) -> bool:
        return self.is_answer and self.turn.state is TurnState.PARTIAL

    def touch(self) -> None:
        """Heights of rows have changed."""
        self._tops = None

    def row_tops(self) -> list[int]:
        """Top of each row within the turn, and the end of the last."""
        if self._tops is None:
            self._tops = list(accumulate((row.height for row in self.rows or ()), initial=0))
        return self._tops

    @property
    def height(self) -> int:
        return (self.guess if self.rows is None else self.row_tops()[-1]) + self.foot

    def row_at(self, y: int) -> int:
        """Index of the row at `y` within the turn."""
        tops = self.row_tops()
        return max(0, min(bisect_right(tops, y) - 1, len(tops) - 2))


class Guess:
    """Heights from amounts of text, for one width and text size."""

    def __init__(self, width: int, line: int, character: float) -> None:
        self._line = line
        self._width = width
        self._per_line = max(8, int(width / max(1.0, character)))

    def entry(self, entry: Entry) -> int:
        lines = entry.lines + len(entry.turn.text) // self._per_line + 1
        return lines * self._line + (20 if not entry.is_answer else 0)

    def row(self, row: Row) -> int:
        block = row.block
        if isinstance(block, Rule):
            return row.lead + 1
        if isinstance(block, Table):
            return row.lead + (len(block.rows) + 1) * 34
        text = linear(block)
        lines = text.count("\n") + 1
        if isinstance(block, Code):
            return row.lead + lines * 22 + 60
        return row.lead + (lines + len(text) // self._per_line) * self._line


class Column:
    """All turns from the top."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._tops: list[int] = [EDGE]

    def replace(self, turns: Sequence[Turn]) -> None:
        self.entries = [Entry(turn, index) for index, turn in enumerate(turns)]
        self._tops = [EDGE]

    def touch(self, entry: Entry) -> None:
        """The height of `entry` has changed."""
        entry.touch()
        del self._tops[entry.index + 1 :]

    def touch_all(self) -> None:
        for entry in self.entries:
            entry.touch()
        self._tops = [EDGE]

    def add(self, turn: Turn) -> Entry:
        entry = Entry(turn, len(self.entries))
        self.entries.append(entry)
        return entry

    def cut(self, length: int) -> list[Entry]:
        """Keeps the first `length` turns, returns the others."""
        gone = self.entries[length:]
        del self.entries[length:]
        del self._tops[length + 1 :]
        return gone

    def find(self, turn_id: str) -> Entry | None:
        """From the end: it is nearly always the last."""
        return next((e for e in reversed(self.entries) if e.turn.id == turn_id), None)

    def tops(self) -> list[int]:
        """Top of each turn, and where the next would begin."""
        tops = self._tops
        for entry in self.entries[len(tops) - 1 :]:
            tops.append(tops[-1] + entry.height + TURN_GAP)
        return tops

    @property
    def height(self) -> int:
        end = self.tops()[-1]
        return end - TURN_GAP + EDGE if self.entries else 0

    def index_at(self, y: int) -> int:
        """Index of the turn at `y`, or next to it."""
        return max(0, min(bisect_right(self.tops(), y) - 1, len(self.entries) - 1))


def lead(before: Block | None, block: Block) -> int:
    """Space above `block`, in pixels at 100 % text size."""
    if before is None or getattr(block, "joint", None) is not None:
        return 0
    if isinstance(block, Heading):
        return 18
    if any(c.marker for c in block.path):
        return _lead_of_item(before)
    return 8 if any(not c.quote for c in block.path) else 12


def _lead_of_item(before: Block) -> int:
    if any(not c.quote for c in before.path):
        return 2 if isinstance(before, Paragraph) else 8
    return 4 if isinstance(before, Paragraph) else 8


def same_quotes(before: Block | None, block: Block) -> int:
    """How many outer containers both stand in, for the bars that run through."""
    if before is None:
        return 0
    count = 0
    for a, b in zip(before.path, block.path, strict=False):
        if a.quote != b.quote or b.marker:
            break
        count += 1
    return count
