"""A choice among few, and the fold that hides what few people want to see. Painted. GUI thread."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QSizePolicy

from ui.theme.buttons import RING, Look, PaintedButton
from ui.theme.fit import FitLook, badge_size, listed, paint_badge
from ui.theme.fonts import Role
from ui.theme.theme import Theme

_CIRCLE = 20
_GAP = 10
_BADGE_GAP = 10


class Radio(PaintedButton):
    """One of several that exclude each other under one parent; arrows go from one to the next.

    The words wrap; a badge follows them, below where there is no room beside.
    """

    def __init__(self, theme: Theme, name: str, text: str, fit: FitLook | None = None) -> None:
        super().__init__(theme, name)
        self._fit = fit
        self.setText(text)
        self.setAccessibleName(listed(text, fit.words) if fit else text)
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.radius = 6.0
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def look(self) -> Look:
        c = self.theme.colours
        return Look(ink=c.text, icon=c.accent if self.isChecked() else c.line)

    def sizeHint(self) -> QSize:
        metrics = self.theme.metrics(Role.CONTROL)
        badge = _BADGE_GAP + self._badge.width() if self._fit else 0
        width = round(metrics.horizontalAdvance(self.text())) + 1 + badge + self._lead + 2 * RING
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(160, self.theme.px(22) + 2 * RING)

    def heightForWidth(self, width: int) -> int:
        words = self._words(width - 2 * RING - self._lead)
        below = self._badge.height() + 4 if self._fit and not self._beside(width, words) else 0
        return max(self.theme.px(22), round(words.height()) + below) + 2 * RING

    @property
    def _lead(self) -> int:
        return _CIRCLE + _GAP

    @property
    def _badge(self) -> QSize:
        return badge_size(self.theme, self._fit) if self._fit else QSize()

    def _words(self, width: int) -> QRectF:
        """The room that the wrapped words take."""
        metrics = self.theme.metrics(Role.CONTROL)
        wrap = int(Qt.TextFlag.TextWordWrap)
        return metrics.boundingRect(QRectF(0, 0, max(1, width), 10_000), wrap, self.text())

    def _beside(self, width: int, words: QRectF) -> bool:
        one_line = words.height() < 1.5 * self.theme.metrics(Role.CONTROL).height()
        room = width - 2 * RING - self._lead
        return one_line and words.width() + _BADGE_GAP + self._badge.width() <= room

    def paint_content(self, painter: QPainter, look: Look) -> None:
        shape = self.shape
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        words = self._words(round(shape.width()) - self._lead)
        beside = self._beside(self.width(), words)
        below = self._badge.height() + 4 if self._fit and not beside else 0
        top = shape.top() + (shape.height() - words.height() - below) / 2
        line = self.theme.metrics(Role.CONTROL).height()
        x = shape.right() - _CIRCLE / 2 if rtl else shape.left() + _CIRCLE / 2
        self._paint_circle(painter, QPointF(x, top + line / 2), look)
        left = shape.left() if rtl else shape.left() + self._lead
        text = QRectF(left, top, shape.width() - self._lead, words.height())
        painter.setFont(self.theme.font(Role.CONTROL))
        painter.setPen(look.ink)
        painter.setLayoutDirection(self.layoutDirection())
        painter.drawText(
            text, int(Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap), self.text()
        )
        if self._fit:
            self._paint_fit(painter, text, words, beside=beside)

    def _paint_circle(self, painter: QPainter, centre: QPointF, look: Look) -> None:
        painter.setPen(QPen(look.icon, 1.5))
        painter.setBrush(look.icon if self.isChecked() else self.theme.colours.raised)
        painter.drawEllipse(centre, _CIRCLE / 2 - 0.75, _CIRCLE / 2 - 0.75)
        if self.isChecked():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.theme.colours.on_accent)
            painter.drawEllipse(centre, 4, 4)

    def _paint_fit(self, painter: QPainter, text: QRectF, words: QRectF, *, beside: bool) -> None:
        if self._fit is None:
            return
        size = self._badge
        lead = words.width() + _BADGE_GAP if beside else 0
        top = text.center().y() - size.height() / 2 if beside else text.bottom() + 4
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        x = text.right() - lead - size.width() if rtl else text.left() + lead
        box = QRectF(round(x), round(top), size.width(), size.height())
        paint_badge(painter, box, self.theme, self._fit, self.devicePixelRatioF())


class FoldButton(PaintedButton):
    """Chevron and words; checked while open."""

    def __init__(self, theme: Theme, name: str, text: str) -> None:
        super().__init__(theme, name)
        self.setText(text)
        self.setAccessibleName(text)
        self.setCheckable(True)
        self.radius = 6.0

    def look(self) -> Look:
        c = self.theme.colours
        ink = c.text if self.hovered else c.text2
        return Look(ink=ink, icon=ink)

    def sizeHint(self) -> QSize:
        metrics = self.theme.metrics(Role.SECOND)
        width = 20 + round(metrics.horizontalAdvance(self.text())) + 1 + 4 + 2 * RING
        return QSize(width, self.theme.px(24) + 2 * RING)

    def paint_content(self, painter: QPainter, look: Look) -> None:
        shape = self.shape
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        x = shape.right() - 8 if rtl else shape.left() + 8
        centre = QPointF(x, shape.center().y())
        if rtl and not self.isChecked():
            painter.save()
            painter.translate(2 * x, 0)
            painter.scale(-1, 1)
            self.draw_icon(painter, "chevron-right", 16, centre, look.icon)
            painter.restore()
        else:
            name = "chevron-down" if self.isChecked() else "chevron-right"
            self.draw_icon(painter, name, 16, centre, look.icon)
        text = shape.adjusted(0, 0, -20, 0) if rtl else shape.adjusted(20, 0, 0, 0)
        painter.setFont(self.theme.font(Role.SECOND))
        painter.setPen(look.ink)
        painter.setLayoutDirection(self.layoutDirection())
        painter.drawText(
            text, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), self.text()
        )
