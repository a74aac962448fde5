"""The window as it is painted first: every part in its place, nothing behind it yet.

It imports as little as it can, because a start waits for it; `Workbench` brings it to life.
"""

from PySide6.QtCore import QByteArray, QCoreApplication, QSize, Signal
from PySide6.QtGui import QCloseEvent, QIcon, QPaintEvent
from PySide6.QtWidgets import QApplication, QDialog, QHBoxLayout, QWidget

from app import settings
from app.settings import Settings
from ui.shell.frame import Frame
from ui.shell.page import Page
from ui.shell.places import Places
from ui.shell.sidebar import Sidebar, shown_keys
from ui.theme.icons import logo
from ui.theme.lamp import Breath
from ui.theme.style import palette, sheet
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_FIRST_SIZE = QSize(1200, 800)
_LEAST_SIZE = QSize(720, 520)


class Window(QWidget):
    """Sidebar and page, the theme in force, and the place on the screen."""

    closing = Signal()
    painted = Signal()
    """It is on the screen for the first time."""

    def __init__(self, theme: Theme, kept: Settings) -> None:
        super().__init__()
        self.theme = theme
        self._was_painted = False
        self.setObjectName("window")
        self.setWindowIcon(QIcon(logo(64, 1.0)))
        self.setMinimumSize(_LEAST_SIZE)
        breath = Breath(theme, self)
        self.page = Page(theme, breath)
        self.sidebar = Sidebar(theme, breath)
        self.places = Places(theme, self.page)
        self.frame = Frame(theme, self.sidebar, self.places)
        self._lay_out()
        self.restyle()
        theme.changed.connect(self.restyle)
        self._restore(kept)
        self.show_title("")

    def _lay_out(self) -> None:
        whole = QHBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.frame)
        header, keys = self.page.header, shown_keys("Ctrl+B")
        self.sidebar.toggle.describe(translate("Sidebar", "Hide sidebar"), keys)
        for button in (header.show_sidebar, self.places.bar.show_sidebar):
            button.describe(translate("Sidebar", "Show sidebar"), keys)
        self.frame.sidebar_changed.connect(self._sidebar_changed)

    def _sidebar_changed(self, beside: bool) -> None:
        self.page.header.set_narrow(narrow=not beside)
        self.places.set_narrow(narrow=not beside)

    def _restore(self, kept: Settings) -> None:
        self.resize(_FIRST_SIZE)
        geometry = kept.get(settings.WINDOW_GEOMETRY)
        if geometry:
            self.restoreGeometry(QByteArray.fromBase64(geometry.encode("ascii", "replace")))
        self.frame.set_open(kept.get(settings.SIDEBAR_OPEN))
        self.page.show_welcome()
        self.page.composer.field.setFocus()

    @property
    def place(self) -> str:
        """Size and place, as it is kept."""
        return bytes(self.saveGeometry().toBase64().data()).decode("ascii")

    def show_title(self, title: str) -> None:
        self.page.header.show_title(title)
        self.setWindowTitle(f"{title} – Snug" if title else "Snug")

    def restyle(self) -> None:
        QApplication.setPalette(palette(self.theme.colours))
        self.setStyleSheet(sheet(self.theme))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._was_painted:
            self._was_painted = True
            self.painted.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        event.accept()
        for dialog in self.findChildren(QDialog):  # the system ends us: Qt would let them stand
            dialog.hide()
        self.closing.emit()
