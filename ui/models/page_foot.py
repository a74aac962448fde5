"""Where the library is, and the way to move it. GUI thread."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ui.models.row_parts import ElidedLabel
from ui.theme.buttons import RING
from ui.theme.fonts import Role
from ui.theme.link import LinkButton
from ui.theme.theme import Theme

translate = QCoreApplication.translate


class LibraryFoot(QWidget):
    """The last lines of the page."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._line = ElidedLabel(theme, Role.SECOND, "text3")
        show = translate("Models", "Show the folder")
        move = translate("Models", "Move it to another folder…")
        self.show_folder = LinkButton(theme, "libraryShow", show, Role.SECOND)
        self.move_folder = LinkButton(theme, "libraryMove", move, Role.SECOND)
        ways = QHBoxLayout()
        ways.setSpacing(12)
        ways.addWidget(self.show_folder)
        ways.addWidget(self.move_folder)
        ways.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(RING, 20, RING, 0)
        column.setSpacing(2)
        column.addWidget(self._line)
        column.addLayout(ways)

    def show_place(self, folder: Path) -> None:
        said = translate("Models", "Your models are kept in {folder}")
        self._line.say(said.format(folder=folder))
