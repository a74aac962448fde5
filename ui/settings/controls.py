"""Controls of the Settings page that are painted: a choice that opens a menu, and the slider of the
text size. GUI thread."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QIcon, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QMenu, QSizePolicy, QSlider

from ui.theme.buttons import RING, Look, PaintedButton
from ui.theme.fit import listed
from ui.theme.fonts import Role
from ui.theme.icons import icon
from ui.theme.theme import Theme

_LEAST_WIDTH = 120
_AROUND_WORDS = 54
_KNOB = 10
_TRACK = 4


class PickButton(PaintedButton):
    """Shows what is chosen and opens a menu of all. `picked`: the number that a person took."""

    picked = Signal(int)

    def __init__(self, theme: Theme, name: str, label: str, choices: Sequence[str]) -> None:
        super().__init__(theme, name)
        self._label = label
        self._choices = tuple(choices)
        self._now = -1
        self.menu = QMenu(self)
        self.menu.setObjectName(f"{name}Menu")
        self.menu.setAccessibleName(label)
        self.clicked.connect(self._open)
        self.show_choice(0)

    def show_choice(self, number: int, text: str = "") -> None:
        """`text` in place of the words of that choice; a number below 0 marks none."""
        self._now = number
        self.setText(text or self._choices[max(0, number)])
        self.setAccessibleName(listed(self._label, self.text()))
        self.updateGeometry()
        self.update()

    @property
    def choices(self) -> tuple[str, ...]:
        return self._choices

    def sizeHint(self) -> QSize:
        metrics = self.theme.metrics(Role.CONTROL)
        longest = max(metrics.horizontalAdvance(text) for text in (*self._choices, self.text()))
        width = max(self.theme.px(_LEAST_WIDTH), round(longest) + _AROUND_WORDS)
        return QSize(width + 2 * RING, self.theme.px(36) + 2 * RING)

    def look(self) -> Look:
        c = self.theme.colours
        if not self.isEnabled():
            return Look(ink=c.disabled, icon=c.disabled, edge=c.disabled, dashed=True)
        fill = c.hover_up if self.hovered else c.raised
        return Look(ink=c.text, icon=c.text, fill=fill, edge=c.line)

    def paint_content(self, painter: QPainter, look: Look) -> None:
        shape = self.shape
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        x = shape.left() + 19 if rtl else shape.right() - 19
        self.draw_icon(painter, "chevron-down", 18, QPointF(x, shape.center().y()), look.icon)
        box = shape.adjusted(34, 0, -14, 0) if rtl else shape.adjusted(14, 0, -34, 0)
        painter.setLayoutDirection(self.layoutDirection())
        painter.setFont(self.theme.font(Role.CONTROL))
        painter.setPen(look.ink)
        elide = Qt.TextElideMode.ElideRight
        words = painter.fontMetrics().elidedText(self.text(), elide, int(box.width()) + 1)
        painter.drawText(
            box, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), words
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._open()
            return
        super().keyPressEvent(event)

    def _open(self) -> None:
        self.menu.clear()
        tick = self._tick()
        for number, text in enumerate(self._choices):
            action = self.menu.addAction(text)
            action.setIcon(tick if number == self._now else QIcon())
            action.triggered.connect(lambda _on=False, number=number: self.picked.emit(number))
        self.menu.setMinimumWidth(self.width() - 2 * RING)
        if self._now >= 0:
            self.menu.setActiveAction(self.menu.actions()[self._now])
        self.menu.popup(self.mapToGlobal(QPoint(RING, self.height() - RING + 4)))

    def _tick(self) -> QIcon:
        """In high contrast the row under the pointer is filled with the colour of the tick."""
        c, ratio = self.theme.colours, self.devicePixelRatioF()
        made = QIcon(icon("check", c.accent, 16, ratio))
        on_row = c.on_accent if self.theme.high_contrast else c.accent
        made.addPixmap(icon("check", on_row, 16, ratio), QIcon.Mode.Active)
        return made


class StepSlider(QSlider):
    """One of a few values at equal distances. A screen reader hears the value itself."""

    chosen = Signal(int)
    """By a person, who has let go of it: what is chosen may move the slider itself."""

    def __init__(self, theme: Theme, name: str, label: str, steps: Sequence[int]) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._theme = theme
        self._steps = tuple(steps)
        self._ring = False
        self.setObjectName(name)
        self.setAccessibleName(label)
        self.setRange(self._steps[0], self._steps[-1])
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        return QSize(220 + 2 * _KNOB, 36)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 36)

    @property
    def _at(self) -> int:
        """The number of the step that is nearest to the value."""
        return min(range(len(self._steps)), key=lambda n: abs(self._steps[n] - self.value()))

    def _x(self, number: int) -> float:
        span = self.width() - 2 * (_KNOB + RING)
        along = span * number / (len(self._steps) - 1)
        start = _KNOB + RING
        return self.width() - start - along if self.isRightToLeft() else start + along

    def _nearest(self, x: float) -> int:
        return min(range(len(self._steps)), key=lambda n: abs(self._x(n) - x))

    def _choose(self, number: int) -> None:
        value = self._steps[max(0, min(len(self._steps) - 1, number))]
        if value != self.value():
            self.setValue(value)
            self.chosen.emit(value)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setValue(self._steps[self._nearest(event.position().x())])

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.setValue(self._steps[self._nearest(event.position().x())])

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        self.chosen.emit(self.value())

    def wheelEvent(self, event: object) -> None:
        """The page scrolls; the text size stays."""
        event.ignore()  # type: ignore[attr-defined]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        forward = -1 if self.isRightToLeft() else 1
        moves = {
            Qt.Key.Key_Right: forward,
            Qt.Key.Key_Left: -forward,
            Qt.Key.Key_Up: 1,
            Qt.Key.Key_Down: -1,
            Qt.Key.Key_Home: -len(self._steps),
            Qt.Key.Key_End: len(self._steps),
        }
        move = moves.get(Qt.Key(event.key()))
        if move is None:
            super().keyPressEvent(event)
        else:
            self._choose(self._at + move)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ring = event.reason() != Qt.FocusReason.MouseFocusReason
        super().focusInEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        c = self._theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        y, knob = self.height() / 2, self._x(self._at)
        start, end = self._x(0), self._x(len(self._steps) - 1)
        rail = c.line if self._theme.high_contrast else c.slot
        for ink, to in ((rail, end), (c.accent, knob)):
            painter.setPen(QPen(ink, _TRACK, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawLine(QPointF(start, y), QPointF(to, y))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(c.control)
        for number in range(len(self._steps)):
            painter.drawRect(QRectF(round(self._x(number)) - 1, y + 8, 2, 4))
        painter.setBrush(c.accent)
        painter.drawEllipse(QPointF(knob, y), _KNOB, _KNOB)
        painter.setBrush(c.on_accent)
        painter.drawEllipse(QPointF(knob, y), 4, 4)
        if self._ring and self.hasFocus():
            painter.setPen(QPen(c.focus, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(knob, y), _KNOB + 3, _KNOB + 3)
        painter.end()
