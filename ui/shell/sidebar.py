"""The left part of the window: the mark, New chat, search, the list of conversations, and the ways
to the pages beside the chat."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QEvent, QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from ui.chat.header import keeps_escape
from ui.shell.chat_model import ChatListModel
from ui.shell.chat_view import ChatListView
from ui.shell.foot import Foot
from ui.shell.groups import Row
from ui.shell.places import MODELS, SETTINGS
from ui.theme.buttons import RING, CardButton, IconButton
from ui.theme.direction import margins
from ui.theme.fonts import Role
from ui.theme.icons import icon, logo
from ui.theme.lamp import Breath
from ui.theme.theme import Theme

translate = QCoreApplication.translate

WIDTH = 264
_SEARCH_PAUSE_MS = 150
"""A search starts when the person stops typing for so long."""


def shown_keys(keys: str) -> str:
    """Keys as this system writes them."""
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


class Mark(QWidget):
    """The logo at a size."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.setFixedSize(size, size)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.drawPixmap(0, 0, logo(self.width(), self.devicePixelRatioF()))
        painter.end()


_AROUND_WORDS = 66
"""Pixels of the search field that neither its words nor its shortcut may use."""


class SearchField(QLineEdit):
    """ "Search chats": the icon and the shortcut are painted into the field."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._keys = shown_keys("Ctrl+K")
        self.setObjectName("searchChats")
        self.setAccessibleName(translate("Sidebar", "Search chats"))
        self.setPlaceholderText(translate("Sidebar", "Search chats"))

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._theme.px(36))

    def event(self, event: QEvent) -> bool:
        if keeps_escape(event) and self.text():  # ours before the window's
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        c = self._theme.colours
        painter = QPainter(self)
        rtl = self.isRightToLeft()
        y = self.height() / 2
        place = QPointF(self.width() - 21 if rtl else 21, y)
        pixmap = icon("search", c.text2, 18, self.devicePixelRatioF())
        painter.drawPixmap(round(place.x() - 9), round(place.y() - 9), pixmap)
        painter.setFont(self._theme.font(Role.CAPTION))
        keys = painter.fontMetrics().horizontalAdvance(self._keys)
        words = self.fontMetrics().horizontalAdvance(self.placeholderText())
        if not self.text() and words + keys < self.width() - _AROUND_WORDS:
            painter.setPen(c.text3)
            box = self.rect().adjusted(12, 0, -12, 0)
            painter.drawText(
                box, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), self._keys
            )
        painter.end()


class Sidebar(QWidget):
    """Emits what a person wishes; decides nothing."""

    new_chat_wished = Signal()
    toggle_wished = Signal()
    search_changed = Signal(str)
    models_wished = Signal()
    settings_wished = Signal()

    def __init__(self, theme: Theme, breath: Breath) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName("sidebar")
        self.setFixedWidth(WIDTH)
        self.model = ChatListModel(self)
        self.list = ChatListView(theme, breath, self.model)
        self.toggle = IconButton(theme, "sidebarToggle", "panel-left")
        self.new_chat = self._make_new_chat()
        self.search = SearchField(theme)
        self.foot = Foot(theme)
        self._chats = QWidget()
        """All that belongs to the chats."""
        self._stand_in: QWidget | None = None
        self.wished_early = ""
        """The page that was wished last; who begins to listen late looks here."""
        self._name = QLabel("Snug")
        self._nothing = QLabel(translate("Sidebar", "No chat has these words."))
        self._nothing.setWordWrap(True)
        self._nothing.setObjectName("nothingFound")
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_SEARCH_PAUSE_MS)
        self._lay_out()
        self._connect()
        self._restyle()

    def _make_new_chat(self) -> CardButton:
        button = CardButton(
            self._theme, "newChat", "square-pen", translate("Sidebar", "New chat"), 40
        )
        button.hint = shown_keys("Ctrl+N")
        return button

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setContentsMargins(margins(18, 4, 8, 0))
        top.setSpacing(10)
        top.addWidget(Mark(26))
        top.addWidget(self._name, 1)
        top.addWidget(self.toggle)
        whole = self._whole = QVBoxLayout(self)
        whole.setContentsMargins(margins(0, 0, 1, 0))
        whole.setSpacing(0)
        whole.addLayout(top)
        whole.addWidget(self._chats, 1)
        column = QVBoxLayout(self._chats)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for field in (self.new_chat, self.search):
            line = QHBoxLayout()
            margin = 12 if field is self.search else 12 - RING
            line.setContentsMargins(margin, 0, margin, 0)
            line.addWidget(field)
            column.addLayout(line)
        self._nothing.setContentsMargins(24, 12, 24, 12)
        column.addWidget(self._nothing)
        column.addWidget(self.list, 1)
        column.addWidget(self.foot)
        self._nothing.hide()

    def _connect(self) -> None:
        self.toggle.clicked.connect(self.toggle_wished)
        self.new_chat.clicked.connect(self.new_chat_wished)
        self.search.textChanged.connect(self._typed)
        self.foot.wished.connect(self._go)
        self._pause.timeout.connect(lambda: self.search_changed.emit(self.search.text()))
        self._theme.changed.connect(self._restyle)

    def _typed(self, text: str) -> None:
        if text:
            self._pause.start()
        else:
            self._pause.stop()
            self.search_changed.emit("")

    def _go(self, name: str) -> None:
        self.wished_early = name
        {MODELS: self.models_wished, SETTINGS: self.settings_wished}[name].emit()

    @property
    def ways(self) -> list[QWidget]:
        """The rows of the foot, in the order of Tab."""
        return list(self.foot.rows.values())

    def show_settings(self) -> None:
        """There is a page of settings: show the way to it."""
        self.foot.rows[SETTINGS].show()

    def set_stand_in(self, widget: QWidget) -> None:
        """What can stand in place of the chats."""
        self._stand_in = widget
        widget.hide()
        self._whole.addWidget(widget, 1)

    def stand_in(self, *, on: bool) -> None:
        """Show it in place of the chats, or the chats again."""
        if self._stand_in is not None:
            self._stand_in.setVisible(on)
            self._chats.setVisible(not on)
            self.update()

    def show_place(self, name: str) -> None:
        """Mark the row of the page that is shown; none while the chat is."""
        self.foot.show_place(name)

    def show_rows(self, rows: Sequence[Row], *, searching: bool) -> None:
        self.model.set_rows(rows)
        self._nothing.setVisible(searching and not rows)

    def focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def _restyle(self) -> None:
        c = self._theme.colours
        self._name.setFont(self._theme.font(Role.HEADING))
        self._nothing.setFont(self._theme.font(Role.SECOND))
        self.search.setFont(self._theme.font(Role.CONTROL))
        palette = self.palette()
        palette.setColor(palette.ColorRole.Window, c.sidebar)
        palette.setColor(palette.ColorRole.Base, c.sidebar)
        self.list.setPalette(palette)
        self.list.viewport().update()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        c = self._theme.colours
        painter = QPainter(self)
        painter.fillRect(self.rect(), c.sidebar)
        edge = 0 if self.isRightToLeft() else self.width() - 1
        painter.fillRect(edge, 0, 1, self.height(), c.border)
        if self._chats.isVisible():
            self.foot.paint_line(painter, self._chats.y() + self.foot.y())
        painter.end()
