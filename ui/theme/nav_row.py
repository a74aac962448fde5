"""A row that leads to a page: in the foot of the sidebar, and for the groups of the settings.

Painted. GUI thread.
"""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QSizePolicy

from ui.theme.buttons import Look, PaintedButton
from ui.theme.fonts import Role
from ui.theme.theme import Theme

_ICON_AT = 21
_WORDS_AT = 40


class NavRow(PaintedButton):
    """An icon and words, 36 high; checked while its page is shown."""

    def __init__(self, theme: Theme, name: str, icon_name: str, text: str) -> None:
        super().__init__(theme, name)
        self.icon_name = icon_name
        self.radius = 8.0
        self.setText(text)
        self.setAccessibleName(text)
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def nextCheckState(self) -> None:
        """What is shown decides, not the click."""

    @property
    def shape(self) -> QRectF:
        return QRectF(self.rect())

    def sizeHint(self) -> QSize:
        return QSize(100, self.theme.px(36))

    def look(self) -> Look:
        c = self.theme.colours
        if self.isChecked():
            ink = c.on_accent if self.theme.high_contrast else c.text
            soft = c.on_accent if self.theme.high_contrast else c.text2
            return Look(ink=ink, icon=soft, fill=c.selected)
        return Look(ink=c.text, icon=c.text2, fill=c.hover if self.hovered else None)

    def paint_ring(self, painter: QPainter) -> None:
        """Inside, as rows of a list have it."""
        painter.setPen(QPen(self.theme.colours.focus, 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 7, 7)

    def paint_content(self, painter: QPainter, look: Look) -> None:
        shape = self.shape
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        x = shape.right() - _ICON_AT if rtl else shape.left() + _ICON_AT
        self.draw_icon(painter, self.icon_name, 18, QPointF(x, shape.center().y()), look.icon)
        lead, trail = (12, _WORDS_AT) if rtl else (_WORDS_AT, 12)
        box = shape.adjusted(lead, 0, -trail, 0)
        role = Role.BUTTON if self.isChecked() else Role.CONTROL
        painter.setLayoutDirection(self.layoutDirection())
        painter.setFont(self.theme.font(role))
        painter.setPen(look.ink)
        elide = Qt.TextElideMode.ElideRight
        words = painter.fontMetrics().elidedText(self.text(), elide, int(box.width()))
        painter.drawText(
            box, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), words
        )
