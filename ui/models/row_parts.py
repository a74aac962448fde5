"""What the rows of the Models page are made of: a frame around rows, a name that is cut where it
is too long, a bar, a button with an icon. Painted. GUI thread."""

from collections.abc import Callable, Collection, Sequence
from enum import Enum, auto
from typing import Any, Generic, Protocol, TypeVar

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QProgressBar, QSizePolicy, QVBoxLayout, QWidget

from ui.theme.buttons import RING, Look, PaintedButton, TextButton
from ui.theme.fonts import Role
from ui.theme.theme import Theme

BAR_STEPS = 1000
_RADIUS = 12


class ElidedLabel(QWidget):
    """One line of text that ends in "…" where there is no room; the tooltip then has it whole."""

    def __init__(self, theme: Theme, role: Role, ink: str = "text") -> None:
        super().__init__()
        self._theme = theme
        self._role = role
        self._ink = ink
        self._text = ""
        self._at_end = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.updateGeometry)

    @property
    def text(self) -> str:
        return self._text

    def say(self, text: str, ink: str | None = None, *, at_end: bool | None = None) -> None:
        self._text = " ".join(text.split())
        self._ink = ink or self._ink
        self._at_end = self._at_end if at_end is None else at_end
        self.setAccessibleName(self._text)
        self.updateGeometry()
        self.update()

    def _line(self) -> int:
        natural = self._theme.metrics(self._role).height()
        return max(self._theme.line_height(self._role), round(natural) + 1)

    def sizeHint(self) -> QSize:
        width = round(self._theme.metrics(self._role).horizontalAdvance(self._text)) + 2
        return QSize(width, self._line())

    def minimumSizeHint(self) -> QSize:
        return QSize(min(60, self.sizeHint().width()), self._line())

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setLayoutDirection(self.layoutDirection())
        painter.setFont(self._theme.font(self._role))
        ink: QColor = getattr(self._theme.colours, self._ink)
        painter.setPen(ink if self.isEnabled() else self._theme.colours.disabled)
        elide = Qt.TextElideMode.ElideRight
        shown = painter.fontMetrics().elidedText(self._text, elide, self.width())
        self.setToolTip(self._text if shown != self._text else "")
        side = Qt.AlignmentFlag.AlignRight if self._at_end else Qt.AlignmentFlag.AlignLeft
        painter.drawText(self.rect(), int(side | Qt.AlignmentFlag.AlignVCenter), shown)
        painter.end()


class Bar(QProgressBar):
    """How far something is, 6 high. Within one piece of work it never goes back."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme = theme
        self._tone = "accent"
        self.setObjectName(name)
        self.setRange(0, BAR_STEPS)
        self.setTextVisible(False)
        self.setFixedHeight(6)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_part(self, fraction: float, tone: str) -> None:
        """`tone` is the colour token of the fill."""
        self._tone = tone
        self.setValue(max(self.value(), round(max(0.0, min(1.0, fraction)) * BAR_STEPS)))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        c = self._theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect())
        edge = self._theme.high_contrast
        painter.setPen(QPen(c.border, 1) if edge else Qt.PenStyle.NoPen)
        painter.setBrush(c.slot)
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5) if edge else box, 3, 3)
        width = box.width() * self.value() / BAR_STEPS
        if width >= 1:
            left = box.right() - width if self.isRightToLeft() else box.left()
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(getattr(c, self._tone))
            painter.drawRoundedRect(QRectF(left, box.top(), max(width, 6.0), box.height()), 3, 3)
        painter.end()


class IconTextButton(TextButton):
    """A button with an icon before its words."""

    def __init__(self, theme: Theme, name: str, icon_name: str, text: str, kind: str) -> None:
        super().__init__(theme, name, text, kind)
        self.icon_name = icon_name
        self.setAccessibleName(text)

    def sizeHint(self) -> QSize:
        size = super().sizeHint()
        return QSize(size.width() + 28, size.height())

    def paint_content(self, painter: QPainter, look: Look) -> None:
        shape = self.shape
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        x = shape.right() - 25 if rtl else shape.left() + 25
        self.draw_icon(painter, self.icon_name, 18, QPointF(x, shape.center().y()), look.icon)
        words = shape.adjusted(0, 0, -28, 0) if rtl else shape.adjusted(28, 0, 0, 0)
        painter.setFont(self.theme.font(Role.BUTTON))
        painter.setPen(look.ink)
        painter.drawText(words, int(Qt.AlignmentFlag.AlignCenter), self.text())


class InUseBadge(QWidget):
    """ "In use", with its tick: not a button, for there is nothing to press."""

    def __init__(self, theme: Theme, text: str) -> None:
        super().__init__()
        self._theme = theme
        self._text = text
        self.setAccessibleName(text)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        words = round(self._theme.metrics(Role.BUTTON).horizontalAdvance(self._text)) + 1
        return QSize(words + 40 + 2 * RING, self._theme.px(28) + 2 * RING)

    def paintEvent(self, _event: QPaintEvent) -> None:
        from ui.theme.icons import icon  # noqa: PLC0415 - one name in this scope

        c = self._theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(RING, RING, -RING, -RING)
        edge = self._theme.high_contrast
        painter.setPen(QPen(c.accent_soft_text, 1) if edge else Qt.PenStyle.NoPen)
        painter.setBrush(c.accent_soft)
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        rtl = self.isRightToLeft()
        pixmap = icon("check", c.accent_soft_text, 16, self.devicePixelRatioF())
        x = box.right() - 26 if rtl else box.left() + 10
        painter.drawPixmap(QPointF(round(x), round(box.center().y() - 8)), pixmap)
        painter.setFont(self._theme.font(Role.BUTTON))
        painter.setPen(c.accent_soft_text)
        words = box.adjusted(12, 0, -30, 0) if rtl else box.adjusted(30, 0, -12, 0)
        painter.drawText(words, int(Qt.AlignmentFlag.AlignCenter), self._text)
        painter.end()


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
