"""What the rows of the Models page are made of: a frame around rows, a name that is cut where it
is too long, a bar, a button with an icon. Painted. GUI thread."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QProgressBar, QSizePolicy, QWidget

from ui.theme.buttons import RING, Look, TextButton
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
