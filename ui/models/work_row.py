"""The row of work on files that takes long: copying, checking, moving.

It emits what a person wishes; decides nothing. GUI thread.
"""

from typing import assert_never

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from ui.models.page_values import Task, Working
from ui.models.row_group import RowWidget
from ui.models.row_parts import Bar, ElidedLabel
from ui.theme.buttons import RING, IconButton
from ui.theme.direction import margins
from ui.theme.fit import listed
from ui.theme.fonts import Role
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_HEIGHT = 66


def work_words(task: Task) -> str:
    """What is being done, in a few words."""
    match task:
        case Task.LOOKING:
            return translate("Work", "Looking at what is there…")
        case Task.COPYING:
            return translate("Work", "Copying and checking…")
        case Task.CHECKING:
            return translate("Work", "Checking every part of the file…")
        case Task.EXPORTING:
            return translate("Work", "Copying it to take along…")
        case Task.MOVING:
            return translate("Work", "Moving your models…")
        case Task.UPDATES:
            return translate("Work", "Asking for a newer version…")
        case _:
            assert_never(task)


class WorkRow(RowWidget[Working]):
    """Work on files, until it ends."""

    cancel_wished = Signal(str)

    def __init__(self, theme: Theme, working: Working) -> None:
        super().__init__()
        self._theme = theme
        self._id = working.id
        self.setObjectName(f"work:{working.id}")
        self._name = ElidedLabel(theme, Role.HEADING)
        self._state = ElidedLabel(theme, Role.SECOND, "text2")
        self._bar = Bar(theme, f"workBar:{working.id}")
        self._cancel = IconButton(theme, f"workCancel:{working.id}", "x", size=32)
        top = QHBoxLayout()
        top.setSpacing(16)
        top.addWidget(self._name)
        top.addWidget(self._state, 1)
        text = QVBoxLayout()
        text.setSpacing(8)
        text.addLayout(top)
        text.addWidget(self._bar)
        line = QHBoxLayout(self)
        line.setContentsMargins(margins(17, 12, 17 - RING, 12))
        line.setSpacing(16)
        line.addLayout(text, 1)
        line.addWidget(self._cancel, 0, Qt.AlignmentFlag.AlignVCenter)
        self._cancel.clicked.connect(lambda: self.cancel_wished.emit(self._id))
        self.setMinimumHeight(theme.px(_HEIGHT))

    def show_value(self, value: Working) -> None:
        said = work_words(value.task)
        name = value.name or translate("Models", "Your models")
        self._name.say(name)
        self._state.say(said, at_end=True)
        self._bar.show_part(value.fraction or 0.0, "accent")
        self._bar.setAccessibleName(listed(name, said))
        self._cancel.describe(translate("Downloads", "Cancel {name}").format(name=name))
        self.setAccessibleName(listed(name, said))
