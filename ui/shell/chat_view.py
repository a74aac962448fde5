"""The list of conversations as it looks: painted rows, one … button, a field for renaming."""

from typing import cast

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QLineEdit,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from ui.shell.chat_model import ROW_ROLE, ChatListModel, heading_text, title_of, translate
from ui.shell.groups import ChatRow, Heading
from ui.theme.buttons import IconButton
from ui.theme.fonts import Role
from ui.theme.lamp import Breath, paint_lamp
from ui.theme.theme import Theme

Index = QModelIndex | QPersistentModelIndex

_INSET = 12
_PADDING = 12


def row_shape(rect: QRect) -> QRect:
    """The rounded rectangle of a row inside its cell."""
    return rect.adjusted(_INSET, 0, -_INSET, 0)


class RowPainter(QStyledItemDelegate):
    """Paints headings and rows, and makes the field for renaming."""

    def __init__(self, theme: Theme, breath: Breath, view: "ChatListView") -> None:
        super().__init__(view)
        self._theme = theme
        self._breath = breath
        self._view = view

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
        inner = cell.adjusted(_INSET + _PADDING, self._theme.px(10), -_INSET, 0)
        self._text(painter, inner, heading_text(row.group))

    def _paint_row(self, painter: QPainter, shape: QRect, row: ChatRow, index: Index) -> None:
        c = self._theme.colours
        hovered = self._view.hovered == index
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
            rtl = self._view.isRightToLeft()
            x = shape.left() + 17 if rtl else shape.right() - 16
            centre = QPointF(x, QRectF(shape).center().y())
            paint_lamp(painter, centre, 10, self._theme, self._breath.strength)

    def _paint_title(self, painter: QPainter, shape: QRect, row: ChatRow, *, crowded: bool) -> None:
        font = self._theme.font(Role.BUTTON if row.is_open else Role.CONTROL)
        painter.setFont(font)
        painter.setPen(self._ink(row))
        room = 40 if crowded or row.is_writing else _PADDING
        rtl = self._view.isRightToLeft()
        left, right = (room, _PADDING) if rtl else (_PADDING, room)
        self._text(painter, shape.adjusted(left, 0, -right, 0), title_of(row))

    def _ink(self, row: ChatRow) -> QColor:
        c = self._theme.colours
        return c.on_accent if row.is_open and self._theme.high_contrast else c.text

    def _text(self, painter: QPainter, box: QRect, text: str) -> None:
        line = " ".join(text.split())
        shown = painter.fontMetrics().elidedText(line, Qt.TextElideMode.ElideRight, box.width())
        side = (
            Qt.AlignmentFlag.AlignRight
            if self._view.isRightToLeft()
            else Qt.AlignmentFlag.AlignLeft
        )
        painter.drawText(box, int(side | Qt.AlignmentFlag.AlignVCenter), shown)

    def createEditor(
        self, parent: QWidget, _option: QStyleOptionViewItem, _index: Index
    ) -> QWidget:
        editor = QLineEdit(parent)
        editor.setObjectName("renameChat")
        editor.setAccessibleName(translate("Sidebar", "Chat title"))
        editor.setFont(self._theme.font(Role.CONTROL))
        return editor

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        model.setData(index, cast("QLineEdit", editor).text(), Qt.ItemDataRole.EditRole)

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, _index: Index
    ) -> None:
        cell = option.rect
        editor.setGeometry(row_shape(cell).adjusted(2, 3, -2, -3))


