"""The column in its window: only blocks near the visible part exist. GUI thread.

The place of the column is kept as an anchor, a block and a distance into it, or as "at the end".
Measuring a block, new text, another width or text size therefore never moves what is being read.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from app.conversations.values import Turn
from ui.chat.blocks import BLEED, BlockWidget
from ui.chat.column import Column, Entry, Guess, Row, lead, same_quotes
from ui.chat.foot import foot_height
from ui.chat.ink import Ink
from ui.chat.kinds import make_block, read_blocks
from ui.chat.nodes import Block
from ui.chat.sidescroll import style_bar
from ui.chat.turnwidget import HANG, PAD, TurnWidget
from ui.theme.fonts import Role

_WIDEST = 760
_MARGINS = 48
_MARK_MARGIN = 56
_NEAR_END = 4
_IDLE_MS = 8


class Anchor(NamedTuple):
    """Index of turn and block, and pixels from the block's top to the top of the window."""

    turn: int = 0
    row: int = 0
    offset: int = 0


class Canvas(QAbstractScrollArea):
    turn_made = Signal(object)
    """A `TurnWidget` has come into being."""
    row_made = Signal(object, object)
    """A block (`Entry`, `Row`) has."""
    following_changed = Signal(bool)

    def __init__(self, ink: Ink, parent: QWidget) -> None:
        super().__init__(parent)
        self.ink = ink
        self.column = Column()
        self.following = True
        self._anchor = Anchor()
        self._origin = 0
        self._stamp = 0
        self._width = 0
        self._measured_for = -1
        self._busy = False
        self.leaving = False
        self._guess = Guess(_WIDEST, 26, 8)
        self._live: dict[Row, Entry] = {}
        self._shown: dict[Entry, TurnWidget] = {}
        self._idle = QTimer(self, singleShot=True, interval=_IDLE_MS)
        self._idle.timeout.connect(self._prepare)
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.verticalScrollBar().valueChanged.connect(self._bar_moved)
        self.viewport().setAutoFillBackground(True)
        self._dress()

    # --- style and width ----------------------------------------------------------------------

    def _dress(self) -> None:
        palette = self.palette()
        for role in (QPalette.ColorRole.Window, QPalette.ColorRole.Base):
            palette.setColor(role, self.ink.colours.window)
        self.setPalette(palette)
        self.viewport().setPalette(palette)
        bar = self.verticalScrollBar()
        style_bar(bar, self.ink)
        bar.setSingleStep(self.ink.line(Role.READING))

    def restyle(self, ink: Ink) -> None:
        """All blocks are made anew in `ink`."""
        self.ink = ink
        self._drop_all()
        self._dress()
        self._remeasure()
        self.arrange()

    def _remeasure(self) -> None:
        """Everything measured so far was for another width or style."""
        self._stamp += 1
        self._measured_for = self.width()
        self._width = min(_WIDEST, self.width() - _MARGINS)
        line = self.ink.line(Role.READING)
        character = self.ink.metrics(Role.READING).averageCharWidth()
        self._guess = Guess(self._width, line, character)
        for entry in self.column.entries:
            if entry.rows is None:
                self._guess_entry(entry)
        self.column.touch_all()

    def _guess_entry(self, entry: Entry) -> None:
        entry.guess = self._guess.entry(entry)
        entry.foot = foot_height(entry, self.ink)

    def column_rect(self) -> QRect:
        """The reading column, in the viewport's coordinates."""
        return QRect((self.width() - self._width) // 2, 0, self._width, self.viewport().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: ARG002
        if self.width() != self._measured_for:
            self._remeasure()
        self.arrange()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            return True
        return super().viewportEvent(event)

    # --- turns --------------------------------------------------------------------------------

    def replace(self, turns: Sequence[Turn]) -> None:
        self._drop_all()
        self.column.replace(turns)
        for entry in self.column.entries:
            self._guess_entry(entry)
        self._anchor = Anchor()
        self.follow()

    def add(self, turn: Turn) -> Entry:
        entry = self.column.add(turn)
        self._guess_entry(entry)
        return entry

    def cut(self, length: int) -> None:
        for entry in self.column.cut(length):
            self._drop_turn(entry)

    def set_blocks(self, entry: Entry, first: int, blocks: Sequence[Block]) -> None:
        """Shows `blocks` as those of `entry` from index `first` on; equal ones stay untouched."""
        rows = entry.rows if entry.rows is not None else []
        entry.rows = rows
        for index, block in enumerate(blocks, first):
            if index == len(rows):
                rows.append(self._new_row(rows[-1].block if rows else None, block))
            elif rows[index].block != block:
                self._change(rows, index, block)
        for row in rows[first + len(blocks) :]:
            self._drop_row(row)
        del rows[first + len(blocks) :]
        entry.foot = foot_height(entry, self.ink)
        self.column.touch(entry)

    def _new_row(self, before: Block | None, block: Block) -> Row:
        row = Row(block)
        row.lead = self.ink.px(lead(before, block))
        row.height = self._guess.row(row)
        return row

    def _change(self, rows: list[Row], index: int, block: Block) -> None:
        row, before = rows[index], rows[index - 1].block if index else None
        space = self.ink.px(lead(before, block))
        alike = type(row.block) is type(block) and space == row.lead
        row.block = block
        if (
            alike
            and row.widget is not None
            and row.stamp == self._stamp
            and row.widget.takes(block)
        ):
            row.height = row.lead + row.widget.show_block(block)
            return
        self._drop_row(row)
        row.lead = space
        row.stamp = -1
        row.height = self._guess.row(row)

    def renew(self, entry: Entry) -> None:
        """The state of the turn has changed."""
        if widget := self._shown.get(entry):
            widget.renew()
        entry.foot = foot_height(entry, self.ink)
        self.column.touch(entry)

    # --- scrolling ----------------------------------------------------------------------------

    def follow(self) -> None:
        """To the end, and stay there."""
        self._set_following(True)
        self.arrange()

    def _set_following(self, following: bool) -> None:
        if following != self.following:
            self.following = following
            self.following_changed.emit(following)

    def scroll_to(self, y: int) -> None:
        """Brings `y` of the column to the top of the window, as far as it goes."""
        most = max(0, self.column.height - self.viewport().height())
        y = max(0, min(y, most))
        self._set_following(y >= most - _NEAR_END)
        self._anchor = self._anchor_at(y)
        self.arrange()

    def _bar_moved(self, value: int) -> None:
        if not self._busy:
            self.scroll_to(value)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Nothing: `arrange` moves the turns."""

    def _anchor_at(self, y: int) -> Anchor:
        if not self.column.entries:
            return Anchor()
        index = self.column.index_at(y)
        entry = self.column.entries[index]
        inside = y - self.column.tops()[index]
        if not entry.rows:
            return Anchor(index, 0, inside)
        row = entry.row_at(inside)
        return Anchor(index, row, inside - entry.row_tops()[row])

    def _wanted_origin(self) -> int:
        most = max(0, self.column.height - self.viewport().height())
        if self.following:
            return most
        turn, row, offset = self._anchor
        if turn >= len(self.column.entries):
            return most
        entry = self.column.entries[turn]
        tops = entry.row_tops() if entry.rows else [0]
        return max(0, min(self.column.tops()[turn] + tops[min(row, len(tops) - 1)] + offset, most))

    @property
    def origin(self) -> int:
        """y of the column at the top of the window."""
        return self._origin

    # --- arranging ----------------------------------------------------------------------------

    def arrange(self) -> None:
        """Makes what is to be seen, puts everything in its place."""
        if self._busy or not self._stamp:
            return
        self._busy = True
        height = self.viewport().height()
        origin = self._wanted_origin()
        for _ in range(200):
            if not self._measure(origin, origin + height):
                break
            origin = self._wanted_origin()
        self._move_to(origin)
        self._sync_bar()
        self._busy = False
        self._idle.start()

    def _measure(self, top: int, bottom: int, most: int = 1000) -> bool:
        """Makes all blocks between two y; True when a height came out unlike its guess."""
        entries, tops = self.column.entries, self.column.tops()
        for index in range(self.column.index_at(top), len(entries)):
            if tops[index] > bottom:
                break
            entry = entries[index]
            if entry.rows is None:
                self._open(entry)
                return True
            changed, most = self._measure_rows(entry, top - tops[index], bottom - tops[index], most)
            if changed or most <= 0:
                return changed
        return False

    def _measure_rows(self, entry: Entry, top: int, bottom: int, most: int) -> tuple[bool, int]:
        rows, tops = entry.rows or [], entry.row_tops()
        self._widget_of(entry)
        changed = False
        for index in range(entry.row_at(top) if rows else 0, len(rows)):
            if tops[index] > bottom or most <= 0:
                break
            row = rows[index]
            if row.widget is None or row.stamp != self._stamp:
                most -= 1
                changed |= self._make(entry, row, index)
        foot = foot_height(entry, self.ink)
        if changed or foot != entry.foot:
            entry.foot = foot
            self.column.touch(entry)
            changed = True
        return changed, most

    def _open(self, entry: Entry) -> None:
        """Parses a turn; an anchor in it stays at the same part of the text."""
        before = entry.guess
        entry.rows = []
        self.set_blocks(entry, 0, read_blocks(entry))
        if not self.following and self._anchor.turn == entry.index and before:
            inside = self._anchor.offset * entry.row_tops()[-1] // before
            row = entry.row_at(inside) if entry.rows else 0
            self._anchor = Anchor(entry.index, row, inside - entry.row_tops()[row])

    def _make(self, entry: Entry, row: Row, index: int) -> bool:
        """Lays one block out; returns whether its height is another than before."""
        turn, before, fresh = self._widget_of(entry), row.height, row.widget is None
        if fresh:
            row.widget = make_block(self.ink, row.block, turn)
            self._live[row] = entry
        widget: BlockWidget = row.widget
        rows = entry.rows or []
        above = rows[index - 1].block if index else None
        widget.lead, widget.bars = row.lead, same_quotes(above, row.block)
        widget.resize(self._width + 2 * BLEED, max(1, row.height))
        row.height = row.lead + widget.fit(self._width)
        row.stamp = self._stamp
        if fresh:
            self.row_made.emit(entry, row)
        anchor = self._anchor
        if (anchor.turn, anchor.row) == (entry.index, index) and before and anchor.offset > 0:
            self._anchor = anchor._replace(offset=anchor.offset * row.height // before)
        return row.height != before

    def _widget_of(self, entry: Entry) -> TurnWidget:
        widget = self._shown.get(entry)
        if widget is None:
            widget = entry.widget = TurnWidget(self.ink, entry, self.viewport())
            self._shown[entry] = widget
            self.turn_made.emit(widget)
        return widget

    def _move_to(self, origin: int) -> None:
        moved = self._origin - origin
        if moved and abs(moved) < self.viewport().height():
            self.viewport().scroll(0, moved)
        self._origin = origin
        column = self.column_rect()
        room = column.x() >= _MARK_MARGIN
        gutter = HANG + 8 if room else min(BLEED + 4, max(BLEED, column.x()))
        reach = self.viewport().height() * 3 // 2
        for entry, widget in list(self._shown.items()):
            top = self.column.tops()[entry.index] - origin
            far = top > reach + self.viewport().height() or top + entry.height < -reach
            if far and not _holds_focus(widget):
                self._drop_turn(entry)
            else:
                self._place(entry, widget, QPoint(column.x() - gutter, top), gutter)

    def _place(self, entry: Entry, widget: TurnWidget, at: QPoint, gutter: int) -> None:
        widget.gutter = gutter
        widget.set_last(entry is self.column.entries[-1])
        width = gutter + self._width + BLEED
        rect = QRect(at.x(), at.y() - PAD, width, entry.height + 2 * PAD)
        if widget.geometry() != rect:
            widget.setGeometry(rect)
        self._place_rows(entry, at.y(), gutter)
        widget.place_foot(self._width)
        if widget.isHidden():
            widget.show()

    def _place_rows(self, entry: Entry, y: int, gutter: int) -> None:
        reach, height = self.viewport().height() * 3 // 2, self.viewport().height()
        for row, top in zip(entry.rows or (), entry.row_tops(), strict=False):
            if row.widget is None:
                continue
            if y + top > height + reach or y + top + row.height < -reach:
                self._drop_row(row)
                continue
            rect = QRect(gutter - BLEED, PAD + top, self._width + 2 * BLEED, max(1, row.height))
            if row.widget.geometry() != rect:
                row.widget.setGeometry(rect)
            if row.widget.isHidden():
                row.widget.show()

    def _sync_bar(self) -> None:
        bar, height = self.verticalScrollBar(), self.viewport().height()
        bar.setPageStep(height)
        bar.setRange(0, max(0, self.column.height - height))
        bar.setValue(self._origin)
        if not self.following:
            self._anchor = self._anchor_at(self._origin)

    def _prepare(self) -> None:
        """In idle time, makes a few blocks just outside the window."""
        near = self.viewport().height() * 3 // 4
        top, bottom = self._origin, self._origin + self.viewport().height()
        if self._measure_near(top - near, bottom + near):
            self.arrange()

    def _measure_near(self, top: int, bottom: int) -> bool:
        before = len(self._live), self._stamp
        changed = self._measure(top, bottom, most=4)
        return changed or (len(self._live), self._stamp) != before

    def leave(self, forward: bool) -> None:
        """Focus goes to what comes after or before the whole column."""
        self.leaving = True
        self.setFocus()
        super().focusNextPrevChild(forward)
        self.leaving = False

    # --- leaving ------------------------------------------------------------------------------

    def live_rows(self) -> Iterator[tuple[Entry, Row]]:
        return ((entry, row) for row, entry in list(self._live.items()))

    def shown_turn(self, entry: Entry) -> TurnWidget | None:
        return self._shown.get(entry)

    def _drop_row(self, row: Row) -> None:
        if row.widget is not None:
            row.widget.hide()
            row.widget.deleteLater()
            row.widget = None
        self._live.pop(row, None)

    def _drop_turn(self, entry: Entry) -> None:
        for row in entry.rows or ():
            self._drop_row(row)
        widget = self._shown.pop(entry, None)
        entry.widget = None
        if widget is not None:
            widget.hide()
            widget.deleteLater()

    def _drop_all(self) -> None:
        for entry in list(self._shown):
            self._drop_turn(entry)


def _holds_focus(widget: QWidget) -> bool:
    focused = widget.window().focusWidget()
    return focused is not None and (focused is widget or widget.isAncestorOf(focused))
