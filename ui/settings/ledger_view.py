"""The list of connections: only the rows in sight are painted, so it may be of any length.

It is as high as all of its rows and scrolls with the page around it. GUI thread.
"""

from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QCoreApplication,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QFrame, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from ui.settings.ledger_rows import Day, LedgerRow, LedgerRows, Record
from ui.settings.ledger_words import (
    CANCELLED,
    DONE,
    amounts_words,
    day_words,
    end_words,
    host_words,
    purpose_words,
    record_words,
    time_words,
)
from ui.theme.fonts import Role
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_INSET = 19
_WIDE_FROM = 520
_Index = QModelIndex | QPersistentModelIndex


class LedgerModel(QAbstractListModel):
    def __init__(self) -> None:
        super().__init__()
        self.shown: LedgerRows | None = None
        self._rows: tuple[LedgerRow, ...] = ()

    def row_at(self, index: _Index) -> LedgerRow | None:
        return self._rows[index.row()] if 0 <= index.row() < len(self._rows) else None

    def show_rows(self, now: LedgerRows) -> None:
        """What is new is put in, so that whoever reads stays where they are."""
        if now.added and self._rows:
            self.beginInsertRows(QModelIndex(), 1, now.added)
            self.shown, self._rows = now, now.rows
            self.endInsertRows()
        elif now.added is None:
            self.beginResetModel()
            self.shown, self._rows = now, now.rows
            self.endResetModel()

    def rowCount(self, _parent: _Index | None = None) -> int:
        return len(self._rows)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        if isinstance(self.row_at(index), Record):
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return Qt.ItemFlag.NoItemFlags

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        row = self.row_at(index)
        if isinstance(row, Record):
            return record_words(row)
        if isinstance(row, Day) and self.shown is not None:
            return day_words(row.day, self.shown.today)
        return None


