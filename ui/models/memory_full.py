"""Too little memory for a model: what it needs, what there is, and what can be done about it.

The dialog only asks; `Choice` says what was chosen. GUI thread.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from engine.errors import DoesNotFit
from engine.types.plans import Offer, Reason
from ui.plan_details import details
from ui.plan_words import (
    fit_look,
    joined,
    pages,
    short_name,
    tone,
    verdict_words,
    why_too_big,
)
from ui.size_words import share, sizes, slot_label
from ui.theme.buttons import RING
from ui.theme.choices import FoldButton, Radio
from ui.theme.dialog import Dialog, text_box, words
from ui.theme.direction import margins
from ui.theme.fit import FitSlot
from ui.theme.fonts import Role
from ui.theme.icons import icon
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_SLOT_WIDTH = 200


class Way(Enum):
    """What can be done where memory does not suffice."""

    OTHER_MODEL = auto()
    SHORTER_MEMORY = auto()
    TRY_AGAIN = auto()
    ANYWAY = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """`path` of the model to use, None for the starter; with SHORTER_MEMORY the same one, and
    the `context_length` that fits."""

    way: Way
    path: Path | None = None
    context_length: int = 0


class _Sign(QWidget):
    """The mark of a warning, on its soft square."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setFixedSize(40, 40)

    def paintEvent(self, _event: QPaintEvent) -> None:
        c = self._theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(c.warn_soft)
        painter.drawRoundedRect(QRectF(self.rect()), 10, 10)
        sign = icon("triangle-alert", c.warn, 20, self.devicePixelRatioF())
        painter.drawPixmap(10, 10, sign)
        painter.end()


def _shorter(count: int) -> str:
    if count == 1:
        return translate("MemoryFull", "Use a shorter memory (about one page)")
    return translate("MemoryFull", "Use a shorter memory (about {n} pages)").format(n=count)


