"""The models to choose from in the card of the model in use, and the way to more. Painted.

It emits what a person wishes. GUI thread.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from ui.theme.buttons import Look, PaintedButton
from ui.theme.fit import FitLook, badge_size, listed, paint_badge
from ui.theme.fonts import Role
from ui.theme.theme import Theme

translate = QCoreApplication.translate

MOST = 6
_ICON_AT = 20
_WORDS_AT = 40
_PADDING = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Pickable:
    """A model that can be chosen; `chosen`: it answers now."""

    id: str
    name: str
    line: str
    fit: FitLook | None = None
    chosen: bool = False


class _PickRow(PaintedButton):
    """An icon, one or two lines, a badge. The ring is inside, as in a list."""

    def __init__(self, theme: Theme, name: str, height: int, words: tuple[str, str]) -> None:
        super().__init__(theme, name)
        self.radius = 8.0
        self.icon_name = ""
        self.fit: FitLook | None = None
        self._height = height
        self._words = words
        self.setText(words[0])
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def shape(self) -> QRectF:
        return QRectF(self.rect())

    def sizeHint(self) -> QSize:
        return QSize(200, self.theme.px(self._height))

    def look(self) -> Look:
        c = self.theme.colours
        fill = c.hover_up if self.hovered or self.isChecked() else None
        return Look(ink=c.text, icon=c.accent if self.isChecked() else c.text2, fill=fill)

    def paint_ring(self, painter: QPainter) -> None:
        painter.setPen(QPen(self.theme.colours.focus, 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 7, 7)

    def paint_content(self, painter: QPainter, look: Look) -> None:
        shape = self.shape
        painter.setLayoutDirection(self.layoutDirection())
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        if self.icon_name:
            x = shape.right() - _ICON_AT if rtl else shape.left() + _ICON_AT
            self.draw_icon(painter, self.icon_name, 18, QPointF(x, shape.center().y()), look.icon)
        taken = self._paint_fit(painter, shape, rtl=rtl)
        lead, trail = (_PADDING + taken, _WORDS_AT) if rtl else (_WORDS_AT, _PADDING + taken)
        box = shape.adjusted(lead, 0, -trail, 0)
        name, line = self._words
        if not line:
            self._write(painter, box, name, Role.CONTROL, look.ink)
            return
        middle = box.center().y()
        upper, lower = QRectF(box), QRectF(box)
        upper.setBottom(middle + 1)
        lower.setTop(middle)
        lower.setBottom(box.bottom() - 6)
        upper.setTop(box.top() + 6)
        self._write(painter, upper, name, Role.CONTROL, look.ink)
        self._write(painter, lower, line, Role.CAPTION, self.theme.colours.text2)

    def _paint_fit(self, painter: QPainter, shape: QRectF, *, rtl: bool) -> int:
        """Returns the room that it takes."""
        if self.fit is None:
            return 0
        size = badge_size(self.theme, self.fit)
        x = shape.left() + _PADDING if rtl else shape.right() - _PADDING - size.width()
        y = round(shape.center().y() - size.height() / 2)
        box = QRectF(round(x), y, size.width(), size.height())
        paint_badge(painter, box, self.theme, self.fit, self.devicePixelRatioF())
        return size.width() + 8

    def _write(self, painter: QPainter, box: QRectF, text: str, role: Role, ink: QColor) -> None:
        painter.setFont(self.theme.font(role))
        painter.setPen(ink)
        elide = Qt.TextElideMode.ElideRight
        shown = painter.fontMetrics().elidedText(text, elide, int(box.width()))
        painter.drawText(
            box, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), shown
        )


class Picking(QWidget):
    """Up to six models and "Get more models…"."""

    use_wished = Signal(str)
    more_wished = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._rows = QVBoxLayout()
        self._rows.setSpacing(2)
        words = translate("Header", "Get more models…")
        self.more = _PickRow(theme, "getMoreModels", 40, (words, ""))
        self.more.icon_name = "package"
        self.more.setAccessibleName(words)
        self.more.clicked.connect(self.more_wished)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(self._rows)
        column.addWidget(self.more)

    def show_models(self, models: Sequence[Pickable]) -> None:
        while self._rows.count():
            item = self._rows.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for model in models[:MOST]:
            row = self._row(model)
            self._rows.addWidget(row)
            row.show()  # at once, so that the card can take its height

    def _row(self, model: Pickable) -> _PickRow:
        row = _PickRow(self._theme, f"pick:{model.id}", 52, (model.name, model.line))
        row.fit = model.fit
        row.setCheckable(True)
        row.setChecked(model.chosen)
        row.icon_name = "check" if model.chosen else ""
        name = translate("Models", "Use {name}").format(name=model.name)
        said = listed(name, model.fit.words) if model.fit is not None else name
        row.setAccessibleName(said)
        row.clicked.connect(lambda: self._picked(row, model))
        return row

    def _picked(self, row: _PickRow, model: Pickable) -> None:
        row.setChecked(model.chosen)
        if not model.chosen:
            self.use_wished.emit(model.id)
