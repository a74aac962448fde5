"""The line under the composer: that all of this is private, and what to press."""

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from ui.theme.direction import margins
from ui.theme.fonts import Role
from ui.theme.icons import icon
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_HEIGHT = 36


class StatusStrip(QWidget):
    """Left: where the words go. Right: one hint."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName("statusStrip")
        self._private = QLabel(translate("Status", "Private – on this computer"))
        self._private.setObjectName("privacy")
        self._private.setAccessibleName(translate("Status", "Privacy: on this computer"))
        self._hint = QLabel()
        self._hint.setObjectName("hint")
        self._hint.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._hint.setWordWrap(True)
        self._hint.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        line = QHBoxLayout(self)
        line.setContentsMargins(margins(24, 0, 4, 0))
        line.setSpacing(16)
        line.addWidget(self._private)
        line.addWidget(self._hint, 1)
        theme.changed.connect(self._restyle)
        self._restyle()

    @property
    def hint(self) -> str:
        return self._hint.text()

    def say(self, hint: str) -> None:
        if hint != self._hint.text():
            self._hint.setText(hint)
            self._hint.setToolTip(hint)

    def _restyle(self) -> None:
        self.setFixedHeight(max(_HEIGHT, self._theme.px(_HEIGHT)))
        for words in (self._private, self._hint):
            words.setFont(self._theme.font(Role.CAPTION))
            palette = words.palette()
            palette.setColor(QPalette.ColorRole.WindowText, self._theme.colours.text3)
            words.setPalette(palette)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        x = self.width() - 19 if self.isRightToLeft() else 4
        y = (self.height() - 15) // 2
        pixmap = icon("lock", self._theme.colours.text3, 15, self.devicePixelRatioF())
        painter.drawPixmap(x, y, pixmap)
        painter.end()
