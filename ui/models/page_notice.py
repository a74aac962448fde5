"""One line on top of the Models page for a failure that belongs to no row. GUI thread."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QRectF, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QWidget

from ui.theme.buttons import RING, IconButton, TextButton
from ui.theme.dialog import words
from ui.theme.direction import margins
from ui.theme.fonts import Role
from ui.theme.icons import icon
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_BELOW = 12
_ICON = 20


class PageNotice(QWidget):
    """Soft red, with its sign; it stays until it is put away or another one comes."""

    details_wished = Signal(str, str)
    """Title and exact words."""

    def __init__(self, theme: Theme, announce: Callable[[str], None]) -> None:
        super().__init__()
        self._theme = theme
        self._announce = announce
        self._exact = ("", "")
        self.setObjectName("modelsNotice")
        self._words = words(theme, "", Role.SECOND, theme.colours.text)
        details = translate("Models", "Details")
        self._details = TextButton(theme, "modelsNoticeDetails", details, "quiet")
        self._details.setAccessibleName(details)
        self._close = IconButton(theme, "modelsNoticeClose", "x", size=32)
        self._close.describe(translate("Banner", "Close this notice"))
        line = QHBoxLayout(self)
        line.setContentsMargins(margins(46 + RING, 4, 8 + RING, 4 + _BELOW))
        line.setSpacing(4)
        line.addWidget(self._words, 1)
        line.addWidget(self._details)
        line.addWidget(self._close)
        self._details.clicked.connect(lambda: self.details_wished.emit(*self._exact))
        self._close.clicked.connect(self.hide)
        self.hide()

    @property
    def text(self) -> str:
        return "" if self.isHidden() else self._words.text()

    def say(self, said: str, details: str = "") -> None:
        self._exact = (said, details)
        self._words.setFont(self._theme.font(Role.SECOND))
        palette = self._words.palette()
        palette.setColor(palette.ColorRole.WindowText, self._theme.colours.text)
        self._words.setPalette(palette)
        self._words.setText(said)
        self._details.ink = self._theme.colours.bad
        self._close.ink_role = "bad"
        self._details.setVisible(bool(details))
        self.setAccessibleName(said)
        self.show()
        self._announce(said)

    def paintEvent(self, _event: QPaintEvent) -> None:
        c = self._theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(RING + 0.5, 0.5, -RING - 0.5, -0.5 - _BELOW)
        painter.setPen(QPen(c.bad if self._theme.high_contrast else c.bad_soft, 1))
        painter.setBrush(c.bad_soft)
        painter.drawRoundedRect(box, 9, 9)
        lead = 14 + RING
        x = self.width() - lead - _ICON if self.isRightToLeft() else lead
        y = round(box.center().y() - _ICON / 2)
        painter.drawPixmap(x, y, icon("circle-alert", c.bad, _ICON, self.devicePixelRatioF()))
        painter.end()
