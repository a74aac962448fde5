"""The mouse in the column: selecting, links, the shape of the pointer. GUI thread."""

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtWidgets import QApplication

from ui.chat.blocks import BlockWidget
from ui.chat.canvas import Canvas
from ui.chat.selection import Selection, Spot
from ui.chat.turnwidget import TurnWidget

_SCROLL_MS = 40


class Pointer(QObject):
    link = Signal(str)

    def __init__(self, canvas: Canvas, selection: Selection) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._selection = selection
        self._pressed: QPoint | None = None
        self._at = QPoint()
        self._words = False
        self._double_at = 0
        self._scroll = QTimer(self, interval=_SCROLL_MS)
        self._scroll.timeout.connect(self._scroll_on)

    def handle(self, turn: TurnWidget, event: QMouseEvent) -> None:
        """One mouse event of a turn, in the turn's coordinates."""
        point = event.position().toPoint()
        kind = event.type()
        if kind == QEvent.Type.MouseMove and self._pressed is None:
            self._hover(turn, point)
        elif event.button() == Qt.MouseButton.RightButton:
            event.ignore()
        elif kind == QEvent.Type.MouseButtonPress:
            self._press(turn, point, event)
        elif kind == QEvent.Type.MouseButtonDblClick:
            self._double(turn, point, event)
        elif kind == QEvent.Type.MouseMove:
            self._drag(turn.mapTo(self._canvas.viewport(), point))
        elif kind == QEvent.Type.MouseButtonRelease:
            self._release(turn, point)

    # --- steps --------------------------------------------------------------------------------

    def _press(self, turn: TurnWidget, point: QPoint, event: QMouseEvent) -> None:
        self._pressed = self._at = turn.mapTo(self._canvas.viewport(), point)
        spot = self.spot(self._at)
        if spot is None:
            return
        soon = event.timestamp() - self._double_at < QApplication.doubleClickInterval()
        if self._double_at and soon:
            self._selection.block(spot)
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._selection.extend(spot)
        else:
            self._selection.begin(spot)

    def _double(self, turn: TurnWidget, point: QPoint, event: QMouseEvent) -> None:
        self._double_at = event.timestamp()
        if spot := self.spot(turn.mapTo(self._canvas.viewport(), point)):
            self._selection.word(spot)

    def _drag(self, at: QPoint) -> None:
        self._at = at
        far = self._pressed is not None and (
            (at - self._pressed).manhattanLength() >= QApplication.startDragDistance()
        )
        if not far and self._selection.is_empty:
            return
        if spot := self.spot(at):
            self._selection.extend(spot)
        outside = not 0 <= at.y() < self._canvas.viewport().height()
        if outside != self._scroll.isActive():
            (self._scroll.start if outside else self._scroll.stop)()

    def _scroll_on(self) -> None:
        """The pointer is held above or below the window while selecting."""
        height = self._canvas.viewport().height()
        beyond = self._at.y() if self._at.y() < 0 else self._at.y() - height
        self._canvas.scroll_to(self._canvas.origin + beyond // 2)
        if spot := self.spot(self._at):
            self._selection.extend(spot)

    def _release(self, turn: TurnWidget, point: QPoint) -> None:
        self._scroll.stop()
        pressed, self._pressed = self._pressed, None
        clipboard = QGuiApplication.clipboard()
        if self._selection.is_empty and pressed is not None:
            if address := self._link_at(turn, point):
                self.link.emit(address)
        elif clipboard.supportsSelection() and (text := self._selection.text()):
            clipboard.setText(text, clipboard.Mode.Selection)

    def _hover(self, turn: TurnWidget, point: QPoint) -> None:
        block = turn.block_at(point)
        shape = Qt.CursorShape.ArrowCursor
        if block is not None:
            shape = Qt.CursorShape.IBeamCursor
        if block is not None and self._link_at(turn, point):
            shape = Qt.CursorShape.PointingHandCursor
        if turn.cursor().shape() != shape:
            turn.setCursor(shape)

    @staticmethod
    def _link_at(turn: TurnWidget, point: QPoint) -> str:
        block = turn.block_at(point)
        return block.link_at(block.mapFrom(turn, point)) if block else ""

    # --- places -------------------------------------------------------------------------------

    def spot(self, at: QPoint) -> Spot | None:
        """The text nearest to a point of the viewport."""
        column = self._canvas.column
        if not column.entries:
            return None
        y = at.y() + self._canvas.origin
        index = column.index_at(y)
        entry = column.entries[index]
        if not entry.rows:
            return None
        row = entry.rows[entry.row_at(y - column.tops()[index])]
        widget: BlockWidget | None = row.widget
        if widget is None:
            return None
        inside = widget.mapFrom(self._canvas.viewport(), at)
        return Spot(entry, row, widget.position_at(inside))
