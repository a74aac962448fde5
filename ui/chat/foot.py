"""What stands under an answer: why it ended early, and the buttons. GUI thread."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QLabel, QWidget

from app.conversations.values import Turn, TurnState
from ui.chat import words
from ui.chat.buttons import Button
from ui.chat.column import Entry
from ui.chat.ink import Ink
from ui.chat.lamp import SIZE
from ui.theme.fonts import Role

_NOTE = {
    TurnState.STOPPED: words.was_stopped,
    TurnState.CUT: words.was_cut,
    TurnState.FAILED: words.not_finished,
}
_ABOVE = 6
_BUTTONS = 26
"""The 32 px buttons reach 6 px into the gap under the turn: only their pictures are seen."""


def has_note(entry: Entry) -> bool:
    turn = entry.turn
    return entry.is_answer and (turn.state in _NOTE or not turn.text.strip())


def _note(turn: Turn) -> str:
    if turn.text.strip() or turn.state is TurnState.STOPPED:
        return _NOTE[turn.state]()
    return words.no_answer()


def ends_in_text(entry: Entry) -> bool:
    """Whether the dot can stand behind a word."""
    last = entry.rows[-1].widget if entry.rows else None
    return last is not None and last.end_point() is not None


def foot_height(entry: Entry, ink: Ink) -> int:
    """Pixels under the last block."""
    if not entry.is_answer:
        return 0
    if entry.is_writing:
        if entry.rows and ends_in_text(entry):
            return 0
        return ink.line(Role.READING) + (12 if entry.rows else 0)
    note = _note_height(ink) + 8 if has_note(entry) else 0
    return note + _ABOVE + _BUTTONS


def _note_height(ink: Ink) -> int:
    return max(28, ink.line(Role.SECOND) + 8)


class Foot:
    """Makes and places the note and the buttons of one turn, all children of its widget."""

    def __init__(self, owner: QWidget, ink: Ink, entry: Entry) -> None:
        self._owner = owner
        self._ink = ink
        self._entry = entry
        self.buttons: list[Button] = []
        self.note: QLabel | None = None
        self.more: Button | None = None
        self._newest_only: list[Button] = []

    def add(
        self, image: str, object_name: str, spoken: str, *, newest_only: bool = False
    ) -> Button:
        """`newest_only`: what it does is done to the newest answer, so no other one offers it."""
        button = Button(self._ink, self._owner, image=image)
        button.name(object_name, spoken)
        button.hide()
        self.buttons.append(button)
        if newest_only:
            self._newest_only.append(button)
        return button

    def add_note(self) -> Button:
        """The sentence, and the button that goes on with the newest answer, or tries again."""
        ink = self._ink
        turn = self._entry.turn
        self.note = QLabel(_note(turn), self._owner)
        self.note.setObjectName("answerNote")
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.note.setFont(ink.font(Role.SECOND))
        palette = self.note.palette()
        for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text):
            palette.setColor(role, ink.colours.text2)
        self.note.setPalette(palette)
        self.note.adjustSize()
        word = words.continue_answer() if turn.text.strip() else words.try_again()
        self.more = Button(ink, self._owner, word=word)
        self.more.name("continueAnswer", word)
        self.more.hide()
        self.note.show()
        return self.more

    def place_under(self, x: int, y: int) -> None:
        """An answer: note, then buttons in a row, their pictures in line with the text."""
        if self.note and self.more:
            height = _note_height(self._ink)
            y += 8
            self.note.move(x, y + (height - self.note.height()) // 2)
            left = x + self.note.width() + 6
            self.more.move(left, y + (height - self.more.height()) // 2)
            y += height
        self._row(QPoint(x - 7, y + _ABOVE))

    def place_beside(self, right: int, middle: int) -> None:
        """A message: buttons to the left of its bubble."""
        width = sum(button.width() for button in self.buttons)
        self._row(QPoint(right - 8 - width, middle - 16))

    def _row(self, at: QPoint) -> None:
        for button in self.buttons:
            button.move(at)
            at += QPoint(button.width(), 0)

    def offered(self, *, newest: bool) -> list[Button]:
        """The buttons that work here, in the order of the keyboard."""
        if newest:
            return ([self.more] if self.more else []) + self.buttons
        return [button for button in self.buttons if button not in self._newest_only]

    def show_buttons(self, *, shown: bool, newest: bool) -> None:
        offered = self.offered(newest=newest)
        for button in self.buttons:
            button.setVisible(shown and button in offered)
        if self.more:
            self.more.setVisible(newest)


def lamp_place(entry: Entry, ink: Ink, x: int, y: int) -> QPoint:
    """Top left of the dot, in the turn's coordinates; `y` is the end of the last block."""
    row = entry.rows[-1] if entry.rows else None
    point = row.widget.end_point() if row and row.widget else None
    if row is not None and point is not None:
        beside = -6 - SIZE if row.widget.right_to_left() else 6
        corner: QPoint = row.widget.pos() + point + QPoint(beside, -SIZE // 2)
        return corner
    top = y + (12 if entry.rows else 0)
    return QPoint(x, top + (ink.line(Role.READING) - SIZE) // 2)
