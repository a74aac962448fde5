"""One line under the header for what a person should know: the worst first, one at a time."""

from collections.abc import Callable
from html import escape

from PySide6.QtCore import QCoreApplication, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from ui.error_words import Action
from ui.messages import Message, Tone, label
from ui.theme.buttons import IconButton, TextButton
from ui.theme.direction import margins
from ui.theme.fonts import Role
from ui.theme.icons import icon
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_ICONS = {Tone.INFO: "info", Tone.WARN: "triangle-alert", Tone.BAD: "circle-alert"}
_WORST_FIRST = list(reversed(Tone))


class Notices:
    """What wants to be said, by key; says which one is shown."""

    def __init__(self) -> None:
        self._waiting: dict[str, Message] = {}

    def put(self, key: str, message: Message) -> None:
        self._waiting.pop(key, None)
        self._waiting[key] = message

    def drop(self, key: str) -> None:
        self._waiting.pop(key, None)

    @property
    def current(self) -> tuple[str, Message] | None:
        """The worst; of equals, the newest."""
        newest_first = reversed(self._waiting.items())
        return min(newest_first, key=lambda kept: _WORST_FIRST.index(kept[1].tone), default=None)


class Banner(QWidget):
    """Shows `Notices`. Emits what its button stands for."""

    action_wished = Signal(Action)
    details_wished = Signal(str, str)
    """Title and details."""

    def __init__(self, theme: Theme, announce: Callable[[str], None]) -> None:
        super().__init__()
        self._theme = theme
        self._announce = announce
        self._notices = Notices()
        self._said = ""
        self.setObjectName("banner")
        self._words = QLabel()
        self._words.setObjectName("bannerText")
        self._words.setTextFormat(Qt.TextFormat.RichText)
        self._words.setWordWrap(True)
        self._action = TextButton(theme, "bannerAction", "", "quiet")
        self._details = TextButton(theme, "bannerDetails", translate("Banner", "Details"), "quiet")
        self._close = IconButton(theme, "bannerClose", "x", size=32)
        self._close.describe(translate("Banner", "Close this notice"))
        self._close.hover_role = "window"
        self._lay_out()
        self._action.clicked.connect(self._act)
        self._details.clicked.connect(self._tell_details)
        self._close.clicked.connect(self._dismiss)
        theme.changed.connect(self._refresh)
        self.hide()

    def _lay_out(self) -> None:
        line = QHBoxLayout(self)
        line.setContentsMargins(margins(56, 4, 12, 4))
        line.setSpacing(4)
        self._words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        line.addWidget(self._words, 1)
        for button in (self._details, self._action, self._close):
            line.addWidget(button)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)

    @property
    def buttons(self) -> list[QWidget]:
        return [self._details, self._action, self._close]

    # --- what is said --------------------------------------------------------------------------

    @property
    def message(self) -> Message | None:
        current = self._notices.current
        return current[1] if current else None

    def put(self, key: str, message: Message) -> None:
        """Say `message`, in place of an earlier one of the same `key`."""
        self._notices.put(key, message)
        self._refresh()

    def drop(self, key: str) -> None:
        self._notices.drop(key)
        self._refresh()

    def _refresh(self) -> None:
        message = self.message
        self.setVisible(message is not None)
        if message is None:
            self._said = ""
            return
        self._words.setFont(self._theme.font(Role.SECOND))
        self._words.setText(f"<b>{escape(message.title)}</b> {escape(message.sentence)}")
        self._details.setVisible(bool(message.details))
        self._action.setVisible(message.action is not None)
        if message.action is not None:
            self._action.setText(label(message.action))
            self._action.setAccessibleName(label(message.action))
        self._colour(message.tone)
        self._speak(f"{message.title} {message.sentence}")

    def _colour(self, tone: Tone) -> None:
        ink = getattr(self._theme.colours, tone.value)
        self._action.ink = self._details.ink = ink
        self._close.ink_role = tone.value
        palette = self._words.palette()
        palette.setColor(palette.ColorRole.WindowText, self._theme.colours.text)
        self._words.setPalette(palette)
        for button in (self._action, self._details):
            button.updateGeometry()
        self.update()

    def _speak(self, words: str) -> None:
        self.setAccessibleName(words)
        if words != self._said:
            self._said = words
            self._announce(words)

    # --- what is done --------------------------------------------------------------------------

    def _dismiss(self) -> None:
        current = self._notices.current
        if current:
            self.drop(current[0])

    def _act(self) -> None:
        message = self.message
        self._dismiss()
        if message and message.action is not None:
            self.action_wished.emit(message.action)

    def _tell_details(self) -> None:
        if self.message:
            self.details_wished.emit(self.message.title, self.message.details)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self._theme.px(48))

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self.message is None:
            return
        c = self._theme.colours
        tone = self.message.tone
        fill: QColor = getattr(c, f"{tone.value}_soft")
        painter = QPainter(self)
        painter.fillRect(self.rect(), fill)
        if self._theme.high_contrast:
            painter.setPen(c.border)
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        ink: QColor = getattr(c, tone.value)
        x = self.width() - 44 if self.isRightToLeft() else 24
        y = (self.height() - 20) // 2
        painter.drawPixmap(x, y, icon(_ICONS[tone], ink, 20, self.devicePixelRatioF()))
        painter.end()
