"""The conversation as it is read: shows turns, grows the answer being written. GUI thread.

Never waits, loads nothing that a text names, and never moves what the person is reading.
"""

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter
from typing import cast

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QFocusEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from app.conversations.values import Turn, TurnState
from ui.chat import words
from ui.chat.buttons import RoundButton
from ui.chat.canvas import Canvas
from ui.chat.column import Entry, Row
from ui.chat.ink import Ink
from ui.chat.keys import Keys
from ui.chat.kinds import read_blocks, stream_of
from ui.chat.pointer import Pointer
from ui.chat.selection import Selection
from ui.chat.turnwidget import TurnWidget
from ui.chat.warm import WarmUp
from ui.theme.theme import Theme

_STEP_MS = 66
"""Text arrives in steps no shorter than this: 15 a second read as smoothly as 30."""
_SHARE = 25
"""A step that took t is followed by 25 t of rest, so decoding keeps the processor."""
_LONGEST_REST_MS = 250
"""However busy the machine is, the text moves on."""


class ConversationView(QWidget):
    copy_requested = Signal(str)
    retry_requested = Signal(str)
    edit_requested = Signal(str)
    continue_requested = Signal(str)
    link_activated = Signal(str)
    following_changed = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._pending: list[str] = []
        self._growing: Entry | None = None
        self._cost_ms = 0.0
        self._grown_at = 0.0
        self.setObjectName("conversationView")
        ink = Ink(theme)
        self._canvas = Canvas(ink, self)
        self._selection = Selection(self._canvas.column, self._canvas.stock.live_rows)
        self._pointer = Pointer(self._canvas, self._selection)
        self._keys = Keys(self._canvas, self._selection)
        self._newest = RoundButton(ink, self, image="arrow-down")
        self._newest.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._newest.hide()
        self._grow_timer = QTimer(self, singleShot=True)
        self._warm_up = WarmUp(self)
        self._name()
        self._connect()

    def _name(self) -> None:
        self.setAccessibleName(words.conversation())
        self._canvas.setAccessibleName(words.conversation())
        self._newest.name("goToNewest", words.newest())

    def _connect(self) -> None:
        canvas = self._canvas
        canvas.setObjectName("conversationColumn")
        canvas.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFocusProxy(canvas)
        canvas.installEventFilter(self)
        canvas.stock.turn_made.connect(self._turn_made)
        canvas.stock.row_made.connect(self._row_made)
        canvas.following_changed.connect(self._following_changed)
        canvas.verticalScrollBar().rangeChanged.connect(self._show_newest)
        self._pointer.link.connect(self.link_activated)
        self._keys.link.connect(self.link_activated)
        self._newest.clicked.connect(self._to_newest)
        self._grow_timer.timeout.connect(self._flush)
        self._theme.changed.connect(self._restyle)
        cast("QApplication", QApplication.instance()).focusChanged.connect(self._focus_moved)

    # --- turns --------------------------------------------------------------------------------

    def show_turns(self, turns: Sequence[Turn]) -> None:
        """Replaces everything and goes to the end."""
        self._forget()
        self._canvas.replace(turns)

    def add_turn(self, turn: Turn) -> None:
        """Appends a turn. A person's own message always brings the end into view."""
        self._flush()
        entry = self._canvas.stock.add(turn)
        if entry.is_answer:
            self._canvas.arrange()
            self._announce(words.writing() if entry.is_writing else "")
        else:
            self._canvas.follow()

    def grow(self, turn_id: str, text: str) -> None:
        """Appends streamed text to an answer; it is shown within about 70 ms."""
        if self._growing is None or self._growing.turn.id != turn_id:
            self._flush()
            self._growing = self._canvas.column.find(turn_id)
        if self._growing is None:
            return
        self._pending.append(text)
        if not self._grow_timer.isActive():
            rest = min(max(_STEP_MS, self._cost_ms * _SHARE), _LONGEST_REST_MS)
            since = (perf_counter() - self._grown_at) * 1000
            if since >= rest:
                self._flush()
            else:
                self._grow_timer.start(int(rest - since) + 1)

    def _flush(self) -> None:
        """Shows what has arrived."""
        self._grow_timer.stop()
        entry, text = self._growing, "".join(self._pending)
        self._pending.clear()
        if entry is None or not text:
            return
        begin = perf_counter()
        if not entry.is_writing:  # an answer that goes on
            self._set_turn(entry, replace(entry.turn, state=TurnState.PARTIAL))
        stream = stream_of(entry)
        first, blocks = stream.feed(text)
        if entry.rows is None:
            first, blocks = 0, list(stream.blocks)
        if self._canvas.stock.set_blocks(entry, first, blocks):
            self._canvas.arrange()
        else:
            self._canvas.end_moved(entry)
        self._grown_at = perf_counter()
        self._cost_ms = 0.7 * self._cost_ms + 0.3 * (self._grown_at - begin) * 1000

    def end_turn(self, turn: Turn) -> None:
        """The final text and state of an answer."""
        self._flush()
        entry = self._canvas.column.find(turn.id)
        if entry is None:
            return
        stream, entry.stream, self._growing = entry.stream, None, None
        self._set_turn(entry, turn)
        if entry.rows is not None:
            read = stream is not None and stream.has_read(turn.text)
            first, blocks = stream.finish() if read else (0, read_blocks(entry))
            self._canvas.stock.set_blocks(entry, first, blocks)
        self._canvas.arrange()
        self._announce(words.snug(turn.text))

    def _set_turn(self, entry: Entry, turn: Turn) -> None:
        entry.turn = turn
        entry.lines = turn.text.count("\n")
        self._canvas.stock.renew(entry)

    def _announce(self, text: str) -> None:
        """Has a screen reader say `text`, politely: that Snug writes, then the answer once."""
        if text and QAccessible.isActive():
            event = QAccessibleAnnouncementEvent(self, text)
            QAccessible.updateAccessibility(event)

    def remove_from(self, position: int) -> None:
        """Removes the turns from `position` on."""
        self._flush()
        self._growing = None
        entries = self._canvas.column.entries
        first = next((e.index for e in entries if e.turn.position >= position), len(entries))
        self._canvas.stock.cut(first)
        self._canvas.arrange()

    def clear(self) -> None:
        self.show_turns(())

    def _forget(self) -> None:
        self._grow_timer.stop()
        self._pending.clear()
        self._growing = None
        self._keys.current = None
        self._selection.clear()

    # --- wiring -------------------------------------------------------------------------------

    def _turn_made(self, turn: TurnWidget) -> None:
        turn.acted.connect(lambda action: self._act(turn.entry, action))
        turn.mouse.connect(lambda event: self._pointer.handle(turn, event))
        turn.key.connect(lambda event: self._keys.handle(turn, event))
        turn.tabbed.connect(lambda forward: self._keys.tab(turn, forward))
        turn.menu.connect(lambda at: self._menu(turn.entry, at))

    def _menu(self, entry: Entry, at: QPoint) -> None:
        """Copy, and select: what the mouse can do with text."""
        menu = QMenu(self)
        menu.setObjectName("messageMenu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = menu.addAction(words.copy(), self._keys.copy)
        copy.setEnabled(not self._selection.is_empty)
        menu.addAction(words.select_all(), lambda: self._selection.message(entry))
        menu.popup(at)

    def _focus_moved(self, old: QWidget | None, new: QWidget | None) -> None:  # noqa: ARG002
        for _, turn in self._canvas.stock.shown():
            turn.show_buttons()

    def _row_made(self, entry: Entry, row: Row) -> None:
        self._selection.apply(entry, row)

    def _act(self, entry: Entry, action: str) -> None:
        signals = {
            "copy": self.copy_requested,
            "retry": self.retry_requested,
            "edit": self.edit_requested,
            "continue": self.continue_requested,
        }
        signals[action].emit(entry.turn.id)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """Focus that comes to the column goes on to a message."""
        if watched is self._canvas and event.type() == QEvent.Type.FocusIn:
            reason = cast("QFocusEvent", event).reason()
            if reason != Qt.FocusReason.MouseFocusReason and not self._canvas.leaving:
                self._keys.enter_column(reason)
        return False

    # --- the end of the column ----------------------------------------------------------------

    @property
    def following(self) -> bool:
        """Whether the end stays in view as the answer grows."""
        return self._canvas.following

    def _following_changed(self, following: bool) -> None:
        self._show_newest()
        self.following_changed.emit(following)

    def _show_newest(self) -> None:
        self._newest.setVisible(not self._canvas.following)

    def _to_newest(self) -> None:
        self._canvas.follow()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: ARG002
        self._canvas.setGeometry(self.rect())
        size = self._newest.size()
        self._newest.move((self.width() - size.width()) // 2, self.height() - size.height() - 12)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._warm_up.start()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._name()
            self._restyle()
        super().changeEvent(event)

    def _restyle(self) -> None:
        ink = Ink(self._theme)
        self._newest.ink = ink
        self._newest.update()
        had_focus = self._canvas.isAncestorOf(QApplication.focusWidget() or self)
        self._canvas.restyle(ink)
        if had_focus:
            self._keys.enter_column()
