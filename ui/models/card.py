"""What there is to know of the model in use: how it fits, why, and everything exact under Details.

It shows a `ModelNow` and stays current while it is open. GUI thread.
"""

from collections.abc import Sequence
from typing import assert_never

from PySide6.QtCore import QCoreApplication, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from engine.types.models import LoadedInfo
from engine.types.plans import Plan, Verdict
from ui import messages
from ui.models.elsewhere import place_look, place_sentence
from ui.models.now import ModelNow, Phase
from ui.models.picking import Pickable, Picking
from ui.models.progress import stage_words
from ui.plan_details import details
from ui.plan_words import (
    explanation,
    fit_look,
    joined,
    memory_words,
    speed_words,
    tone,
    why_no_device,
)
from ui.size_words import share, slot_label
from ui.theme.buttons import TextButton
from ui.theme.choices import FoldButton
from ui.theme.dialog import Dialog, breakable, text_box, words
from ui.theme.fit import FitBadge, FitLook, FitSlot
from ui.theme.fonts import Role
from ui.theme.link import LinkButton
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_SLOT_WIDTH = 200
_COPIED_MS = 2000


def sentence(now: ModelNow) -> str:  # noqa: C901, PLR0911 - one line a phase
    """How the model is doing, in one plain sentence or two."""
    plan = now.plan
    if now.remote is not None and now.phase not in {Phase.LOADING, Phase.FAILED}:
        return place_sentence(now.remote)  # what is elsewhere neither rests nor leaves memory
    match now.phase:
        case Phase.NOTHING:
            return translate("Model", "No model has been started yet.")
        case Phase.LOADING:
            return joined(translate("Model", "It is getting ready."), stage_words(now))
        case Phase.READY:
            if plan is None:
                return translate("Model", "It is ready.")
            return explanation(plan)
        case Phase.RESTING:
            return translate("Model", "It rests, to leave memory to others. Ask, and it starts.")
        case Phase.NOT_LOADED:
            return translate("Model", "It is not loaded. Ask, and it starts.")
        case Phase.FAILED:
            if now.error is None:
                return translate("Model", "It could not start.")
            message = messages.of_error(now.error, now.name)
            return joined(message.title, message.sentence)
        case _:
            assert_never(now.phase)


def _exact(now: ModelNow) -> str:
    """What stands under Details."""
    if now.fit is not None or now.phase in {Phase.READY, Phase.RESTING}:
        return details(now.fit, None if now.too_big else now.info, now.tokens_per_s)
    return messages.of_error(now.error).details if now.error else ""


def _start_words(now: ModelNow) -> str:
    if now.too_big:
        return translate("Model", "What can help")
    if now.remote is not None:
        return translate("Model", "Ask it again")
    return translate("Model", "Start it now")


