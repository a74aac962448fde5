"""Why a model does not fit this computer, and which one does. GUI thread."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from app.shop import Judged
from engine.types.plans import Plan
from ui.plan_details import details
from ui.plan_words import joined, tone, verdict_words, why_too_big
from ui.size_words import share, slot_label, space
from ui.theme.choices import FoldButton
from ui.theme.dialog import Dialog, text_box, words
from ui.theme.fit import FitSlot
from ui.theme.fonts import Role
from ui.theme.link import LinkButton
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_SLOT_WIDTH = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class TooBig:
    """What does not fit, why, and the best that does."""

    name: str
    plan: Plan
    other: Judged | None = None


def title_words(name: str, plan: Plan) -> str:
    words = (
        translate("Models", "{model} is too slow for this computer")
        if plan.only_too_slow
        else translate("Models", "{model} is too big for this computer")
    )
    return words.format(model=name)


class WhyDialog(Dialog):
    """`get` is called with the id of the other model, if a person takes that one; `anyway` has
    this one all the same."""

    def __init__(
        self,
        theme: Theme,
        too_big: TooBig,
        parent: QWidget,
        get: Callable[[str], None],
        anyway: Callable[[], None] | None,
    ) -> None:
        super().__init__(theme, "whyDialog", parent)
        name, plan, other = too_big.name, too_big.plan, too_big.other
        title = title_words(name, plan)
        self.setWindowTitle(title)
        self.add_words(title, Role.TITLE)
        why = why_too_big(plan)
        said = joined(verdict_words(plan), why) if why else verdict_words(plan)
        self.add_words(said, Role.CONTROL)
        self._add_slot(plan)
        self._add_other(other)
        self._add_details(plan, anyway)
        close = self.add_button("whyClose", translate("Models", "Close"), "secondary")
        close.clicked.connect(self.reject)
        if other is not None:
            text = translate("Models", "Get {size}").format(size=space(other.size_bytes))
            go = self.add_button("whyGet", text, "primary")
            go.setAccessibleName(
                translate("Models", "Get {name}, {size}").format(
                    name=other.entry.name, size=space(other.size_bytes)
                )
            )
            go.clicked.connect(self.accept)
            self.accepted.connect(lambda: get(other.entry.id))
        self.finish(close)

    def _add_slot(self, plan: Plan) -> None:
        label = slot_label(plan)
        if not label or plan.only_too_slow:
            return
        slot = FitSlot(self._theme, "whySlot", _SLOT_WIDTH)
        slot.show_share(share(plan), tone(plan.verdict), label)
        self._column.addWidget(slot)
        self._column.addWidget(words(self._theme, label, Role.CAPTION, self._theme.colours.text2))

    def _add_other(self, other: Judged | None) -> None:
        if other is None:
            said = translate("Models", "Close other programs, or use another computer.")
        else:
            said = translate("Models", "{model} fits, and gives good answers here.").format(
                model=other.entry.name
            )
        self.add_words(said, Role.CONTROL)

    def _add_details(self, plan: Plan, anyway: Callable[[], None] | None) -> None:
        label = translate("Models", "Details")
        self._fold = FoldButton(self._theme, "whyFold", label)
        self._box = text_box(self._theme, details(plan, None), "whyDetails", label)
        said = translate("Models", "Get it all the same, for another computer")
        self._anyway = LinkButton(self._theme, "whyAnyway", said, Role.SECOND)
        self._has_anyway = anyway is not None
        for widget in (self._fold, self._box, self._anyway):
            self._column.addWidget(widget)
        self._fold.toggled.connect(self._folded)
        if anyway is not None:
            self._anyway.clicked.connect(lambda: self._take_anyway(anyway))
        self._folded(False)

    def _take_anyway(self, anyway: Callable[[], None]) -> None:
        self.reject()
        anyway()

    def _folded(self, is_open: bool) -> None:
        self._box.setVisible(is_open)
        self._anyway.setVisible(is_open and self._has_anyway)
        self.fit()
        if is_open:
            self.reveal(self._box)
