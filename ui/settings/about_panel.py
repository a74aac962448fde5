"""The group "About Snug": what it is, its licence, and everything it is made of. GUI thread."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.about import About, Part
from ui import messages
from ui.plan_words import joined
from ui.settings.forms import Trouble
from ui.settings.licence_dialog import LicenceDialog
from ui.settings.parts import Card, Panel, SettingRow, Words
from ui.settings.parts_list import PartsList, licence_words
from ui.theme.buttons import TextButton
from ui.theme.direction import margins
from ui.theme.fonts import Role
from ui.theme.icons import logo
from ui.theme.theme import Theme

translate = QCoreApplication.translate

QT_SOURCES = "https://download.qt.io/official_releases/"
_MARK = 56


class _Mark(QWidget):
    """The logo."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(_MARK, _MARK)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.drawPixmap(0, 0, logo(_MARK, self.devicePixelRatioF()))
        painter.end()


class AboutPanel(Panel):
    """`part_wished`: a person wants to read the licence of a `Part`."""

    looked = Signal()
    part_wished = Signal(object)
    text_left = Signal()
    folder_wished = Signal(Path)
    address_wished = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "aboutPanel")
        self._about: About | None = None
        self._dialog: LicenceDialog | None = None
        self._add_head()
        self._add_rows()
        self.trouble = Trouble(theme, "aboutTrouble")
        self.column.addWidget(self.trouble)
        self.add_label(translate("About", "Made of"))
        self._hint = Words(theme, translate("About", "Reading…"), Role.SECOND, "text2")
        self._hint.setObjectName("aboutHint")
        self.column.addWidget(self._hint)
        self.column.addSpacing(8)
        self.list = PartsList(theme)
        self.card = Card(theme, "aboutPartsCard", [self.list])
        self.card.hide()
        self.column.addWidget(self.card)
        self.list.wished.connect(self._wish)

    def _add_head(self) -> None:
        self.name = Words(self.theme, "Snug", Role.TITLE)
        self.name.setObjectName("aboutName")
        slogan = translate("About", "A private assistant that fits your computer.")
        text = QVBoxLayout()
        text.setSpacing(2)
        text.addStretch(1)
        text.addWidget(self.name)
        text.addWidget(Words(self.theme, slogan, Role.CONTROL, "text2"))
        text.addStretch(1)
        head = QWidget()
        line = QHBoxLayout(head)
        line.setContentsMargins(margins(2, 16, 0, 20))
        line.setSpacing(16)
        line.addWidget(_Mark())
        line.addLayout(text, 1)
        self.column.addWidget(head)

    def _add_rows(self) -> None:
        self.read_licence = self._button("aboutLicence", translate("About", "Read it"))
        self.read_licence.setAccessibleName(translate("About", "Read the licence of Snug"))
        self._licence = SettingRow(
            self.theme, translate("About", "Licence of Snug"), " ", [self.read_licence]
        )
        self.sources = self._button("aboutQtSources", translate("About", "Get its sources…"))
        self.sources.setAccessibleName(translate("About", "Get the sources of Qt…"))
        said = translate(
            "About",
            "Snug's window is made with Qt, unchanged and under the LGPL, version 3. You may put"
            " your own version of Qt in its place in Snug's folder.",
        )
        qt = SettingRow(self.theme, "Qt", said, [self.sources])
        self.folder = self._button("aboutFolder", translate("About", "Show the folder"))
        self.folder.setAccessibleName(translate("About", "Show the folder with all licences"))
        self._texts = SettingRow(self.theme, translate("About", "All licences"), " ", [self.folder])
        self.add_card("aboutCard", [self._licence, qt, self._texts])
        self.read_licence.setEnabled(False)
        self.folder.hide()
        self.read_licence.clicked.connect(lambda _on=False: self._wish_own())
        self.sources.clicked.connect(lambda _on=False: self.address_wished.emit(QT_SOURCES))
        self.folder.clicked.connect(lambda _on=False: self._wish_folder())

    def _button(self, name: str, text: str) -> TextButton:
        return TextButton(self.theme, name, text, "secondary")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.looked.emit()

    def _wish_own(self) -> None:
        if self._about is not None:
            self._wish(self._about.itself)

    def _wish_folder(self) -> None:
        if self._about is not None and self._about.folder is not None:
            self.folder_wished.emit(self._about.folder)

    def _wish(self, part: Part) -> None:
        """The dialog opens at once; its text is read meanwhile."""
        self._dialog = LicenceDialog(self.theme, part, self.window())
        self._dialog.finished.connect(lambda _code: self._left())
        self.part_wished.emit(part)

    def _left(self) -> None:
        self._dialog = None
        self.text_left.emit()

    # --- AboutView -----------------------------------------------------------------------------

    def show_about(self, about: About) -> None:
        self._about = about
        self.trouble.say("")
        self.name.say(f"Snug {about.itself.version}")
        free = translate("About", "Free software, under the licence {name}.")
        self._licence.hint.say(free.format(name=licence_words(about.itself)))
        self.read_licence.setEnabled(True)
        packaged = about.folder is not None
        self._texts.hint.say(
            translate("About", "The texts for everything in Snug, in one folder.")
            if packaged
            else translate(
                "About", "This Snug runs from its source. An installed one has all texts with it."
            )
        )
        self.folder.setVisible(packaged)
        self._hint.say(translate("About", "Press one to read its licence."))
        self.list.show_parts(about.parts)
        self.card.setVisible(bool(about.parts))

    def show_text(self, _part: Part, text: str) -> None:
        if self._dialog is not None:
            self._dialog.show_text(text)

    def refuse(self, error: Exception) -> None:
        said = messages.of_error(error)
        self.trouble.say(joined(said.title, said.sentence))