class MemoryFullDialog(Dialog):
    """Cancel is the safe choice: the notice under the header stays and leads back here."""

    def __init__(
        self,
        theme: Theme,
        error: DoesNotFit,
        model: str,
        parent: QWidget,
        chosen: Callable[[Choice], None],
        *,
        unasked: bool = False,
    ) -> None:
        """`unasked`: it opens by itself, while a person may be typing."""
        super().__init__(theme, "memoryFull", parent)
        self._path = error.path
        self._plan = error.plan
        self._chosen = chosen
        self._ways: list[tuple[Radio, Choice]] = []
        self._inner = self._add_column()
        self._said = QVBoxLayout()
        self._said.setSpacing(8)
        self._said.setContentsMargins(margins(RING, 0, 0, 0))
        self._inner.addLayout(self._said)
        self._rows = QVBoxLayout()
        self._inner.addLayout(self._rows)
        self._say(model)
        self._offer(self._plan.offer or Offer())
        self._add_details()
        cancel = self.add_button("memoryCancel", translate("MemoryFull", "Cancel"), "secondary")
        self._go_on = self.add_button(
            "memoryContinue", translate("MemoryFull", "Continue"), "primary"
        )
        self._default = self._go_on
        cancel.clicked.connect(self.reject)
        self._go_on.clicked.connect(self._go)
        for radio, _ in self._ways:
            radio.toggled.connect(self._weigh)
        self._choose_first()
        if unasked:
            self.ignore_keys_at_first()
        self.finish(cancel)

    def _add_column(self) -> QVBoxLayout:
        """Everything stands beside the sign."""
        line = QHBoxLayout()
        line.setSpacing(14 - RING)
        line.addWidget(_Sign(self._theme), 0, Qt.AlignmentFlag.AlignTop)
        inner = QVBoxLayout()
        inner.setSpacing(8)
        line.addLayout(inner, 1)
        self._column.addLayout(line)
        return inner

    # --- what is said --------------------------------------------------------------------------

    def _say(self, model: str) -> None:
        name = short_name(model) or translate("MemoryFull", "this model")
        slow = self._plan.only_too_slow
        title = (
            translate("MemoryFull", "{model} is too slow for this computer")
            if slow
            else translate("MemoryFull", "Not enough memory for {model}")
        ).format(model=name)
        self.setWindowTitle(title)
        self._said.addWidget(words(self._theme, title, Role.TITLE))
        needs = verdict_words(self._plan) if slow else self._needs()
        safe = translate("MemoryFull", "Your chat and what you wrote are safe.")
        why = why_too_big(self._plan)
        ink = self._theme.colours.text2
        said = joined(needs, why) if why else needs
        self._said.addWidget(words(self._theme, f"{said}\n{safe}", Role.CONTROL, ink))
        if not slow:
            self._show_slot()
        self._said.addSpacing(4)
        self._rows.setSpacing(2)

    def _needs(self) -> str:
        needed, free = sizes(self._plan)
        return translate("MemoryFull", "It needs {a} and {b} is free.").format(a=needed, b=free)

    def _show_slot(self) -> None:
        label = slot_label(self._plan)
        slot = FitSlot(self._theme, "memorySlot", _SLOT_WIDTH)
        slot.show_share(share(self._plan), tone(self._plan.verdict), label)
        self._said.addSpacing(8)
        self._said.addWidget(slot)
        ink = self._theme.colours.text2
        self._said.addWidget(words(self._theme, label, Role.CAPTION, ink))

    # --- what can be done ----------------------------------------------------------------------

    def _offer(self, offer: Offer) -> None:
        if offer.model:
            name = short_name(offer.model)
            text = translate("MemoryFull", "Use {name} instead").format(name=name)
            fit = fit_look(offer.verdict) if offer.verdict else None
            radio = Radio(self._theme, "memoryOther", text, fit)
            self._add_way(radio, Choice(way=Way.OTHER_MODEL, path=offer.path))
        if offer.context_length:
            radio = Radio(self._theme, "memoryShorter", _shorter(pages(offer.context_length)))
            length = offer.context_length
            way = Way.SHORTER_MEMORY
            self._add_way(radio, Choice(way=way, path=self._path, context_length=length))
        text = translate("MemoryFull", "Close other programs, then try again")
        self._add_way(Radio(self._theme, "memoryAgain", text), Choice(way=Way.TRY_AGAIN))

    def _add_way(self, radio: Radio, choice: Choice) -> None:
        self._ways.append((radio, choice))
        self._rows.addWidget(radio)

    def _add_details(self) -> None:
        label = translate("MemoryFull", "Details")
        self._fold = FoldButton(self._theme, "memoryFold", label)
        self._fold.toggled.connect(self._folded)
        self._rows.addWidget(self._fold, 0, Qt.AlignmentFlag.AlignLeading)
        text = translate("MemoryFull", "Load it anyway (the computer may become very slow)")
        self._anyway = Radio(self._theme, "memoryAnyway", text)
        self._add_way(self._anyway, Choice(way=Way.ANYWAY))
        self._box = text_box(self._theme, details(self._plan, None), "memoryDetails", label)
        inside = QVBoxLayout()
        inside.setContentsMargins(margins(RING, 0, 0, 0))
        inside.addWidget(self._box)
        self._inner.addLayout(inside)
        self._folded(False)

    def _choose_first(self) -> None:
        """The best way; none where closing programs alone is left and would not help much."""
        first = self._ways[0][0]
        limited = Reason.MEMORY_LIMITED in self._plan.reasons
        if not (limited and self._ways[0][1].way is Way.TRY_AGAIN):
            first.setChecked(True)
        self._weigh()

    def _weigh(self) -> None:
        self._go_on.setEnabled(any(radio.isChecked() for radio, _ in self._ways))

    def _folded(self, is_open: bool) -> None:
        self._box.setVisible(is_open)
        self._anyway.setVisible(is_open)
        if not is_open and self._anyway.isChecked():
            self._anyway.setAutoExclusive(False)  # else it could not be taken back
            self._anyway.setChecked(False)
            self._anyway.setAutoExclusive(True)
            self._choose_first()
        self.fit()
        if is_open:
            self.reveal(self._anyway)

    def _go(self) -> None:
        choice = next(choice for radio, choice in self._ways if radio.isChecked())
        self.accept()
        self._chosen(choice)
