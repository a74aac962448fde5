"""What the window knows of the model, event by event."""

from pathlib import Path

import pytest

from app.events import (
    MemoryRanLow,
    ModelFailed,
    ModelLoadCancelled,
    ModelLoading,
    ModelReady,
    ModelUnloaded,
    ReplyEnded,
)
from engine.errors import (
    Cancelled,
    EngineCrashed,
    EngineTimedOut,
    NotAModel,
    OutOfMemory,
    PromptTooLong,
)
from engine.types.models import LoadStage, UnloadReason
from engine.types.plans import Verdict
from tests.unit.ui import plans
from tests.unit.ui.chat.controller_bench import turn
from tests.unit.ui.servers import NAS
from ui.models.now import ModelNow, Phase, after, concerns, moved, placed

LOADING = ModelLoading(name="Gemma", fraction=0.4)
READY = ModelReady(info=plans.loaded(plans.plan()))


def told(*events):
    now = ModelNow()
    for event in events:
        now = after(now, event)
    return now


def test_a_load_is_followed_to_its_end():
    assert told(LOADING).phase is Phase.LOADING
    now = told(LOADING, READY)
    assert (now.name, now.phase, now.plan) == ("Gemma", Phase.READY, READY.info.plan)


@pytest.mark.parametrize(
    ("stage", "fraction", "percent"),
    [
        (LoadStage.CHECKING, 0.5, None),
        (LoadStage.REHEARSING, 0.5, None),
        (LoadStage.LOADING, 0.0, None),
        (LoadStage.LOADING, 0.404, 40),
        (LoadStage.LOADING, 1.2, 100),
    ],
)
def test_only_the_load_itself_has_a_percentage(stage, fraction, percent):
    now = told(ModelLoading(name="Gemma", fraction=fraction, stage=stage))
    assert now.percent == percent


@pytest.mark.parametrize(
    ("reason", "phase"),
    [
        (UnloadReason.IDLE, Phase.RESTING),
        (UnloadReason.SUSPEND, Phase.RESTING),
        (UnloadReason.MEMORY, Phase.NOT_LOADED),
    ],
)
def test_a_rest_is_no_alarm(reason, phase):
    now = told(LOADING, READY, ModelUnloaded(name="gemma", reason=reason))
    assert (now.name, now.phase) == ("Gemma", phase)
    assert now.plan == READY.info.plan


def test_a_cancelled_load_is_not_a_failure():
    assert told(LOADING, ModelLoadCancelled(name="Gemma")).phase is Phase.NOT_LOADED
    assert told(LOADING, ModelFailed(error=Cancelled())).phase is Phase.NOT_LOADED


def test_what_does_not_fit_brings_its_own_plan():
    error = plans.does_not_fit()
    now = told(LOADING, READY, LOADING, ModelFailed(error=error))
    assert (now.phase, now.plan) == (Phase.FAILED, error.plan)
    assert told(LOADING, READY, LOADING).plan == READY.info.plan


def test_another_model_does_not_inherit_a_plan():
    now = told(LOADING, READY, ModelLoading(name="Qwen3", fraction=0.0))
    assert (now.name, now.plan) == ("Qwen3", None)


def test_a_failure_before_any_progress_brings_the_name():
    error = NotAModel(Path("m"))
    assert told(ModelFailed(error=error, name="Qwen3")).name == "Qwen3"
    assert told(LOADING, READY, ModelFailed(error=error, name="Qwen3")).info is None
    assert told(LOADING, READY, ModelFailed(error=error)).name == "Gemma"


def test_a_failure_ends_with_the_next_load():
    now = told(LOADING, ModelFailed(error=NotAModel(Path("m"))), LOADING)
    assert (now.phase, now.error) == (Phase.LOADING, None)


@pytest.mark.parametrize(
    "error", [EngineCrashed("SIGSEGV", "reply"), EngineTimedOut("reply", 30.0), OutOfMemory("kv")]
)
def test_a_reply_that_ended_the_model_leaves_nothing_that_fits(error):
    now = told(LOADING, READY, ReplyEnded(turn=turn(1), error=error))
    assert (now.phase, now.error) == (Phase.FAILED, error)
    assert (now.fit, now.verdict) == (None, None)


def test_a_reply_that_failed_otherwise_leaves_the_model_as_it_is():
    now = told(LOADING, READY)
    assert after(now, ReplyEnded(turn=turn(1), error=PromptTooLong(9, 5))) == now
    assert after(now, ReplyEnded(turn=turn(1))) == now


def test_how_it_fits_is_told_only_of_what_runs_rests_or_is_too_big():
    assert told(LOADING, READY).verdict is Verdict.FITS
    assert told(LOADING, READY, LOADING).verdict is None
    gone = ModelUnloaded(name="Gemma", reason=UnloadReason.MEMORY)
    assert told(LOADING, READY, gone).verdict is None
    failed = ModelFailed(error=NotAModel(Path("m")), name="Gemma")
    assert told(LOADING, READY, failed).verdict is None
    too_big = told(LOADING, ModelFailed(error=plans.does_not_fit()))
    assert too_big.verdict is Verdict.TOO_BIG


def test_what_runs_although_it_is_too_big_runs_slowly():
    now = told(LOADING, ModelReady(info=plans.loaded(plans.too_big())))
    assert now.verdict is Verdict.FITS_SLOWLY


def test_other_events_change_nothing():
    now = told(LOADING, READY)
    assert after(now, MemoryRanLow()) is now


def test_the_last_long_enough_reply_tells_the_speed():
    ended = ReplyEnded(turn=turn(1), tokens_per_s=12.5)
    now = after(ModelNow(name="A", phase=Phase.READY), ended)
    assert now.tokens_per_s == 12.5
    assert after(now, ReplyEnded(turn=turn(1))).tokens_per_s == 12.5


# --- another computer ---

FAR = ModelReady(info=plans.elsewhere(NAS))


def test_it_is_marked_from_the_choice_on_and_as_long_as_such_a_model_answers():
    now = placed(told(LOADING, READY), NAS)
    assert now.remote == NAS
    assert placed(told(FAR), None).remote == NAS  # it is what is loaded, whatever was chosen since
    assert placed(told(FAR, LOADING), None).remote is None


def test_another_place_begins_anew():
    assert moved(NAS) == ModelNow(name=NAS.model, remote=NAS)
    assert moved(None) == ModelNow()
    assert not moved(None).known


@pytest.mark.parametrize(
    "event",
    [
        LOADING,
        READY,
        ModelFailed(error=NotAModel(Path("m")), name="Gemma"),
        ModelLoadCancelled(name="Gemma"),
        ModelUnloaded(name="Gemma", reason=UnloadReason.MEMORY),
    ],
)
def test_what_becomes_of_a_model_here_is_no_matter_while_another_computer_answers(event):
    assert concerns(event, None)
    assert not concerns(event, NAS)


def test_what_becomes_of_the_model_there_matters():
    for event in (
        FAR,
        ModelLoading(name=NAS.model, fraction=0.0),
        ModelFailed(error=NotAModel(Path("m"))),
        MemoryRanLow(),
    ):
        assert concerns(event, NAS)
