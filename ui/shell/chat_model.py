"""The rows of the sidebar as a Qt model that changes in place, so that focus and editors stay."""

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractListModel,
    QCoreApplication,
    QDate,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from ui.shell.groups import ChatRow, Group, Heading, Row

translate = QCoreApplication.translate
Index = QModelIndex | QPersistentModelIndex

ROW_ROLE = Qt.ItemDataRole.UserRole + 1
_MANY = 64
"""With more moves than this, starting over is quicker than moving."""


def heading_text(group: Group) -> str:
    match group:
        case Group.PINNED:
            return translate("Sidebar", "Pinned")
        case Group.TODAY:
            return translate("Sidebar", "Today")
        case Group.YESTERDAY:
            return translate("Sidebar", "Yesterday")
        case Group.LAST_WEEK:
            return translate("Sidebar", "Last week")
        case Group.OLDER:
            return translate("Sidebar", "Older")


def title_of(row: ChatRow) -> str:
    return row.conversation.title or translate("Sidebar", "New chat")


def spoken(row: ChatRow) -> str:
    """What a screen reader says for a row: title, day, and its state."""
    day = QLocale().toString(
        QDate(row.day.year, row.day.month, row.day.day), QLocale.FormatType.LongFormat
    )
    parts = [title_of(row), day]
    if row.is_open:
        parts.append(translate("Sidebar", "open"))
    if row.is_writing:
        parts.append(translate("Sidebar", "Snug is writing here"))
    return ", ".join(parts)


def _key(row: Row) -> str | Group:
    return row.group if isinstance(row, Heading) else row.conversation.id


class ChatListModel(QAbstractListModel):
    """Headings and conversations. `renamed` says that a person typed another title."""

    renamed = Signal(str, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Row] = []

    # --- reading -------------------------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == ROW_ROLE:
            return row
        if isinstance(row, Heading):
            named = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole)
            return heading_text(row.group) if role in named else None
        return self._chat_data(row, role)

    def _chat_data(self, row: ChatRow, role: int) -> object:
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.EditRole:
                return title_of(row)
            case Qt.ItemDataRole.AccessibleTextRole:
                return spoken(row)
            case Qt.ItemDataRole.ToolTipRole:
                return title_of(row)
            case _:
                return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid() or isinstance(self._rows[index.row()], Heading):
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row = self.row_at(index)
        if row is None or role != Qt.ItemDataRole.EditRole:
            return False
        self.renamed.emit(row.conversation.id, str(value))
        return True

    def row_at(self, index: Index) -> ChatRow | None:
        """The conversation at `index`; None for a heading or nothing."""
        row = self._rows[index.row()] if index.isValid() else None
        return row if isinstance(row, ChatRow) else None

    def index_of(self, conversation_id: str) -> QModelIndex:
        for number, row in enumerate(self._rows):
            if isinstance(row, ChatRow) and row.conversation.id == conversation_id:
                return self.index(number)
        return QModelIndex()

    # --- changing ------------------------------------------------------------------------------

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Become `rows` with as few changes as the views need to keep their place."""
        wanted = list(rows)
        keys = {_key(row) for row in wanted}
        gone = [n for n, row in enumerate(self._rows) if _key(row) not in keys]
        if not self._rows or abs(len(wanted) - len(self._rows)) + len(gone) > _MANY:
            self.beginResetModel()
            self._rows = wanted
            self.endResetModel()
            return
        for number in reversed(gone):
            self._remove(number)
        for number, row in enumerate(wanted):
            self._place(number, row)

    def _remove(self, number: int) -> None:
        self.beginRemoveRows(QModelIndex(), number, number)
        del self._rows[number]
        self.endRemoveRows()

    def _place(self, number: int, row: Row) -> None:
        at = next((n for n, old in enumerate(self._rows) if _key(old) == _key(row)), None)
        if at is None:
            self.beginInsertRows(QModelIndex(), number, number)
            self._rows.insert(number, row)
            self.endInsertRows()
            return
        if at != number:
            self.beginMoveRows(QModelIndex(), at, at, QModelIndex(), number)
            self._rows.insert(number, self._rows.pop(at))
            self.endMoveRows()
        if self._rows[number] != row:
            self._rows[number] = row
            index = self.index(number)
            self.dataChanged.emit(index, index)
