"""The small buttons of the column: an icon, an icon with a word, a word. GUI thread."""

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QEnterEvent, QFocusEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from ui.chat.ink import Ink
from ui.theme.fonts import Role
from ui.theme.icons import icon

_KEYBOARD = {
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
    Qt.FocusReason.OtherFocusReason,
}


def by_keyboard(reason: Qt.FocusReason) -> bool:
    """Whether a focus ring is due."""
    return reason in _KEYBOARD


def paint_ring(painter: QPainter, rect: QRectF, radius: float, colour: QColor) -> None:
    """A focus ring of 2 px just inside `rect`."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(colour, 2))
    painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), radius, radius)


class Button(QAbstractButton):
    """Paints icon, word or both; takes focus by the keyboard only."""

    def __init__(self, ink: Ink, parent: QWidget, *, image: str = "", word: str = "") -> None:
        super().__init__(parent)
        self.ink = ink
        self._image = image
        self._ring = False
        self.setText(word)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.resize(self.sizeHint())

    def name(self, object_name: str, spoken: str) -> None:
        """Sets the object name, and the spoken name as tooltip too where no word is shown."""
        self.setObjectName(object_name)
        self.setAccessibleName(spoken)
        if not self.text():
            self.setToolTip(spoken)

    def show_as(self, image: str, word: str) -> None:
        self._image = image
        self.setText(word)
        self.resize(self.sizeHint())
        self.update()

    def sizeHint(self) -> QSize:
        if not self.text():
            return QSize(32, 32)
        words = self.ink.metrics(self._role()).horizontalAdvance(self.text())
        left = 26 if self._image else 8
        return QSize(round(words) + left + 10, max(28, self.ink.line(Role.SECOND) + 8))

    def _role(self) -> Role:
        return Role.SECOND if self._image else Role.BUTTON

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ring = by_keyboard(event.reason())
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._ring = False
        super().focusOutEvent(event)

    def _background(self) -> QColor | None:
        return self.ink.colours.hover_up if self.underMouse() and self.isEnabled() else None

    def _foreground(self) -> QColor:
        return self.ink.colours.text2 if self._image else self.ink.colours.accent

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if fill := self._background():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(fill)
            painter.drawRoundedRect(QRectF(self.rect()), 9, 9)
        self._paint_label(painter)
        if self._ring:
            paint_ring(painter, QRectF(self.rect()), 8, self.ink.colours.focus)
        painter.end()

    def _paint_label(self, painter: QPainter) -> None:
        colour, x = self._foreground(), 8
        if self._image:
            size = 16 if self.text() else 18
            x = 4 if self.text() else (self.width() - size) // 2
            pixmap = icon(self._image, colour, size, self.devicePixelRatioF())
            painter.drawPixmap(x, (self.height() - size) // 2, pixmap)
            x += size + 6
        if self.text():
            painter.setPen(colour)
            painter.setFont(self.ink.font(self._role()))
            rect = self.rect().adjusted(x, 0, 0, 0)
            flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
            painter.drawText(rect, flags, self.text())


class RoundButton(Button):
    """The round button that floats over the column."""

    def sizeHint(self) -> QSize:
        return QSize(36, 36)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = self.ink.colours
        painter.setBrush(colours.hover_up if self.underMouse() else colours.raised)
        painter.setPen(QPen(colours.control, 1))
        painter.drawEllipse(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))
        self._paint_label(painter)
        if self._ring:
            paint_ring(painter, QRectF(self.rect()), 18, colours.focus)
        painter.end()
