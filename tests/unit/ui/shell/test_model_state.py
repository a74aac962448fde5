"""The model in the window: pill, details, loading with cancel, and too little memory."""

import time
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication

from app.events import (
    MemoryRanLow,
    MemoryRecovered,
    ModelFailed,
    ModelLoadCancelled,
    ModelLoading,
    ModelReady,
    ModelUnloaded,
    ReplyEnded,
)
from engine.errors import EngineCrashed, ModelHeldBack, OutOfMemory
from engine.runtimes.fake import FakeRuntime, Script
from engine.types.models import UnloadReason
from engine.types.plans import Offer, Verdict
from tests.unit.ui import plans
from tests.unit.ui.chat.controller_bench import turn
from tests.unit.ui.shell import world
from ui.chat.contracts import Activity
from ui.error_words import Action
from ui.models.card import ModelCard
from ui.models.memory_full import MemoryFullDialog
from ui.models.now import Phase
from ui.shell import dialogs

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")  # the offscreen platform has none
CTRL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


def press(qtbot, root, name):
    qtbot.mouseClick(root.findChild(QAbstractButton, name), Qt.MouseButton.LeftButton)


def tell(it, *events):
    for event in events:
        it.bench.model.handle(event)


def card(it):
    found = it.window.findChildren(ModelCard)
    return next((dialog for dialog in found if dialog.isVisible()), None)


def question(it):
    found = it.window.findChildren(MemoryFullDialog)
    shown = [dialog for dialog in found if dialog.isVisible()]
    assert len(shown) < 2
    return shown[0] if shown else None


def ask(it, qtbot, text="What is the capital of France?"):
    qtbot.keyClicks(it.window.page.composer.field, text)
    qtbot.keyClick(it.window.page.composer.field, Qt.Key.Key_Return)


@pytest.fixture
def quiet(make, qtbot):
    """A window whose model has not been asked for."""
    return make(begin=False)


@pytest.fixture
def wishes(quiet, monkeypatch):
    """What reaches the services."""
    made = []

    def prepare(**how):
        made.append(how)

    monkeypatch.setattr(quiet.container.chat, "prepare", prepare)
    monkeypatch.setattr(quiet.container.models, "use", lambda *model: made.append(model))
    return made


# --- the pill and the details ---


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


def test_a_model_that_never_fits_ends_as_a_question_each_time_it_is_tried(make, qtbot):
    it = make(Script(load_error=plans.does_not_fit(plans.other_model())))
    qtbot.waitUntil(it.window.page.banner.isVisible)
    press(qtbot, it.window, "bannerAction")
    press(qtbot, question(it), "memoryContinue")  # the scripted world has no other model
    qtbot.waitUntil(lambda: question(it) is not None)
    press(qtbot, question(it), "memoryCancel")
    QApplication.processEvents()
    assert it.window.page.banner.isVisible()
    assert it.window.page.composer.field.isEnabled()


class LaterRuntime(FakeRuntime):
    """Fails until it is told to go well."""

    def __init__(self, error):
        super().__init__(Script())
        self.error = error

    def load(self, *arguments):
        if self.error is not None:
            raise self.error
        return super().load(*arguments)


@pytest.fixture
def failing(make, qtbot, monkeypatch):
    """A window with a question that was not answered, for want of the model."""

    def start(error):
        runtime = LaterRuntime(error)
        monkeypatch.setattr(world, "FakeRuntime", lambda _: runtime)
        it = make()
        ask(it, qtbot)
        qtbot.waitUntil(lambda: it.bench.conversation.failure is not None)
        return it, runtime

    return start


def test_once_a_way_out_is_chosen_the_question_is_answered(failing, qtbot):
    it, runtime = failing(plans.does_not_fit(plans.other_model()))
    qtbot.waitUntil(lambda: question(it) is not None)
    runtime.error = None
    press(qtbot, question(it), "memoryContinue")
    qtbot.waitUntil(lambda: it.bench.conversation.last_answer() != "")
    assert not it.window.page.banner.isVisible()


def test_a_way_out_that_fails_again_is_asked_about_once_more(failing, qtbot):
    it, _ = failing(plans.does_not_fit(plans.other_model()))
    qtbot.waitUntil(lambda: question(it) is not None)
    press(qtbot, question(it), "memoryContinue")
    qtbot.waitUntil(lambda: question(it) is not None and not it.bench.conversation.busy)
    press(qtbot, question(it), "memoryCancel")
    QApplication.processEvents()
    assert question(it) is None
    assert it.window.page.banner.message.action is Action.MAKE_ROOM


