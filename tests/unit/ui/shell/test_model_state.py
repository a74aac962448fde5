"""The model in the window: pill, details, loading with cancel, and too little memory."""

import time
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from app.events import (
    DeviceGotSlower,
    ModelFailed,
    ModelLoadCancelled,
    ModelLoading,
    ModelReady,
    ModelUnloaded,
)
from engine.runtimes.fake import Script
from engine.types.models import UnloadReason
from engine.types.plans import Offer, Verdict
from tests.unit.ui import plans
from tests.unit.ui.shell import world
from tests.unit.ui.shell.model_hands import ask, card, press, question, tell
from ui.chat.contracts import Activity
from ui.error_words import Action
from ui.messages import Tone
from ui.models.card import ModelCard
from ui.models.now import Phase
from ui.shell import dialogs

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")  # the offscreen platform has none
CTRL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


def test_the_pill_shows_how_the_model_fits_and_opens_its_details(quiet, qtbot):
    info = plans.loaded(plans.plan(Verdict.FITS))
    tell(quiet, ModelLoading(name="Gemma 3 4B", fraction=1.0), ModelReady(info=info))
    pill = quiet.window.page.header.pill
    assert pill.accessibleName() == "Model: Gemma 3 4B, Runs well"
    qtbot.mouseClick(pill, Qt.MouseButton.LeftButton)
    assert "31 of 31 layers" in card(quiet)._box.toPlainText()
    qtbot.keyClick(card(quiet), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: card(quiet) is None)


def test_the_details_open_by_keyboard_once_and_follow_the_model(quiet, qtbot):
    tell(quiet, ModelLoading(name="Gemma 3 4B", fraction=0.4))
    qtbot.keyClick(quiet.window, Qt.Key.Key_M, CTRL_SHIFT)
    shown = card(quiet)
    quiet.bench.model.show_card()
    assert len(quiet.window.findChildren(ModelCard)) == 1
    assert "Loading… 40%" in shown._sentence.text()
    tell(quiet, ModelReady(info=plans.loaded(plans.plan())))
    assert shown._sentence.text().startswith("It fits into memory")


def test_without_a_model_there_are_no_details(quiet):
    quiet.bench.model.show_card()
    assert card(quiet) is None


def test_a_model_that_is_not_loaded_is_started_from_its_details(quiet, wishes, qtbot):
    gone = ModelUnloaded(name="A", reason=UnloadReason.MEMORY)
    tell(quiet, ModelLoading(name="A", fraction=0.0), gone)
    quiet.bench.model.show_card()
    press(qtbot, card(quiet), "modelCardStart")
    qtbot.waitUntil(lambda: wishes == [{"by_person": True, "anyway": False}])


def test_a_graphics_card_that_got_slower_is_told_until_a_model_is_loaded_anew(quiet):
    banner = quiet.window.page.banner
    tell(quiet, ModelLoading(name="Gemma 3 4B", fraction=1.0), DeviceGotSlower(name="Gemma 3 4B"))
    assert banner.message.title == "The graphics card is much slower than it was."
    assert banner.message.tone is Tone.WARN
    tell(quiet, ModelLoading(name="Gemma 3 4B", fraction=0.0))
    assert banner.message is None


# --- loading ---


def test_a_long_load_can_be_cancelled_and_the_next_question_loads_again(make, qtbot):
    script = Script(load_s=3.0)
    it = make(script)
    line = it.window.page.loading
    qtbot.waitUntil(line.isVisible)
    press(qtbot, it.window, "loadingCancel")
    pill = it.window.page.header.pill
    qtbot.waitUntil(lambda: pill.accessibleName() == f"Model: {world.NAME}, Not loaded")
    assert not line.isVisible()
    assert not it.window.page.banner.isVisible()
    ask(it, qtbot)
    qtbot.waitUntil(lambda: it.bench.conversation.last_answer() != "", timeout=10_000)
    assert pill.accessibleName() == f"Model: {world.NAME}"


def test_escape_cancels_a_load_when_nothing_else_wants_it(make, qtbot):
    it = make(Script(load_s=3.0))
    qtbot.waitUntil(lambda: it.bench.model.loading)
    qtbot.keyClick(it.window, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: it.bench.model.now.phase is Phase.NOT_LOADED)


def test_a_load_that_does_not_stop_says_so_at_once_and_what_is_safe(quiet, qtbot, monkeypatch):
    monkeypatch.setattr(quiet.container.chat, "cancel_loading", lambda: None)
    page = quiet.window.page
    tell(quiet, ModelLoading(name="A", fraction=0.0))
    page.loading._appear()
    page.loading._patience._wait.setInterval(20)
    qtbot.keyClick(quiet.window, Qt.Key.Key_Escape)
    assert page.loading.accessibleName() == "Stopping…"
    assert page.strip.hint == "Stopping…"
    safe = "The model does not answer. It is safe to close Snug."
    qtbot.waitUntil(lambda: page.strip.hint == page.loading.accessibleName() == safe)
    tell(quiet, ModelLoadCancelled(name="A"))
    assert page.strip.hint.startswith("Answers can be wrong.")


