"""A short word about what was just done, above the composer, with Undo where there is one."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QEnterEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from ui.theme.buttons import TextButton
from ui.theme.direction import margins
from ui.theme.fonts import Role
from ui.theme.icons import icon
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_PLAIN_MS = 6000
_UNDO_MS = 10_000
_ABOVE = 12


class Toast(QWidget):
    """One at a time; stays while the pointer or the keyboard is in it."""

    def __init__(self, theme: Theme, parent: QWidget, announce: Callable[[str], None]) -> None:
        super().__init__(parent)
        self._theme = theme
        self._announce = announce
        self._icon = ""
        self._undo: Callable[[], None] | None = None
        self._place = QRect()
        self.setObjectName("toast")
        self._words = QLabel()
        self._words.setObjectName("toastText")
        self._button = TextButton(theme, "toastUndo", translate("Toast", "Undo"), "quiet")
        self._button.setAccessibleName(translate("Toast", "Undo"))
        self._clock = QTimer(self)
        self._clock.setSingleShot(True)
        self._clock.timeout.connect(self._time_is_up)
        line = QHBoxLayout(self)
        line.setContentsMargins(margins(42, 0, 16, 0))
        line.setSpacing(4)
        line.addWidget(self._words)
        line.addWidget(self._button)
        self._button.clicked.connect(self._undo_clicked)
        self.hide()

    @property
    def button(self) -> QWidget:
        return self._button

    def say(self, icon_name: str, words: str, undo: Callable[[], None] | None = None) -> None:
        """Show `words`, in place of what was shown; `undo` puts a button there."""
        self._icon = icon_name
        self._undo = undo
        c = self._theme.colours
        palette = self._words.palette()
        palette.setColor(palette.ColorRole.WindowText, c.window)
        self._words.setPalette(palette)
        self._words.setFont(self._theme.font(Role.CONTROL))
        self._words.setText(words)
        self._button.ink = c.toast_link
        self._button.setVisible(undo is not None)
        self.show()
        self.settle(self._place)
        self.raise_()
        self._clock.start(_UNDO_MS if undo else _PLAIN_MS)
        self._announce(words)

    def settle(self, above: QRect) -> None:
        """Stand centred above the rectangle `above`, in the parent's coordinates."""
        self._place = above
        if self.isVisible():
            size = self.sizeHint()
            self.resize(size)
            self.move(above.center().x() - size.width() // 2, above.top() - _ABOVE - size.height())

    def dismiss(self) -> None:
        self._clock.stop()
        self.hide()

    def _undo_clicked(self) -> None:
        undo = self._undo
        self.dismiss()
        if undo:
            undo()

    def _time_is_up(self) -> None:
        if self.underMouse() or self._button.hasFocus():
            self._clock.start(_PLAIN_MS // 3)
        else:
            self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            super().keyPressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        self.update()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self.update()
        super().leaveEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(self.layout_width(), max(40, self._theme.px(40)))

    def layout_width(self) -> int:
        words = self._words.sizeHint().width()
        button = self._button.sizeHint().width() if self._undo else 0
        return 42 + words + 4 + button + 16

    def paintEvent(self, _event: QPaintEvent) -> None:
        c = self._theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(c.toast)
        painter.drawRoundedRect(QRectF(self.rect()), 10, 10)
        x = self.width() - 34 if self.isRightToLeft() else 14
        y = (self.height() - 20) // 2
        painter.drawPixmap(x, y, icon(self._icon, c.window, 20, self.devicePixelRatioF()))
        painter.end()
