"""The list of conversations: pointer and keyboard, and one … button that follows the pointer."""

from typing import cast

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
)

from ui.shell.chat_model import ChatListModel, title_of, translate
from ui.shell.groups import ChatRow
from ui.shell.row_painter import RowPainter, row_shape
from ui.theme.buttons import IconButton
from ui.theme.lamp import Breath
from ui.theme.theme import Theme

Index = QModelIndex | QPersistentModelIndex


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
        model.rowsRemoved.connect(self._leave_heading)
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

    def is_hovered(self, index: Index) -> bool:
        return self.hovered == index

    def is_rtl(self) -> bool:
        return self.isRightToLeft()

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
        if self.state() == QAbstractItemView.State.EditingState:
            return  # what the field does not want is for nobody
        self._ring = True
        current = self.current_id()
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_Space if current:
                self.opened.emit(current)
            case Qt.Key.Key_Delete | Qt.Key.Key_Backspace if current:
                self.delete_wished.emit(current)
            case _:
                super().keyPressEvent(event)
        self.viewport().update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ring = event.reason() != Qt.FocusReason.MouseFocusReason
        if self._chats.row_at(self.currentIndex()) is None:
            self._go_to_first()
        super().focusInEvent(event)

    def _leave_heading(self) -> None:
        """The row with the focus is gone, and Qt chose what stood above it."""
        if self.hasFocus() and self._chats.row_at(self.currentIndex()) is None:
            self._go_to_first()

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
