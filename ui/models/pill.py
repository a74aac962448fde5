"""The model pill in the header: the model's name and how it fits, or how far it is on its way.
A model on another computer is marked with that computer's name.

It shows a `ModelNow` and is pressed; what happens then is decided elsewhere. GUI thread.
"""

from PySide6.QtCore import QCoreApplication, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter

from ui.models.elsewhere import place_look, place_words
from ui.models.now import ModelNow, Phase
from ui.plan_words import fit_look
from ui.theme.buttons import RING, Look, PaintedButton
from ui.theme.fit import FitLook, badge_size, listed, paint_badge
from ui.theme.fonts import Role
from ui.theme.lamp import Breath, paint_lamp
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_LEAD = 15
_TRAIL = 12
_GAP = 8
_CHEVRON = 16
_LAMP = 10
_MOST_NAME = 260
_LEAST_NAME = 56


class ModelPill(PaintedButton):
    """Menu-like button. With little room the badge loses its words first, then the name its end."""

    def __init__(self, theme: Theme, breath: Breath) -> None:
        super().__init__(theme, "modelPill")
        self._breath = breath
        self._now = ModelNow()
        self._room = 10_000
        self.badge_words = True
        breath.ticked.connect(self._breathe)
        self.hide()

    # --- what is shown -------------------------------------------------------------------------

    @property
    def model(self) -> str:
        """The name of the model, "" while none is known."""
        return self._now.name

    @property
    def _shown_name(self) -> str:
        return self._now.name or translate("Header", "No model")

    def show_now(self, now: ModelNow) -> None:
        self._now = now
        self._breath.need(self.objectName(), self._working)
        self.setVisible(now.known)
        self._describe()
        self._fit()

    def set_room(self, width: int) -> None:
        """At most `width` pixels, the ring included."""
        self._room = width
        self._fit()

    @property
    def fit(self) -> FitLook | None:
        """The badge: where answers come from, if that is another computer, else how it fits."""
        if self._now.remote is not None:
            return place_look(self._now.remote)
        verdict = self._now.verdict
        return fit_look(verdict) if verdict else None

    @property
    def _working(self) -> bool:
        return self._now.phase is Phase.LOADING

    @property
    def state(self) -> str:
        """The state in words, "" where the name says enough."""
        match self._now.phase:
            case Phase.LOADING:
                ready = translate("Header", "Getting ready…")
                percent = self._now.percent
                return ready if percent is None else f"{ready} {percent}%"
            case Phase.NOT_LOADED:
                return translate("Header", "Not loaded")
            case Phase.FAILED if self._now.remote is not None:
                return translate("Header", "Does not answer")
            case Phase.FAILED:
                return "" if self.fit or not self._now.name else translate("Header", "Not loaded")
            case Phase.NOTHING | Phase.READY | Phase.RESTING:
                return ""

    def _describe(self) -> None:
        name = translate("Header", "Model: {name}").format(name=self._shown_name)
        said = self._said
        self.setAccessibleName(listed(name, said) if said else name)
        self.setToolTip(f"{self._shown_name} – {said}" if said else self._shown_name)

    @property
    def _said(self) -> str:
        """All that the pill shows beside the name, in words."""
        remote = self._now.remote
        if remote is not None:
            place = place_words(remote)
            return listed(self.state, place) if self.state else place
        return self.state or (self.fit.words if self.fit else "")

    # --- size ----------------------------------------------------------------------------------

    def _fit(self) -> None:
        self.badge_words = self._width(words=True) <= self._room
        self.updateGeometry()
        self.update()

    def _width(self, *, words: bool) -> int:
        return self._around(words=words) + min(self._name_width, self.theme.px(_MOST_NAME))

    @property
    def _name_width(self) -> int:
        if self._working:
            widest = translate("Header", "Getting ready…") + " 100%"  # so that it stands still
            return round(self.theme.metrics(Role.BUTTON).horizontalAdvance(widest)) + 1
        return round(self.theme.metrics(Role.BUTTON).horizontalAdvance(self._shown_name)) + 1

    def _around(self, *, words: bool) -> int:
        """Everything but the name."""
        width = 2 * RING + _LEAD + _GAP + _CHEVRON + _TRAIL
        if self._working:
            return width + _LAMP + _GAP
        if self.fit:
            return width + _GAP + badge_size(self.theme, self.fit, words=words).width()
        if self.state:
            state = self.theme.metrics(Role.CAPTION).horizontalAdvance(self.state)
            return width + _GAP + round(state) + 1
        return width

    def sizeHint(self) -> QSize:
        least = self._around(words=False) + min(self._name_width, self.theme.px(_LEAST_NAME))
        width = max(least, min(self._room, self._width(words=self.badge_words)))
        return QSize(width, self.theme.px(34) + 2 * RING)

    # --- painting ------------------------------------------------------------------------------

    def look(self) -> Look:
        c = self.theme.colours
        self.radius = self.shape.height() / 2
        fill = c.hover_up if self.hovered or self.isDown() else c.raised
        return Look(ink=c.text, icon=c.text2, fill=fill, edge=c.border)

    def paint_content(self, painter: QPainter, look: Look) -> None:
        painter.setLayoutDirection(self.layoutDirection())
        shape = self.shape
        start = float(_LEAD)
        if self._working:
            spot = self._at(start - 1, _LAMP)
            paint_lamp(painter, spot.center(), _LAMP, self.theme, self._breath.strength)
            start += _LAMP + _GAP
        room = self.width() - self._around(words=self.badge_words)
        words = self.state if self._working else self._shown_name
        self._write(painter, self._at(start, room), words, Role.BUTTON, look.ink)
        start += room + _GAP
        if self.fit and not self._working:
            size = badge_size(self.theme, self.fit, words=self.badge_words)
            box = self._at(start, size.width())
            box.setTop(round(shape.center().y() - size.height() / 2))
            box.setHeight(size.height())
            ratio = self.devicePixelRatioF()
            paint_badge(painter, box, self.theme, self.fit, ratio, words=self.badge_words)
        elif self.state and not self._working:
            rest = shape.width() - start - _GAP - _CHEVRON - _TRAIL
            ink = self.theme.colours.text3
            self._write(painter, self._at(start, rest), self.state, Role.CAPTION, ink)
        chevron = self._at(shape.width() - _TRAIL - _CHEVRON, _CHEVRON)
        self.draw_icon(painter, "chevron-down", _CHEVRON, chevron.center(), look.icon)

    def _at(self, start: float, width: float) -> QRectF:
        """`width` pixels, `start` after where the line begins."""
        shape = self.shape
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        left = shape.right() - start - width if rtl else shape.left() + start
        return QRectF(left, shape.top(), width, shape.height())

    def _write(self, painter: QPainter, box: QRectF, text: str, role: Role, ink: QColor) -> None:
        painter.setFont(self.theme.font(role))
        painter.setPen(ink)
        elide = Qt.TextElideMode.ElideRight
        fitting = painter.fontMetrics().elidedText(text, elide, int(box.width()) + 1)
        side = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(box, int(side), fitting)

    def _breathe(self) -> None:
        if self._working:
            self.update(self._at(0, _LEAD + _LAMP).toAlignedRect())

    def _theme_changed(self) -> None:
        self._fit()