def test_a_model_that_was_held_back_is_tried_again_for_the_question(failing, qtbot):
    it, runtime = failing(ModelHeldBack(Path("m"), "reply", 3))
    banner = it.window.page.banner
    qtbot.waitUntil(lambda: banner.message.action is Action.TRY_ONCE_MORE)
    runtime.error = None
    press(qtbot, it.window, "bannerAction")
    qtbot.waitUntil(lambda: it.bench.conversation.last_answer() != "")


def test_a_reply_goes_on_after_a_crash_where_it_stopped(make, qtbot):
    crash = EngineCrashed("SIGSEGV", "reply")
    it = make(Script(pieces=("one ", "two "), fail_after_pieces=1, error=crash))
    ask(it, qtbot)
    qtbot.waitUntil(it.window.page.banner.isVisible)
    pill = it.window.page.header.pill
    assert pill.accessibleName() == f"Model: {world.NAME}, Not loaded"
    first = it.bench.conversation._turns[-1]
    press(qtbot, it.window, "bannerAction")
    qtbot.waitUntil(lambda: it.bench.conversation.text_of(first.id) == "one one ")


# --- notices ---


def test_low_memory_is_told_until_it_is_over(quiet):
    banner = quiet.window.page.banner
    tell(quiet, MemoryRanLow())
    assert banner.accessibleName().startswith("Memory is nearly full.")
    tell(quiet, MemoryRecovered())
    assert not banner.isVisible()


@pytest.mark.parametrize(
    ("event", "action"),
    [
        (ModelFailed(error=ModelHeldBack(Path("m"), "load", 2)), Action.TRY_ONCE_MORE),
        (ModelFailed(error=OutOfMemory()), Action.LOAD_AGAIN),
        (ModelFailed(error=EngineCrashed("SIGSEGV", "load")), Action.LOAD_AGAIN),
        (ModelUnloaded(name="A", reason=UnloadReason.MEMORY), Action.LOAD_AGAIN),
    ],
)
def test_what_a_person_can_do_is_done_in_their_name(quiet, wishes, qtbot, event, action):
    tell(quiet, ModelLoading(name="A", fraction=0.0), event)
    assert quiet.window.page.banner.message.action is action
    assert quiet.window.page.header.pill.accessibleName() == "Model: A, Not loaded"
    press(qtbot, quiet.window, "bannerAction")
    qtbot.waitUntil(lambda: wishes == [{"by_person": True, "anyway": False}])


@pytest.mark.parametrize("reason", [UnloadReason.IDLE, UnloadReason.SUSPEND])
def test_a_rest_is_silent(quiet, reason):
    info = plans.loaded(plans.plan())
    tell(quiet, ModelLoading(name="A", fraction=0.0), ModelReady(info=info))
    tell(quiet, ModelUnloaded(name="A", reason=reason))
    assert not quiet.window.page.banner.isVisible()
    assert quiet.window.page.header.pill.accessibleName() == "Model: A, Runs well"


def test_memory_that_ran_out_in_a_reply_is_told_once(quiet, qtbot):
    error = OutOfMemory("memory ran out")
    quiet.bench.stage.show_trouble(error)
    ended = ReplyEnded(turn=turn(1), error=error)
    tell(quiet, ended, ModelUnloaded(name="A", reason=UnloadReason.MEMORY))
    press(qtbot, quiet.window, "bannerClose")
    assert not quiet.window.page.banner.isVisible()


def test_memory_that_ran_out_in_another_chat_is_told_all_the_same(quiet):
    ended = ReplyEnded(turn=turn(1, "elsewhere"), error=OutOfMemory("memory ran out"))
    tell(quiet, ended, ModelUnloaded(name="A", reason=UnloadReason.MEMORY))
    assert quiet.window.page.banner.message.action is Action.LOAD_AGAIN


def test_after_a_notice_is_closed_the_keys_go_to_the_composer(quiet, qtbot):
    tell(quiet, ModelFailed(error=EngineCrashed("SIGSEGV", "load")))
    press(qtbot, quiet.window, "bannerClose")
    assert quiet.window.page.composer.field.hasFocus()


def test_load_and_reply_do_not_leave_two_notices_of_one_failure(quiet, qtbot):
    error = OutOfMemory("kv")
    tell(quiet, ModelFailed(error=error))
    quiet.bench.stage.show_trouble(error)
    press(qtbot, quiet.window, "bannerClose")
    assert not quiet.window.page.banner.isVisible()
