"""The keeper when memory runs out, when nobody asks, and after failures in between."""

from dataclasses import replace
from queue import Empty

import pytest

from engine.errors import (
    EngineCrashed,
    EngineError,
    EngineStopped,
    EngineTimedOut,
    NotLoaded,
    OutOfMemory,
    PromptTooLong,
    TemplateFailed,
)
from engine.guard.pressure import Level
from engine.guard.record import key_of
from engine.runtimes.fake import Script
from engine.types.generation import Finished, FinishReason
from engine.types.models import LoadStage, MemoryLow, Unloaded, UnloadReason
from tests.unit.engine.keeper.parts import WAIT_S, Bench, ask, error_of, load, ready, settle

CRASH = EngineCrashed("SIGSEGV", "rehearsal")


def test_a_child_that_died_unasked_is_no_lesson(bench: Bench) -> None:
    keeper = bench.keeper()
    load(keeper, bench.request(extra_safe=True))
    bench.hosts[0].dead = True
    event, _ = load(keeper, bench.request(extra_safe=True))
    ready(event)
    assert ask(keeper)[0]
    settle(keeper)
    assert bench.record.history(key_of(bench.model)).crashes == 0
    assert bench.hosts[0].unloads == 1


@pytest.mark.parametrize(
    "error", [OutOfMemory("no"), EngineTimedOut("reply", 1.0), EngineStopped("lost"), NotLoaded()]
)
def test_after_a_failure_of_the_engine_the_model_is_freed_and_comes_back(
    bench: Bench, error: EngineError
) -> None:
    bench.scripts[False] = Script(fail_after_pieces=0, error=error)
    keeper = bench.keeper()
    load(keeper, bench.request())
    ask(keeper)
    settle(keeper)
    assert bench.hosts[0].unloads == 1
    event, stages = load(keeper, bench.request())
    assert ready(event)
    assert LoadStage.LOADING in stages


@pytest.mark.parametrize("error", [PromptTooLong(9, 5), TemplateFailed("no")])
def test_a_question_that_can_not_be_asked_costs_no_model(bench: Bench, error: EngineError) -> None:
    bench.scripts[False] = Script(fail_after_pieces=0, error=error)
    keeper = bench.keeper()
    load(keeper, bench.request())
    ask(keeper)
    settle(keeper)
    assert bench.hosts[0].unloads == 0


def test_with_clearly_more_memory_a_longer_context_is_tried_again(bench: Bench) -> None:
    bench.memory = replace(bench.memory, available_bytes=1 << 30)
    bench.prover.errors = [OutOfMemory("killed")]
    load(bench.keeper(), bench.request())
    history = bench.record.history(key_of(bench.model))
    assert history.context_limit(1 << 30) == 2048
    assert history.context_limit(2 << 30) is None


def test_a_person_who_tries_again_gets_the_whole_context(bench: Bench) -> None:
    bench.prover.errors = [OutOfMemory("killed")]
    keeper = bench.keeper()
    load(keeper, bench.request())
    event, _ = load(keeper, bench.request(retry=True))
    assert ready(event).info.spec.layout.context_length == 4096


def test_a_reply_that_was_stopped_before_a_word_forgives_nothing(bench: Bench) -> None:
    bench.prover.errors = [CRASH]
    bench.scripts[True] = Script(pieces=())
    keeper = bench.keeper()
    load(keeper, bench.request())
    ask(keeper)
    settle(keeper)
    assert bench.record.history(key_of(bench.model)).crashes == 1


def test_full_memory_stops_the_reply_and_frees_the_model(bench: Bench) -> None:
    bench.scripts[False] = Script(pieces=("word ",) * 2000, pause_s=0.002)
    keeper = bench.keeper()
    load(keeper, bench.request())
    text, end = ask(keeper, after=lambda: keeper.on_level(Level.FULL))
    assert text.startswith("word ")
    assert isinstance(error_of(end), OutOfMemory)
    unloaded = bench.told.get(timeout=WAIT_S)
    assert unloaded == Unloaded(name="model", reason=UnloadReason.MEMORY)
    assert isinstance(error_of(ask(keeper)[1]), NotLoaded)
    assert bench.record.history(key_of(bench.model)).most_context is None
    ready(load(keeper, bench.request())[0])


def test_full_memory_gives_up_a_load_and_says_why(bench: Bench) -> None:
    keeper = bench.keeper()
    bench.prover.begun = lambda: keeper.on_level(Level.FULL)
    assert isinstance(error_of(load(keeper, bench.request())[0]), OutOfMemory)
    bench.prover.begun = None
    settle(keeper)
    assert bench.record.history(key_of(bench.model)).most_context is None  # no lesson
    ready(load(keeper, bench.request())[0])


def test_full_memory_without_a_model_concerns_nobody(bench: Bench) -> None:
    keeper = bench.keeper()
    keeper.on_level(Level.FULL)
    keeper.on_level(Level.LOW)
    assert bench.told.get(timeout=WAIT_S) == MemoryLow()
    keeper.on_level(Level.ENOUGH)
    assert bench.told.get(timeout=WAIT_S) == MemoryLow(over=True)
    ready(load(keeper, bench.request())[0])


def test_an_idle_model_leaves_memory_and_comes_back(bench: Bench) -> None:
    keeper = bench.keeper()
    load(keeper, bench.request())
    bench.now_s = 599.0
    keeper.tick()
    bench.now_s = 601.0
    keeper.tick()
    assert bench.told.get(timeout=WAIT_S) == Unloaded(name="model", reason=UnloadReason.IDLE)
    keeper.tick()
    with pytest.raises(Empty):
        bench.told.get(timeout=0.05)
    ready(load(keeper, bench.request())[0])


def test_a_model_in_use_is_not_idle(bench: Bench) -> None:
    keeper = bench.keeper()
    load(keeper, bench.request())

    def long_reply() -> None:
        bench.now_s = 700.0
        keeper.tick()

    assert ask(keeper, after=long_reply)[0] == "one " * 20
    keeper.tick()
    settle(keeper)
    assert ask(keeper)[0] == "one " * 20


def test_a_small_machine_waits_half_as_long(bench: Bench) -> None:
    bench.memory = replace(bench.memory, total_bytes=8 << 30)
    keeper = bench.keeper()
    load(keeper, bench.request())
    bench.now_s = 301.0
    keeper.tick()
    assert isinstance(bench.told.get(timeout=WAIT_S), Unloaded)


def test_sleep_stops_and_frees(bench: Bench) -> None:
    bench.scripts[False] = Script(pieces=("word ",) * 2000, pause_s=0.002)
    keeper = bench.keeper()
    load(keeper, bench.request())
    _text, end = ask(keeper, after=lambda: keeper.unload(UnloadReason.SUSPEND))
    assert isinstance(end, Finished)
    assert end.reason is FinishReason.CANCELLED
    assert bench.told.get(timeout=WAIT_S) == Unloaded(name="model", reason=UnloadReason.SUSPEND)
