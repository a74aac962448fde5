"""The list of connections: only the rows in sight are painted, so it may be of any length.

GUI thread.
"""

from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QCoreApplication,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

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
from ui.settings.tall_list import TallDelegate, TallList, beside
from ui.theme.fonts import Role
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_INSET = 19
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


class LedgerDelegate(TallDelegate):
    """Paints a day, or a connection on two lines; on three where there is little room."""

    def __init__(self, theme: Theme, model: LedgerModel) -> None:
        super().__init__(theme)
        self._model = model

    @property
    def height(self) -> int:
        """Of every row: the list then needs no look at each."""
        control, second = (self.line(role) for role in (Role.CONTROL, Role.SECOND))
        return control + (1 if self.wide else 2) * second + 18

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
                self.paint_ring(painter, box)
            rtl = option.direction == Qt.LayoutDirection.RightToLeft
            self._paint_record(painter, box, row, rtl=rtl)
        painter.restore()

    def _paint_day(self, painter: QPainter, box: QRect, words: str, *, first: bool) -> None:
        c = self.theme.colours
        if not first:
            painter.fillRect(QRect(box.left(), box.top(), box.width(), 1), c.border)
        self.write(
            painter,
            QRect(box.left() + _INSET, box.top(), box.width() - 2 * _INSET, box.height() - 8),
            (Role.LABEL, c.text2),
            words,
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom,
        )

    def _paint_record(self, painter: QPainter, box: QRect, row: Record, *, rtl: bool) -> None:
        c, connection = self.theme.colours, row.connection
        clock = round(self.theme.metrics(Role.SECOND).horizontalAdvance("00:00")) + 14
        inner = box.adjusted(_INSET, 9, -_INSET, -9)
        first, second = self.line(Role.CONTROL), self.line(Role.SECOND)
        start, end = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
        left = inner.left() if rtl else inner.left() + clock
        text = QRect(left, inner.top(), inner.width() - clock, first)
        at = QRect(inner.right() - clock if rtl else inner.left(), inner.top(), clock, first)
        self.write(painter, at, (Role.SECOND, c.text2), time_words(row), start)
        bad = connection.outcome not in (DONE, CANCELLED)
        ending = Role.SECOND, c.bad if bad else c.text2
        why = Role.CONTROL, c.text
        below = QRect(text.left(), text.top() + first, text.width(), second)
        ended, size = end_words(connection), amounts_words(connection)
        if self.wide:
            taken = self.write(painter, below, (Role.SECOND, c.text2), size, end)
            self.write(painter, beside(below, taken, rtl=rtl), (Role.SECOND, c.text2),
                        host_words(connection), start)  # fmt: skip
            taken = self.write(painter, text, ending, ended, end)
            self.write(painter, beside(text, taken, rtl=rtl), why,
                        purpose_words(connection.purpose), start)  # fmt: skip
            return
        self.write(painter, text, why, purpose_words(connection.purpose), start)
        self.write(painter, below, (Role.SECOND, c.text2), host_words(connection), start)
        last = below.translated(0, second)
        said = f"{ended} · {size}" if not bad else ended
        self.write(painter, last, ending, said, start)


class LedgerList(TallList):
    """Names of days are passed over."""

    grew = Signal(int)
    """Above what is read, by so many pixels."""
    first = 1

    def __init__(self, theme: Theme) -> None:
        self.rows = LedgerModel()
        self._rows_of = LedgerDelegate(theme, self.rows)
        super().__init__(theme, "ledger", self.rows, self._rows_of)
        self.setAccessibleName(translate("Ledger", "Connections"))

    def show_rows(self, now: LedgerRows) -> None:
        self.rows.show_rows(now)
        self.settle()
        if now.added:
            self.grew.emit(now.added * self._rows_of.height)

    def stop_at(self, row: int, *, back: bool) -> QModelIndex:
        """To the connection at `row`, past the name of a day."""
        index = self.rows.index(row)
        if isinstance(self.rows.row_at(index), Day):
            return self.rows.index(row - 1 if back else row + 1)
        return index