class ChatListView(QListView):
    """One stop for the keyboard: arrows inside, Enter opens, F2 renames, Del deletes."""

    opened = Signal(str)
    delete_wished = Signal(str)
    menu_wished = Signal(str, QPoint)
    end_neared = Signal()

    def __init__(self, theme: Theme, breath: Breath, model: ChatListModel) -> None:
        super().__init__()
        self._theme = theme
        self._chats = model
        self.hovered = QPersistentModelIndex()
        self._ring = False
        self.setObjectName("chatList")
        self.setAccessibleName(translate("Sidebar", "Chats"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setModel(model)
        self.setItemDelegate(RowPainter(theme, breath, self))
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self._more = self._make_more_button()
        self.clicked.connect(self._open)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        breath.ticked.connect(self._repaint_lamps)
        theme.changed.connect(self._theme_changed)

    def _make_more_button(self) -> IconButton:
        button = IconButton(self._theme, "moreForChat", "ellipsis", size=28)
        button.setParent(self.viewport())
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.hover_role = "selected"
        button.clicked.connect(self._more_clicked)
        button.hide()
        return button

    # --- state that the painter asks for -------------------------------------------------------

    def shows_ring(self, index: Index) -> bool:
        return self._ring and self.hasFocus() and index == self.currentIndex()

    def current_id(self) -> str | None:
        row = self._chats.row_at(self.currentIndex())
        return row.conversation.id if row else None

    def rename(self, conversation_id: str) -> None:
        """Put a field in place of the title."""
        index = self._chats.index_of(conversation_id)
        if index.isValid():
            self.setCurrentIndex(index)
            self.edit(index)

    # --- pointer -------------------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._hover(self.indexAt(event.position().toPoint()))

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self._hover(QModelIndex())
        return super().viewportEvent(event)

    def _hover(self, index: QModelIndex) -> None:
        row = self._chats.row_at(index)
        self.hovered = QPersistentModelIndex(index) if row else QPersistentModelIndex()
        if row:
            shape = row_shape(self.visualRect(index))
            self._more.resize(self._more.sizeHint())
            left = shape.left() if self.isRightToLeft() else shape.right() - self._more.width() + 1
            self._more.ink_role = (
                "on_accent" if row.is_open and self._theme.high_contrast else "text2"
            )
            self._more.move(left, shape.center().y() - self._more.height() // 2 + 1)
            self._more.describe(
                translate("Sidebar", "More for {title}").format(title=title_of(row))
            )
        self._more.setVisible(row is not None)
        self.viewport().update()

    def _open(self, index: QModelIndex) -> None:
        row = self._chats.row_at(index)
        if row:
            self.opened.emit(row.conversation.id)

    def _more_clicked(self) -> None:
        row = self._chats.row_at(self.hovered)
        if row:
            below = self._more.mapToGlobal(QPoint(0, self._more.height()))
            self.menu_wished.emit(row.conversation.id, below)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        row = self._chats.row_at(index)
        if row is None:
            return
        place = self.visualRect(index).center() if by_key else event.pos()
        self.menu_wished.emit(row.conversation.id, self.viewport().mapToGlobal(place))

    # --- keyboard ------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._ring = True
        current = self.current_id()
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_Space if current:
                self.opened.emit(current)
            case Qt.Key.Key_Delete | Qt.Key.Key_Backspace if current:
                self.delete_wished.emit(current)
            case Qt.Key.Key_F2 if current:
                self.rename(current)
            case _:
                super().keyPressEvent(event)
        self.viewport().update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ring = event.reason() != Qt.FocusReason.MouseFocusReason
        if self._chats.row_at(self.currentIndex()) is None:
            self._go_to_first()
        super().focusInEvent(event)

    def _go_to_first(self) -> None:
        rows = (self._chats.index(n) for n in range(self._chats.rowCount()))
        chats = [index for index in rows if self._chats.row_at(index)]
        opened = [index for index in chats if cast("ChatRow", self._chats.row_at(index)).is_open]
        for index in (opened or chats)[:1]:
            self.setCurrentIndex(index)

    # --- keeping up ----------------------------------------------------------------------------

    def _scrolled(self, value: int) -> None:
        self._hover(QModelIndex())
        if value > self.verticalScrollBar().maximum() - 400:
            self.end_neared.emit()

    def _repaint_lamps(self) -> None:
        for number in range(self._chats.rowCount()):
            index = self._chats.index(number)
            row = self._chats.row_at(index)
            if row and row.is_writing:
                self.update(index)

    def _theme_changed(self) -> None:
        self.scheduleDelayedItemsLayout()
        self.viewport().update()
