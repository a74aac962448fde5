"""The keyboard in the column: one stop, arrows between messages, Enter goes in. GUI thread."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractSlider, QWidget

from ui.chat.blocks import TextBlock
from ui.chat.canvas import Canvas
from ui.chat.column import Entry, Row
from ui.chat.frame import FramedBlock
from ui.chat.plain import linear, units
from ui.chat.selection import Selection, Spot
from ui.chat.turnwidget import TurnWidget

_Key = Qt.Key
_TAB = Qt.FocusReason.TabFocusReason
_SCROLLS = {
    _Key.Key_PageUp: QAbstractSlider.SliderAction.SliderPageStepSub,
    _Key.Key_PageDown: QAbstractSlider.SliderAction.SliderPageStepAdd,
    _Key.Key_Home: QAbstractSlider.SliderAction.SliderToMinimum,
    _Key.Key_End: QAbstractSlider.SliderAction.SliderToMaximum,
}


class Keys(QObject):
    link = Signal(str)

    def __init__(self, canvas: Canvas, selection: Selection) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._selection = selection
        self.current: Entry | None = None

    # --- focus --------------------------------------------------------------------------------

    def enter_column(self, reason: Qt.FocusReason = _TAB) -> None:
        """Focus goes to the message last visited if it can be seen, else to the lowest one."""
        entries = self._canvas.column.entries
        if not entries:
            return
        shown = [e for e in entries if self._canvas.stock.shown_turn(e) and self._is_visible(e)]
        if self.current not in shown:
            self.current = shown[-1] if shown else entries[-1]
        if turn := self._canvas.stock.shown_turn(self.current):
            turn.inside = False
            turn.setFocus(reason)

    def _is_visible(self, entry: Entry) -> bool:
        canvas, top = self._canvas, self._canvas.column.tops()[entry.index]
        end = canvas.origin + canvas.viewport().height()
        return top < end and top + entry.height > canvas.origin

    def _focus(self, entry: Entry) -> None:
        self.current = entry
        self._show(entry)
        if turn := self._canvas.stock.shown_turn(entry):
            turn.inside = False
            turn.setFocus(_TAB)

    def _show(self, entry: Entry) -> None:
        """Scrolls until the turn can be seen: whole, or its beginning."""
        canvas, top = self._canvas, self._canvas.column.tops()[entry.index]
        height = canvas.viewport().height()
        inside = canvas.origin <= top and top + entry.height <= canvas.origin + height
        if not inside:
            if top > canvas.origin and entry.height < height:
                canvas.scroll_to(top + entry.height + 20 - height)
            else:
                canvas.scroll_to(top - 20)

    def step(self, entry: Entry, by: int) -> None:
        """To the next message; a long one is read to its end first."""
        canvas, column = self._canvas, self._canvas.column
        top, height = column.tops()[entry.index], canvas.viewport().height()
        rest = top + entry.height - canvas.origin - height if by > 0 else canvas.origin - top
        if rest > 8 and entry.height > height:
            canvas.scroll_to(canvas.origin + by * min(rest + 20, height * 3 // 4))
            return
        index = entry.index + by
        if 0 <= index < len(column.entries):
            self._focus(column.entries[index])

    # --- keys ---------------------------------------------------------------------------------

    def handle(self, turn: TurnWidget, event: QKeyEvent) -> None:
        """Keys of a turn or of anything in it that did not want them."""
        event.accept()
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self._selection.message(turn.entry)
        elif not (self._move(turn, event) or self._select(turn, event)):
            event.ignore()

    def copy(self) -> None:
        if text := self._selection.text():
            QGuiApplication.clipboard().setText(text)

    def _move(self, turn: TurnWidget, event: QKeyEvent) -> bool:
        key, plain = event.key(), event.modifiers() in {_NONE, Qt.KeyboardModifier.KeypadModifier}
        if not plain:
            return False
        if key in {_Key.Key_Up, _Key.Key_Down} and not turn.inside:
            self.step(turn.entry, 1 if key == _Key.Key_Down else -1)
        elif key in {_Key.Key_Return, _Key.Key_Enter}:
            self._enter(turn)
        elif key == _Key.Key_Escape:
            return self._escape(turn)
        elif key in _SCROLLS:
            self._canvas.verticalScrollBar().triggerAction(_SCROLLS[_Key(key)])
        elif key in {_Key.Key_Left, _Key.Key_Right}:
            return self._sideways(turn, 40 if key == _Key.Key_Right else -40)
        else:
            return False
        return True

    def _enter(self, turn: TurnWidget) -> None:
        focused = turn.window().focusWidget()
        if turn.inside and isinstance(focused, TextBlock) and focused.focused_link:
            self.link.emit(focused.focused_link[2])
            return
        if turn.inside:
            return
        turn.inside = True
        self.tab(turn, True)

    def _escape(self, turn: TurnWidget) -> bool:
        if turn.inside:
            turn.inside = False
            turn.setFocus(_TAB)
        elif not self._selection.is_empty:
            self._selection.clear()
        else:
            return False
        return True

    def _sideways(self, turn: TurnWidget, pixels: int) -> bool:
        focused = turn.window().focusWidget()
        parent = focused.parentWidget() if focused else None
        for widget in (focused, parent):
            scroll = getattr(widget, "scroll_sideways", None)
            if scroll is not None:
                return bool(scroll(pixels))
        return False

    # --- inside a message ---------------------------------------------------------------------

    def tab(self, turn: TurnWidget, forward: bool) -> None:
        """Inside: to the next thing in the turn that can be used, round and round."""
        if not turn.inside:
            self._canvas.leave(forward)
            return
        stops = _stops(turn)
        if not stops:
            turn.setFocus(_TAB)
            return
        at = next((i for i, stop in enumerate(stops) if _is_focused(turn, stop)), None)
        step = 1 if forward else -1
        following = (0 if forward else -1) if at is None else (at + step) % len(stops)
        widget, link = stops[following]
        if isinstance(widget, TextBlock):
            widget.focus_link(link)
        widget.setFocus(_TAB)

    def _select(self, turn: TurnWidget, event: QKeyEvent) -> bool:
        """Shift with arrows, Home and End selects from the start of the message on."""
        rows, head = turn.entry.rows, self._selection.head
        if not event.modifiers() & Qt.KeyboardModifier.ShiftModifier or not rows:
            return False
        if head is None or head.entry is not turn.entry or head.row not in rows:
            head = Spot(turn.entry, rows[0], 0)
            self._selection.begin(head)
        moved = _moved(head, rows, event.key())
        if moved is not None:
            self._selection.extend(moved)
        return moved is not None


def _moved(head: Spot, rows: Sequence[Row], key: int) -> Spot | None:
    """Where the end of a selection goes with `key`: characters, then blocks, then the message."""
    at, length = rows.index(head.row), _length(head.row)
    if key == _Key.Key_Right and head.position < length:
        return Spot(head.entry, head.row, head.position + 1)
    if key == _Key.Key_Left and head.position > 0:
        return Spot(head.entry, head.row, head.position - 1)
    if key in {_Key.Key_Right, _Key.Key_Down}:
        row = rows[min(at + (head.position == length), len(rows) - 1)]
        return Spot(head.entry, row, _length(row))
    if key in {_Key.Key_Left, _Key.Key_Up}:
        return Spot(head.entry, rows[max(0, at - (head.position == 0))], 0)
    ends = {_Key.Key_End: rows[-1], _Key.Key_Home: rows[0]}
    row_at_end = ends.get(_Key(key))
    if row_at_end is None:
        return None
    return Spot(head.entry, row_at_end, _length(row_at_end) if key == _Key.Key_End else 0)


def _length(row: Row) -> int:
    return units(linear(row.block))


_NONE = Qt.KeyboardModifier.NoModifier
_Stop = tuple[QWidget, int]


def _stops(turn: TurnWidget) -> list[_Stop]:
    """Links, Copy buttons of code, tables, then the buttons under the turn; links by number."""
    stops: list[_Stop] = []
    for row in turn.entry.rows or ():
        widget = row.widget
        if isinstance(widget, TextBlock):
            stops += [(widget, number) for number in range(len(widget.links()))]
        elif isinstance(widget, FramedBlock):
            stops.append((widget.copy_button, 0))
        elif widget is not None and hasattr(widget, "scroll_sideways"):
            stops.append((widget, 0))
    return stops + [(button, 0) for button in turn.foot.offered(newest=turn.is_last)]


def _is_focused(turn: TurnWidget, stop: _Stop) -> bool:
    widget, link = stop
    if turn.window().focusWidget() is not widget:
        return False
    return not isinstance(widget, TextBlock) or widget.focused_number == link
