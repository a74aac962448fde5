"""The right part of the window: header, banner, conversation or welcome, composer, status strip.

It lays out; what is shown is decided elsewhere.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from ui.chat.composer import Composer
from ui.chat.header import Header
from ui.shell.status_strip import StatusStrip
from ui.shell.welcome import Welcome
from ui.theme.lamp import Breath
from ui.theme.theme import Theme

if TYPE_CHECKING:
    from ui.models.progress import LoadingLine
    from ui.shell.banner import Banner
    from ui.shell.toast import Toast

_COLUMN = 760
_LEAST_MARGIN = 24


class Page(QWidget):
    """Holds the parts by name. Pill, banner, toast and conversation come after the first paint."""

    def __init__(self, theme: Theme, breath: Breath) -> None:
        super().__init__()
        self._theme = theme
        self._breath = breath
        self.header = Header(theme, breath)
        self.banner: Banner
        self.loading: LoadingLine
        self.toast: Toast
        self.welcome = Welcome(theme)
        self.blank = QWidget()
        self.transcript: QWidget | None = None
        self.composer = Composer(theme)
        self.strip = StatusStrip(theme)
        self._stack = QStackedWidget()
        self._welcome_box = _in_column(self.welcome)
        self._welcome_room = _scrolling(self._welcome_box)
        self._foot = QVBoxLayout()
        self._column = QVBoxLayout(self)
        self._lay_out()
        theme.changed.connect(self.update)

    def _lay_out(self) -> None:
        self._stack.addWidget(self._welcome_room)
        self._stack.addWidget(self.blank)
        self._foot.setSpacing(0)
        self._foot.addWidget(self.composer)
        self._foot.addWidget(self.strip)
        column = self._column
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self._stack, 1)
        column.addLayout(self._foot)

    def add_notices(self, announce: Callable[[str], None]) -> None:
        """Make room for what wants to be said."""
        from ui.models.progress import LoadingLine  # noqa: PLC0415 - not before the first paint
        from ui.shell.banner import Banner  # noqa: PLC0415 - brings every error's words along
        from ui.shell.toast import Toast  # noqa: PLC0415 - nothing to say at the first paint

        self.header.add_pill()
        self.banner = Banner(self._theme, announce)
        self.loading = LoadingLine(self._theme, self._breath, announce)
        self._column.insertWidget(1, self.banner)
        self._column.insertWidget(2, self.loading)
        self.toast = Toast(self._theme, self, announce)
        self.composer.moved.connect(self.settle_toast)
        self.settle_toast()

    def set_transcript(self, view: QWidget) -> None:
        """The conversation view takes the blank's place."""
        was_blank = self._stack.currentWidget() is self.blank
        self.transcript = view
        self._stack.addWidget(view)
        if was_blank:
            self._stack.setCurrentWidget(view)

    def show_welcome(self) -> None:
        self._stack.setCurrentWidget(self._welcome_room)

    def show_conversation(self) -> None:
        self._stack.setCurrentWidget(self.transcript or self.blank)

    @property
    def content(self) -> QWidget:
        """The conversation, or what stands in its place."""
        return self._stack.currentWidget() or self.blank

    @property
    def shows_welcome(self) -> bool:
        return self._stack.currentWidget() is self._welcome_room

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        margin = max(_LEAST_MARGIN, (self.width() - _COLUMN) // 2)
        self._foot.setContentsMargins(margin, 8, margin, 0)
        layout = self._welcome_box.layout()
        if layout is not None:
            layout.setContentsMargins(margin, 0, margin, 0)
        self.composer.set_window_height(self.height())

    def settle_toast(self) -> None:
        """Above the composer."""
        self.toast.settle(self.composer.geometry())

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.colours.window)
        painter.end()


def _in_column(widget: QWidget) -> QWidget:
    box = QWidget()
    box.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
    layout = QVBoxLayout(box)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.addWidget(widget)
    return box


def _scrolling(widget: QWidget) -> QScrollArea:
    """Large text in a small window needs more height than there is."""
    room = QScrollArea()
    room.setFrameShape(QFrame.Shape.NoFrame)
    room.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    room.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    room.setWidgetResizable(True)
    room.setWidget(widget)
    room.viewport().setAutoFillBackground(False)
    widget.setAutoFillBackground(False)
    return room
