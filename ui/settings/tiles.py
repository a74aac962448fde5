"""The tiles that show each theme as a small window, with its radio below. Painted. GUI thread."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPixmap, QResizeEvent, QTransform
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from ui.theme.buttons import RING, Look, PaintedButton
from ui.theme.colours import Colours, colours
from ui.theme.fonts import Role
from ui.theme.theme import Theme

_HEIGHT = 92
_ABOVE_WORDS = 10
_CIRCLE = 20
_LEAST_WIDTH = 140
_GAP = 8


def _bar(painter: QPainter, x: float, y: float, width: float, ink: QColor) -> None:
    painter.setBrush(ink)
    painter.drawRoundedRect(QRectF(x, y, width, 5), 2.5, 2.5)


def paint_window(painter: QPainter, box: QRectF, c: Colours) -> None:
    """A small window in the colours of one theme: sidebar, a message, three lines."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.fillRect(box, c.window)
    side = QRectF(box.left(), box.top(), box.width() * 0.31, box.height())
    painter.fillRect(side, c.sidebar)
    painter.fillRect(QRectF(side.right(), box.top(), 1, box.height()), c.border)
    faint = QColor(c.text3)
    faint.setAlphaF(0.6)
    for number, width in enumerate((0.62, 0.78, 0.5)):
        _bar(
            painter, side.left() + 8, box.top() + 11 + 12 * number, side.width() * width - 4, faint
        )
    inner = QRectF(side.right() + 12, box.top(), box.right() - side.right() - 24, box.height())
    painter.setBrush(c.accent)
    bubble = QRectF(inner.right() - inner.width() * 0.46, box.top() + 12, inner.width() * 0.46, 13)
    painter.drawRoundedRect(bubble, 6, 6)
    ink = QColor(c.text)
    ink.setAlphaF(0.5)
    for number, width in enumerate((0.92, 0.82, 0.5)):
        _bar(painter, inner.left(), box.top() + 37 + 12 * number, inner.width() * width, ink)


class ThemeTile(PaintedButton):
    """`looks` are the themes it is painted with: two, half and half, for what the system says."""

    def __init__(self, theme: Theme, choice: str, text: str, looks: tuple[str, ...]) -> None:
        super().__init__(theme, f"theme:{choice}")
        self.choice = choice
        self._looks = looks
        self.setText(text)
        self.setAccessibleName(text)
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.radius = 12.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        line = max(_CIRCLE, self.theme.line_height(Role.CONTROL))
        return QSize(_LEAST_WIDTH, _HEIGHT + _ABOVE_WORDS + line + 4 * RING)

    def minimumSizeHint(self) -> QSize:
        return QSize(100, self.sizeHint().height())

    @property
    def shape(self) -> QRectF:
        """Of the tile alone; the words are below."""
        return QRectF(RING, RING, self.width() - 2 * RING, _HEIGHT)

    def look(self) -> Look:
        c = self.theme.colours
        return Look(ink=c.text, icon=c.accent if self.isChecked() else c.line)

    def paint_ring(self, painter: QPainter) -> None:
        """Around the words: the tile has a ring of its own when it is chosen."""
        painter.setPen(QPen(self.theme.colours.focus, 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        top = _HEIGHT + RING + _ABOVE_WORDS - 3
        box = QRectF(1, top, self.width() - 2, self.height() - top - 1)
        painter.drawRoundedRect(box, 8, 8)

    def paint_content(self, painter: QPainter, look: Look) -> None:
        self._paint_tile(painter)
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        line = QRectF(
            RING + 2, _HEIGHT + RING + _ABOVE_WORDS, self.width() - 2 * RING - 4,
            self.height() - _HEIGHT - 2 * RING - _ABOVE_WORDS,
        )  # fmt: skip
        x = line.right() - _CIRCLE / 2 if rtl else line.left() + _CIRCLE / 2
        self._paint_circle(painter, QPointF(x, line.center().y()), look)
        lead, trail = (0, -_CIRCLE - 10) if rtl else (_CIRCLE + 10, 0)
        painter.setLayoutDirection(self.layoutDirection())
        painter.setFont(self.theme.font(Role.CONTROL))
        painter.setPen(look.ink)
        box = line.adjusted(lead, 0, trail, 0)
        elide = Qt.TextElideMode.ElideRight
        words = painter.fontMetrics().elidedText(self.text(), elide, int(box.width()))
        painter.drawText(
            box, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), words
        )

    def _paint_tile(self, painter: QPainter) -> None:
        box, c = self.shape, self.theme.colours
        brush = QBrush(self._picture())
        brush.setTransform(QTransform.fromTranslate(box.left(), box.top()))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(brush)
        painter.drawRoundedRect(box, self.radius, self.radius)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.isChecked():
            painter.setPen(QPen(c.accent, 2))
            ring = box.adjusted(-3, -3, 3, 3)
            painter.drawRoundedRect(ring, self.radius + 3, self.radius + 3)
        painter.setPen(QPen(c.control, 1))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), self.radius, self.radius)

    def _picture(self) -> QPixmap:
        """The small window, to fill the tile with: a clip would leave ragged corners."""
        ratio, size = self.devicePixelRatioF(), self.shape.size()
        made = QPixmap((size * ratio).toSize())
        made.setDevicePixelRatio(ratio)
        painter = QPainter(made)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(0, 0, size.width(), size.height())
        paint_window(painter, box, colours(self._looks[0]))
        if len(self._looks) > 1:
            painter.setClipRect(box.adjusted(box.width() / 2, 0, 0, 0))
            paint_window(painter, box, colours(self._looks[1]))
        painter.end()
        return made

    def _paint_circle(self, painter: QPainter, centre: QPointF, look: Look) -> None:
        c = self.theme.colours
        painter.setPen(QPen(look.icon, 1.5))
        painter.setBrush(look.icon if self.isChecked() else c.raised)
        painter.drawEllipse(centre, _CIRCLE / 2 - 0.75, _CIRCLE / 2 - 0.75)
        if self.isChecked():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(c.on_accent)
            painter.drawEllipse(centre, 4, 4)


class Tiles(QWidget):
    """All themes beside each other, or two and two where there is little room."""

    def __init__(self, theme: Theme, label: str, tiles: list[ThemeTile]) -> None:
        super().__init__()
        self._theme = theme
        self._columns = 0
        self.tiles = tiles
        self.setObjectName("themes")
        self.setAccessibleName(label)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(_GAP)
        self._grid.setVerticalSpacing(_GAP)
        self._place(len(tiles))
        theme.changed.connect(self._arrange)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        metrics = self._theme.metrics(Role.CONTROL)
        words = max(metrics.horizontalAdvance(tile.text()) for tile in self.tiles)
        wanted = max(_LEAST_WIDTH, round(words) + _CIRCLE + 24) + _GAP
        fitting = self.width() // wanted
        self._place(len(self.tiles) if fitting >= len(self.tiles) else 2 if fitting >= 2 else 1)

    def _place(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        for number, tile in enumerate(self.tiles):
            self._grid.removeWidget(tile)
            self._grid.addWidget(tile, number // columns, number % columns)
        for column in range(len(self.tiles)):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)
