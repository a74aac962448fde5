"""A small form that unfolds below a setting: fields, a button that keeps them, and why it did not.

GUI thread.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from ui.settings.parts import Words
from ui.theme.buttons import RING, TextButton
from ui.theme.direction import margins
from ui.theme.fonts import Role
from ui.theme.icons import icon
from ui.theme.theme import Theme

_MOST = 2000
_SIGN = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One field. `secret` hides what is typed; not `shown`, only a screen reader says the label."""

    name: str
    label: str
    example: str = ""
    secret: bool = False
    shown: bool = True


class Field(QLineEdit):
    """A line to type into that follows theme and text size."""

    def __init__(self, theme: Theme, entry: Entry) -> None:
        super().__init__()
        self._theme = theme
        self._refused = False
        self.setObjectName(entry.name)
        self.setAccessibleName(entry.label)
        self.setPlaceholderText(entry.example)
        self.setMaxLength(_MOST)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        if entry.secret:
            self.setEchoMode(QLineEdit.EchoMode.Password)
        theme.changed.connect(self._restyle)
        self._restyle()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._theme.px(36))

    def mark(self, why: str) -> None:
        """A red edge, and `why` for whoever hears it; "" takes both away."""
        self._refused = bool(why)
        self.setAccessibleDescription(why)
        self._restyle()

    def _restyle(self) -> None:
        edge = self._theme.colours.bad.name()
        self.setStyleSheet(f"QLineEdit:!focus {{ border-color: {edge}; }}" if self._refused else "")
        self.setFont(self._theme.font(Role.CONTROL))
        self.updateGeometry()


class Trouble(QWidget):
    """Why something was not kept: a sign and a sentence, beside what it is about."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName(name)
        self._words = Words(theme, "", Role.SECOND, "bad")
        line = QHBoxLayout(self)
        line.setContentsMargins(margins(_SIGN + 6, 0, 0, 0))
        line.addWidget(self._words)
        self.hide()

    @property
    def text(self) -> str:
        return self._words.text()

    def say(self, text: str) -> None:
        self._words.say(text)
        self.setAccessibleName(text)
        self.setVisible(bool(text))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        sign = icon("circle-alert", self._theme.colours.bad, _SIGN, self.devicePixelRatioF())
        x = self.width() - _SIGN if self.isRightToLeft() else 0
        line = self._words.fontMetrics().height()
        painter.drawPixmap(x, self._words.y() + (line - _SIGN) // 2, sign)
        painter.end()


class Form(QWidget):
    """`kept` has the texts of the fields, in their order."""

    kept = Signal(list)

    def __init__(self, theme: Theme, name: str, entries: Sequence[Entry], keep: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.fields = [Field(theme, entry) for entry in entries]
        self.keep = TextButton(theme, f"{name}Keep", keep, "secondary")
        self.keep.setAccessibleName(keep)
        self.trouble = Trouble(theme, f"{name}Trouble")
        column = QVBoxLayout(self)
        column.setContentsMargins(margins(0, 2, 0, 4))
        column.setSpacing(4)
        for entry, edit in zip(entries, self.fields, strict=True):
            if entry.shown:
                label = Words(theme, entry.label, Role.CELL_HEAD)
                label.setBuddy(edit)
                column.addWidget(label)
            if edit is not self.fields[-1]:
                line = QHBoxLayout()
                line.setContentsMargins(margins(0, 0, RING, 4))
                line.addWidget(edit)
                column.addLayout(line)
        last = QHBoxLayout()
        last.setContentsMargins(0, -RING, 0, -RING)  # the button's ring takes no room of its own
        last.setSpacing(8 - RING)
        last.addWidget(self.fields[-1], 1, Qt.AlignmentFlag.AlignVCenter)
        last.addWidget(self.keep)
        column.addLayout(last)
        column.addWidget(self.trouble)
        self.keep.clicked.connect(self._keep)
        for edit in self.fields:
            edit.returnPressed.connect(self._keep)

    def _keep(self) -> None:
        self.kept.emit([edit.text() for edit in self.fields])

    def refuse(self, why: str) -> None:
        """Say `why` beside the field; "" takes it back."""
        self.trouble.say(why)
        self.fields[0].mark(why)
        if why:
            self.fields[0].setFocus(Qt.FocusReason.OtherFocusReason)
