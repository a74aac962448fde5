"""The common part of all dialogs: never larger than the window below it, what is too long scrolls.

The safe choice has the focus, Esc cancels, Enter presses the button that has the focus.
"""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent, QTextOption
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPlainTextEdit,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from ui.theme import style
from ui.theme.buttons import PaintedButton, TextButton
from ui.theme.choices import Radio
from ui.theme.fonts import Role
from ui.theme.theme import Theme

_WIDTH = 480
_MARGIN = 24
_BUTTON_MARGIN = 20
_GAP = 12
_DEAF_MS = 500
_KEYS = {QEvent.Type.KeyPress, QEvent.Type.KeyRelease, QEvent.Type.ShortcutOverride}
_AROUND = 32
"""What stays visible of the window below."""


class Dialog(QDialog):
    """A title, a text to read in full, and buttons."""

    width_px = _WIDTH

    def __init__(self, theme: Theme, name: str, parent: QWidget | None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName(name)
        self.setModal(True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setPalette(style.palette(theme.colours))
        self._body = QWidget()
        self._column = QVBoxLayout(self._body)
        self._column.setContentsMargins(0, 0, 4, 0)  # a focus ring may not touch the edge
        self._column.setSpacing(_GAP)
        self._room = _room(self._body)
        self._buttons = QHBoxLayout()
        self._buttons.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(_MARGIN, _MARGIN, _BUTTON_MARGIN, _BUTTON_MARGIN)
        whole.setSpacing(_GAP)
        whole.addWidget(self._room, 1)
        whole.addLayout(self._buttons)
        self._default: PaintedButton | None = None
        """What Enter on a choice presses."""
        self._app = _the_application()
        self._app.focusChanged.connect(self._follow_focus)
        self.finished.connect(self._unfollow)

    def add_words(self, text: str, role: Role) -> QLabel:
        made = words(self._theme, text, role)
        self._column.addWidget(made)
        return made

    def add_box(self, text: str, name: str, label: str) -> QPlainTextEdit:
        made = text_box(self._theme, text, name, label)
        self._column.addWidget(made)
        return made

    def add_button(self, name: str, text: str, kind: str) -> TextButton:
        button = TextButton(self._theme, name, text, kind)
        button.setAccessibleName(text)
        self._buttons.addWidget(button)
        return button

    def ignore_keys_at_first(self) -> None:
        """It opens by itself: keys that were meant for something else answer nothing."""
        deaf = _Deaf(self)
        for widget in (self, *self.findChildren(QWidget)):
            widget.installEventFilter(deaf)
        QTimer.singleShot(_DEAF_MS, deaf, deaf.deleteLater)

    def finish(self, first: QWidget) -> None:
        """Show it, with the focus on the safe choice, or on the field to fill in."""
        self.fit()
        first.setFocus(Qt.FocusReason.OtherFocusReason)
        self.open()

    def fit(self) -> None:
        """Take the size that the content wants, as far as there is room."""
        most = self._most()
        width = min(self._theme.px(self.width_px), most.width())
        inner = width - _MARGIN - _BUTTON_MARGIN
        around = self._buttons.sizeHint().height() + _GAP + _MARGIN + _BUTTON_MARGIN
        for layout in self._body.findChildren(QLayout):
            layout.invalidate()
        content = self._content_height(inner)
        if content + around > most.height():
            bar = self._room.verticalScrollBar().sizeHint().width()
            content = self._content_height(inner - bar)
        self._body.setMinimumHeight(content)
        self._show_bar(needed=content + around > most.height())
        self.setFixedSize(width, min(content + around, most.height()))
        self._keep_on_screen()

    def _show_bar(self, *, needed: bool) -> None:
        """Decided here: a bar that is there makes the room too narrow for the height that would
        do without it, and so would stay."""
        policy = Qt.ScrollBarPolicy
        wanted = policy.ScrollBarAsNeeded if needed else policy.ScrollBarAlwaysOff
        self._room.setVerticalScrollBarPolicy(wanted)

    def _keep_on_screen(self) -> None:
        """What has grown stays whole: it moves up as far as it can."""
        frame, screen = self.frameGeometry(), self.screen().availableGeometry()
        bottom = self.y() + self.height() + (frame.height() - self.geometry().height())
        over = min(bottom - screen.bottom() - 1, self.y() - screen.top())
        if self.isVisible() and over > 0:
            self.move(self.x(), self.y() - over)

    def _content_height(self, width: int) -> int:
        if not self._column.hasHeightForWidth():
            return self._column.totalSizeHint().height()
        return self._column.totalHeightForWidth(width)

    def reveal(self, widget: QWidget) -> None:
        """Scroll to what has just been unfolded."""
        for layout in (self.layout(), self._body.layout()):
            if layout is not None:
                layout.activate()
        self._scroll_to(widget)

    def _scroll_to(self, widget: QWidget) -> None:
        """The whole of it: Qt itself would show of a field no more than the cursor."""
        box = QRect(widget.mapTo(self._body, QPoint(0, 0)), widget.size())
        middle = box.center()
        self._room.ensureVisible(middle.x(), middle.y(), 0, box.height() // 2 + _GAP)

    def _follow_focus(self, _before: QWidget | None, now: QWidget | None) -> None:
        """Arrows lead to choices that may be out of sight."""
        if now is not None and self._body.isAncestorOf(now):
            self._scroll_to(now)

    def _unfollow(self) -> None:
        self._app.focusChanged.disconnect(self._follow_focus)

    def _most(self) -> QSize:
        below = self.parentWidget()
        if below is not None:
            size = below.window().size()
        else:
            size = QGuiApplication.primaryScreen().availableSize()
        return size - QSize(_AROUND, _AROUND)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        focused = self.focusWidget()
        enter = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
        if enter and isinstance(focused, Radio) and self._default is not None:
            focused.setChecked(True)
            self._default.click()
        elif enter and isinstance(focused, PaintedButton):
            focused.click()
        else:
            super().keyPressEvent(event)


def _the_application() -> QApplication:
    app = QApplication.instance()
    assert isinstance(app, QApplication)  # noqa: S101 - there is no widget without one
    return app


class _Deaf(QObject):
    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        return event.type() in _KEYS


def words(theme: Theme, text: str, role: Role, ink: QColor | None = None) -> QLabel:
    """Plain text that wraps."""
    made = QLabel(breakable(text))
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    made.setWordWrap(True)  # after the policy, to which it adds that height follows width
    made.setFont(theme.font(role))
    if ink is not None:
        palette = made.palette()
        palette.setColor(palette.ColorRole.WindowText, ink)
        made.setPalette(palette)
    return made


def breakable(text: str) -> str:
    """Names of files may wrap after an underscore."""
    return text.replace("_", "_\u200b")


def text_box(theme: Theme, text: str, name: str, label: str) -> QPlainTextEdit:
    """Text to select, wrapped anywhere so that no part of it is out of sight."""
    box = QPlainTextEdit(text)
    box.setObjectName(name)
    box.setAccessibleName(label)
    box.setReadOnly(True)
    box.setTabChangesFocus(True)
    box.setFont(theme.font(Role.CODE))
    box.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    box.setFixedHeight(theme.px(104))
    return box


def _room(body: QWidget) -> QScrollArea:
    room = QScrollArea()
    room.setFrameShape(QFrame.Shape.NoFrame)
    room.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    room.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    room.setWidgetResizable(True)
    room.setWidget(body)
    room.viewport().setAutoFillBackground(False)
    body.setAutoFillBackground(False)
    return room
