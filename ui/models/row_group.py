"""A frame around rows, and what becomes of the keyboard when rows and their buttons come and go.

GUI thread.
"""

from collections.abc import Callable, Collection, Sequence
from enum import Enum, auto
from typing import Any, Generic, Protocol, TypeVar

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui.theme.buttons import PaintedButton
from ui.theme.theme import Theme

_RADIUS = 12


class Room(Enum):
    """Beside each other, for a text of this size."""

    WIDE = auto()
    NARROW = auto()
    TIGHT = auto()


class Keyed(Protocol):
    @property
    def id(self) -> str: ...


V = TypeVar("V", bound=Keyed)


class RowWidget(QWidget, Generic[V]):
    """A row that shows a value of one id."""

    def show_value(self, value: V) -> None:
        raise NotImplementedError

    def set_room(self, room: Room) -> None:
        """How much there is beside each other."""


AnyRow = RowWidget[Any]
"""A frame may have rows of several kinds, each for values of its own type."""


def key_of(value: Keyed) -> str:
    """A model and its download may have the same id."""
    return f"{type(value).__name__}:{value.id}"


def show_only(buttons: Sequence[QWidget], shown: Collection[QWidget]) -> None:
    """Show those and hide the others. The keyboard goes from one that is hidden to the first that
    is shown, never to whatever happens to be next, which may delete something."""
    for button in shown:
        button.show()
    focused = next((button for button in buttons if button.hasFocus()), None)
    heir = next((button for button in buttons if button in shown), None)
    if focused is not None and focused not in shown and heir is not None:
        heir.setFocus(_reason(focused))
    for button in buttons:
        if button not in shown:
            button.hide()


def _reason(focused: QWidget | None) -> Qt.FocusReason:
    """The ring is shown only if the keyboard was at work."""
    ring = isinstance(focused, PaintedButton) and focused.has_ring
    return Qt.FocusReason.TabFocusReason if ring else Qt.FocusReason.OtherFocusReason


def _hand_on_focus(row: QWidget) -> None:
    """To what comes after `row`."""
    focus = row.window().focusWidget()
    after = focus.nextInFocusChain() if focus is not None else None
    while after is not None and after is not focus:
        takes = bool(after.focusPolicy() & Qt.FocusPolicy.TabFocus) and after.isEnabled()
        if takes and after.isVisible() and not row.isAncestorOf(after):
            after.setFocus(_reason(focus))
            return
        after = after.nextInFocusChain()


class RowGroup(QWidget):
    """Rows in a frame, with a line between each two. A row stays the same widget as long as its
    value is listed, so that the keyboard stays where it is."""

    def __init__(self, theme: Theme, name: str, make: Callable[[Any], AnyRow]) -> None:
        super().__init__()
        self._theme = theme
        self._make = make
        self._rows: dict[str, AnyRow] = {}
        self._room = Room.WIDE
        self.setObjectName(name)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(1, 1, 1, 1)
        self._column.setSpacing(1)
        theme.changed.connect(self.update)
        self.hide()

    @property
    def rows(self) -> list[AnyRow]:
        return list(self._rows.values())

    def row(self, value: Keyed) -> AnyRow | None:
        return self._rows.get(key_of(value))

    def show_values(self, values: Sequence[Keyed]) -> bool:
        """True if there are other rows than before."""
        wanted = {key_of(value): value for value in values}
        before, focused = list(self._rows), self._focused_row()
        for gone in [key for key in before if key not in wanted]:
            self._drop(self._rows.pop(gone), focused)
        for place, (key, value) in enumerate(wanted.items()):
            if key not in self._rows:
                self._rows[key] = self._make(value)
                self._rows[key].set_room(self._room)
            row = self._rows[key]
            row.show_value(value)
            if self._column.indexOf(row) != place:
                self._column.removeWidget(row)
                self._column.insertWidget(place, row)
        self._rows = {key: self._rows[key] for key in wanted}
        self.setVisible(bool(wanted))
        self.update()
        return list(self._rows) != before

    def _focused_row(self) -> AnyRow | None:
        focus = self.window().focusWidget()
        found = (row for row in self._rows.values() if focus and row.isAncestorOf(focus))
        return next(found, None)

    def _drop(self, row: AnyRow, focused: AnyRow | None) -> None:
        """The keyboard goes to what comes next, not to nowhere."""
        if row is focused:
            _hand_on_focus(row)
        self._column.removeWidget(row)
        row.hide()
        row.setParent(None)
        row.deleteLater()

    def set_room(self, room: Room) -> None:
        self._room = room
        for row in self._rows.values():
            row.set_room(room)

    def paintEvent(self, _event: QPaintEvent) -> None:
        c = self._theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(c.border, 1))
        painter.setBrush(c.raised)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(box, _RADIUS, _RADIUS)
        for row in self.rows[1:]:
            painter.fillRect(0, row.y() - 1, self.width(), 1, c.border)
        painter.end()