class LedgerDelegate(QStyledItemDelegate):
    """Paints a day, or a connection on two lines; on three where there is little room."""

    def __init__(self, theme: Theme, model: LedgerModel) -> None:
        super().__init__()
        self._theme = theme
        self._model = model
        self.wide = True

    @property
    def height(self) -> int:
        """Of every row: the list then needs no look at each."""
        control, second = (self._line(role) for role in (Role.CONTROL, Role.SECOND))
        return control + (1 if self.wide else 2) * second + 18

    def _line(self, role: Role) -> int:
        natural = round(self._theme.metrics(role).height())
        return max(self._theme.line_height(role), natural)

    def sizeHint(self, _option: QStyleOptionViewItem, _index: _Index) -> QSize:
        return QSize(100, self.height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        row = self._model.row_at(index)
        box: QRect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setLayoutDirection(option.direction)
        if isinstance(row, Day):
            self._paint_day(painter, box, str(index.data()), first=index.row() == 0)
        elif isinstance(row, Record):
            state = option.state
            if state & QStyle.StateFlag.State_HasFocus:
                self._paint_ring(painter, box)
            rtl = option.direction == Qt.LayoutDirection.RightToLeft
            self._paint_record(painter, box, row, rtl=rtl)
        painter.restore()

    def _paint_day(self, painter: QPainter, box: QRect, words: str, *, first: bool) -> None:
        c = self._theme.colours
        if not first:
            painter.fillRect(QRect(box.left(), box.top(), box.width(), 1), c.border)
        self._write(
            painter,
            QRect(box.left() + _INSET, box.top(), box.width() - 2 * _INSET, box.height() - 8),
            (Role.LABEL, c.text2),
            words,
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom,
        )

    def _paint_ring(self, painter: QPainter, box: QRect) -> None:
        painter.setPen(QPen(self._theme.colours.focus, 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(box).adjusted(7, 2, -7, -2), 7, 7)

    def _paint_record(self, painter: QPainter, box: QRect, row: Record, *, rtl: bool) -> None:
        c, connection = self._theme.colours, row.connection
        clock = round(self._theme.metrics(Role.SECOND).horizontalAdvance("00:00")) + 14
        inner = box.adjusted(_INSET, 9, -_INSET, -9)
        first, second = self._line(Role.CONTROL), self._line(Role.SECOND)
        start, end = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
        left = inner.left() if rtl else inner.left() + clock
        text = QRect(left, inner.top(), inner.width() - clock, first)
        at = QRect(inner.right() - clock if rtl else inner.left(), inner.top(), clock, first)
        self._write(painter, at, (Role.SECOND, c.text2), time_words(row), start)
        bad = connection.outcome not in (DONE, CANCELLED)
        ending = Role.SECOND, c.bad if bad else c.text2
        why = Role.CONTROL, c.text
        below = QRect(text.left(), text.top() + first, text.width(), second)
        ended, size = end_words(connection), amounts_words(connection)
        if self.wide:
            taken = self._write(painter, below, (Role.SECOND, c.text2), size, end)
            self._write(painter, _short(below, taken, rtl=rtl), (Role.SECOND, c.text2),
                        host_words(connection), start)  # fmt: skip
            taken = self._write(painter, text, ending, ended, end)
            self._write(painter, _short(text, taken, rtl=rtl), why,
                        purpose_words(connection.purpose), start)  # fmt: skip
            return
        self._write(painter, text, why, purpose_words(connection.purpose), start)
        self._write(painter, below, (Role.SECOND, c.text2), host_words(connection), start)
        last = below.translated(0, second)
        said = f"{ended} · {size}" if not bad else ended
        self._write(painter, last, ending, said, start)

    def _write(
        self,
        painter: QPainter,
        box: QRect,
        look: tuple[Role, QColor],
        text: str,
        side: Qt.AlignmentFlag,
    ) -> int:
        """Returns how wide it is."""
        role, ink = look
        painter.setFont(self._theme.font(role))
        painter.setPen(ink)
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, box.width())
        vertical = Qt.AlignmentFlag.AlignVertical_Mask
        flags = side if side & vertical else side | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(box, int(flags), shown)
        return painter.fontMetrics().horizontalAdvance(shown)


def _short(box: QRect, taken: int, *, rtl: bool) -> QRect:
    """Without what stands at the end of the line."""
    gap = taken + 12
    return box.adjusted(gap, 0, 0, 0) if rtl else box.adjusted(0, 0, -gap, 0)


class LedgerList(QListView):
    """Arrows go from one to the next; `reached` tells where that is in the list."""

    reached = Signal(QRect)
    grew = Signal(int)
    """Above what is read, by so many pixels."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.rows = LedgerModel()
        self._delegate = LedgerDelegate(theme, self.rows)
        self.setObjectName("ledger")
        self.setAccessibleName(translate("Ledger", "Connections"))
        self.setModel(self.rows)
        self.setItemDelegate(self._delegate)
        self.setUniformItemSizes(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSelectionMode(QListView.SelectionMode.NoSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)
        self.page_rows = 5
        theme.changed.connect(self._settle)
        self._settle()

    def show_rows(self, now: LedgerRows) -> None:
        self.rows.show_rows(now)
        self._settle()
        if now.added:
            self.grew.emit(now.added * self._delegate.height)

    def show_place_of(self, height: int) -> None:
        """`height` is what can be seen at once."""
        self.page_rows = max(1, height // self._delegate.height - 1)

    def _settle(self) -> None:
        self.setFixedHeight(max(1, self.rows.rowCount() * self._delegate.height))
        self.scheduleDelayedItemsLayout()
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() * 100 >= _WIDE_FROM * self._theme.scale_percent
        if wide != self._delegate.wide:
            self._delegate.wide = wide
            self._settle()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.currentIndex().isValid():
            self._go(1)
        elif event.reason() != Qt.FocusReason.MouseFocusReason:
            self.reached.emit(self.visualRect(self.currentIndex()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        now, last = self.currentIndex().row(), self.rows.rowCount() - 1
        target = {
            Qt.Key.Key_Down: now + 1,
            Qt.Key.Key_Up: now - 1,
            Qt.Key.Key_PageDown: now + self.page_rows,
            Qt.Key.Key_PageUp: now - self.page_rows,
            Qt.Key.Key_Home: 1,
            Qt.Key.Key_End: last,
        }.get(Qt.Key(event.key()))
        if target is None:
            super().keyPressEvent(event)
            return
        self._go(max(1, min(last, target)), back=target < now)

    def _go(self, row: int, *, back: bool = False) -> None:
        """To the connection at `row`, past the name of a day."""
        index = self.rows.index(row)
        if isinstance(self.rows.row_at(index), Day):
            index = self.rows.index(row - 1 if back else row + 1)
        if index.isValid():
            self.setCurrentIndex(index)
            self.reached.emit(self.visualRect(index))
