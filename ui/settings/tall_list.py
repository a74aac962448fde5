"""A list that is as high as all of its rows and scrolls with the page around it. Only the rows in
sight are painted. GUI thread.
"""

from PySide6.QtCore import QAbstractListModel, QModelIndex, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QFrame, QListView, QStyledItemDelegate

from ui.theme.fonts import Role
from ui.theme.theme import Theme

_WIDE_FROM = 520


class TallDelegate(QStyledItemDelegate):
    """What rows are painted with. `height` is that of every row: no look at each is needed."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.wide = True

    @property
    def height(self) -> int:
        raise NotImplementedError

    def line(self, role: Role) -> int:
        natural = round(self.theme.metrics(role).height())
        return max(self.theme.line_height(role), natural)

    def write(
        self,
        painter: QPainter,
        box: QRect,
        look: tuple[Role, QColor],
        text: str,
        side: Qt.AlignmentFlag,
    ) -> int:
        """Returns how wide it is."""
        role, ink = look
        painter.setFont(self.theme.font(role))
        painter.setPen(ink)
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, box.width())
        vertical = Qt.AlignmentFlag.AlignVertical_Mask
        flags = side if side & vertical else side | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(box, int(flags), shown)
        return painter.fontMetrics().horizontalAdvance(shown)

    def paint_ring(self, painter: QPainter, box: QRect) -> None:
        painter.setPen(QPen(self.theme.colours.focus, 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(box).adjusted(7, 2, -7, -2), 7, 7)


def beside(box: QRect, taken: int, *, rtl: bool) -> QRect:
    """Without what stands at the end of the line."""
    gap = taken + 12
    return box.adjusted(gap, 0, 0, 0) if rtl else box.adjusted(0, 0, -gap, 0)


class TallList(QListView):
    """Arrows go from one to the next; `reached` tells where that is in the list."""

    reached = Signal(QRect)
    first = 0
    """The row where the keyboard begins."""

    def __init__(
        self, theme: Theme, name: str, model: QAbstractListModel, delegate: TallDelegate
    ) -> None:
        super().__init__()
        self._model = model
        self._delegate = delegate
        self._theme = theme
        self.setObjectName(name)
        self.setModel(model)
        self.setItemDelegate(delegate)
        self.setUniformItemSizes(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSelectionMode(QListView.SelectionMode.NoSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)
        self.page_rows = 5
        theme.changed.connect(self.settle)
        self.settle()

    def show_place_of(self, height: int) -> None:
        """`height` is what can be seen at once."""
        self.page_rows = max(1, height // self._delegate.height - 1)

    def settle(self) -> None:
        """As high as all rows are now."""
        self.setFixedHeight(max(1, self._model.rowCount() * self._delegate.height))
        self.scheduleDelayedItemsLayout()
        self.viewport().update()

    def stop_at(self, row: int, *, back: bool) -> QModelIndex:  # noqa: ARG002 - for others
        """The row that the keyboard goes to instead of `row`."""
        return self._model.index(row)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() * 100 >= _WIDE_FROM * self._theme.scale_percent
        if wide != self._delegate.wide:
            self._delegate.wide = wide
            self.settle()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() == Qt.FocusReason.MouseFocusReason:
            return  # nothing moves under a pointer that presses
        if not self.currentIndex().isValid():
            self._go(self.first)
        else:
            self.reached.emit(self.visualRect(self.currentIndex()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        now, last = self.currentIndex().row(), self._model.rowCount() - 1
        target = {
            Qt.Key.Key_Down: now + 1,
            Qt.Key.Key_Up: now - 1,
            Qt.Key.Key_PageDown: now + self.page_rows,
            Qt.Key.Key_PageUp: now - self.page_rows,
            Qt.Key.Key_Home: self.first,
            Qt.Key.Key_End: last,
        }.get(Qt.Key(event.key()))
        if target is None:
            super().keyPressEvent(event)
            return
        self._go(max(self.first, min(last, target)), back=target < now)

    def _go(self, row: int, *, back: bool = False) -> None:
        index = self.stop_at(row, back=back)
        if index.isValid():
            self.setCurrentIndex(index)
            self.reached.emit(self.visualRect(index))