def test_a_reply_that_does_not_stop_says_so_at_once(quiet, qtbot):
    stage, page = quiet.bench.stage, quiet.window.page
    stage.show_activity(Activity.WRITING)
    stage._patience._wait.setInterval(20)
    page.composer.stop.setFocus()
    stage.show_activity(Activity.STOPPING)
    assert page.composer.field.hasFocus()
    assert page.strip.hint == "Stopping…"
    assert not page.composer.stop.isEnabled()
    qtbot.waitUntil(lambda: page.strip.hint.startswith("The model does not answer."))
    stage.show_activity(Activity.IDLE)
    assert page.composer.send.isVisible()


# --- too little memory ---


def test_a_failure_is_asked_about_once_though_load_and_reply_both_tell_of_it(quiet, qtbot):
    error = plans.does_not_fit(plans.other_model())
    quiet.bench.model.person_asked()
    tell(quiet, ModelLoading(name="Qwen3 8B", fraction=0.0), ModelFailed(error=error))
    quiet.bench.stage.show_trouble(error)
    assert question(quiet).windowTitle() == "Not enough memory for Qwen3 8B"
    press(qtbot, question(quiet), "memoryCancel")
    later = plans.does_not_fit(plans.other_model())  # the same, told by another load
    later.plan = replace(later.plan, free_bytes=1)
    tell(quiet, ModelLoading(name="Qwen3 8B", fraction=0.0), ModelFailed(error=later))
    quiet.bench.stage.show_trouble(later)
    assert question(quiet) is None
    assert quiet.window.page.banner.message.action is Action.MAKE_ROOM
    name = quiet.window.page.header.pill.accessibleName()
    assert name == "Model: Qwen3 8B, Too big"


def test_after_cancel_the_notice_leads_back_to_the_question(quiet, qtbot):
    error = plans.does_not_fit()
    quiet.bench.model.person_asked()
    tell(quiet, ModelLoading(name="Qwen3 8B", fraction=0.0), ModelFailed(error=error))
    press(qtbot, question(quiet), "memoryCancel")
    banner = quiet.window.page.banner
    for _ in range(2):  # as often as it takes
        assert banner.message.action is Action.MAKE_ROOM
        press(qtbot, quiet.window, "bannerAction")
        press(qtbot, question(quiet), "memoryCancel")
    assert quiet.window.page.composer.field.hasFocus()


def test_a_start_that_nobody_asked_for_shows_a_notice_and_takes_no_keys(quiet, qtbot):
    tell(quiet, ModelFailed(error=plans.does_not_fit()))
    assert question(quiet) is None
    assert quiet.window.page.banner.message.action is Action.MAKE_ROOM
    press(qtbot, quiet.window, "bannerAction")
    assert question(quiet) is not None


def test_a_question_waits_until_the_hands_rest(quiet, qtbot, monkeypatch):
    field = quiet.window.page.composer.field
    quiet.bench.model.person_asked()
    field.last_key_s = time.monotonic()
    tell(quiet, ModelFailed(error=plans.does_not_fit()))
    assert question(quiet) is None
    field.last_key_s -= 10
    qtbot.waitUntil(lambda: question(quiet) is not None)


def test_no_question_opens_over_what_is_being_written(quiet, qtbot):
    quiet.bench.model.person_asked()
    qtbot.keyClicks(quiet.window.page.composer.field, "Dear")
    tell(quiet, ModelFailed(error=plans.does_not_fit()))
    assert not quiet.bench.model._hands._look.isActive()
    assert question(quiet) is None
    assert quiet.window.page.banner.isVisible()


def test_a_question_that_waits_is_dropped_when_the_model_is_there(quiet):
    field = quiet.window.page.composer.field
    quiet.bench.model.person_asked()
    field.last_key_s = time.monotonic()
    ready = ModelReady(info=plans.loaded(plans.plan()))
    tell(quiet, ModelFailed(error=plans.does_not_fit()), ready)
    assert not quiet.bench.model._hands._look.isActive()
    assert not quiet.window.page.banner.isVisible()


def test_it_never_opens_over_something_else(quiet, qtbot):
    quiet.bench.model.person_asked()
    link = dialogs.ask_to_open(quiet.theme, "https://example.org", quiet.window)
    tell(quiet, ModelFailed(error=plans.does_not_fit()))
    assert question(quiet) is None
    link.reject()
    assert quiet.window.page.banner.message.action is Action.MAKE_ROOM


@pytest.mark.parametrize(
    ("offer", "clicks", "wished"),
    [
        (
            plans.other_model(),
            [],
            [(plans.FILE, None), {"by_person": True}],
        ),
        (
            Offer(context_length=2048),
            [],
            [(plans.does_not_fit().path, 2048), {"by_person": True}],
        ),
        (plans.other_model(), ["memoryAgain"], [{"by_person": True, "anyway": False}]),
        (
            plans.other_model(),
            ["memoryFold", "memoryAnyway"],
            [{"by_person": True, "anyway": True}],
        ),
    ],
)
def test_what_is_chosen_is_done(quiet, wishes, qtbot, offer, clicks, wished):
    quiet.bench.model.person_asked()
    tell(quiet, ModelFailed(error=plans.does_not_fit(offer)))
    for name in [*clicks, "memoryContinue"]:
        press(qtbot, question(quiet), name)
    qtbot.waitUntil(lambda: wishes == wished)
    assert not quiet.window.page.banner.isVisible()
