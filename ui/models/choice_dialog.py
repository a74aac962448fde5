"""The models of one place at the hub: the recommended one first, all others under Details.

It shows what is found and asks; what happens then is decided elsewhere. GUI thread.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.shop import Choice
from engine.types.plans import Verdict
from ui.models.hub_words import of_hub_error, place_name
from ui.plan_words import plan_look, speed_words, tone, verdict_words
from ui.size_words import share, slot_label, space
from ui.theme.choices import FoldButton, Radio
from ui.theme.dialog import Dialog, breakable, words
from ui.theme.fit import FitLook, FitSlot
from ui.theme.fonts import Role
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_SLOT_WIDTH = 200
_MOST_OTHERS = 40


def size_words(choice: Choice) -> str:
    size = choice.offering.size_bytes
    return space(size) if size is not None else translate("Choice", "size not known")


def exact_name(choice: Choice) -> str:
    """As under Details: with its quantization."""
    parts = [choice.title, choice.offering.quantization, size_words(choice)]
    return " · ".join(part for part in parts if part)


def _fit(choice: Choice) -> FitLook | None:
    return plan_look(choice.plan) if choice.plan is not None else None


class ChoiceDialog(Dialog):
    """`take` gets what a person wants to have."""

    def __init__(
        self, theme: Theme, repo: str, parent: QWidget, take: Callable[[Choice], None]
    ) -> None:
        super().__init__(theme, "choiceDialog", parent)
        self._repo = repo
        self._take = take
        self._choices: tuple[Choice, ...] = ()
        self._radios: list[tuple[Radio, Choice]] = []
        name = place_name(repo)
        self.setWindowTitle(name)
        self._name = self.add_words(name, Role.TITLE)
        said = translate("Choice", "Looking at what is there…")
        self._said = self.add_words(said, Role.CONTROL)
        self._slot = FitSlot(theme, "choiceSlot", _SLOT_WIDTH)
        self._label = words(theme, "", Role.CAPTION, theme.colours.text2)
        self._first = QVBoxLayout()
        self._fold = FoldButton(theme, "choiceFold", translate("Choice", "Details"))
        self._others = QWidget()
        self._inside = QVBoxLayout(self._others)
        self._inside.setContentsMargins(0, 0, 0, 0)
        self._inside.setSpacing(2)
        self._column.addLayout(self._first)
        self._column.addWidget(self._slot)
        self._column.addWidget(self._label)
        self._column.addWidget(self._fold, 0, Qt.AlignmentFlag.AlignLeading)
        self._column.addWidget(self._others)
        self._fold.toggled.connect(self._folded)
        cancel = self.add_button("choiceCancel", translate("Choice", "Cancel"), "secondary")
        self._go = self.add_button("choiceGet", translate("Choice", "Get"), "primary")
        self._default = self._go
        cancel.clicked.connect(self.reject)
        self._go.clicked.connect(self._taken)
        for widget in (self._slot, self._label, self._fold, self._others):
            widget.hide()
        self._go.setEnabled(False)
        self.finish(cancel)

    # --- what is shown -------------------------------------------------------------------------

    def fail(self, error: Exception) -> None:
        """It can not be told what is there."""
        self._said.setText(of_hub_error(error))
        self.fit()

    def show_choices(self, choices: Sequence[Choice]) -> None:
        self._choices = tuple(choices)
        if not choices:
            said = translate("Choice", "There is no model here that Snug can use.")
            self._said.setText(said)
            self.fit()
            return
        self._name.setText(breakable(self._choices[0].title))
        for choice in (self._choices[0], *self._choices[1 : _MOST_OTHERS + 1]):
            self._add(choice, first=choice is self._choices[0])
        self._fold.setVisible(True)
        self._radios[0][0].setChecked(True)
        self._go.setEnabled(True)
        self._weigh()
        self._go.setFocus(Qt.FocusReason.OtherFocusReason)
        self._folded(False)

    def _add(self, choice: Choice, *, first: bool) -> None:
        text = f"{choice.title} · {size_words(choice)}" if first else exact_name(choice)
        radio = Radio(self._theme, f"choice:{len(self._radios)}", text, _fit(choice))
        radio.setAutoExclusive(False)  # they stand under two parents
        (self._first if first else self._inside).addWidget(radio)
        radio.clicked.connect(lambda _on=False: self._choose(radio))
        if first:
            radio.show()  # at once, so that the dialog can take its height
        self._radios.append((radio, choice))

    def _choose(self, chosen: Radio) -> None:
        for radio, _ in self._radios:
            radio.setChecked(radio is chosen)
        self._weigh()
        self.fit()

    @property
    def _chosen(self) -> Choice:
        return next(choice for radio, choice in self._radios if radio.isChecked())

    def _weigh(self) -> None:
        """What is said of the chosen one."""
        choice = self._chosen
        plan = choice.plan
        label = slot_label(plan) if plan is not None else ""
        self._slot.setVisible(bool(label))
        self._label.setVisible(bool(label))
        if plan is not None and label:
            self._slot.show_share(share(plan), tone(plan.verdict), label)
            self._label.setText(label)
        self._said.setText(self._sentence(choice))
        get = translate("Models", "Get {size}").format(size=size_words(choice))
        known = choice.offering.size_bytes is not None
        self._go.setText(get if known else translate("Choice", "Get"))
        self._go.setAccessibleName(self._go.text())
        self._go.updateGeometry()

    def _sentence(self, choice: Choice) -> str:
        owner = self._repo.partition("/")[0]
        licence = choice.repo.licence or translate("Choice", "not stated")
        made = translate("Choice", "By {owner}. Licence: {licence}.").format(
            owner=owner, licence=licence
        )
        plan = choice.plan
        if plan is None:
            return made
        slowly = plan.verdict is Verdict.FITS_SLOWLY
        speed = "" if slowly else speed_words(plan)
        said = verdict_words(plan) + (f" {speed}." if speed else "")
        return f"{said}\n{made}"

    def _folded(self, is_open: bool) -> None:
        self._others.setVisible(is_open and len(self._radios) > 1)
        self.fit()
        if is_open and len(self._radios) > 1:
            self.reveal(self._radios[1][0])

    def _taken(self) -> None:
        choice = self._chosen
        self.accept()
        self._take(choice)
