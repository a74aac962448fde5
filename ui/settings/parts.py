"""What the Settings page is laid out with: words that follow theme and text size, a card of rows,
and the row of one setting. GUI thread."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from ui.theme.buttons import RING
from ui.theme.dialog import breakable
from ui.theme.direction import margins
from ui.theme.fonts import Role
from ui.theme.theme import Theme

PADDING = 20
_ROW_HEIGHT = 60
_RADIUS = 12
_GAP = 16


class Words(QLabel):
    """Plain text that wraps; hidden while there is none. `ink` is a colour token."""

    def __init__(self, theme: Theme, text: str, role: Role, ink: str = "text") -> None:
        super().__init__()
        self._theme = theme
        self._role = role
        self._ink = ink
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setWordWrap(True)  # after the policy, to which it adds that height follows width
        theme.changed.connect(self._restyle)
        self._restyle()
        self.say(text)

    def say(self, text: str, ink: str | None = None) -> None:
        self.setText(breakable(text))
        self.setAccessibleName(text)
        if self.parentWidget() is not None or not text:  # else it would be a window
            self.setVisible(bool(text))
        if ink is not None:
            self._ink = ink
            self._restyle()

    def _restyle(self) -> None:
        self.setFont(self._theme.font(self._role))
        palette = self.palette()
        palette.setColor(palette.ColorRole.WindowText, getattr(self._theme.colours, self._ink))
        self.setPalette(palette)


def boxed(*parts: QWidget, lead: int = PADDING, gap: int = 4) -> QWidget:
    """`parts` as they stand in a card, with room for the rings of buttons."""
    box = QWidget()
    column = QVBoxLayout(box)
    column.setContentsMargins(margins(lead - RING, 9, PADDING - RING, 9))
    column.setSpacing(gap)
    for part in parts:
        column.addWidget(part)
    return box


class SettingRow(QWidget):
    """Label and a line of help, the control where the line ends, and what unfolds below."""

    def __init__(
        self, theme: Theme, label: str, hint: str, controls: Sequence[QWidget] = ()
    ) -> None:
        super().__init__()
        self._theme = theme
        self.label = Words(theme, label, Role.CONTROL)
        self.hint = Words(theme, hint, Role.SECOND, "text2")
        text = QVBoxLayout()
        text.setSpacing(1)
        text.addStretch(1)
        text.addWidget(self.label)
        text.addWidget(self.hint)
        text.addStretch(1)
        text.setContentsMargins(margins(0, 0, 0, 0))
        self._controls = QHBoxLayout()
        self._controls.setSpacing(8 - RING)
        for control in controls:
            self._controls.addWidget(control)
        self._across = QHBoxLayout()
        self._across.setSpacing(_GAP - RING)
        self._across.addLayout(text, 1)
        self._across.addLayout(self._controls)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(margins(PADDING, 9, PADDING - RING, 9))
        self._column.setSpacing(6)
        self._column.addLayout(self._across)
        theme.changed.connect(self._restyle)
        self._restyle()

    def unfold(self, part: QWidget) -> None:
        """Put `part` below."""
        self._column.addWidget(part)

    def set_tight(self, *, tight: bool) -> None:
        """With little room the control stands below the words."""
        down, beside = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._across.setDirection(down if tight else beside)
        self._across.setSpacing(8 if tight else _GAP - RING)
        leading = Qt.AlignmentFlag.AlignLeading if tight else Qt.AlignmentFlag(0)
        self._across.setAlignment(self._controls, leading)
        lead = PADDING - RING if tight else PADDING
        self.label.setContentsMargins(margins(PADDING - lead, 0, 0, 0))
        self.hint.setContentsMargins(margins(PADDING - lead, 0, 0, 0))
        self._column.setContentsMargins(margins(lead, 9, PADDING - RING, 9))

    def _restyle(self) -> None:
        self.setMinimumHeight(self._theme.px(_ROW_HEIGHT))


class Card(QWidget):
    """Rows in a frame, with a line between each two."""

    def __init__(self, theme: Theme, name: str, rows: Sequence[QWidget]) -> None:
        super().__init__()
        self._theme = theme
        self._rows = tuple(rows)
        self.setObjectName(name)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(1)
        for row in rows:
            column.addWidget(row)
        theme.changed.connect(self.update)

    def set_tight(self, *, tight: bool) -> None:
        for row in self._rows:
            if isinstance(row, SettingRow):
                row.set_tight(tight=tight)

    def paintEvent(self, _event: QPaintEvent) -> None:
        c = self._theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(c.border, 1))
        painter.setBrush(c.raised)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(box, _RADIUS, _RADIUS)
        shown = [row for row in self._rows if not row.isHidden()]
        for row in shown[1:]:
            painter.fillRect(1, row.y() - 1, self.width() - 2, 1, c.border)
        painter.end()


class Panel(QWidget):
    """The parts of one group, below its title."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self.theme = theme
        self._cards: list[Card] = []
        self.setObjectName(name)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(0)

    def add_label(self, text: str) -> None:
        """The name of a card, in small letters above it."""
        made = Words(self.theme, text, Role.LABEL, "text2")
        made.setContentsMargins(2, 0, 2, 0)
        self.column.addSpacing(24 if self.column.count() else 16)
        self.column.addWidget(made)
        self.column.addSpacing(8)

    def add_card(self, name: str, rows: Sequence[QWidget]) -> Card:
        made = Card(self.theme, name, rows)
        self._cards.append(made)
        self.column.addWidget(made)
        return made

    def set_room(self, width: int) -> None:
        """`width` is that of the column, as at a text size of 100 percent."""
        for card in self._cards:
            card.set_tight(tight=width < TIGHT_BELOW)


TIGHT_BELOW = 460
