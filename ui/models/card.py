"""What there is to know of the model in use: how it fits, why, and everything exact under Details.

It shows a `ModelNow` and stays current while it is open. GUI thread.
"""

from typing import assert_never

from PySide6.QtCore import QCoreApplication, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from engine.types.plans import Layout, Plan, Verdict
from ui import messages
from ui.models.now import ModelNow, Phase
from ui.models.progress import stage_words
from ui.plan_details import details
from ui.plan_words import (
    explanation,
    fit_look,
    joined,
    memory_words,
    speed_words,
    tone,
)
from ui.size_words import share, slot_label
from ui.theme.buttons import TextButton
from ui.theme.choices import FoldButton
from ui.theme.dialog import Dialog, breakable, text_box, words
from ui.theme.fit import FitBadge, FitSlot
from ui.theme.fonts import Role
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_SLOT_WIDTH = 200
_COPIED_MS = 2000


def sentence(now: ModelNow) -> str:  # noqa: C901, PLR0911 - one line a phase
    """How the model is doing, in one plain sentence or two."""
    plan = now.plan
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


class ModelCard(Dialog):
    """The details of the model in use."""

    start_wished = Signal()

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
        self._add_abilities()
        self._fold = FoldButton(theme, "modelCardFold", translate("Model", "Details"))
        self._box = text_box(theme, "", "modelCardDetails", translate("Model", "Details"))
        self._copy = TextButton(theme, "modelCardCopy", translate("Model", "Copy"), "secondary")
        self._copied = QTimer(self)
        self._copied.setSingleShot(True)
        self._copied.setInterval(_COPIED_MS)
        self._copied.timeout.connect(lambda: self._say_of_copy(translate("Model", "Copy")))
        self._add_fold()
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
        column.addWidget(self._memory)
        column.addWidget(self._speed)
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

    # --- what is shown -------------------------------------------------------------------------

    def show_now(self, now: ModelNow) -> None:
        self._now = now
        self._fill()
        self.fit()

    def _fill(self) -> None:
        now = self._now
        self._name.setText(breakable(now.name or translate("Model", "Model")))
        self._badge.show_look(fit_look(now.verdict) if now.verdict else None)
        self._sentence.setText(sentence(now))
        self._fill_slot()
        self._fill_abilities()
        self._box.setPlainText(_exact(now))
        has_details = bool(self._box.toPlainText())
        self._fold.setVisible(has_details)
        if not has_details:
            self._fold.setChecked(False)
        self._fill_start()

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
        layout = info.spec.layout if info and works else None
        self._memory.setText(memory_words(_remembered(layout, plan)) if layout else "")
        self._memory.setVisible(works)
        told = plan is not None and plan.verdict is Verdict.FITS_SLOWLY
        self._speed.setText(speed_words(plan) if plan and not told else "")
        self._speed.setVisible(works and bool(self._speed.text()))

    def _fill_start(self) -> None:
        words = (
            translate("Model", "What can help")
            if self._now.too_big
            else translate("Model", "Start it now")
        )
        self.start.setText(words)
        self.start.setAccessibleName(words)
        self.start.updateGeometry()
        resting = self._now.phase in {Phase.NOT_LOADED, Phase.RESTING, Phase.FAILED}
        self.start.setVisible(resting)

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
        self.accept()
        self.start_wished.emit()


def _remembered(layout: Layout, plan: Plan | None) -> int:
    """Tokens that a model really makes use of."""
    trained = plan.trained_length if plan else None
    return min(layout.context_length, trained or layout.context_length)
