"""A table in a frame. Only the rows on screen are laid out and painted. GUI thread."""

from bisect import bisect_right
from itertools import accumulate
from typing import cast

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QWidget

from ui.chat import words
from ui.chat.blocks import BlockWidget
from ui.chat.frame import RADIUS, clip_inside
from ui.chat.ink import Ink
from ui.chat.nodes import Block, Table, Text
from ui.chat.plain import units
from ui.chat.sidescroll import SideScroll
from ui.chat.tablesize import PAD, ColumnSizes
from ui.chat.textrun import Range, TextRun
from ui.theme.fonts import Role

_KEPT_CELLS = 1500


class TableBlock(BlockWidget):
    """Row 0 is the head."""

    def __init__(self, ink: Ink, block: Table, parent: QWidget) -> None:
        super().__init__(ink, block, parent)
        self._sizes = self._fresh_sizes()
        self._widths: list[int] = []
        self._lefts: list[int] = []
        self._heights: list[int] = []
        self._tops: list[int] = [0]
        self._cells: dict[tuple[int, int], TextRun] = {}
        self._offsets: list[int] | None = None
        self._room = 0
        self._side = SideScroll(self, ink)
        self.setMouseTracking(True)
        self._name()

    def _table(self) -> Table:
        return cast("Table", self.block)

    def _name(self) -> None:
        table = self._table()
        self.setAccessibleName(words.table(len(table.rows), len(table.head)))

    def _row(self, index: int) -> tuple[Text, ...]:
        return self._table().rows[index - 1] if index else self._table().head

    # --- size ---------------------------------------------------------------------------------

    def _fresh_sizes(self) -> ColumnSizes:
        table, ink = self._table(), self.ink
        made = ColumnSizes(table, ink.metrics(Role.CELL), ink.metrics(Role.CELL_HEAD))
        made.see(table.rows)
        return made

    def fit(self, width: int) -> int:
        self._room = max(60, width - self.indent() - 2)
        self._resize_columns()
        return self._height()

    def _resize_columns(self) -> bool:
        """Whether any column changed; then all cells are laid out again."""
        widths = self._sizes.widths(self._room, self.ink.scale_percent / 100)
        changed = widths != self._widths
        if changed:
            self._widths = widths
            self._lefts = list(accumulate(widths, initial=0))
            self._cells.clear()
            self._heights.clear()
            self._side.set_widths(self._lefts[-1], self._room)
            self.update()
        self._measure_rows()
        return changed

    def _measure_rows(self) -> None:
        """Heights of rows not measured yet; only cells that must wrap are laid out."""
        for index in range(len(self._heights), len(self._table().rows) + 1):
            self._heights.append(self._row_height(index))
        self._tops = list(accumulate(self._heights, initial=0))

    def _row_height(self, index: int) -> int:
        role = Role.CELL if index else Role.CELL_HEAD
        metrics, line = self.ink.metrics(role), self.ink.line(role)
        lines = 1
        for column, cell in enumerate(self._row(index)):
            room = self._widths[column] - 2 * PAD
            certain = not cell.spans and "\n" not in cell.text
            if certain and metrics.horizontalAdvance(cell.text) <= room:
                continue
            lines = max(lines, self._cell(index, column).lines())
        return lines * line + self.ink.px(34) - self.ink.line(role)

    def _height(self) -> int:
        return self._tops[-1] + 2 + self._side.height

    def resizeEvent(self, event: object) -> None:  # noqa: ARG002
        box = self.content()
        self._side.place(box.left() + 8, box.bottom(), box.width() - 16)

    # --- growing ------------------------------------------------------------------------------

    def show_block(self, block: Block) -> int:
        old, self.block = self._table(), block
        new, kept = self._table(), max(0, len(old.rows) - 1)
        self._offsets, before = None, self._rights()
        if new.head != old.head or new.rows[:kept] != old.rows[:kept] or new.aligns != old.aligns:
            kept, self._widths, self._sizes = 0, [], self._fresh_sizes()
        else:
            self._sizes.see(new.rows)
        del self._heights[kept + 1 :]
        for key in [key for key in self._cells if key[0] > kept]:
            del self._cells[key]
        if not self._resize_columns() and before == self._rights():
            self.update(QRect(0, self._top() + self._tops[kept + 1], self.width(), 1 << 20))
        else:
            self.update()
        self._name()
        return self._height()

    def _rights(self) -> list[bool]:
        return [self._sizes.right(column) for column in range(len(self._widths))]

    # --- cells --------------------------------------------------------------------------------

    def _cell(self, row: int, column: int) -> TextRun:
        run = self._cells.get((row, column))
        if run is None:
            if len(self._cells) > _KEPT_CELLS:
                self._cells.clear()
            run = TextRun(self.ink, Role.CELL if row else Role.CELL_HEAD)
            run.set_text(self._row(row)[column])
            run.lay_out(self._widths[column] - 2 * PAD)
            self._cells[row, column] = run
        return run

    def _top(self) -> int:
        return self.content().top() + 1

    def _cell_origin(self, row: int, column: int, run: TextRun) -> QPointF:
        x = self.content().left() + 1 + self._lefts[column] - self._side.offset + PAD
        spare = self._widths[column] - 2 * PAD - run.natural_width
        if not run.right_to_left:
            x += round(spare) if self._sizes.right(column) else 0
            x += round(spare / 2) if self._sizes.centred(column) else 0
        edge = (self.ink.px(34) - run.line_height) / 2
        return QPointF(x, self._top() + self._tops[row] + edge)

    def _hit(self, point: QPoint) -> tuple[int, int]:
        """Row and column nearest to `point`."""
        y = point.y() - self._top()
        x = point.x() - self.content().left() - 1 + self._side.offset
        row = max(0, min(bisect_right(self._tops, y) - 1, len(self._heights) - 1))
        column = max(0, min(bisect_right(self._lefts, x) - 1, len(self._widths) - 1))
        return row, column

    def _cell_offset(self, row: int, column: int) -> int:
        """Where a cell's text begins in the table's text."""
        if self._offsets is None:
            lines = (self._table().head, *self._table().rows)
            lengths = (sum(units(c.text) + 1 for c in line) for line in lines)
            self._offsets = list(accumulate(lengths, initial=0))
        before = self._row(row)[:column]
        return self._offsets[row] + sum(units(cell.text) + 1 for cell in before)

    def position_at(self, point: QPoint) -> int:
        row, column = self._hit(point)
        run = self._cell(row, column)
        inside = run.position_at(QPointF(point) - self._cell_origin(row, column, run))
        return self._cell_offset(row, column) + inside

    def link_at(self, point: QPoint) -> str:
        row, column = self._hit(point)
        run = self._cell(row, column)
        return run.link_at(QPointF(point) - self._cell_origin(row, column, run))

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._side.wheel(event)

    def scroll_sideways(self, pixels: int) -> bool:
        return self._side.step(pixels)

    # --- painting -----------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.paint_path(painter)
        box = self.content()
        frame = QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        clip_inside(painter, box)
        painter.fillRect(
            QRect(box.left(), box.top(), box.width(), self._heights[0] + 1), self.ink.colours.sunken
        )
        self._paint_rows(painter, event.rect())
        painter.setClipping(False)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self.ink.colours.border, 1))
        painter.drawRoundedRect(frame, RADIUS, RADIUS)
        painter.end()

    def _paint_rows(self, painter: QPainter, clip: QRect) -> None:
        first = max(0, bisect_right(self._tops, clip.top() - self._top()) - 1)
        last = bisect_right(self._tops, clip.bottom() - self._top())
        box = self.content()
        for row in range(first, min(last, len(self._heights))):
            y = self._top() + self._tops[row]
            if row:
                painter.fillRect(QRect(box.left(), y, box.width(), 1), self.ink.colours.border)
            for column in range(len(self._widths)):
                x = box.left() + self._lefts[column] - self._side.offset
                if x < clip.right() and x + self._widths[column] > clip.left():
                    self._paint_cell(painter, row, column)

    def _paint_cell(self, painter: QPainter, row: int, column: int) -> None:
        run = self._cell(row, column)
        origin = self._cell_origin(row, column, run)
        colour = self.ink.colours.text if row else self.ink.colours.text2
        run.draw(painter, origin, QRectF(self.rect()), colour, self._chosen_in(row, column))

    def _chosen_in(self, row: int, column: int) -> Range | None:
        if self.chosen is None:
            return None
        offset, length = self._cell_offset(row, column), units(self._row(row)[column].text)
        start, end = max(0, self.chosen[0] - offset), min(length, self.chosen[1] - offset)
        return (start, end) if start < end else None
