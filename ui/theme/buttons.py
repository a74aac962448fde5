"""Buttons as the design draws them: painted, with a ring for the keyboard's focus only.

Each widget is `RING` larger on every side than the shape it paints, which is where the ring goes.
"""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFocusEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from ui.theme.fonts import Role
from ui.theme.icons import icon
from ui.theme.theme import Theme

RING = 4
_KEYBOARD = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How a button looks right now. None paints nothing."""

    ink: QColor
    icon: QColor
    fill: QColor | None = None
    edge: QColor | None = None
    dashed: bool = False


def paint_shape(painter: QPainter, shape: QRectF, radius: float, look: Look) -> None:
    """Fill and 1 px edge of a rounded rectangle on whole pixels."""
    painter.setPen(Qt.PenStyle.NoPen)
    if look.edge is not None:
        pen = QPen(look.edge, 1)
        pen.setStyle(Qt.PenStyle.DashLine if look.dashed else Qt.PenStyle.SolidLine)
        painter.setPen(pen)
        shape = shape.adjusted(0.5, 0.5, -0.5, -0.5)
    if look.fill is None and look.edge is None:
        return
    painter.setBrush(look.fill if look.fill is not None else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(shape, radius, radius)


class PaintedButton(QAbstractButton):
    """The common part: shape, ring, and hover. Subclasses say the look and paint the content."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self.theme = theme
        self.radius = 9.0
        self._ring = False
        self.setObjectName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._theme_changed)

    @property
    def hovered(self) -> bool:
        return self.isEnabled() and self.underMouse()

    @property
    def has_ring(self) -> bool:
        """The keyboard has brought the focus here."""
        return self._ring

    @property
    def shape(self) -> QRectF:
        return QRectF(self.rect()).adjusted(RING, RING, -RING, -RING)

    def look(self) -> Look:
        raise NotImplementedError

    def paint_content(self, painter: QPainter, look: Look) -> None:
        raise NotImplementedError

    def describe(self, label: str, shortcut: str = "") -> None:
        """The accessible name, and the tooltip, which names the shortcut too."""
        self.setAccessibleName(label)
        self.setToolTip(f"{label} ({shortcut})" if shortcut else label)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        look = self.look()
        paint_shape(painter, self.shape, self.radius, look)
        if self._ring:
            self.paint_ring(painter)
        self.paint_content(painter, look)
        painter.end()

    def paint_ring(self, painter: QPainter) -> None:
        """Around the shape, with a gap."""
        painter.setPen(QPen(self.theme.colours.focus, 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        ring = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        painter.drawRoundedRect(ring, self.radius + 3, self.radius + 3)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ring = event.reason() in _KEYBOARD
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._ring = False
        super().focusOutEvent(event)

    def draw_icon(
        self, painter: QPainter, name: str, size: int, centre: QPointF, ink: QColor
    ) -> None:
        pixmap = icon(name, ink, size, self.devicePixelRatioF())
        painter.drawPixmap(round(centre.x() - size / 2), round(centre.y() - size / 2), pixmap)

    def _theme_changed(self) -> None:
        self.updateGeometry()
        self.update()


class IconButton(PaintedButton):
    """A square with an icon: 36 in the open, 32 in rows."""

    def __init__(
        self,
        theme: Theme,
        name: str,
        icon_name: str,
        *,
        size: int = 36,
    ) -> None:
        super().__init__(theme, name)
        self.icon_name = icon_name
        self._size = size
        self._icon_px = 20 if size >= 36 else 18
        self.ink_role = "text2"
        self.hover_role = "hover_up"

    def sizeHint(self) -> QSize:
        return QSize(self._size + 2 * RING, self._size + 2 * RING)

    def look(self) -> Look:
        c = self.theme.colours
        ink = getattr(c, self.ink_role) if self.isEnabled() else c.disabled
        return Look(ink=ink, icon=ink, fill=getattr(c, self.hover_role) if self.hovered else None)

    def paint_content(self, painter: QPainter, look: Look) -> None:
        self.draw_icon(painter, self.icon_name, self._icon_px, self.shape.center(), look.icon)


class RoundButton(PaintedButton):
    """Send, and Stop while Snug writes: a filled circle of 36."""

    def __init__(self, theme: Theme, name: str, icon_name: str) -> None:
        super().__init__(theme, name)
        self.icon_name = icon_name
        self.radius = 18.0

    def sizeHint(self) -> QSize:
        return QSize(36 + 2 * RING, 36 + 2 * RING)

    def look(self) -> Look:
        c = self.theme.colours
        if not self.isEnabled():
            edge = c.disabled if self.theme.high_contrast else None
            return Look(
                ink=c.disabled,
                icon=c.disabled,
                fill=c.accent_off,
                edge=edge,
                dashed=edge is not None,
            )
        return Look(ink=c.on_accent, icon=c.on_accent, fill=filled(self))

    def paint_content(self, painter: QPainter, look: Look) -> None:
        centre = self.shape.center()
        if self.icon_name == "square":
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.icon)
            painter.drawRoundedRect(QRectF(centre.x() - 7, centre.y() - 7, 14, 14), 3, 3)
            return
        self.draw_icon(painter, self.icon_name, 20, centre, look.icon)


def filled(button: PaintedButton) -> QColor:
    """The accent fill of a primary button in its present state."""
    c = button.theme.colours
    if button.isDown():
        return c.accent_pressed
    return c.accent_hover if button.hovered else c.accent


class TextButton(PaintedButton):
    """ "primary", "secondary", "quiet" (words only) or "danger". 36 high."""

    def __init__(self, theme: Theme, name: str, text: str, kind: str) -> None:
        super().__init__(theme, name)
        self.kind = kind
        self.ink: QColor | None = None
        self.setText(text)

    def sizeHint(self) -> QSize:
        metrics = self.theme.metrics(Role.BUTTON)
        padding = 8 if self.kind == "quiet" else 16
        width = round(metrics.horizontalAdvance(self.text())) + 2 * (padding + RING)
        return QSize(width, self.theme.px(36) + 2 * RING)

    def look(self) -> Look:
        c = self.theme.colours
        if not self.isEnabled():
            return self._look_off()
        match self.kind:
            case "primary":
                return Look(ink=c.on_accent, icon=c.on_accent, fill=filled(self))
            case "danger":
                return Look(ink=c.on_bad, icon=c.on_bad, fill=c.bad_fill)
            case "secondary":
                fill = c.hover_up if self.hovered else c.raised
                return Look(ink=c.text, icon=c.text2, fill=fill, edge=c.control)
            case _:
                ink = self.ink or c.accent
                return Look(ink=ink, icon=ink)

    def _look_off(self) -> Look:
        c = self.theme.colours
        fill = c.accent_off if self.kind == "primary" else None
        edge = c.disabled if self.kind != "quiet" and self.theme.high_contrast else None
        return Look(ink=c.disabled, icon=c.disabled, fill=fill, edge=edge, dashed=edge is not None)

    def paint_content(self, painter: QPainter, look: Look) -> None:
        font = self.theme.font(Role.BUTTON)
        font.setUnderline(self.kind == "quiet" and self.hovered)
        painter.setFont(font)
        painter.setPen(look.ink)
        painter.drawText(self.shape, Qt.AlignmentFlag.AlignCenter, self.text())


_HINT_GAP = 12


class CardButton(PaintedButton):
    """Icon, words and a hint on a framed card: New chat, and the starters of an empty chat."""

    def __init__(self, theme: Theme, name: str, icon_name: str, text: str, height: int) -> None:
        super().__init__(theme, name)
        self.icon_name = icon_name
        self.hint = ""
        self._height = height
        self.setText(text)
        self.setAccessibleName(text)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        metrics = self.theme.metrics(Role.CONTROL)
        words = round(metrics.horizontalAdvance(self.text() + self.hint))
        return QSize(words + 72, self.theme.px(self._height) + 2 * RING)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def look(self) -> Look:
        c = self.theme.colours
        fill = c.hover_up if self.hovered else c.raised
        return Look(ink=c.text, icon=c.accent, fill=fill, edge=c.border)

    def paint_content(self, painter: QPainter, look: Look) -> None:
        shape = self.shape
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        icon_x = shape.right() - 21 if rtl else shape.left() + 21
        self.draw_icon(painter, self.icon_name, 20, QPointF(icon_x, shape.center().y()), look.icon)
        words = shape.adjusted(12, 0, -40, 0) if rtl else shape.adjusted(40, 0, -12, 0)
        painter.setFont(self.theme.font(Role.CONTROL))
        painter.setPen(look.ink)
        self._draw(painter, words, self.text(), Qt.AlignmentFlag.AlignLeft)
        room = words.width() - painter.fontMetrics().horizontalAdvance(self.text())
        painter.setFont(self.theme.font(Role.CAPTION))
        if room < painter.fontMetrics().horizontalAdvance(self.hint) + _HINT_GAP:
            return  # large text: the words matter more
        painter.setPen(self.theme.colours.text3)
        self._draw(painter, words, self.hint, Qt.AlignmentFlag.AlignRight)

    def _draw(self, painter: QPainter, box: QRectF, text: str, side: Qt.AlignmentFlag) -> None:
        elided = painter.fontMetrics().elidedText(
            text, Qt.TextElideMode.ElideRight, int(box.width())
        )
        painter.drawText(box, int(side | Qt.AlignmentFlag.AlignVCenter), elided)
