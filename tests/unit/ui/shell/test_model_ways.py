"""What a person can do when a model does not fit, fell, or was let go."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app.events import (
    MemoryRanLow,
    MemoryRecovered,
    ModelChosen,
    ModelFailed,
    ModelLoading,
    ModelReady,
    ModelUnloaded,
    ReplyEnded,
)
from engine.errors import EngineCrashed, ModelHeldBack, OutOfMemory
from engine.runtimes.fake import FakeRuntime, Script
from engine.types.models import UnloadReason
from tests.unit.ui import plans
from tests.unit.ui.chat.controller_bench import turn
from tests.unit.ui.shell import world
from tests.unit.ui.shell.model_hands import ask, press, question, tell
from ui.error_words import Action
from ui.shell.places import MODELS

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")  # the offscreen platform has none


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


def test_low_memory_leads_to_smaller_models(quiet, qtbot):
    tell(quiet, MemoryRanLow())
    press(qtbot, quiet.window, "bannerAction")
    assert quiet.window.places.here == MODELS


def test_a_chosen_model_that_is_gone_is_told(quiet, monkeypatch):
    monkeypatch.setattr(type(quiet.container.models), "fell_back", Path("gone.gguf"))
    quiet.bench._happened(ModelReady(info=plans.loaded()))
    assert quiet.window.page.banner.accessibleName().startswith("The model you chose is not there")
    quiet.bench._happened(ModelChosen())
    assert not quiet.window.page.banner.isVisible()


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
