"""Widgets one after the other, and in a further line where there is no room. The last one stands at
the end of its line and takes what is left, up to its own wish. GUI thread."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class Flow(QLayout):
    """Lines begin where reading begins; within a line everything is centred."""

    def __init__(self, parent: QWidget, spacing: int) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap = spacing
        self.before_last = 8
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(QRect(0, 0, width, 0), move=False)

    def sizeHint(self) -> QSize:
        sizes = [item.sizeHint() for item in self._items]
        width = sum(size.width() for size in sizes) + self._gap * max(0, len(sizes) - 1)
        return QSize(width, max((size.height() for size in sizes), default=0))

    def minimumSize(self) -> QSize:
        sizes = [item.minimumSize() for item in self._items]
        return QSize(
            max((size.width() for size in sizes), default=0),
            max((size.height() for size in sizes), default=0),
        )

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._place(rect, move=True)

    def _place(self, rect: QRect, *, move: bool) -> int:
        """Returns the height that it takes."""
        top = rect.top()
        lines = self._lines(rect.width())
        for line in lines:
            height = max(item.sizeHint().height() for item in line)
            if move:
                self._place_line(line, rect, top, height)
            top += height + self._gap
        return max(0, top - rect.top() - self._gap)

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = []
        room = -1
        for item in self._items:
            if item.isEmpty():
                continue
            last = item is self._items[-1]
            wish = (item.minimumSize() if last else item.sizeHint()).width()
            wish += self.before_last if last and lines else 0
            if room < wish:
                lines.append([])
                room = width
            lines[-1].append(item)
            room -= wish + self._gap
        return lines

    def _place_line(self, line: list[QLayoutItem], rect: QRect, top: int, height: int) -> None:
        rtl = self._is_rtl()
        lead = 0
        for item in line:
            size = item.sizeHint()
            last = item is self._items[-1] and len(line) > 1
            room = rect.width() - lead - (self.before_last if last else 0)
            width = min(size.width(), room)
            if last:
                lead = rect.width() - width
            x = rect.right() + 1 - lead - width if rtl else rect.left() + lead
            y = top + (height - size.height()) // 2
            item.setGeometry(QRect(x, y, width, size.height()))
            lead += width + self._gap

    def _is_rtl(self) -> bool:
        parent = self.parentWidget()
        return parent is not None and parent.isRightToLeft()
