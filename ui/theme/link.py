"""Words to press that stand in a text or a line: no frame, underlined under the pointer, and always
where colours can not tell them from a warning."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter

from ui.theme.buttons import RING, Look, PaintedButton
from ui.theme.fonts import Role
from ui.theme.theme import Theme

_LEAST_HEIGHT = 24
"""No target is smaller."""


class LinkButton(PaintedButton):
    def __init__(self, theme: Theme, name: str, text: str, role: Role) -> None:
        super().__init__(theme, name)
        self._role = role
        self.radius = 6.0
        self.say(text)

    def say(self, text: str) -> None:
        self.setText(text)
        self.setAccessibleName(text)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        width = round(self.theme.metrics(self._role).horizontalAdvance(self.text())) + 1
        height = max(_LEAST_HEIGHT, self.theme.line_height(self._role) + 2 * RING)
        return QSize(width + 2 * RING, height)

    def look(self) -> Look:
        c = self.theme.colours
        ink = c.accent if self.isEnabled() else c.disabled
        return Look(ink=ink, icon=ink)

    def paint_content(self, painter: QPainter, look: Look) -> None:
        font = self.theme.font(self._role)
        font.setUnderline(self.hovered or self.theme.high_contrast)
        painter.setFont(font)
        painter.setPen(look.ink)
        painter.drawText(self.shape, Qt.AlignmentFlag.AlignCenter, self.text())
