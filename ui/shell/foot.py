"""The foot of the sidebar: the ways to the pages beside the chat."""

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from ui.shell.places import MODELS, SETTINGS
from ui.theme.buttons import Look, PaintedButton
from ui.theme.fonts import Role
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_INSET = 12
_ICON_AT = 21
_WORDS_AT = 40


class FootRow(PaintedButton):
    """A row of the sidebar with an icon, 36 high; checked while its page is shown."""

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


class Foot(QWidget):
    """Emits what a person wishes. Settings are shown once there is such a page."""

    wished = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        models, settings = translate("Sidebar", "Models"), translate("Sidebar", "Settings")
        self.rows = {
            MODELS: FootRow(theme, "openModels", "package", models),
            SETTINGS: FootRow(theme, "openSettings", "settings", settings),
        }
        column = QVBoxLayout(self)
        column.setContentsMargins(_INSET, 9, _INSET, 10)
        column.setSpacing(0)
        for name, row in self.rows.items():
            row.clicked.connect(lambda _checked=False, name=name: self.wished.emit(name))
            column.addWidget(row)
        self.rows[SETTINGS].hide()
        theme.changed.connect(self.update)

    def show_place(self, name: str) -> None:
        for of, row in self.rows.items():
            row.setChecked(of == name)

    def paint_line(self, painter: QPainter, top: int) -> None:
        """The hairline above, as wide as the sidebar."""
        painter.fillRect(0, top, self.width(), 1, self._theme.colours.border)
