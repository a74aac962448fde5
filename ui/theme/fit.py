"""Whether a piece fits its slot, seen before it is read: the fit badge and the fit slot, painted.

They show what they are given; verdicts and words are decided elsewhere. GUI thread.
"""

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.theme.fonts import Role
from ui.theme.icons import icon
from ui.theme.theme import Theme

translate = QCoreApplication.translate

Tone = Literal["good", "warn", "bad"]

_PADDING = 8
_ICON = 14
_GAP = 5

SLOT_WIDTH = 104
_SLOT_HEIGHT = 12
_INSET = 2
_OVERRUN = 20
_LEAST_OVERRUN = 6
_TICK = QSize(2, 16)


@dataclass(frozen=True, slots=True, kw_only=True)
class FitLook:
    """A verdict as it is shown: always an icon and words, never the colour alone."""

    icon: str
    tone: Tone
    words: str


def listed(thing: str, said: str) -> str:
    """A thing and what is said of it, as a screen reader reads them."""
    return translate("Fit", "{thing}, {said}").format(thing=thing, said=said)


def badge_size(theme: Theme, look: FitLook, *, words: bool = True) -> QSize:
    """`words` False leaves the icon alone, where there is little room."""
    width = 2 * _PADDING + theme.px(_ICON)
    if words:
        width += _GAP + round(theme.metrics(Role.BADGE).horizontalAdvance(look.words)) + 1
    return QSize(width, theme.px(22))


def paint_badge(
    painter: QPainter, box: QRectF, theme: Theme, look: FitLook, ratio: float, *, words: bool = True
) -> None:
    """`ratio` is the scale of the screen. The icon stands where a line begins."""
    c = theme.colours
    ink: QColor = getattr(c, look.tone)
    shape = box.adjusted(0.5, 0.5, -0.5, -0.5) if theme.high_contrast else box
    painter.setPen(QPen(ink, 1) if theme.high_contrast else Qt.PenStyle.NoPen)
    painter.setBrush(getattr(c, f"{look.tone}_soft"))
    painter.drawRoundedRect(shape, shape.height() / 2, shape.height() / 2)
    size = theme.px(_ICON)
    rtl = painter.layoutDirection() == Qt.LayoutDirection.RightToLeft
    x = box.right() - _PADDING - size if rtl else box.left() + _PADDING
    pixmap = icon(look.icon, ink, size, ratio)
    painter.drawPixmap(QPointF(round(x), round(box.center().y() - size / 2)), pixmap)
    if not words:
        return
    painter.setFont(theme.font(Role.BADGE))
    painter.setPen(ink)
    beside = _PADDING + size + _GAP
    text = box.adjusted(0, 0, -beside, 0) if rtl else box.adjusted(beside, 0, 0, 0)
    side = Qt.AlignmentFlag.AlignRight if rtl else Qt.AlignmentFlag.AlignLeft
    absolute = Qt.AlignmentFlag.AlignAbsolute
    painter.drawText(text, int(side | absolute | Qt.AlignmentFlag.AlignVCenter), look.words)


class FitBadge(QWidget):
    """The badge as a widget of its own; hidden while there is no verdict."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme = theme
        self._look: FitLook | None = None
        self.setObjectName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.updateGeometry)
        self.hide()

    def show_look(self, look: FitLook | None) -> None:
        self._look = look
        self.setAccessibleName(look.words if look else "")
        self.setVisible(look is not None)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return badge_size(self._theme, self._look) if self._look else QSize()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._look is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setLayoutDirection(self.layoutDirection())
        box = QRectF(self.rect())
        paint_badge(painter, box, self._theme, self._look, self.devicePixelRatioF())
        painter.end()


class FitSlot(QWidget):
    """A piece in a slot. What is too big runs past the end, where a tick marks the edge."""

    def __init__(self, theme: Theme, name: str, width: int = SLOT_WIDTH) -> None:
        super().__init__()
        self._theme = theme
        self._width = width
        self._share = 0.0
        self._tone: Tone = "good"
        self.setObjectName(name)
        self.setFixedSize(width + _OVERRUN, _TICK.height())
        theme.changed.connect(self.update)

    def show_share(self, share: float, tone: Tone, label: str) -> None:
        """`share` of the slot that the piece takes, above 1 if it does not fit; `label` says so."""
        self._share, self._tone = share, tone
        self.setAccessibleName(label)
        self.update()

    @property
    def piece_width(self) -> float:
        """How far the piece reaches from where the slot begins, its inset included."""
        if self._share > 1:
            past = self._width * (self._share - 1)
            return self._width + min(_OVERRUN, max(_LEAST_OVERRUN, past))
        inner = self._width - 2 * _INSET
        return _INSET + max(_SLOT_HEIGHT - 2 * _INSET, inner * max(0.0, self._share))

    def paintEvent(self, _event: QPaintEvent) -> None:
        c = self._theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            painter.translate(self.width(), 0)
            painter.scale(-1, 1)
        top = (self.height() - _SLOT_HEIGHT) / 2
        slot = QRectF(0, top, self._width, _SLOT_HEIGHT)
        edge = self._theme.high_contrast
        painter.setPen(QPen(c.border, 1) if edge else Qt.PenStyle.NoPen)
        painter.setBrush(c.slot)
        painter.drawRoundedRect(slot.adjusted(0.5, 0.5, -0.5, -0.5) if edge else slot, 6, 6)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(getattr(c, f"{self._tone}_fill"))
        height = _SLOT_HEIGHT - 2 * _INSET
        painter.drawRoundedRect(
            QRectF(_INSET, top + _INSET, self.piece_width - _INSET, height), 4, 4
        )
        if self._share > 1:
            painter.fillRect(QRectF(self._width - _TICK.width(), 0, 2, _TICK.height()), c.text)
        painter.end()
