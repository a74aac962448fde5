"""The list of what Snug is made of: a name, its version, its licence. GUI thread."""

from collections.abc import Sequence
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
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from app.about import Part
from ui.settings.tall_list import TallDelegate, TallList, beside
from ui.theme.fit import listed
from ui.theme.fonts import Role
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_INSET = 20
_PRESSES = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_Index = QModelIndex | QPersistentModelIndex


def licence_words(part: Part) -> str:
    """Its name; some parts have several, or one without a name."""
    if not part.licence:
        return translate("About", "see its text")
    return part.licence.replace(" OR ", translate("About", " or ")).replace(
        " AND ", translate("About", " and ")
    )


def part_words(part: Part) -> str:
    """As a screen reader says it."""
    named = f"{part.name} {part.version}".strip()
    return listed(named, licence_words(part))


class PartsModel(QAbstractListModel):
    def __init__(self) -> None:
        super().__init__()
        self._parts: tuple[Part, ...] = ()

    def show_parts(self, parts: Sequence[Part]) -> None:
        self.beginResetModel()
        self._parts = tuple(parts)
        self.endResetModel()

    def part_at(self, index: _Index) -> Part | None:
        return self._parts[index.row()] if 0 <= index.row() < len(self._parts) else None

    def rowCount(self, _parent: _Index | None = None) -> int:
        return len(self._parts)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        part = self.part_at(index)
        spoken = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole)
        return part_words(part) if part is not None and role in spoken else None


class PartsDelegate(TallDelegate):
    """One line a part, or two where there is little room."""

    def __init__(self, theme: Theme, model: PartsModel) -> None:
        super().__init__(theme)
        self._model = model

    @property
    def height(self) -> int:
        second = 0 if self.wide else self.line(Role.SECOND)
        return self.line(Role.CONTROL) + second + 18

    def sizeHint(self, _option: QStyleOptionViewItem, _index: _Index) -> QSize:
        return QSize(100, self.height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        part = self._model.part_at(index)
        if part is None:
            return
        c, state = self.theme.colours, option.state
        box: QRect = option.rect
        rtl = option.direction == Qt.LayoutDirection.RightToLeft
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setLayoutDirection(option.direction)
        if index.row():
            painter.fillRect(QRect(box.left(), box.top(), box.width(), 1), c.border)
        if state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(c.hover_up)
            painter.drawRoundedRect(QRectF(box).adjusted(6, 4, -6, -3), 8, 8)
        if state & QStyle.StateFlag.State_HasFocus:
            self.paint_ring(painter, box)
        self._paint_part(painter, box.adjusted(_INSET, 9, -_INSET, -9), part, rtl=rtl)
        painter.restore()

    def _paint_part(self, painter: QPainter, inner: QRect, part: Part, *, rtl: bool) -> None:
        c = self.theme.colours
        start, end = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
        soft, first = (Role.SECOND, c.text2), self.line(Role.CONTROL)
        text = QRect(inner.left(), inner.top(), inner.width(), first)
        if self.wide:
            half = text.adjusted(0 if rtl else text.width() // 2, 0, 0, 0)
            if rtl:
                half.setWidth(text.width() // 2)
            taken = self.write(painter, half, soft, licence_words(part), end)
            text = beside(text, taken, rtl=rtl)
        else:
            below = text.translated(0, first)
            self.write(painter, below.adjusted(0, 0, 0, self.line(Role.SECOND) - first), soft,
                       licence_words(part), start)  # fmt: skip
        taken = self.write(painter, text, (Role.CONTROL, c.text), part.name, start)
        gap = taken + 8
        rest = text.adjusted(0, 0, -gap, 0) if rtl else text.adjusted(gap, 0, 0, 0)
        self.write(painter, rest, (Role.SECOND, c.text3), part.version, start)


class PartsList(TallList):
    """`wished`: a person wants to read the licence of a part."""

    wished = Signal(object)

    def __init__(self, theme: Theme) -> None:
        self.parts = PartsModel()
        super().__init__(theme, "aboutParts", self.parts, PartsDelegate(theme, self.parts))
        self.setAccessibleName(translate("About", "Made of"))
        self.setMouseTracking(True)
        self.clicked.connect(self._wish)

    def show_parts(self, parts: Sequence[Part]) -> None:
        self.parts.show_parts(parts)
        self.settle()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if Qt.Key(event.key()) in _PRESSES and self.currentIndex().isValid():
            self._wish(self.currentIndex())
            return
        super().keyPressEvent(event)

    def _wish(self, index: QModelIndex) -> None:
        part = self.parts.part_at(index)
        if part is not None:
            self.wished.emit(part)
