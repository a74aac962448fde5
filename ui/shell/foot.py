"""The foot of the sidebar: the ways to the pages beside the chat."""

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui.shell.places import MODELS, SETTINGS
from ui.theme.nav_row import NavRow
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_INSET = 12


class Foot(QWidget):
    """Emits what a person wishes. Settings are shown once there is such a page."""

    wished = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        models, settings = translate("Sidebar", "Models"), translate("Sidebar", "Settings")
        self.rows = {
            MODELS: NavRow(theme, "openModels", "package", models),
            SETTINGS: NavRow(theme, "openSettings", "settings", settings),
        }
        column = QVBoxLayout(self)
        column.setContentsMargins(_INSET, 9, _INSET, 10)
        column.setSpacing(0)
        for name, row in self.rows.items():
            row.clicked.connect(lambda _checked=False, name=name: self.wished.emit(name))
            column.addWidget(row)
        self.rows[SETTINGS].hide()
        theme.changed.connect(self.update)

    def show_place(self, name: str) -> None:
        for of, row in self.rows.items():
            row.setChecked(of == name)

    def paint_line(self, painter: QPainter, top: int) -> None:
        """The hairline above, as wide as the sidebar."""
        painter.fillRect(0, top, self.width(), 1, self._theme.colours.border)
