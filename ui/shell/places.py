"""The right part of the window: the chat, and pages beside it (models, settings).

A page is made when somebody first goes there; nothing of it is imported before. GUI thread.
"""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QRect, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from ui.theme.buttons import IconButton
from ui.theme.direction import margins
from ui.theme.theme import Theme

translate = QCoreApplication.translate

CHAT = "chat"
MODELS = "models"
SETTINGS = "settings"

_TOAST_ABOVE = 24


class _Bar(QWidget):
    """With the sidebar hidden, its button and the way back to the chat stand above a page."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.show_sidebar = IconButton(theme, "placeSidebarShow", "panel-left")
        self.back = IconButton(theme, "placeBack", "arrow-left")
        self.back.describe(translate("Sidebar", "Back to the chat"))
        line = QHBoxLayout(self)
        line.setContentsMargins(margins(8, 4, 8, 0))
        line.setSpacing(8)
        line.addWidget(self.show_sidebar)
        line.addWidget(self.back)
        line.addStretch(1)
        self.hide()


class Places(QStackedWidget):
    """Shows one place at a time. `changed` names the place that is shown now."""

    changed = Signal(str)
    sidebar_wished = Signal()
    back_wished = Signal()

    def __init__(self, theme: Theme, chat: QWidget) -> None:
        super().__init__()
        self._theme = theme
        self._factories: dict[str, Callable[[], QWidget]] = {}
        self._made: dict[str, QWidget] = {}
        self._here = CHAT
        self._toast: Callable[[QRect], None] = lambda _above: None
        self.bar = _Bar(theme)
        self._beside = QWidget()
        self._pages = QStackedWidget()
        column = QVBoxLayout(self._beside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self._pages, 1)
        self.addWidget(chat)
        self.addWidget(self._beside)
        self.setObjectName("places")
        self.bar.show_sidebar.clicked.connect(self.sidebar_wished)
        self.bar.back.clicked.connect(self.back_wished)
        theme.changed.connect(self.update)

    # --- pages ---------------------------------------------------------------------------------

    def add(self, name: str, factory: Callable[[], QWidget]) -> None:
        """`factory` makes the page of `name` when somebody goes there for the first time."""
        self._factories[name] = factory

    @property
    def here(self) -> str:
        return self._here

    @property
    def away(self) -> bool:
        """Another page than the chat is shown."""
        return self._here != CHAT

    @property
    def page(self) -> QWidget | None:
        """The page that is shown beside the chat, if one is."""
        return self._made.get(self._here)

    def page_of(self, name: str) -> QWidget | None:
        """The page of `name`, if it was made."""
        return self._made.get(name)

    def go(self, name: str) -> bool:
        """Show the page of `name`; False where there is none."""
        if name == CHAT:
            self.back()
            return True
        if name not in self._factories:
            return False
        self.make(name)
        self._pages.setCurrentWidget(self._made[name])
        self._show(name, 1)
        return True

    def make(self, name: str) -> None:
        """Make the page of `name`, if it was not made yet, without going there."""
        if name in self._factories and name not in self._made:
            self._made[name] = made = self._factories[name]()
            self._pages.addWidget(made)

    def back(self) -> None:
        """Show the chat."""
        if self.away:
            self._show(CHAT, 0)

    def _show(self, name: str, index: int) -> None:
        was, self._here = self._here, name
        self.setCurrentIndex(index)
        if was != name:
            self._settle()
            self.changed.emit(name)

    def take_focus(self) -> None:
        """The page that is shown beside the chat, where its first part takes the keyboard."""
        page = self.page
        if page is not None:
            page.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_narrow(self, *, narrow: bool) -> None:
        """The sidebar is hidden: its button moves here."""
        self.bar.setVisible(narrow)

    # --- the toast -----------------------------------------------------------------------------

    def carry(self, toast: QWidget, settle: Callable[[QRect], None]) -> None:
        """Show `toast` wherever the person is; over the chat its page places it."""
        toast.setParent(self)
        self._toast = settle
        toast.hide()

    def _settle(self) -> None:
        if self.away:
            self._toast(QRect(0, self.height() - _TOAST_ABOVE, self.width(), 0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._settle()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.colours.window)
        painter.end()
