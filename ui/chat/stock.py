"""The turns and blocks that exist as widgets, made when needed and dropped when far. GUI thread.

Knows heights and widgets, but not where the window is: that is the canvas.
"""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.conversations.values import Turn
from ui.chat.blocks import BLEED, BlockWidget
from ui.chat.column import Column, Entry, Guess, Row, lead, same_quotes
from ui.chat.foot import foot_height
from ui.chat.ink import Ink
from ui.chat.kinds import make_block, read_blocks
from ui.chat.nodes import Block
from ui.chat.turnwidget import TurnWidget
from ui.theme.fonts import Role


class Stock(QObject):
    turn_made = Signal(object)
    """A `TurnWidget` has come into being."""
    row_made = Signal(object, object)
    """A block (`Entry`, `Row`) has."""

    def __init__(self, ink: Ink, port: QWidget) -> None:
        super().__init__(port)
        self.ink = ink
        self.column = Column()
        self.width = 0
        """Of the column, in pixels."""
        self.stamp = 0
        """Counts widths and styles; what was measured under another one is only a guess."""
        self._port = port
        self._guess = Guess(760, 26, 8)
        self._live: dict[Row, Entry] = {}
        self._shown: dict[Entry, TurnWidget] = {}

    # --- width and style ----------------------------------------------------------------------

    def remeasure(self, width: int) -> None:
        """Everything measured so far was for another width or style."""
        self.stamp += 1
        self.width = width
        character = self.ink.metrics(Role.READING).averageCharWidth()
        self._guess = Guess(width, self.ink.line(Role.READING), character)
        for entry in self.column.entries:
            if entry.rows is None:
                self._guess_entry(entry)
        self.column.touch_all()

    def restyle(self, ink: Ink) -> None:
        """All widgets go; new ones will be made in `ink`. `remeasure` has to follow."""
        self.ink = ink
        self.drop_all()
        for entry in self.column.entries:
            before: Block | None = None
            for row in entry.rows or ():
                row.lead = self._space(before, row.block)
                before = row.block

    def _guess_entry(self, entry: Entry) -> None:
        entry.guess = self._guess.entry(entry)
        entry.foot = foot_height(entry, self.ink)

    def _space(self, before: Block | None, block: Block) -> int:
        return self.ink.px(lead(before, block))

    # --- turns --------------------------------------------------------------------------------

    def replace(self, turns: Sequence[Turn]) -> None:
        self.drop_all()
        self.column.replace(turns)
        for entry in self.column.entries:
            self._guess_entry(entry)

    def add(self, turn: Turn) -> Entry:
        entry = self.column.add(turn)
        self._guess_entry(entry)
        return entry

    def cut(self, length: int) -> None:
        for entry in self.column.cut(length):
            self.drop_turn(entry)

    def renew(self, entry: Entry) -> None:
        """The state of the turn has changed."""
        if widget := self._shown.get(entry):
            widget.renew()
        entry.foot = foot_height(entry, self.ink)
        self.column.touch(entry)

    def open(self, entry: Entry) -> None:
        """Parses a turn; its blocks are not laid out yet."""
        entry.rows = []
        self.set_blocks(entry, 0, read_blocks(entry))

    def set_blocks(self, entry: Entry, first: int, blocks: Sequence[Block]) -> bool:
        """Shows `blocks` as those of `entry` from index `first` on; equal ones stay untouched.

        Returns False when nothing has to be arranged: a block grew within its last line.
        """
        rows = entry.rows if entry.rows is not None else []
        before_height, before_count, kept = entry.height, len(rows), True
        entry.rows = rows
        before = rows[first - 1].block if first else None
        for index, block in enumerate(blocks, first):
            space = self._space(before, block)
            if index == len(rows):
                rows.append(self._new_row(block, space))
            elif rows[index].block != block or rows[index].lead != space:
                kept &= self._change(rows[index], block, space)
            self._set_bars(rows[index], same_quotes(before, block))
            before = block
        for row in rows[first + len(blocks) :]:
            self.drop_row(row)
        del rows[first + len(blocks) :]
        entry.foot = foot_height(entry, self.ink)
        entry.touch()
        if kept and len(rows) == before_count and entry.height == before_height:
            return False
        self.column.touch(entry)
        return True

    def _new_row(self, block: Block, space: int) -> Row:
        row = Row(block)
        row.lead = space
        row.height = self._guess.row(row)
        return row

    def _change(self, row: Row, block: Block, space: int) -> bool:
        """Whether the row keeps its widget."""
        alike = type(row.block) is type(block) and space == row.lead and row.stamp == self.stamp
        row.block = block
        if alike and row.widget is not None and row.widget.takes(block):
            row.height = row.lead + row.widget.show_block(block)
            return True
        self.drop_row(row)
        row.lead = space
        row.stamp = -1
        row.height = self._guess.row(row)
        return False

    @staticmethod
    def _set_bars(row: Row, bars: int) -> None:
        if row.widget is not None and row.widget.bars != bars:
            row.widget.bars = bars
            row.widget.update()

    # --- widgets ------------------------------------------------------------------------------

    def turn_of(self, entry: Entry) -> TurnWidget:
        """The widget of a turn, made if there is none."""
        widget = self._shown.get(entry)
        if widget is None:
            widget = self._shown[entry] = TurnWidget(self.ink, entry, self._port)
            self.turn_made.emit(widget)
        return widget

    def make(self, entry: Entry, index: int) -> bool:
        """Lays one block out; returns whether its height is another than before."""
        rows = entry.rows or []
        row, turn = rows[index], self.turn_of(entry)
        before, fresh = row.height, row.widget is None
        if fresh:
            row.widget = make_block(self.ink, row.block, turn)
            self._live[row] = entry
        widget: BlockWidget = row.widget
        above = rows[index - 1].block if index else None
        widget.lead, widget.bars = row.lead, same_quotes(above, row.block)
        widget.resize(self.width + 2 * BLEED, max(1, row.height))
        row.height = row.lead + widget.fit(self.width)
        row.stamp = self.stamp
        if fresh:
            self.row_made.emit(entry, row)
        return row.height != before

    def live_rows(self) -> Iterator[tuple[Entry, Row]]:
        return ((entry, row) for row, entry in list(self._live.items()))

    def live_count(self) -> int:
        return len(self._live)

    def shown(self) -> list[tuple[Entry, TurnWidget]]:
        return list(self._shown.items())

    def shown_turn(self, entry: Entry) -> TurnWidget | None:
        return self._shown.get(entry)

    def drop_row(self, row: Row) -> None:
        if row.widget is not None:
            row.widget.hide()
            row.widget.deleteLater()
            row.widget = None
        self._live.pop(row, None)

    def drop_turn(self, entry: Entry) -> None:
        for row in entry.rows or ():
            self.drop_row(row)
        widget = self._shown.pop(entry, None)
        if widget is not None:
            widget.hide()
            widget.deleteLater()

    def drop_all(self) -> None:
        for entry in list(self._shown):
            self.drop_turn(entry)
