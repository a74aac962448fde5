"""The row of a download: how far it is, and what can be done about it.

It emits what a person wishes; decides nothing. GUI thread.
"""

from PySide6.QtCore import QCoreApplication, QPointF, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from engine.errors import EngineError, LicenceNotAccepted
from engine.types.downloads import DownloadState, DownloadStatus
from ui import messages
from ui.models.page_values import Fetching
from ui.models.page_words import download_words, is_stuck, wants_token
from ui.models.row_group import Room, RowWidget, show_only
from ui.models.row_parts import Bar, ElidedLabel
from ui.theme.buttons import RING, IconButton, TextButton
from ui.theme.dialog import words
from ui.theme.direction import margins
from ui.theme.fit import listed
from ui.theme.fonts import Role
from ui.theme.icons import icon
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_HEIGHT = 66
_SIGN = 20
_SIGN_ROOM = 32
_BARS = {
    DownloadState.WAITING: "line",
    DownloadState.RUNNING: "accent",
    DownloadState.PAUSED: "line",
    DownloadState.CHECKING: "accent",
    DownloadState.FAILED: "bad_fill",
}
_STUCK, _READY = ("circle-alert", "bad"), ("circle-check", "good")


class _Sign(QWidget):
    """The mark of a state, centred in front of a row; none takes no room."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._sign = ("", "text2")
        self.setFixedWidth(_SIGN_ROOM)
        self.hide()

    def show_sign(self, sign: tuple[str, str] | None) -> None:
        self._sign = sign or ("", "text2")
        self.setVisible(sign is not None)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        name, ink = self._sign
        if not name:
            return
        painter = QPainter(self)
        x = self.width() - _SIGN if self.isRightToLeft() else 0
        colour = getattr(self._theme.colours, ink)
        pixmap = icon(name, colour, _SIGN, self.devicePixelRatioF())
        painter.drawPixmap(QPointF(x, round((self.height() - _SIGN) / 2)), pixmap)
        painter.end()


class DownloadRow(RowWidget[Fetching]):
    """Waiting, running, paused, checking, failed, ready."""

    pause_wished = Signal(str)
    resume_wished = Signal(str)
    cancel_wished = Signal(str)
    token_wished = Signal(str)
    licence_wished = Signal(str)
    use_wished = Signal(str)
    put_away_wished = Signal(str)
    details_wished = Signal(str, str)
    """Title and exact words."""
    first_wished = Signal(str)

    def __init__(self, theme: Theme, fetching: Fetching) -> None:
        super().__init__()
        self._theme = theme
        self._id = fetching.id
        self._status = fetching.status
        self._narrow = False
        self.setObjectName(f"download:{self._id}")
        self._sign = _Sign(theme)
        self.name = ElidedLabel(theme, Role.HEADING)
        self.state = ElidedLabel(theme, Role.SECOND, "text2")
        self.reason = words(theme, "", Role.SECOND)
        self.bar = Bar(theme, f"progress:{self._id}")
        self._bar_room = QWidget()
        self._details = self._text("details", translate("Models", "Details"), "quiet")
        self._resume = self._text("resume", translate("Downloads", "Resume"), "secondary")
        self._use = self._text("useNow", translate("Downloads", "Use it now"), "primary")
        self._pause = IconButton(theme, f"pause:{self._id}", "pause", size=32)
        self._play = IconButton(theme, f"play:{self._id}", "play", size=32)
        self._first = IconButton(theme, f"first:{self._id}", "arrow-up", size=32)
        self._cancel = IconButton(theme, f"cancel:{self._id}", "x", size=32)
        self._grid = QGridLayout()
        self._lay_out()
        self._connect()
        theme.changed.connect(self._restyle)
        self._restyle()

    def _text(self, name: str, text: str, kind: str) -> TextButton:
        return TextButton(self._theme, f"{name}:{self._id}", text, kind)

    def _lay_out(self) -> None:
        self.state.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        grid = self._grid
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        grid.addWidget(self.name, 0, 0)
        grid.addWidget(self.state, 0, 1)
        grid.addWidget(self.reason, 1, 0, 1, 2)
        grid.addWidget(self._bar_room, 2, 0, 1, 2)
        room = QVBoxLayout(self._bar_room)
        room.setContentsMargins(0, 6, 0, 0)
        room.addWidget(self.bar)
        text = QVBoxLayout()
        text.addStretch(1)
        text.addLayout(grid)
        text.addStretch(1)
        line = QHBoxLayout(self)
        line.setContentsMargins(margins(17, 10, 17 - RING, 10))
        line.setSpacing(0)
        line.addWidget(self._sign)
        line.addLayout(text, 1)
        line.addSpacing(16)
        buttons = (self._details, self._resume, self._use)
        for widget in (*buttons, self._first, self._pause, self._play, self._cancel):
            line.addWidget(widget)

    def _connect(self) -> None:
        self._pause.clicked.connect(lambda: self.pause_wished.emit(self._id))
        self._play.clicked.connect(lambda: self.resume_wished.emit(self._id))
        self._resume.clicked.connect(self._go_on)
        self._use.clicked.connect(lambda: self.use_wished.emit(self._id))
        self._first.clicked.connect(lambda: self.first_wished.emit(self._id))
        self._cancel.clicked.connect(self._end)
        self._details.clicked.connect(self._tell_details)

    def _go_on(self) -> None:
        if wants_token(self._status):
            self.token_wished.emit(self._id)
        elif isinstance(self._status.error, LicenceNotAccepted):
            self.licence_wished.emit(self._id)
        else:
            self.resume_wished.emit(self._id)

    def _end(self) -> None:
        done = self._status.state is DownloadState.DONE
        (self.put_away_wished if done else self.cancel_wished).emit(self._id)

    def _tell_details(self) -> None:
        error = self._status.error
        if isinstance(error, EngineError):
            self.details_wished.emit(self._status.title, messages.of_error(error).details)

    # --- what is shown -------------------------------------------------------------------------

    def show_value(self, value: Fetching) -> None:
        status = self._status = value.status
        state, name = status.state, status.title
        failed = is_stuck(status)
        done = state is DownloadState.DONE
        said = download_words(status, value.waits_for)
        self.name.say(name)
        self.state.say("" if failed else said, at_end=not self._narrow)
        self.reason.setText(said if failed else "")
        self.reason.setVisible(failed)
        self._sign.show_sign(_STUCK if failed else _READY if done else None)
        self._show_bar(status)
        self._show_buttons()
        self._resume.setText(resume_words(status))
        self._resume.updateGeometry()
        self._name_buttons(name)
        self.setAccessibleName(listed(name, said))
        self.bar.setAccessibleDescription(said)
        self._ink_reason()

    def _show_bar(self, status: DownloadStatus) -> None:
        done = status.state is DownloadState.DONE
        self._bar_room.setVisible(not done and not is_stuck(status))
        part = status.done_bytes / status.total_bytes if status.total_bytes else 0.0
        self.bar.show_part(part, _BARS.get(status.state, "accent"))
        percent = f"{self.bar.value() // 10}%"
        name = translate("Downloads", "Download {name}, {percent}")
        self.bar.setAccessibleName(name.format(name=status.title, percent=percent))

    def _show_buttons(self) -> None:
        """The ones that fit the state; in this order they take over the keyboard."""
        state, stuck = self._status.state, is_stuck(self._status)
        wanted = {
            self._use: state is DownloadState.DONE,
            self._resume: stuck,
            self._play: state is DownloadState.PAUSED,
            self._pause: state is DownloadState.RUNNING,
            self._first: state is DownloadState.WAITING,
            self._details: stuck and not self._narrow,
            self._cancel: True,
        }
        show_only(tuple(wanted), {button for button, wish in wanted.items() if wish})

    def _name_buttons(self, name: str) -> None:
        pause = translate("Downloads", "Pause {name}").format(name=name)
        resume = translate("Downloads", "Resume {name}").format(name=name)
        done = self._status.state is DownloadState.DONE
        end = (
            translate("Downloads", "Put {name} away")
            if done
            else translate("Downloads", "Cancel {name}")
        )
        self._pause.describe(pause)
        self._play.describe(resume)
        self._first.describe(translate("Downloads", "Fetch {name} earlier").format(name=name))
        self._cancel.describe(end.format(name=name))
        self._resume.setAccessibleName(listed(self._resume.text(), name))
        self._use.setAccessibleName(translate("Models", "Use {name}").format(name=name))
        details = translate("Models", "Details")
        self._details.setAccessibleName(listed(details, name))

    def set_room(self, room: Room) -> None:
        """With little room the state stands below the name."""
        narrow = self._narrow = room is not Room.WIDE
        self._grid.removeWidget(self.state)
        self._grid.removeWidget(self.name)
        self._grid.addWidget(self.name, 0, 0, 1, 2 if narrow else 1)
        if narrow:
            self._grid.addWidget(self.state, 1, 0, 1, 2)
        else:
            self._grid.addWidget(self.state, 0, 1)
        self._grid.removeWidget(self.reason)
        self._grid.addWidget(self.reason, 1, 0, 1, 2)
        self.state.setVisible(not narrow or not is_stuck(self._status))
        self.state.say(self.state.text, at_end=not narrow)
        self._show_buttons()

    def _ink_reason(self) -> None:
        palette = self.reason.palette()
        palette.setColor(palette.ColorRole.WindowText, self._theme.colours.bad)
        self.reason.setPalette(palette)

    def _restyle(self) -> None:
        self.setMinimumHeight(self._theme.px(_HEIGHT))
        self.reason.setFont(self._theme.font(Role.SECOND))
        self._ink_reason()


def resume_words(status: DownloadStatus) -> str:
    """The button of one that failed."""
    if wants_token(status):
        return translate("Downloads", "Enter the key…")
    if isinstance(status.error, LicenceNotAccepted):
        return translate("Downloads", "Open the page…")
    if status.state is DownloadState.RUNNING:
        return translate("Downloads", "Try now")
    return translate("Downloads", "Resume")
