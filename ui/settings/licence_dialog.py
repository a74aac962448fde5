"""The text of a licence, to read and to select. Long ones come piece by piece, so that the window
never waits. GUI thread.
"""

from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QWidget

from app.about import Part
from ui.settings.parts_list import licence_words
from ui.theme.dialog import Dialog
from ui.theme.fonts import Role
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_PIECE = 20_000
_MARGINS = 112
_LINES = 100
"""Title, second line and button, which grow with the text size."""
_HIGHEST = 520


class LicenceDialog(Dialog):
    """It opens at once; `show_text` brings what was read."""

    width_px = 760  # lines of licences are 80 letters long

    def __init__(self, theme: Theme, part: Part, parent: QWidget) -> None:
        super().__init__(theme, "licenceText", parent)
        self._left = ""
        title = f"{part.name} {part.version}".strip()
        self.setWindowTitle(title)
        self.add_words(title, Role.TITLE)
        licence = translate("About", "Licence: {name}").format(name=licence_words(part))
        self.add_words(licence, Role.SECOND)
        label = translate("About", "Text of the licence")
        reading = translate("About", "Reading…")
        self.box = self.add_box(reading, "licenceBox", label)
        room = parent.window().height() - _MARGINS - theme.px(_LINES)
        self.box.setFixedHeight(max(theme.px(80), min(theme.px(_HIGHEST), room)))
        close = self.add_button("licenceClose", translate("About", "Close"), "primary")
        close.clicked.connect(self.accept)
        self._clock = QTimer(self)
        self._clock.setInterval(0)
        self._clock.timeout.connect(self._add)
        self.finish(close)

    def show_text(self, text: str) -> None:
        """ "" where there is none to be had."""
        if not text:
            text = translate(
                "About",
                "The text is not here. An installed Snug has the texts of all licences in its"
                " folder “licences”.",
            )
        self._left = text
        self.box.clear()
        self._clock.start()

    def _add(self) -> None:
        piece, self._left = self._left[:_PIECE], self._left[_PIECE:]
        cursor = QTextCursor(self.box.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(piece)
        if not self._left:
            self._clock.stop()
