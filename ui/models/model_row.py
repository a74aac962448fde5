"""The frame of a row with a model in it: name, a plain line, fit slot, badge, what can be done.

It shows what it is told; subclasses say what that is. GUI thread.
"""

from typing import Generic

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from engine.types.plans import Layout, Plan, Verdict
from ui.models.row_group import Room, RowWidget, V
from ui.models.row_parts import ElidedLabel
from ui.size_words import slot_label
from ui.theme.buttons import RING
from ui.theme.dialog import words
from ui.theme.direction import margins
from ui.theme.fit import SLOT_WIDTH, FitBadge, FitLook, FitSlot, Tone
from ui.theme.fonts import Role
from ui.theme.theme import Theme

_LEAD = 17
_TRAIL = 17 - RING
_HEIGHT = 62
_SLOT_COLUMN = SLOT_WIDTH + 20 + 20
_BADGE_COLUMN = 112
_ACTION_COLUMN = 132


class ModelRow(RowWidget[V], Generic[V]):
    """With little room the badge stands under the name and the slot loses its label; with very
    little the badge alone tells how it fits."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme = theme
        self._room = Room.WIDE
        self._fit_look: FitLook | None = None
        self._widest: tuple[QWidget, ...] = ()
        self.setObjectName(name)
        self.name = ElidedLabel(theme, Role.HEADING)
        self.line = words(theme, "", Role.SECOND, theme.colours.text2)
        self._mark: FitLook | None = None
        self._hint = FitBadge(theme, f"{name}:hint")
        self._hint_below = FitBadge(theme, f"{name}:hintBelow")
        self._below = FitBadge(theme, f"{name}:fitBelow")
        self._badge = FitBadge(theme, f"{name}:fit")
        self._label = QLabel()
        self._slot = FitSlot(theme, f"{name}:slot")
        self._slot_box = QWidget()
        self._badge_box = QWidget()
        self._actions = QHBoxLayout()
        self._action_box = QWidget()
        self._lay_out()
        theme.changed.connect(self._restyle)
        self._restyle()

    def _lay_out(self) -> None:
        text = QVBoxLayout()
        text.setSpacing(2)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.name)
        head.addWidget(self._hint)
        head.addStretch(1)
        text.addStretch(1)
        text.addLayout(head)
        text.addWidget(self.line)
        for mark in (self._hint_below, self._below):
            text.addWidget(mark, 0, Qt.AlignmentFlag.AlignLeading)
        text.addStretch(1)
        self.name.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        slot = QVBoxLayout(self._slot_box)
        slot.setContentsMargins(0, 0, 0, 0)
        slot.setSpacing(4)
        slot.addStretch(1)
        slot.addWidget(self._label)
        slot.addWidget(self._slot)
        slot.addStretch(1)
        badge = QHBoxLayout(self._badge_box)
        badge.setContentsMargins(0, 0, 0, 0)
        badge.addWidget(self._badge, 0, Qt.AlignmentFlag.AlignLeading)
        badge.addStretch(1)
        self._actions.setContentsMargins(0, 0, 0, 0)
        self._actions.setSpacing(0)
        self._actions.addStretch(1)
        self._action_box.setLayout(self._actions)
        line = QHBoxLayout(self)
        line.setContentsMargins(margins(_LEAD, 8, _TRAIL, 8))
        line.setSpacing(8)
        line.addLayout(text, 1)
        for box in (self._slot_box, self._badge_box, self._action_box):
            line.addWidget(box)

    def add_action(self, widget: QWidget) -> None:
        self._actions.addWidget(widget)

    def keep_room_for(self, *widgets: QWidget) -> None:
        """The widest that can stand there in any row of its kind: so all slots stand one below
        the other, whatever the language."""
        self._widest = widgets
        self._arrange()

    # --- what is shown -------------------------------------------------------------------------

    def say(self, name: str, line: str, ink: str = "text2") -> None:
        self.name.say(name)
        self._say_line(line, ink)
        self.setAccessibleName(name)

    def _say_line(self, line: str, ink: str) -> None:
        self._line_ink = ink
        self.line.setText(line)
        self._ink_line()

    def _ink_line(self) -> None:
        palette = self.line.palette()
        ink = getattr(self._theme.colours, getattr(self, "_line_ink", "text2"))
        palette.setColor(palette.ColorRole.WindowText, ink)
        self.line.setPalette(palette)

    def show_hint(self, look: FitLook | None) -> None:
        """A mark beside the name: this one is the best for this computer."""
        self._mark = look
        self._arrange()

    def show_fit(self, look: FitLook | None, share: float, tone: Tone, label: str) -> None:
        """`label` "" : nothing is known of its memory."""
        self._fit_look = look
        known = bool(label)
        self._slot.setVisible(known)
        self._label.setText(label)
        if known:
            self._slot.show_share(share, tone, label)
        self._arrange()

    def set_room(self, room: Room) -> None:
        self._room = room
        self._arrange()

    def _arrange(self) -> None:
        look, narrow = self._fit_look, self._room is not Room.WIDE
        self._hint.show_look(None if narrow else self._mark)
        self._hint_below.show_look(self._mark if narrow else None)
        self._badge.show_look(None if narrow else look)
        self._below.show_look(look if narrow else None)
        self._badge_box.setVisible(not narrow)
        self._label.setVisible(not narrow and bool(self._label.text()))
        none = self._slot.isHidden() or self._room is Room.TIGHT
        self._slot_box.setVisible(not (narrow and none))
        self._slot_box.setFixedWidth(max(_SLOT_COLUMN, 0 if narrow else widest_label(self._theme)))
        tight = self._room is Room.TIGHT
        least = max(self._theme.px(_ACTION_COLUMN), sum(w.sizeHint().width() for w in self._widest))
        self._action_box.setMinimumWidth(0 if tight else least)

    def _restyle(self) -> None:
        theme = self._theme
        self.setMinimumHeight(theme.px(_HEIGHT))
        self.line.setFont(theme.font(Role.SECOND))
        self._label.setFont(theme.font(Role.SECOND))
        palette = self._label.palette()
        palette.setColor(palette.ColorRole.WindowText, theme.colours.text2)
        self._label.setPalette(palette)
        self._ink_line()
        self._badge_box.setFixedWidth(theme.px(_BADGE_COLUMN))
        self._arrange()


def widest_label(theme: Theme) -> int:
    """Room for any label of a slot, in the language of the window: the slots of all rows stand one
    below the other."""
    metrics = theme.metrics(Role.SECOND)
    labels = (slot_label(sample) for sample in _SAMPLES)
    return round(max(metrics.horizontalAdvance(label) for label in labels)) + 8


def _sample(verdict: Verdict, needed_bytes: int, free_bytes: int = int(8.8 * 2**30)) -> Plan:
    return Plan(
        verdict=verdict,
        backend="",
        devices=(),
        layout=Layout(context_length=0),
        gpu_layers=0,
        layers=0,
        memory=(),
        predicted_tokens_per_s=None,
        reasons=(),
        needed_bytes=needed_bytes,
        free_bytes=free_bytes,
    )


_SAMPLES = (
    _sample(Verdict.FITS, int(8.8 * 2**30)),
    _sample(Verdict.FITS, int(18.2 * 2**30), int(18.9 * 2**30)),
    _sample(Verdict.FITS, 300 << 20),
    _sample(Verdict.TOO_BIG, 33 << 30),
)
