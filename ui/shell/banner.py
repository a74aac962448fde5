"""One line under the header for what a person should know: the worst first, one at a time."""

from collections.abc import Callable
from html import escape

from PySide6.QtCore import QCoreApplication, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QWidget

from ui.error_words import Action
from ui.messages import Message, Tone, label
from ui.theme.buttons import IconButton, TextButton
from ui.theme.direction import margins
from ui.theme.fonts import Role
from ui.theme.icons import icon
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_ICONS = {Tone.INFO: "info", Tone.WARN: "triangle-alert", Tone.BAD: "circle-alert"}
_LEAD = 56
_TRAIL = 12
_GAP = 4
_LEAST_WORDS = 300
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

    def holds(self, key: str) -> bool:
        return key in self._waiting

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
    closed = Signal()
    """A person has put the notice away."""

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
        self._grid = QGridLayout(self)
        self._choices = QHBoxLayout()
        self._below = False
        self._lay_out()
        self._action.clicked.connect(self._act)
        self._details.clicked.connect(self._tell_details)
        self._close.clicked.connect(self._put_away)
        theme.changed.connect(self._refresh)
        self.hide()

    def _lay_out(self) -> None:
        self._words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._words.setWordWrap(True)  # after the policy, to which it adds that height follows
        self._choices.setSpacing(_GAP)
        self._choices.addWidget(self._details)
        self._choices.addWidget(self._action)
        self._grid.setContentsMargins(margins(_LEAD, 4, _TRAIL, 4))
        self._grid.setHorizontalSpacing(_GAP)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(0, 1)
        self._grid.addWidget(self._words, 0, 0)
        self._grid.addWidget(self._close, 0, 2)
        self._place_choices()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)

    def _place_choices(self) -> None:
        """Beside the words, or below where that would leave them too little room."""
        self._grid.removeItem(self._choices)
        if self._below:
            leading = Qt.AlignmentFlag.AlignLeading
            self._grid.addLayout(self._choices, 1, 0, 1, 3, leading)
        else:
            self._grid.addLayout(self._choices, 0, 1)

    def _arrange(self) -> None:
        below = self._words_beside < _LEAST_WORDS
        if below != self._below:
            self._below = below
            self._place_choices()

    @property
    def _words_beside(self) -> int:
        """Pixels for the words with everything on one line."""
        buttons = [b for b in (self._details, self._action, self._close) if not b.isHidden()]
        taken = sum(button.sizeHint().width() + _GAP for button in buttons)
        has_choices = len(buttons) > 1
        return self.width() - _LEAD - _TRAIL - taken if has_choices else self.width()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    @property
    def buttons(self) -> list[QWidget]:
        return [self._details, self._action, self._close]

    # --- what is said --------------------------------------------------------------------------

    @property
    def message(self) -> Message | None:
        current = self._notices.current
        return current[1] if current else None

    def holds(self, key: str) -> bool:
        return self._notices.holds(key)

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
        self._arrange()
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

    def _put_away(self) -> None:
        self._dismiss()
        self.closed.emit()

    def _act(self) -> None:
        """A notice that leads to a question stays until the question is answered."""
        message = self.message
        if message and message.action is not Action.MAKE_ROOM:
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
        y = self._words.geometry().center().y() - 9
        painter.drawPixmap(x, y, icon(_ICONS[tone], ink, 20, self.devicePixelRatioF()))
        painter.end()
