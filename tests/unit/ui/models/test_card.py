"""The model's details: plain sentences first, everything exact in a fold."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QWidget

from engine.errors import EngineCrashed, NotAModel, ServerUnreachable
from engine.types.models import LoadStage
from engine.types.plans import Reason, Verdict
from tests.unit.ui import plans
from tests.unit.ui.servers import NAS
from ui.models.card import ModelCard, sentence
from ui.models.now import ModelNow, Phase
from ui.plan_details import backend_name
from ui.theme.fit import FitBadge, FitSlot
from ui.theme.theme import Theme

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")  # the offscreen platform has none

READY = ModelNow(name="Gemma 3 4B", phase=Phase.READY, info=plans.loaded(plans.plan()))


@pytest.fixture
def parent(qtbot):
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(720, 520)
    made.show()
    yield made
    made.close()


@pytest.fixture
def card(parent):
    return ModelCard(Theme("light"), READY, parent)


@pytest.mark.parametrize("phase", Phase)
def test_every_state_has_a_sentence(phase):
    words = sentence(ModelNow(name="A", phase=phase))
    assert words.endswith((".", "…"))


def test_a_failure_says_what_happened():
    failed = ModelNow(name="A", phase=Phase.FAILED, error=NotAModel(Path("m")))
    assert sentence(failed).startswith("This file is not a model that Snug can use.")


def test_what_is_known_is_told_plainly(card):
    assert card._name.text() == "Gemma 3 4B"
    assert card._sentence.text() == (
        "It fits into memory and runs well here. All of it runs on the graphics card."
    )
    assert card.findChild(FitBadge).accessibleName() == "Runs well"
    assert card.findChild(FitSlot).accessibleName() == "Needs 4 of 9 GB"
    assert card._memory.text() == "Remembers about 20 pages of the conversation"
    assert card._speed.text() == "Writes faster than people read"
    assert not card.start.isVisible()


def test_the_details_unfold_and_can_be_copied(card, qtbot):
    assert not card._box.isVisible()
    before = card.height()
    qtbot.mouseClick(card._fold, Qt.MouseButton.LeftButton)
    assert card._box.isVisible()
    assert card.height() > before
    assert "31 of 31 layers on the graphics card" in card._box.toPlainText()
    qtbot.mouseClick(card._copy, Qt.MouseButton.LeftButton)
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("Gemma 3 4B\n")
    assert "Reasons: all_on_device" in copied


def test_it_stays_current_while_it_is_open(card):
    card.show_now(
        ModelNow(name="Gemma 3 4B", phase=Phase.LOADING, stage=LoadStage.LOADING, fraction=0.4)
    )
    assert card._sentence.text() == "It is getting ready. Loading… 40%"
    assert not card.findChild(FitBadge).isVisible()
    assert not card._fold.isVisible()
    slow = plans.plan(Verdict.FITS_SLOWLY, reasons=(Reason.SLOWER_THAN_READING,))
    card.show_now(ModelNow(name="Gemma 3 4B", phase=Phase.READY, info=plans.loaded(slow)))
    assert card.findChild(FitBadge).accessibleName() == "Runs slowly"


@pytest.mark.parametrize("phase", [Phase.RESTING, Phase.NOT_LOADED, Phase.FAILED])
def test_what_is_not_loaded_can_be_started(parent, qtbot, phase):
    card = ModelCard(Theme("light"), ModelNow(name="A", phase=phase), parent)
    with qtbot.waitSignal(card.start_wished):
        qtbot.mouseClick(card.start, Qt.MouseButton.LeftButton)
    assert not card.isVisible()


def test_what_is_too_big_promises_no_abilities(parent):
    error = plans.does_not_fit()
    card = ModelCard(Theme("light"), ModelNow(name="A", phase=Phase.FAILED, error=error), parent)
    assert card.findChild(FitSlot).accessibleName() == "Needs 6.3 GB, 5.1 free"
    assert not card._memory.isVisible()
    assert not card._speed.isVisible()
    card.accept()


def test_copied_turns_back(card, qtbot):
    card._fold.click()
    card._copied.setInterval(10)
    card._copy.click()
    assert card._copy.text() == "Copied"
    qtbot.waitUntil(lambda: card._copy.text() == "Copy")


def test_a_crash_shows_no_verdict_and_its_own_details(parent):
    error = EngineCrashed("SIGSEGV", "reply")
    card = ModelCard(Theme("light"), replace(READY, phase=Phase.FAILED, error=error), parent)
    assert not card.findChild(FitBadge).isVisible()
    assert not card._slot_box.isVisible()
    assert not card._memory.isVisible()
    assert card._box.toPlainText() == "engine_crashed: SIGSEGV while reply"
    assert card.start.text() == "Start it now"
    card.accept()


def test_what_is_too_big_leads_to_what_can_help(parent):
    now = ModelNow(name="A", phase=Phase.FAILED, error=plans.does_not_fit())
    card = ModelCard(Theme("light"), now, parent)
    assert card.start.accessibleName() == "What can help"
    card.accept()


def test_a_name_without_spaces_wraps(parent):
    name = "my_own_model_that_was_finetuned_on_everything_there_is_v2_q4_k_m"
    card = ModelCard(Theme("light", 200), replace(READY, name=name), parent)
    assert card._name.heightForWidth(card._name.width()) > 1.5 * card._name.fontMetrics().height()
    assert card._name.minimumSizeHint().width() < card._name.width()
    card.accept()


def test_that_it_is_slow_is_said_once(parent):
    slow = plans.plan(Verdict.FITS_SLOWLY, reasons=(Reason.SLOWER_THAN_READING,))
    now = ModelNow(name="A", phase=Phase.READY, info=plans.loaded(slow))
    card = ModelCard(Theme("light"), now, parent)
    assert "more slowly than people read" in card._sentence.text()
    assert not card._speed.isVisible()
    card.accept()


def test_a_failure_folds_the_details_away_with_what_they_told(card):
    card._fold.click()
    card.show_now(ModelNow(name="A", phase=Phase.NOT_LOADED))
    assert not card._fold.isVisible()
    assert not card._box.isVisible()


def test_escape_closes_it_and_enter_presses_close(card, parent, qtbot):
    qtbot.keyClick(card, Qt.Key.Key_Escape)
    assert not card.isVisible()
    again = ModelCard(Theme("light"), READY, parent)
    qtbot.keyClick(again.focusWidget(), Qt.Key.Key_Return)
    assert not again.isVisible()


@pytest.mark.parametrize("scale", [100, 200])
@pytest.mark.parametrize("choice", ["light", "dark", "contrast"])
def test_it_is_never_larger_than_the_window(parent, choice, scale):
    long = ModelNow(name="A long name " * 12, phase=Phase.READY, info=READY.info)
    card = ModelCard(Theme(choice, scale), long, parent)
    card._fold.click()
    assert card.width() < parent.width()
    assert card.height() < parent.height()
    card.accept()


# --- another computer ---


def away(phase=Phase.READY, remote=NAS, **more):
    info = plans.elsewhere(remote)
    return ModelNow(name=remote.model, phase=phase, info=info, remote=remote, **more)


def test_of_another_computer_no_memory_is_told_but_where_it_is(parent):
    card = ModelCard(Theme("light"), away(), parent)
    assert card._sentence.text() == (
        "Answers come from http://nas:8080. What you write is sent there."
    )
    assert card.findChild(FitBadge).accessibleName() == "nas:8080"
    assert not card._slot_box.isVisible()
    assert card._memory.text() == "Remembers about 82 pages of the conversation"
    assert not card._speed.isVisible()
    assert not card.start.isVisible()
    details = card._box.toPlainText()
    assert "Address: http://nas:8080/v1" in details
    assert "MiB" not in details
    assert "KV cache" not in details
    card.accept()


def test_how_much_it_remembers_is_not_told_where_the_server_does_not_say(parent):
    card = ModelCard(Theme("light"), away(remote=replace(NAS, context_length=None)), parent)
    assert not card._memory.isVisible()
    assert "Context" not in card._box.toPlainText()
    card.accept()


def test_what_is_elsewhere_does_not_rest(parent):
    card = ModelCard(Theme("light"), away(Phase.RESTING), parent)
    assert "rests" not in card._sentence.text()
    assert not card.start.isVisible()
    card.accept()


def test_another_computer_that_fails_can_be_asked_again(parent, qtbot):
    error = ServerUnreachable(NAS.address)
    card = ModelCard(Theme("light"), away(Phase.FAILED, error=error), parent)
    assert card._sentence.text().startswith("Nothing answers at this address.")
    assert card.start.text() == "Ask it again"
    with qtbot.waitSignal(card.start_wished):
        qtbot.mouseClick(card.start, Qt.MouseButton.LeftButton)


def test_the_way_back_is_there_only_where_something_is_away(parent, qtbot):
    here = ModelCard(Theme("light"), READY, parent)
    assert not here._here.isVisible()
    assert here._elsewhere.accessibleName() == "Let another computer answer…"
    here._elsewhere.setFocus()
    with qtbot.waitSignal(here.elsewhere_wished):
        qtbot.keyClick(here._elsewhere, Qt.Key.Key_Return)
    card = ModelCard(Theme("light"), away(), parent)
    assert card._here.accessibleName() == "Answer on this computer again"
    with qtbot.waitSignal(card.here_wished):
        qtbot.mouseClick(card._here, Qt.MouseButton.LeftButton)


# --- graphics cards ---


def test_a_graphics_card_that_is_left_out_is_told_with_what_can_help(parent):
    reasons = (Reason.MEMORY_LOW_NOW, Reason.DEVICE_FAILED)
    now = replace(READY, info=plans.loaded(plans.plan(reasons=reasons, devices=())))
    card = ModelCard(Theme("light"), now, parent)
    assert card._device.text().startswith("The graphics card did not work as it should")
    assert "driver" in card._device.text()
    card.show_now(READY)
    assert not card._device.isVisible()
    card.accept()


@pytest.mark.parametrize("backend", ["vulkan", "cuda", "metal", "directml"])
def test_the_name_of_a_backend_stands_under_details_only(parent, backend):
    made = replace(plans.plan(), backend=backend)
    card = ModelCard(Theme("light"), replace(READY, info=plans.loaded(made)), parent)
    labels = " ".join(label.text() for label in card.findChildren(QLabel))
    assert backend not in labels.lower()
    assert f"Backend: {backend}" in card._box.toPlainText().replace(backend_name(backend), backend)
    card.accept()
