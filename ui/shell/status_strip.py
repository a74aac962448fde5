"""The line under the composer: where the words go, and what to press.

That all of this is private, or else which computer answers, with the way back. GUI thread.
"""

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from ui.theme.direction import margins
from ui.theme.fonts import Role
from ui.theme.icons import icon
from ui.theme.link import LinkButton
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_HEIGHT = 36
_TWO_LINES = 48
_ICON = 15
_LEAD = 24
_TRAIL = 4
_GAP = 16
_SPACE = 8
_LEAST_HINT = 150


class StatusStrip(QWidget):
    """Left: where the words go. Right, or below where there is little room: one hint."""

    here_wished = Signal()
    """Answers shall come from this computer again."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._server = ""
        self._offline = False
        self._downloading = False
        self._below = False
        self.setObjectName("statusStrip")
        self._place = QLabel()
        self._place.setObjectName("privacy")
        self._place.setTextFormat(Qt.TextFormat.PlainText)
        self._place.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        here = translate("Status", "Answer here again")
        self.here = LinkButton(theme, "answerHere", here, Role.BADGE)
        self.here.setToolTip(translate("Status", "Answer on this computer again"))
        self.here.clicked.connect(self.here_wished)
        self._hint = QLabel()
        self._hint.setObjectName("hint")
        self._hint.setWordWrap(True)
        self._hint.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(margins(_LEAD, 0, _TRAIL, 0))
        self._grid.setHorizontalSpacing(_SPACE)
        self._grid.setVerticalSpacing(0)
        self._grid.addWidget(self._place, 0, 0)
        self._grid.addWidget(self.here, 0, 1)
        theme.changed.connect(self._restyle)
        self.show_place("", offline=False)

    @property
    def hint(self) -> str:
        return self._hint.text()

    def say(self, hint: str) -> None:
        if hint != self._hint.text():
            self._hint.setText(hint)
            self._hint.setToolTip(hint)

    def show_place(self, server: str, *, offline: bool) -> None:
        """Mark that answers come from `server`, "" for this computer. Nobody can put it away."""
        self._server, self._offline = server, offline
        self.here.setVisible(bool(server))
        self._place.setToolTip(self._said(server) if server else "")
        spoken = translate("Status", "Privacy: on this computer")
        silent = not server and not self._downloading
        self._place.setAccessibleName(spoken if silent else self._said(server))
        self._restyle()

    def show_downloading(self, *, downloading: bool) -> None:
        """Something is fetched: what a person types still goes nowhere."""
        if downloading != self._downloading:
            self._downloading = downloading
            self.show_place(self._server, offline=self._offline)

    def _said(self, server: str) -> str:
        if not server and self._downloading:
            return translate("Status", "Downloading a model. Nothing you type is sent.")
        if not server:
            return translate("Status", "Private – on this computer")
        if self._offline:
            return translate("Status", "Offline – {server} is not asked").format(server=server)
        return translate("Status", "Answers come from {server}").format(server=server)

    # --- room ----------------------------------------------------------------------------------

    def _arrange(self) -> None:
        """Beside each other, else the hint below."""
        metrics = self._theme.metrics(Role.CAPTION)
        around = _LEAD + _TRAIL
        if self._server:
            around += self.here.sizeHint().width() + 3 * _SPACE
        room = self.width() - around
        whole = metrics.horizontalAdvance(self._said(self._server)) + 1
        self._below = bool(self._server) and room - whole - _GAP < self._theme.px(_LEAST_HINT)
        self._place_hint()
        said = self._fitting(room)
        self._place.setText(said)
        self._place.setFixedWidth(round(min(max(room, 0), metrics.horizontalAdvance(said) + 1)))
        self._grid.activate()  # never one over the other, not even for a moment

    def _fitting(self, room: float) -> str:
        """What is said. A long address gives up its scheme, then its middle."""
        metrics = self._theme.metrics(Role.CAPTION)
        whole = self._said(self._server)
        if not self._server or metrics.horizontalAdvance(whole) < room:
            return whole
        host = self._server.partition("://")[2] or self._server
        if metrics.horizontalAdvance(self._said(host)) < room:
            return self._said(host)
        rest = max(0.0, room - metrics.horizontalAdvance(self._said(" ")))
        return self._said(metrics.elidedText(host, Qt.TextElideMode.ElideMiddle, rest))

    def _place_hint(self) -> None:
        self._grid.removeWidget(self._hint)
        if self._below:
            self._grid.addWidget(self._hint, 1, 0, 1, 4)
        else:
            self._grid.addWidget(self._hint, 0, 3)
        side = Qt.AlignmentFlag.AlignLeft if self._below else Qt.AlignmentFlag.AlignRight
        self._hint.setAlignment(side | Qt.AlignmentFlag.AlignVCenter)
        self._grid.setColumnMinimumWidth(2, _GAP - 2 * _SPACE)
        self._grid.setColumnStretch(3, 1)
        height = self._theme.px(_TWO_LINES if self._below else _HEIGHT)
        self.setFixedHeight(max(_HEIGHT, height))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._arrange()

    # --- look ----------------------------------------------------------------------------------

    @property
    def _ink(self) -> QColor:
        c = self._theme.colours
        return c.warn if self._server and not self._offline else c.text3

    def _restyle(self) -> None:
        for words, ink in ((self._place, self._ink), (self._hint, self._theme.colours.text3)):
            words.setFont(self._theme.font(Role.CAPTION))
            palette = words.palette()
            palette.setColor(QPalette.ColorRole.WindowText, ink)
            words.setPalette(palette)
        self._arrange()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        x = self.width() - _TRAIL - _ICON if self.isRightToLeft() else _TRAIL
        y = self._place.geometry().center().y() - _ICON // 2
        name = "globe" if self._server else "lock"
        painter.drawPixmap(x, y, icon(name, self._ink, _ICON, self.devicePixelRatioF()))
        painter.end()
