"""What may run, where, and what is learned when it ends."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from queue import Empty

import pytest

from engine.errors import (
    Cancelled,
    DoesNotFit,
    EngineCrashed,
    EngineError,
    EngineStopped,
    EngineTimedOut,
    LoadFailed,
    ModelHeldBack,
    NotLoaded,
    OutOfMemory,
    PromptTooLong,
    TemplateFailed,
)
from engine.guard.marker import CrashMarker, Note
from engine.guard.pressure import Level
from engine.guard.record import key_of
from engine.runtimes.fake import Script
from engine.types.cancel import CancelToken
from engine.types.generation import Finished, FinishReason
from engine.types.history import Proof
from engine.types.models import Failed, Loaded, LoadStage, MemoryLow, Unloaded, UnloadReason
from engine.types.plans import Layout, Measured, Verdict, Wishes
from tests.unit.engine.keeper.parts import WAIT_S, Bench, ask, load, settle

CRASH = EngineCrashed("SIGSEGV", "rehearsal")
REHEARSED = [LoadStage.CHECKING, LoadStage.REHEARSING, LoadStage.LOADING]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.close()


def ready(event: Loaded | Failed) -> Loaded:
    assert isinstance(event, Loaded), event
    return event


def error_of(event: object) -> Exception:
    assert isinstance(event, Failed)
    return event.error


def test_a_new_model_is_rehearsed_then_runs_in_process(bench: Bench) -> None:
    keeper = bench.keeper()
    event, stages = load(keeper, bench.request())
    info = ready(event).info
    assert stages == REHEARSED
    assert (info.in_child, info.plan is not None) == (False, True)
    assert (len(bench.prover.measured), len(bench.prover.rehearsed)) == (1, 1)
    assert bench.planning.lessons == [0, 1]  # planned once more with what was measured
    text, end = ask(keeper)
    assert (text, isinstance(end, Finished)) == ("one " * 20, True)


def test_the_second_load_costs_no_rehearsal(bench: Bench) -> None:
    load(bench.keeper(), bench.request())
    bench.keepers.pop().close(WAIT_S)
    event, stages = load(bench.keeper(), bench.request())
    ready(event)
    assert LoadStage.REHEARSING not in stages
    assert len(bench.prover.rehearsed) == 1


def test_what_is_loaded_is_kept(bench: Bench) -> None:
    keeper = bench.keeper()
    first, _ = load(keeper, bench.request())
    bench.model.unlink()
    again, stages = load(keeper, bench.request(by_person=False))
    assert (ready(again).info is ready(first).info, stages) == (True, [])


def test_another_wish_is_another_load(bench: Bench) -> None:
    keeper = bench.keeper()
    load(keeper, bench.request())
    event, _ = load(keeper, bench.request(wishes=Wishes(context_length=2048)))
    assert ready(event).info.spec.layout.context_length == 2048


def test_what_does_not_fit_is_not_loaded_and_what_was_there_stays(bench: Bench) -> None:
    keeper = bench.keeper()
    load(keeper, bench.request())
    bench.planning.verdict = Verdict.TOO_BIG
    error = error_of(load(keeper, bench.request(wishes=Wishes(context_length=1024)))[0])
    assert isinstance(error, DoesNotFit)
    assert error.plan.offer is not None
    assert ask(keeper)[0] == "one " * 20


def test_load_anyway_loads_what_does_not_fit(bench: Bench) -> None:
    bench.planning.verdict = Verdict.TOO_BIG
    ready(load(bench.keeper(), bench.request(wishes=Wishes(load_anyway=True)))[0])


def test_a_crash_in_the_rehearsal_goes_a_step_down_and_into_a_child(bench: Bench) -> None:
    bench.prover.errors = [CRASH]
    event, _ = load(bench.keeper(), bench.request())
    info = ready(event).info
    assert (info.in_child, info.spec.layout.ubatch) == (True, 128)
    assert bench.made_hosts == [True]
    assert bench.record.history(key_of(bench.model)).crashes == 1


def test_buffers_that_can_not_be_measured_are_left_to_the_rehearsal(bench: Bench) -> None:
    bench.prover.measure_errors = [EngineCrashed("SIGABRT", "measure")]
    assert not ready(load(bench.keeper(), bench.request())[0]).info.in_child
    assert bench.record.history(key_of(bench.model)).crashes == 0


def test_memory_that_runs_out_halves_the_context(bench: Bench) -> None:
    bench.prover.errors = [OutOfMemory("killed")]
    event, _ = load(bench.keeper(), bench.request())
    assert ready(event).info.spec.layout.context_length == 2048


def test_a_model_that_keeps_crashing_is_given_up_and_then_held_back(bench: Bench) -> None:
    bench.scripts[True] = Script(load_error=EngineCrashed("SIGSEGV", "load"))
    bench.prover.errors = [CRASH]
    keeper = bench.keeper()
    assert isinstance(error_of(load(keeper, bench.request())[0]), EngineCrashed)
    assert bench.record.history(key_of(bench.model)).crashes == 3
    held = error_of(load(keeper, bench.request())[0])
    assert isinstance(held, ModelHeldBack)
    assert (held.crashes, held.stage) == (3, "load")


def test_a_person_may_insist(bench: Bench) -> None:
    bench.scripts[True] = Script(load_error=EngineCrashed("SIGSEGV", "load"))
    bench.prover.errors = [CRASH]
    keeper = bench.keeper()
    load(keeper, bench.request())
    bench.scripts[True] = Script()
    keeper.close(WAIT_S)
    info = ready(load(bench.keeper(), bench.request(retry=True))[0]).info
    assert (info.in_child, info.spec.layout.ubatch) == (True, 32)


def test_a_file_at_fault_is_no_crash(bench: Bench) -> None:
    bench.prover.errors = [LoadFailed(bench.model, "bad")]
    keeper = bench.keeper()
    assert isinstance(error_of(load(keeper, bench.request())[0]), LoadFailed)
    assert bench.record.history(key_of(bench.model)).crashes == 0
    assert isinstance(error_of(ask(keeper)[1]), NotLoaded)


def test_extra_safe_is_a_child_without_rehearsal(bench: Bench) -> None:
    info = ready(load(bench.keeper(), bench.request(extra_safe=True))[0]).info
    assert (info.in_child, bench.prover.rehearsed) == (True, [])


def test_a_crash_in_mid_reply_keeps_the_text_and_the_next_question_restarts_it(
    bench: Bench,
) -> None:
    crash = EngineCrashed("SIGSEGV", "reply")
    bench.scripts[True] = Script(pieces=("one ", "two "), fail_after_pieces=1, error=crash)
    keeper = bench.keeper()
    load(keeper, bench.request(extra_safe=True))
    text, end = ask(keeper)
    settle(keeper)
    assert (text, error_of(end)) == ("one ", crash)
    history = bench.record.history(key_of(bench.model))
    assert (history.crashes, history.stage, history.caution) == (1, "reply", 1)
    again = ready(load(keeper, bench.request(extra_safe=True))[0])
    assert again.info.spec.layout.ubatch == 128


def test_at_most_two_restarts_by_itself(bench: Bench) -> None:
    crash = EngineCrashed("SIGSEGV", "reply")
    bench.scripts[True] = Script(fail_after_pieces=0, error=crash)
    keeper = bench.keeper()
    request = bench.request(extra_safe=True)
    for _ in range(3):
        ready(load(keeper, request)[0])
        ask(keeper)
    assert isinstance(error_of(load(keeper, request)[0]), ModelHeldBack)


def test_a_good_reply_forgives(bench: Bench) -> None:
    bench.prover.errors = [CRASH]
    bench.scripts[True] = Script(pieces=("word ",) * 20, pause_s=0.001)
    keeper = bench.keeper()
    load(keeper, bench.request())
    ask(keeper)
    assert keeper.close(WAIT_S)
    history = bench.record.history(key_of(bench.model))
    assert (history.crashes, history.in_child) == (0, True)
    assert history.tokens_per_s is not None
    event, _ = load(bench.keeper(), bench.request(by_person=False))
    assert ready(event).info.in_child


def killed_while(stage: str, bench: Bench) -> None:
    """A process that died with this model in memory."""
    program = (
        "import os, sys; from pathlib import Path\n"
        "from engine.guard.marker import CrashMarker, Note\n"
        "folder, model, stage = sys.argv[1:]\n"
        "CrashMarker(Path(folder)).enter(Note(model=model, stage=stage))\n"
        "os.kill(os.getpid(), 9)"
    )
    arguments = [str(bench.folder / "running"), key_of(bench.model), stage]
    subprocess.run([sys.executable, "-c", program, *arguments], check=False, timeout=60)


@pytest.mark.parametrize("stage", ["load", "first_token", "reply"])
def test_a_model_that_killed_the_program_is_not_loaded_by_itself(bench: Bench, stage: str) -> None:
    killed_while(stage, bench)
    keeper = bench.keeper()
    held = error_of(load(keeper, bench.request(by_person=False))[0])
    assert isinstance(held, ModelHeldBack)
    assert held.stage == stage
    event, _ = load(keeper, bench.request())  # a person's question may, in a child
    info = ready(event).info
    assert (info.in_child, info.spec.layout.ubatch) == (True, 128)


def test_the_marker_is_there_while_it_answers_and_gone_after(bench: Bench) -> None:
    bench.scripts[False] = Script(pieces=("word ",) * 30, pause_s=0.02)
    keeper = bench.keeper()
    load(keeper, bench.request())
    file = bench.folder / "running" / f"{os.getpid()}.json"
    seen: list[bool] = []
    ask(keeper, after=lambda: seen.append(file.exists()))
    settle(keeper)
    assert (seen, file.exists()) == ([True], False)


def test_a_load_can_be_cancelled(bench: Bench) -> None:
    cancel = CancelToken()
    cancel.cancel()
    keeper = bench.keeper()
    assert isinstance(error_of(load(keeper, bench.request(), cancel)[0]), Cancelled)
    ready(load(keeper, bench.request())[0])


def test_a_device_that_computes_rubbish_gives_way_to_the_next(bench: Bench) -> None:
    bench.prover.errors = [EngineStopped("the logits are not numbers")]
    info = ready(load(bench.keeper(), bench.request())[0]).info
    assert (info.in_child, info.spec.layout.ubatch) == (False, 64)  # two steps down at once
    assert bench.record.history(key_of(bench.model)).crashes == 0


def test_a_rehearsal_that_takes_too_long_accuses_nobody(bench: Bench) -> None:
    bench.prover.errors = [EngineTimedOut("rehearsal", 300.0)]
    info = ready(load(bench.keeper(), bench.request())[0]).info
    history = bench.record.history(key_of(bench.model))
    assert (info.in_child, history.crashes, history.caution) == (True, 0, 0)


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


def test_a_proof_covers_a_shorter_context_but_no_other_driver() -> None:
    layout = Layout(context_length=8192)
    proof = Proof(layout=layout, devices=("CUDA0 x 23.1",), measured=Measured())
    shorter = replace(layout, context_length=4096)
    assert proof.covers(shorter, ("CUDA0 x 23.1",))
    assert not proof.covers(replace(layout, context_length=16384), ("CUDA0 x 23.1",))
    assert not proof.covers(replace(shorter, ubatch=64), ("CUDA0 x 23.1",))
    assert not proof.covers(layout, ("CUDA0 x 25.0",))


# --- the guard ----------------------------------------------------------------------------------


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


def test_after_the_end_everything_is_refused(bench: Bench) -> None:
    keeper = bench.keeper()
    assert keeper.close(WAIT_S)
    assert keeper.close(WAIT_S)
    assert isinstance(error_of(load(keeper, bench.request())[0]), Cancelled)
    assert isinstance(error_of(ask(keeper)[1]), Cancelled)


def test_notes_name_the_version_of_the_file(bench: Bench) -> None:
    killed_while("reply", bench)
    bench.model.write_bytes(b"another model under the same name")
    ready(load(bench.keeper(), bench.request(by_person=False))[0])
    assert CrashMarker(bench.folder / "running").take_left() == ()
    assert Note(model="a", stage="load") != Note(model="a", stage="reply")
