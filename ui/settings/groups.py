"""The groups of the Settings page, as rows: in the sidebar in place of the chats, or above the page
where there is no sidebar. GUI thread."""

from enum import StrEnum
from typing import assert_never

from PySide6.QtCore import QCoreApplication, QPointF, Qt, Signal
from PySide6.QtGui import QKeySequence, QPainter, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from ui.theme.buttons import Look
from ui.theme.fonts import Role
from ui.theme.nav_row import NavRow
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_INSET = 12
_AROUND_WORDS = 60


class Group(StrEnum):
    APPEARANCE = "appearance"
    MODELS = "models"
    PRIVACY = "privacy"
    ABOUT = "about"


_ICONS = {
    Group.APPEARANCE: "contrast",
    Group.MODELS: "package",
    Group.PRIVACY: "lock",
    Group.ABOUT: "info",
}


def group_words(group: Group) -> str:
    match group:
        case Group.APPEARANCE:
            return translate("Settings", "Appearance")
        case Group.MODELS:
            return translate("Settings", "Models and downloads")
        case Group.PRIVACY:
            return translate("Settings", "Privacy")
        case Group.ABOUT:
            return translate("Settings", "About Snug")
        case _:
            assert_never(group)


class BackRow(NavRow):
    """ "Back to chats", with its key where there is room."""

    def __init__(self, theme: Theme) -> None:
        words = translate("Settings", "Back to chats")
        super().__init__(theme, "settingsBack", "arrow-left", words)
        self.setCheckable(False)
        self._key = QKeySequence("Esc").toString(QKeySequence.SequenceFormat.NativeText)

    def paint_content(self, painter: QPainter, look: Look) -> None:
        super().paint_content(painter, look)
        painter.setFont(self.theme.font(Role.CAPTION))
        key = painter.fontMetrics().horizontalAdvance(self._key)
        words = self.theme.metrics(Role.CONTROL).horizontalAdvance(self.text())
        if words + key + _AROUND_WORDS > self.width():
            return
        painter.setPen(self.theme.colours.text3)
        box = self.shape.adjusted(12, 0, -12, 0)
        painter.drawText(
            box, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), self._key
        )

    def draw_icon(
        self, painter: QPainter, name: str, size: int, centre: QPointF, ink: object
    ) -> None:
        """An arrow back points to where lines begin."""
        if not self.isRightToLeft():
            super().draw_icon(painter, name, size, centre, ink)  # type: ignore[arg-type]
            return
        painter.save()
        painter.translate(2 * centre.x(), 0)
        painter.scale(-1, 1)
        super().draw_icon(painter, name, size, centre, ink)  # type: ignore[arg-type]
        painter.restore()


class GroupRows(QWidget):
    """One row a group. `across`: beside each other where they fit."""

    wished = Signal(str)

    def __init__(self, theme: Theme, name: str, *, across: bool = False) -> None:
        super().__init__()
        self._theme = theme
        self._may_go_across = across
        self.setObjectName(name)
        self.setAccessibleName(translate("Settings", "Settings"))
        self.rows = {
            group: NavRow(theme, f"{name}:{group}", _ICONS[group], group_words(group))
            for group in Group
        }
        self._line = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._line.setContentsMargins(0, 0, 0, 0)
        self._line.setSpacing(2)
        for group, row in self.rows.items():
            row.clicked.connect(lambda _on=False, group=group: self.wished.emit(group))
            self._line.addWidget(row)
        theme.changed.connect(self._arrange)

    def show_group(self, shown: Group) -> None:
        for group, row in self.rows.items():
            row.setChecked(group is shown)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def fits_across(self, width: int) -> bool:
        """Whether all stand beside each other in `width` pixels."""
        metrics = self._theme.metrics(Role.BUTTON)
        words = [metrics.horizontalAdvance(row.text()) for row in self.rows.values()]
        return sum(words) + len(words) * _AROUND_WORDS <= width

    def _arrange(self) -> None:
        fits = self.fits_across(self.width())
        across = QBoxLayout.Direction.LeftToRight
        down = QBoxLayout.Direction.TopToBottom
        self._line.setDirection(across if self._may_go_across and fits else down)
        metrics = self._theme.metrics(Role.BUTTON)
        for place, row in enumerate(self.rows.values()):  # each as wide as its words
            width = round(metrics.horizontalAdvance(row.text())) + _AROUND_WORDS
            self._line.setStretch(place, width if fits and self._may_go_across else 0)


class SettingsNav(QWidget):
    """What stands in the sidebar while the Settings page is shown."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("settingsNav")
        self.back = BackRow(theme)
        self.groups = GroupRows(theme, "settingsGroups")
        column = QVBoxLayout(self)
        column.setContentsMargins(_INSET, 4, _INSET, 10)
        column.setSpacing(0)
        column.addWidget(self.back)
        column.addSpacing(12)
        column.addWidget(self.groups)
        column.addStretch(1)