class ModelCard(Dialog):
    """The details of the model in use, and the way to another computer and back."""

    start_wished = Signal()
    elsewhere_wished = Signal()
    here_wished = Signal()
    use_wished = Signal(str)
    more_wished = Signal()

    def __init__(self, theme: Theme, now: ModelNow, parent: QWidget) -> None:
        super().__init__(theme, "modelCard", parent)
        self.setWindowTitle(translate("Model", "Model"))
        self._now = now
        self._badge = FitBadge(theme, "modelCardFit")
        self._name = self._add_head()
        self._sentence = self.add_words("", Role.CONTROL)
        self._slot = FitSlot(theme, "modelCardSlot", _SLOT_WIDTH)
        soft = theme.colours.text2
        self._slot_label = words(theme, "", Role.CAPTION, soft)
        self._slot_box = self._add_slot()
        self._memory = words(theme, "", Role.SECOND, soft)
        self._speed = words(theme, "", Role.SECOND, soft)
        self._device = words(theme, "", Role.SECOND, soft)
        self._add_abilities()
        self._fold = FoldButton(theme, "modelCardFold", translate("Model", "Details"))
        self._box = text_box(theme, "", "modelCardDetails", translate("Model", "Details"))
        self._copy = TextButton(theme, "modelCardCopy", translate("Model", "Copy"), "secondary")
        self._copied = QTimer(self)
        self._copied.setSingleShot(True)
        self._copied.setInterval(_COPIED_MS)
        self._copied.timeout.connect(lambda: self._say_of_copy(translate("Model", "Copy")))
        self._add_fold()
        self._here = self._add_way("modelCardHere", self.here_wished)
        self._here.say(translate("Model", "Answer on this computer again"))
        self._elsewhere = self._add_way("modelCardElsewhere", self.elsewhere_wished)
        self._picking = Picking(theme)
        self._picking.more_wished.connect(lambda: self._leave(self.more_wished))
        self._picking.use_wished.connect(self._use)
        self._column.addWidget(self._picking)
        self.start = self.add_button("modelCardStart", "", "secondary")
        close = self.add_button("modelCardClose", translate("Model", "Close"), "primary")
        self.start.clicked.connect(self._start)
        close.clicked.connect(self.accept)
        self._fill()
        self.finish(close)

    def _add_head(self) -> QLabel:
        line = QHBoxLayout()
        line.setSpacing(12)
        name = words(self._theme, "", Role.TITLE)
        line.addWidget(name, 1)
        line.addWidget(self._badge, 0, Qt.AlignmentFlag.AlignTop)
        self._column.addLayout(line)
        return name

    def _add_slot(self) -> QWidget:
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self._slot_label)
        column.addWidget(self._slot)
        self._column.addWidget(box)
        return box

    def _add_abilities(self) -> None:
        column = QVBoxLayout()
        column.setSpacing(4)
        for label in (self._memory, self._speed, self._device):
            column.addWidget(label)
        self._column.addLayout(column)

    def _add_fold(self) -> None:
        self._fold.toggled.connect(self._folded)
        self._copy.setAccessibleName(translate("Model", "Copy the details"))
        self._copy.clicked.connect(self._copy_details)
        self._box.setFixedHeight(self._theme.px(190))
        column = QVBoxLayout()
        column.setSpacing(4)
        for widget in (self._fold, self._copy):
            column.addWidget(widget, 0, Qt.AlignmentFlag.AlignLeading)
        column.insertWidget(1, self._box)
        self._column.addLayout(column)
        self._folded(False)

    def _add_way(self, name: str, wish: SignalInstance) -> LinkButton:
        """Words that close the card and lead elsewhere."""
        button = LinkButton(self._theme, name, "", Role.SECOND)
        button.clicked.connect(lambda: self._leave(wish))
        self._column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeading)
        return button

    # --- what is shown -------------------------------------------------------------------------

    def show_now(self, now: ModelNow) -> None:
        self._now = now
        self._fill()
        self.fit()

    def show_models(self, models: Sequence[Pickable]) -> None:
        """The models of this computer to choose from."""
        self._picking.show_models(models)
        self.fit()

    def _use(self, model_id: str) -> None:
        self.accept()
        self.use_wished.emit(model_id)

    def _fill(self) -> None:
        now = self._now
        self._name.setText(breakable(now.name or translate("Model", "No model")))
        self._badge.show_look(_badge(now))
        self._sentence.setText(sentence(now))
        self._fill_slot()
        self._fill_abilities()
        self._box.setPlainText(_exact(now))
        has_details = bool(self._box.toPlainText())
        self._fold.setVisible(has_details)
        if not has_details:
            self._fold.setChecked(False)
        self._fill_start()
        self._fill_ways()

    def _fill_ways(self) -> None:
        is_away = self._now.remote is not None
        self._here.setVisible(is_away)
        self._elsewhere.say(
            translate("Model", "Choose another computer or model there…")
            if is_away
            else translate("Model", "Let another computer answer…")
        )

    def _fill_slot(self) -> None:
        plan, verdict = self._now.fit, self._now.verdict
        label = slot_label(plan) if plan else ""
        self._slot_box.setVisible(bool(label))
        if plan and verdict and label:
            self._slot.show_share(share(plan), tone(verdict), label)
            self._slot_label.setText(label)

    def _fill_abilities(self) -> None:
        """What the sentence says already is not said again."""
        plan, info = self._now.fit, self._now.info
        works = info is not None and self._now.phase in {Phase.READY, Phase.RESTING}
        remembered = _remembered(info, plan) if info and works else 0
        self._memory.setText(memory_words(remembered) if remembered else "")
        self._memory.setVisible(remembered > 0)
        told = plan is not None and plan.verdict is Verdict.FITS_SLOWLY
        self._speed.setText(speed_words(plan) if plan and not told else "")
        self._speed.setVisible(works and bool(self._speed.text()))
        self._device.setText(why_no_device(plan) if plan and works else "")
        self._device.setVisible(bool(self._device.text()))

    def _fill_start(self) -> None:
        words = _start_words(self._now)
        self.start.setText(words)
        self.start.setAccessibleName(words)
        self.start.updateGeometry()
        phases = {Phase.FAILED}
        if self._now.remote is None:
            phases |= {Phase.NOT_LOADED, Phase.RESTING}
        self.start.setVisible(self._now.phase in phases)

    # --- what is done --------------------------------------------------------------------------

    def _folded(self, is_open: bool) -> None:
        self._box.setVisible(is_open)
        self._copy.setVisible(is_open)
        self.fit()
        if is_open:
            self.reveal(self._box)

    def _copy_details(self) -> None:
        text = f"{self._now.name}\n{self._box.toPlainText()}"
        QGuiApplication.clipboard().setText(text)
        self._say_of_copy(translate("Model", "Copied"))
        self._copied.start()

    def _say_of_copy(self, words: str) -> None:
        self._copy.setText(words)
        self._copy.updateGeometry()

    def _start(self) -> None:
        self._leave(self.start_wished)

    def _leave(self, wish: SignalInstance) -> None:
        self.accept()
        wish.emit()


def _badge(now: ModelNow) -> FitLook | None:
    """As on the pill."""
    if now.remote is not None:
        return place_look(now.remote)
    return fit_look(now.verdict) if now.verdict else None


def _remembered(info: LoadedInfo, plan: Plan | None) -> int:
    """Tokens that a model really makes use of, 0 where that is not known."""
    if info.spec.remote is not None:
        return info.spec.remote.context_length or 0
    length = info.spec.layout.context_length
    trained = plan.trained_length if plan else None
    return min(length, trained or length)
