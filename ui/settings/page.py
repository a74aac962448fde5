"""The Settings page: one group at a time, in a column; each is made when somebody looks at it.

GUI thread. It shows what presenters say and decides nothing.
"""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from ui.models.page_parts import Heading, focus_in_order
from ui.settings.controls import PickButton
from ui.settings.groups import Group, GroupRows, SettingsNav, group_words
from ui.settings.parts import Panel
from ui.theme.direction import margins
from ui.theme.fonts import Role
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_COLUMN = 720
_MARGIN = 48
_NARROW_MARGIN = 24
_NARROW_BELOW = 760
_TOP = 24


class SettingsPage(QWidget):
    """`make` makes the panel of a group; `nav` stands in the sidebar."""

    shown = Signal(str)
    """The group that is shown now."""

    def __init__(self, theme: Theme, nav: SettingsNav, make: Callable[[Group], Panel]) -> None:
        super().__init__()
        self._theme = theme
        self._nav = nav
        self._make = make
        self._panels: dict[Group, Panel] = {}
        self._group = Group.APPEARANCE
        self.setObjectName("settingsPage")
        self.tabs = GroupRows(theme, "settingsTabs", across=True)
        named = [group_words(group) for group in Group]
        label = translate("Settings", "Settings")
        self.pick = PickButton(theme, "settingsPick", label, named)
        """In place of the rows, where they do not fit."""
        self._beside = True
        self._aim: QWidget = self.pick
        self.title = Heading(theme, "", Role.PAGE_TITLE)
        self._body = QWidget()
        self._column = QVBoxLayout(self._body)
        self.room = QScrollArea()
        self._lay_out()
        for rows in (nav.groups, self.tabs):
            rows.wished.connect(lambda name: self.show_group(Group(name)))
        self.pick.picked.connect(lambda number: self.show_group(list(Group)[number]))
        theme.changed.connect(self._restyle)

    def _lay_out(self) -> None:
        room = self.room
        room.setObjectName("settingsRoom")
        room.setFrameShape(QFrame.Shape.NoFrame)
        room.setHorizontalScrollBarPolicy(room.horizontalScrollBarPolicy().ScrollBarAlwaysOff)
        room.setFocusPolicy(self.focusPolicy().NoFocus)
        room.setWidgetResizable(True)
        room.setWidget(self._body)
        room.viewport().setAutoFillBackground(False)
        self._body.setAutoFillBackground(False)
        room.viewport().installEventFilter(self)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(room)
        self._column.setSpacing(0)
        self._column.addWidget(self.tabs)
        self._column.addWidget(self.pick, 0, Qt.AlignmentFlag.AlignLeading)
        self._below_tabs = QWidget()
        self._below_tabs.setFixedHeight(12)
        self._column.addWidget(self._below_tabs)
        self._column.addWidget(self.title)
        self._column.addStretch(1)

    # --- groups --------------------------------------------------------------------------------

    @property
    def group(self) -> Group:
        return self._group

    def panel(self, group: Group) -> Panel | None:
        """That of `group`, if it was made."""
        return self._panels.get(group)

    def show_group(self, group: Group) -> None:
        self._group = group
        if group not in self._panels:
            self._panels[group] = made = self._make(group)
            self._column.insertWidget(self._column.count() - 1, made)
            made.hide()
        for other, panel in self._panels.items():
            panel.setVisible(other is group)
        words = group_words(group)
        self.title.setText(words)
        self.setAccessibleName(words)
        for rows in (self._nav.groups, self.tabs):
            rows.show_group(group)
        self.pick.show_choice(list(Group).index(group))
        self._arrange()
        self.aim()
        self.room.verticalScrollBar().setValue(0)
        self.shown.emit(group)

    def show_beside(self, *, beside: bool) -> None:
        """The sidebar, which has the groups, is beside the page; else they stand above it."""
        self._beside = beside
        self._arrange()
        self.aim()

    def aim(self) -> None:
        """Where the keyboard begins: at the group that is shown. Then Tab goes as one reads."""
        row = (self._nav.groups if self._beside else self.tabs).rows[self._group]
        self._aim = row if self.pick.isHidden() else self.pick
        if self.window() is not self._nav.window():
            return  # it is being made
        panel = self._panels.get(self._group)
        regions: list[QWidget] = [self._nav, self.tabs, self.pick]
        focus_in_order([*regions, *([panel] if panel else [])])

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Passed on. A proxy would be one for Tab too, which then never left the groups."""
        super().focusInEvent(event)
        self._aim.setFocus(event.reason())

    # --- the room it has -----------------------------------------------------------------------

    def reveal(self, widget: QWidget) -> None:
        """Scroll to what has just been unfolded."""
        self._column.activate()
        self.room.ensureWidgetVisible(widget, 0, _TOP)

    def reveal_part(self, widget: QWidget, part: QRect) -> None:
        """Scroll to `part` of `widget`."""
        top = widget.mapTo(self._body, part.topLeft())
        middle = QPoint(0, top.y() + part.height() // 2)
        self.room.ensureVisible(0, middle.y(), 0, part.height() // 2 + 8)

    def keep_place(self, grown: int, above: QWidget) -> None:
        """`above` grew by `grown` pixels at its top: whoever reads further down stays there."""
        bar = self.room.verticalScrollBar()
        if bar.value() > above.mapTo(self._body, QPoint(0, 0)).y():
            value = bar.value() + grown
            self._column.activate()
            self._body.adjustSize()
            bar.setValue(value)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A scroll bar that appears takes from the margin, not from the column."""
        if watched is self.room.viewport() and event.type() == QEvent.Type.Resize:
            self._arrange()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        least = _MARGIN if self.width() >= _NARROW_BELOW else _NARROW_MARGIN
        margin = max(least, (self.width() - _COLUMN) // 2)
        bar = self.width() - self.room.viewport().width()
        self._column.setContentsMargins(margins(margin, _TOP, margin - bar, 32))
        across = self.tabs.fits_across(self.width() - 2 * margin)
        self.tabs.setVisible(not self._beside and across)
        self.pick.setVisible(not self._beside and not across)
        self._below_tabs.setVisible(not self._beside)
        width = (self.width() - 2 * margin) * 100 // self._theme.scale_percent
        for panel in self._panels.values():
            panel.set_room(width)

    def _restyle(self) -> None:
        self._arrange()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.colours.window)
        painter.end()
