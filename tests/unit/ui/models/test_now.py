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
)
from engine.errors import Cancelled, NotAModel
from engine.types.models import LoadStage, UnloadReason
from tests.unit.ui import plans
from ui.models.now import ModelNow, Phase, after

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


def test_other_events_change_nothing():
    now = told(LOADING, READY)
    assert after(now, MemoryRanLow()) is now
