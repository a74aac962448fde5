"""The column in its window: what is seen, and where. GUI thread.

The place of the column is kept as an anchor, a block and a distance into it, or as "at the end".
Measuring a block, new text, another width or text size therefore never moves what is being read.
"""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from app.conversations.values import Turn
from ui.chat.blocks import BLEED
from ui.chat.column import Entry
from ui.chat.foot import foot_height
from ui.chat.ink import Ink
from ui.chat.sidescroll import style_bar
from ui.chat.stock import Stock
from ui.chat.turnwidget import HANG, PAD, TurnWidget
from ui.theme.fonts import Role

_WIDEST = 760
_MARGINS = 48
_MARK_MARGIN = 56
_NEAR_END = 4
_IDLE_MS = 8
_IDLE_BLOCKS = 4
_ROUNDS = 200
"""Measuring ends long before; this only keeps a fault from hanging the window."""


class Anchor(NamedTuple):
    """Index of turn and block, and pixels from the block's top to the top of the window."""

    turn: int = 0
    row: int = 0
    offset: int = 0


class Canvas(QAbstractScrollArea):
    following_changed = Signal(bool)

    def __init__(self, ink: Ink, parent: QWidget) -> None:
        super().__init__(parent)
        self.stock = Stock(ink, self.viewport())
        self.column = self.stock.column
        self.following = True
        self.leaving = False
        """Focus is on its way out of the column."""
        self._anchor = Anchor()
        self._origin = 0
        self._measured_for = -1
        self._busy = False
        self._idle = QTimer(self, singleShot=True, interval=_IDLE_MS)
        self._idle.timeout.connect(self._prepare)
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.verticalScrollBar().valueChanged.connect(self._bar_moved)
        self.setAutoFillBackground(True)
        self.viewport().setAutoFillBackground(True)
        self._dress(ink)

    # --- style and width ----------------------------------------------------------------------

    def _dress(self, ink: Ink) -> None:
        palette = self.palette()
        for role in (QPalette.ColorRole.Window, QPalette.ColorRole.Base):
            palette.setColor(role, ink.colours.window)
        self.setPalette(palette)
        self.viewport().setPalette(palette)
        bar = self.verticalScrollBar()
        style_bar(bar, ink)
        bar.setSingleStep(ink.line(Role.READING))

    def restyle(self, ink: Ink) -> None:
        """All blocks are made anew in `ink`."""
        self.stock.restyle(ink)
        self._dress(ink)
        self._remeasure()
        self.arrange()

    def _remeasure(self) -> None:
        self._measured_for = self.width()
        self.stock.remeasure(min(_WIDEST, self.width() - _MARGINS))

    def column_rect(self) -> QRect:
        """The reading column, in the viewport's coordinates."""
        width = self.stock.width
        return QRect((self.width() - width) // 2, 0, width, self.viewport().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: ARG002
        if self.width() != self._measured_for:
            self._remeasure()
        self.arrange()

    # --- turns --------------------------------------------------------------------------------

    def replace(self, turns: Sequence[Turn]) -> None:
        """Shows other turns, from their end."""
        self.stock.replace(turns)
        self._anchor = Anchor()
        self.follow()

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
        if self._busy or not self.stock.stamp:
            return
        self._busy = True
        height = self.viewport().height()
        origin = self._wanted_origin()
        for _ in range(_ROUNDS):
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
        self.stock.turn_of(entry)
        changed = False
        for index in range(entry.row_at(top) if rows else 0, len(rows)):
            if tops[index] > bottom or most <= 0:
                break
            row = rows[index]
            if row.widget is None or row.stamp != self.stock.stamp:
                most -= 1
                changed |= self._make(entry, index)
        foot = foot_height(entry, self.stock.ink)
        if changed or foot != entry.foot:
            entry.foot = foot
            self.column.touch(entry)
            changed = True
        return changed, most

    def _open(self, entry: Entry) -> None:
        """An anchor in a turn that is opened stays at the same part of its text."""
        before = entry.guess
        self.stock.open(entry)
        if not self.following and self._anchor.turn == entry.index and before:
            inside = self._anchor.offset * entry.row_tops()[-1] // before
            row = entry.row_at(inside) if entry.rows else 0
            self._anchor = Anchor(entry.index, row, inside - entry.row_tops()[row])

    def _make(self, entry: Entry, index: int) -> bool:
        """Lays one block out; an anchor in it stays at the same part of it."""
        row, anchor = (entry.rows or [])[index], self._anchor
        before = row.height
        changed = self.stock.make(entry, index)
        if (anchor.turn, anchor.row) == (entry.index, index) and before and anchor.offset > 0:
            self._anchor = anchor._replace(offset=anchor.offset * row.height // before)
        return changed

    def _move_to(self, origin: int) -> None:
        moved = self._origin - origin
        if moved and abs(moved) < self.viewport().height():
            self.viewport().scroll(0, moved)
        self._origin = origin
        column = self.column_rect()
        room = column.x() >= _MARK_MARGIN
        gutter = HANG + 8 if room else min(BLEED + 4, max(BLEED, column.x()))
        reach = self.viewport().height() * 3 // 2
        for entry, widget in self.stock.shown():
            top = self.column.tops()[entry.index] - origin
            far = top > reach + self.viewport().height() or top + entry.height < -reach
            if far and not _holds_focus(widget):
                self.stock.drop_turn(entry)
            else:
                self._place(entry, widget, QPoint(column.x() - gutter, top), gutter)

    def end_moved(self, entry: Entry) -> None:
        """The last line of a turn is longer: only the lamp has to go on."""
        if turn := self.stock.shown_turn(entry):
            turn.place_foot(self.stock.width)

    def _place(self, entry: Entry, widget: TurnWidget, at: QPoint, gutter: int) -> None:
        widget.gutter = gutter
        widget.set_last(entry is self.column.entries[-1])
        width = gutter + self.stock.width + BLEED
        rect = QRect(at.x(), at.y() - PAD, width, entry.height + 2 * PAD)
        if widget.geometry() != rect:
            widget.setGeometry(rect)
        self._place_rows(entry, at.y(), gutter)
        widget.place_foot(self.stock.width)
        if widget.isHidden():
            widget.show()

    def _place_rows(self, entry: Entry, y: int, gutter: int) -> None:
        reach, height = self.viewport().height() * 3 // 2, self.viewport().height()
        for row, top in zip(entry.rows or (), entry.row_tops(), strict=False):
            if row.widget is None:
                continue
            if y + top > height + reach or y + top + row.height < -reach:
                self.stock.drop_row(row)
                continue
            rect = QRect(
                gutter - BLEED, PAD + top, self.stock.width + 2 * BLEED, max(1, row.height)
            )
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
        before = self.stock.live_count()
        changed = self._measure(top - near, bottom + near, most=_IDLE_BLOCKS)
        if changed or self.stock.live_count() != before:
            self.arrange()

    def leave(self, forward: bool) -> None:
        """Focus goes to what comes after or before the whole column."""
        self.leaving = True
        self.setFocus()
        super().focusNextPrevChild(forward)
        self.leaving = False


def _holds_focus(widget: QWidget) -> bool:
    focused = widget.window().focusWidget()
    return focused is not None and (focused is widget or widget.isAncestorOf(focused))
