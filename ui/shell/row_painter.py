"""How headings and rows of the sidebar look, and the field for renaming in their place."""

from typing import Protocol, cast

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from ui.shell.chat_model import ROW_ROLE, heading_text, title_of, translate
from ui.shell.groups import ChatRow, Heading
from ui.theme.fonts import Role
from ui.theme.lamp import Breath, paint_lamp
from ui.theme.theme import Theme

Index = QModelIndex | QPersistentModelIndex

_INSET = 12
_PADDING = 12
_LEADING = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
"""A painter turns this round by itself where lines begin on the right."""


def row_shape(rect: QRect) -> QRect:
    """The rounded rectangle of a row inside its cell."""
    return rect.adjusted(_INSET, 0, -_INSET, 0)


class RowState(Protocol):
    """What the view knows about a row."""

    def is_hovered(self, index: Index) -> bool: ...
    def shows_ring(self, index: Index) -> bool: ...
    def is_rtl(self) -> bool: ...


class RowPainter(QStyledItemDelegate):
    """Paints headings and rows, and makes the field for renaming."""

    def __init__(self, theme: Theme, breath: Breath, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._theme = theme
        self._breath = breath
        self._view = cast("RowState", view)

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        heading = isinstance(index.data(ROW_ROLE), Heading)
        return QSize(100, self._theme.px(38 if heading else 36))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(ROW_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        cell = option.rect
        if isinstance(row, Heading):
            self._paint_heading(painter, cell, row)
        elif isinstance(row, ChatRow):
            self._paint_row(painter, row_shape(cell), row, index)
        painter.restore()

    def _paint_heading(self, painter: QPainter, cell: QRect, row: Heading) -> None:
        painter.setFont(self._theme.font(Role.LABEL))
        painter.setPen(self._theme.colours.text3)
        inset = _INSET + _PADDING
        inner = cell.adjusted(inset, self._theme.px(10), -inset, 0)
        self._text(painter, inner, heading_text(row.group))

    def _paint_row(self, painter: QPainter, shape: QRect, row: ChatRow, index: Index) -> None:
        c = self._theme.colours
        hovered = self._view.is_hovered(index)
        fill = c.selected if row.is_open else c.hover if hovered else None
        if fill is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(fill)
            painter.drawRoundedRect(shape, 8, 8)
        if self._view.shows_ring(index):
            painter.setPen(QPen(c.focus, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(shape).adjusted(1, 1, -1, -1), 7, 7)
        self._paint_title(painter, shape, row, crowded=hovered)
        if row.is_writing and not hovered:
            rtl = self._view.is_rtl()
            x = shape.left() + 17 if rtl else shape.right() - 16
            centre = QPointF(x, QRectF(shape).center().y())
            paint_lamp(painter, centre, 10, self._theme, self._breath.strength)

    def _paint_title(self, painter: QPainter, shape: QRect, row: ChatRow, *, crowded: bool) -> None:
        font = self._theme.font(Role.BUTTON if row.is_open else Role.CONTROL)
        painter.setFont(font)
        painter.setPen(self._ink(row))
        room = 40 if crowded or row.is_writing else _PADDING
        rtl = self._view.is_rtl()
        left, right = (room, _PADDING) if rtl else (_PADDING, room)
        self._text(painter, shape.adjusted(left, 0, -right, 0), title_of(row))

    def _ink(self, row: ChatRow) -> QColor:
        c = self._theme.colours
        return c.on_accent if row.is_open and self._theme.high_contrast else c.text

    def _text(self, painter: QPainter, box: QRect, text: str) -> None:
        line = " ".join(text.split())
        shown = painter.fontMetrics().elidedText(line, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, _LEADING, shown)

    def createEditor(
        self, parent: QWidget, _option: QStyleOptionViewItem, _index: Index
    ) -> QWidget:
        editor = QLineEdit(parent)
        editor.setObjectName("renameChat")
        editor.setAccessibleName(translate("Sidebar", "Chat title"))
        editor.setFont(self._theme.font(Role.CONTROL))
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """Once: the list changes while a person types, and must not take it back."""
        if not editor.property("filled"):
            editor.setProperty("filled", True)
            super().setEditorData(editor, index)

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        model.setData(index, cast("QLineEdit", editor).text(), Qt.ItemDataRole.EditRole)

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, _index: Index
    ) -> None:
        cell = option.rect
        editor.setGeometry(row_shape(cell).adjusted(2, 3, -2, -3))
