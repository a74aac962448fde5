"""One turn on screen: its live blocks, mark, buttons, focus ring. GUI thread.

It exists only while part of the turn is near the visible part of the column, and holds only the
blocks that are; where they are is decided by the canvas.
"""

from PySide6.QtCore import QEvent, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QEnterEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QWidget

from ui.chat import words
from ui.chat.blocks import BLEED, BlockWidget
from ui.chat.bubble import Bubble
from ui.chat.buttons import by_keyboard, paint_ring
from ui.chat.column import Entry
from ui.chat.foot import Foot, has_note, lamp_place
from ui.chat.ink import Ink
from ui.chat.lamp import LampDot
from ui.theme.icons import logo

MARK = 28
HANG = 44
"""The mark hangs this far left of the column."""
PAD = 6
"""The widget reaches this far above and below its turn, for the focus ring."""


class TurnWidget(QWidget):
    """Mouse and keys go to the column through signals: a selection may leave the turn."""

    acted = Signal(str)
    """"copy", "retry", "edit" or "continue"."""
    mouse = Signal(QMouseEvent)
    key = Signal(QKeyEvent)
    tabbed = Signal(bool)
    menu = Signal(QPoint)
    """The right button, at a place of the screen."""

    def __init__(self, ink: Ink, entry: Entry, parent: QWidget) -> None:
        super().__init__(parent)
        self.ink = ink
        self.entry = entry
        self.inside = False
        """The person has gone in with Enter: Tab stays within the turn."""
        self.is_last = False
        self.gutter = BLEED
        self._ring = False
        self._lamp: LampDot | None = None
        self.foot = Foot(self, ink, entry)
        self.setObjectName(f"turn-{entry.turn.position}")
        self.setAttribute(Qt.WidgetAttribute.WA_StaticContents)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setMouseTracking(True)
        self.renew()

    def renew(self) -> None:
        """Takes the state of the turn: what may be done with it, and its name."""
        self._clear_foot()
        if self.entry.is_writing:
            self._lamp = self._lamp or LampDot(self.ink, self)
            self._lamp.show()
        elif self._lamp:
            self._lamp.hide()
            self._lamp.deleteLater()
            self._lamp = None
        if not self.entry.is_writing:
            self._fill_foot()
        self.rename()
        self.update()

    def rename(self) -> None:
        spoken = words.snug if self.entry.is_answer else words.you
        self.setAccessibleName(spoken(self.entry.turn.text))
        self.setAccessibleDescription(words.writing() if self.entry.is_writing else "")

    def _clear_foot(self) -> None:
        old = [*self.foot.buttons, self.foot.note, self.foot.more]
        for widget in filter(None, old):
            widget.hide()
            widget.deleteLater()
        self.foot = Foot(self, self.ink, self.entry)

    def _fill_foot(self) -> None:
        if self.entry.is_answer:
            if self.entry.turn.text.strip():
                self._add("copy", "copyAnswer", words.copy_answer(), "copy")
            self._add("rotate-ccw", "tryAgain", words.try_again(), "retry", newest_only=True)
        else:
            self._add("pencil", "editMessage", words.edit_message(), "edit")
            self._add("copy", "copyMessage", words.copy_message(), "copy")
        if has_note(self.entry):
            self.foot.add_note().clicked.connect(lambda: self.acted.emit("continue"))
        self.show_buttons()

    def _add(
        self, image: str, name: str, spoken: str, action: str, *, newest_only: bool = False
    ) -> None:
        button = self.foot.add(image, name, spoken, newest_only=newest_only)
        button.clicked.connect(lambda: self.acted.emit(action))

    # --- places -------------------------------------------------------------------------------

    def place_foot(self, width: int) -> None:
        """After the blocks have been placed, for a column `width` wide."""
        entry = self.entry
        bottom = PAD + entry.row_tops()[-1]
        if self._lamp:
            place = lamp_place(entry, self.ink, self.gutter, bottom)
            limit = self.gutter + width + BLEED - self._lamp.width()
            self._lamp.move(min(place.x(), limit), place.y())
            self._lamp.raise_()
        if entry.is_answer:
            self.foot.place_under(self.gutter, bottom)
        elif entry.rows and isinstance(entry.rows[-1].widget, Bubble):
            widget = entry.rows[-1].widget
            box = widget.box().translated(widget.pos())
            self.foot.place_beside(box.left(), max(box.bottom() - 20, box.center().y()))

    def block_at(self, point: QPoint) -> BlockWidget | None:
        """The block under `point`, or the one beside it."""
        for row in self.entry.rows or ():
            if row.widget and row.widget.geometry().contains(point):
                found: BlockWidget = row.widget
                return found
        return None

    # --- what shows when ----------------------------------------------------------------------

    def show_buttons(self) -> None:
        near = self.underMouse() or self.isAncestorOf(self._focused()) or self.hasFocus()
        newest = self.is_last and self.entry.is_answer
        self.foot.show_buttons(shown=near or newest, newest=self.is_last)

    def _focused(self) -> QWidget:
        window = self.window()
        return window.focusWidget() or window

    def set_last(self, last: bool) -> None:
        if last != self.is_last:
            self.is_last = last
            self.show_buttons()

    def enterEvent(self, event: QEnterEvent) -> None:  # noqa: ARG002
        self.show_buttons()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: ARG002
        self.show_buttons()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ring = by_keyboard(event.reason())
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: ARG002
        self._ring = False
        self.update()

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002 - Qt's name
        self.tabbed.emit(next)
        return True

    # --- events to the column -----------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.ignore()
        self.key.emit(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu.emit(event.globalPos())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.inside = False
        self.mouse.emit(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.mouse.emit(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.mouse.emit(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mouse.emit(event)

    # --- painting -----------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        room = self.gutter >= HANG
        mark = QRectF(self.gutter - HANG, PAD - 1, MARK, MARK)
        show_mark = room and self.entry.is_answer and mark.intersects(QRectF(event.rect()))
        if not show_mark and not self._ring:
            return
        painter = QPainter(self)
        if show_mark:
            pixmap = logo(MARK, self.devicePixelRatioF())
            painter.drawPixmap(mark.topLeft().toPoint(), pixmap)
        if self._ring:
            edge = BLEED - 4
            rect = QRectF(self.rect()).adjusted(self.gutter - edge, 0, edge - BLEED, 0)
            paint_ring(painter, rect, 10, self.ink.colours.focus)
        painter.end()
