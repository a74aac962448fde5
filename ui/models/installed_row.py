"""The row of a model that is on this computer: use it, and everything else in its menu.

It emits what a person wishes; decides nothing. GUI thread.
"""

from PySide6.QtCore import QCoreApplication, QPoint, Signal

from engine.types.plans import Verdict
from ui.models.model_row import ModelRow
from ui.models.page_values import Listed
from ui.models.page_words import model_line, trouble_words
from ui.models.row_group import show_only
from ui.models.row_parts import InUseBadge
from ui.plan_words import joined, plan_look, tone, why_words
from ui.size_words import share, slot_label
from ui.theme.buttons import IconButton, TextButton
from ui.theme.theme import Theme

translate = QCoreApplication.translate


class InstalledRow(ModelRow[Listed]):
    """Use, In use, or Why? where it is too big."""

    use_wished = Signal(str)
    why_wished = Signal(str)
    menu_wished = Signal(str, QPoint)

    def __init__(self, theme: Theme, listed: Listed) -> None:
        super().__init__(theme, f"model:{listed.id}")
        self._id = listed.id
        self._use = TextButton(theme, f"use:{listed.id}", translate("Models", "Use"), "secondary")
        self._why = TextButton(theme, f"why:{listed.id}", translate("Models", "Why?"), "quiet")
        self._in_use = InUseBadge(theme, translate("Models", "In use"))
        self._more = IconButton(theme, f"more:{listed.id}", "ellipsis", size=32)
        for widget in (self._why, self._use, self._in_use, self._more):
            self.add_action(widget)
        self.keep_room_for(self._in_use, self._more)
        self._use.clicked.connect(lambda: self.use_wished.emit(self._id))
        self._why.clicked.connect(lambda: self.why_wished.emit(self._id))
        self._more.clicked.connect(self._menu)

    def show_value(self, value: Listed) -> None:
        model, plan = value.model, value.plan
        name = model.name
        if model.trouble is not None:
            self.say(name, trouble_words(model.trouble, len(model.missing)), "bad")
        else:
            self.say(name, model_line(model, value.purpose))
        verdict = plan.verdict if plan is not None and model.usable else Verdict.UNKNOWN
        label = slot_label(plan) if plan is not None and model.usable else ""
        part = share(plan) if plan is not None and label else 0.0
        look = plan_look(plan) if plan is not None and model.usable else None
        self.show_fit(look, part, tone(verdict), label)
        too_big = verdict is Verdict.TOO_BIG
        can_be_chosen = model.usable and not value.chosen
        way = (self._why if too_big else self._use) if can_be_chosen else self._more
        show_only((self._use, self._why, self._more), {way, self._more})
        self._in_use.setVisible(value.chosen)
        self._use.setAccessibleName(translate("Models", "Use {name}").format(name=name))
        self._why.setAccessibleName(why_words(name, plan) if plan is not None else "")
        self._more.describe(translate("Models", "More for {name}").format(name=name))
        if value.chosen:
            self.setAccessibleName(joined(f"{name}.", translate("Models", "In use")))

    def _menu(self) -> None:
        below = QPoint(0, self._more.height())
        self.menu_wished.emit(self._id, self._more.mapToGlobal(below))
