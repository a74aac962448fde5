"""A switch with its words: on or off at once, no other button needed. Painted. GUI thread."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy

from ui.theme.buttons import RING, Look, PaintedButton
from ui.theme.fonts import Role
from ui.theme.theme import Theme

_TRACK = QSize(36, 20)
_GAP = 16
_BETWEEN = 2
_WRAP = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft)


class Switch(PaintedButton):
    """A label, one line of help below, and the switch where the line ends."""

    def __init__(self, theme: Theme, name: str, text: str, hint: str) -> None:
        super().__init__(theme, name)
        self._hint = hint
        self.setText(text)
        self.setAccessibleName(text)
        self.setAccessibleDescription(hint)
        self.setCheckable(True)
        self.radius = 6.0
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def look(self) -> Look:
        c = self.theme.colours
        if not self.isEnabled():
            return Look(ink=c.disabled, icon=c.disabled)
        return Look(ink=c.text, icon=c.accent if self.isChecked() else c.line)

    def sizeHint(self) -> QSize:
        width = self.theme.metrics(Role.CONTROL).horizontalAdvance(self.text())
        hint = self.theme.metrics(Role.SECOND).horizontalAdvance(self._hint)
        whole = round(max(width, hint)) + 1 + _GAP + _TRACK.width() + 2 * RING
        return QSize(whole, self.heightForWidth(whole))

    def minimumSizeHint(self) -> QSize:
        return QSize(160, self.theme.px(40) + 2 * RING)

    def heightForWidth(self, width: int) -> int:
        room = width - 2 * RING - _GAP - _TRACK.width()
        label, hint = self._heights(room)
        return round(label + _BETWEEN + hint) + 2 * RING

    def _heights(self, room: float) -> tuple[float, float]:
        """Of the label and of the help, wrapped."""
        box = QRectF(0, 0, max(1, room), 10_000)
        label = self.theme.metrics(Role.CONTROL).boundingRect(box, _WRAP, self.text())
        hint = self.theme.metrics(Role.SECOND).boundingRect(box, _WRAP, self._hint)
        return label.height(), hint.height()

    def paint_content(self, painter: QPainter, look: Look) -> None:
        shape = self.shape
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        room = shape.width() - _GAP - _TRACK.width()
        label, hint = self._heights(room)
        left = shape.right() - room if rtl else shape.left()
        top = shape.top() + (shape.height() - label - _BETWEEN - hint) / 2
        painter.setLayoutDirection(self.layoutDirection())
        self._write(painter, QRectF(left, top, room, label), Role.CONTROL, look.ink, self.text())
        soft = self.theme.colours.text2 if self.isEnabled() else look.ink
        below = QRectF(left, top + label + _BETWEEN, room, hint)
        self._write(painter, below, Role.SECOND, soft, self._hint)
        x = shape.left() if rtl else shape.right() - _TRACK.width()
        y = shape.center().y() - _TRACK.height() / 2
        self._paint_track(painter, QRectF(x, y, _TRACK.width(), _TRACK.height()), look, rtl=rtl)

    def _write(self, painter: QPainter, box: QRectF, role: Role, ink: QColor, text: str) -> None:
        painter.setFont(self.theme.font(role))
        painter.setPen(ink)
        painter.drawText(box, _WRAP, text)

    def _paint_track(self, painter: QPainter, track: QRectF, look: Look, *, rtl: bool) -> None:
        c = self.theme.colours
        is_on = self.isChecked()
        painter.setPen(QPen(look.icon, 1.5))
        painter.setBrush(look.icon if is_on else c.raised)
        inner = track.adjusted(0.75, 0.75, -0.75, -0.75)
        painter.drawRoundedRect(inner, inner.height() / 2, inner.height() / 2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(c.on_accent if is_on else look.icon)
        knob = track.height() / 2
        at_end = is_on != rtl
        x = track.right() - knob if at_end else track.left() + knob
        radius = knob - 4 if is_on else knob - 5
        painter.drawEllipse(QPointF(x, track.center().y()), radius, radius)
