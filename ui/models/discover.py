"""The head of Discover: the ways to look at the catalogue, and the search of a hub.

It emits what a person wishes; a search goes out, so it starts with Enter or its button, never while
typing. GUI thread.
"""

from typing import assert_never

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from ui.models.flow import Flow
from ui.models.page_values import Chip
from ui.theme.buttons import RING, IconButton, Look, PaintedButton
from ui.theme.dialog import words
from ui.theme.direction import margins
from ui.theme.fonts import Role
from ui.theme.link import LinkButton
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_FIELD_WIDTH = 196


def chip_words(chip: Chip) -> str:
    match chip:
        case Chip.HERE:
            return translate("Discover", "For this computer")
        case Chip.WRITING:
            return translate("Discover", "Writing")
        case Chip.STUDYING:
            return translate("Discover", "Studying")
        case Chip.LANGUAGES:
            return translate("Discover", "Languages")
        case Chip.PICTURES:
            return translate("Discover", "Pictures")
        case Chip.CODING:
            return translate("Discover", "Coding")
        case _:
            assert_never(chip)


class ChipButton(PaintedButton):
    """One of several kinds; arrows go from one to the next."""

    def __init__(self, theme: Theme, chip: Chip) -> None:
        super().__init__(theme, f"chip:{chip}")
        self.chip = chip
        self.setText(chip_words(chip))
        self.setAccessibleName(self.text())
        self.setCheckable(True)
        self.setAutoExclusive(True)

    def sizeHint(self) -> QSize:
        words = round(self.theme.metrics(Role.SECOND).horizontalAdvance(self.text())) + 1
        return QSize(words + 26 + 2 * RING, self.theme.px(30) + 2 * RING)

    def look(self) -> Look:
        c = self.theme.colours
        self.radius = self.shape.height() / 2
        if self.isChecked():
            if self.theme.high_contrast:
                return Look(ink=c.on_accent, icon=c.on_accent, fill=c.selected)
            return Look(ink=c.accent_soft_text, icon=c.accent_soft_text, fill=c.accent_soft)
        fill = c.hover_up if self.hovered else c.window
        return Look(ink=c.text2, icon=c.text2, fill=fill, edge=c.border)

    def paint_content(self, painter: QPainter, look: Look) -> None:
        painter.setFont(self.theme.font(Role.SECOND))
        painter.setPen(look.ink)
        painter.drawText(self.shape, Qt.AlignmentFlag.AlignCenter, self.text())


class HubField(QLineEdit):
    """ "Search models", with its icon painted into it. Esc empties it."""

    left = Signal()
    """Esc in the empty field does what it does everywhere; in a full one it ends the search."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName("searchModels")
        self.setAccessibleName(translate("Discover", "Search models"))
        self.setPlaceholderText(translate("Discover", "Search models"))
        self.setMaxLength(200)
        self.setAcceptDrops(False)  # files are for the window
        self.setTextMargins(26, 0, 0, 0)
        self.go = IconButton(theme, "searchModelsGo", "search", size=26)
        self.go.describe(translate("Discover", "Search now"))
        self.go.setParent(self)
        self.go.setCursor(Qt.CursorShape.ArrowCursor)

    def sizeHint(self) -> QSize:
        return QSize(self._theme.px(_FIELD_WIDTH), self._theme.px(34))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self._theme.px(34))

    def event(self, event: QEvent) -> bool:
        escape = (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
        )
        if escape and self.text():  # ours before the window's
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
            self.left.emit()
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        size = self.go.sizeHint()
        x = self.width() - size.width() - 2 if self.isRightToLeft() else 2
        self.go.setGeometry(QRect(QPoint(x, (self.height() - size.height()) // 2), size))


class Discover(QWidget):
    """The heading, the chips and the search."""

    chosen = Signal(Chip)
    search_wished = Signal(str)
    """ "" for: back to the catalogue."""

    def __init__(self, theme: Theme, title: QWidget) -> None:
        super().__init__()
        self._theme = theme
        self.chips = [ChipButton(theme, chip) for chip in Chip]
        self.field = HubField(theme)
        back = translate("Discover", "Back to the suggestions")
        self.back = LinkButton(theme, "searchModelsBack", back, Role.SECOND)
        self.note = words(theme, "", Role.SECOND)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._lay_out(title)
        self._connect()
        self.chips[0].setChecked(True)
        self.show_searching(searching=False)
        self.restyle()

    def _lay_out(self, title: QWidget) -> None:
        head = QWidget()
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        head.setSizePolicy(policy)
        title.setContentsMargins(margins(0, 0, 8, 0))
        flow = Flow(head, 0)
        for widget in (title, *self.chips, self.field):
            flow.addWidget(widget)
        line = QHBoxLayout()
        line.setSpacing(12)
        line.addWidget(self.note, 1)
        line.addWidget(self.back, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(head)
        column.addLayout(line)
        self.note.hide()

    def _connect(self) -> None:
        for chip in self.chips:
            chip.clicked.connect(lambda _on=False, chip=chip: self._choose(chip))
        self.field.returnPressed.connect(self._search)
        self.field.left.connect(self._leave)
        self.field.textEdited.connect(self._edited)
        self.field.go.clicked.connect(self._search)
        self.back.clicked.connect(self._leave)

    def _choose(self, chip: ChipButton) -> None:
        self._leave()
        self.chosen.emit(chip.chip)

    def _edited(self, text: str) -> None:
        """Who deletes the words is done with what they found."""
        if not text and self.searching:
            self._leave()

    def _search(self) -> None:
        if self.field.text().strip():
            self.search_wished.emit(self.field.text())

    def _leave(self) -> None:
        had_focus = self.back.hasFocus()
        self.field.clear()
        self.search_wished.emit("")
        if had_focus:
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def searching(self) -> bool:
        return not self.back.isHidden()

    def show_searching(self, *, searching: bool) -> None:
        """What was found is shown in place of the catalogue."""
        self.back.setVisible(searching)

    def say(self, text: str, *, bad: bool = False) -> None:
        """A line below the chips, "" for none."""
        self.note.setVisible(bool(text))
        self.note.setText(text)
        palette = self.note.palette()
        c = self._theme.colours
        palette.setColor(palette.ColorRole.WindowText, c.bad if bad else c.text2)
        self.note.setPalette(palette)

    def restyle(self) -> None:
        self.field.setFont(self._theme.font(Role.CONTROL))
        self.note.setFont(self._theme.font(Role.SECOND))
        self.field.setFixedHeight(self._theme.px(34))
        self.field.updateGeometry()
