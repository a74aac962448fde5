"""What may run, where, and what is learned when it ends."""

import os
import subprocess
import sys
from dataclasses import replace

import pytest

from engine.errors import (
    Cancelled,
    DoesNotFit,
    EngineCrashed,
    EngineStopped,
    EngineTimedOut,
    LoadFailed,
    ModelHeldBack,
    NotLoaded,
    OutOfMemory,
)
from engine.guard.marker import CrashMarker
from engine.guard.record import key_of
from engine.runtimes.fake import Script
from engine.types.cancel import CancelToken
from engine.types.generation import Finished
from engine.types.history import Proof
from engine.types.models import LoadStage
from engine.types.plans import Layout, Measured, Verdict, Wishes
from tests.unit.engine.keeper.parts import WAIT_S, Bench, ask, error_of, load, ready, settle

CRASH = EngineCrashed("SIGSEGV", "rehearsal")
REHEARSED = [LoadStage.CHECKING, LoadStage.REHEARSING, LoadStage.LOADING]


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


def test_a_proof_covers_a_shorter_context_but_no_other_driver() -> None:
    layout = Layout(context_length=8192)
    proof = Proof(layout=layout, devices=("CUDA0 x 23.1",), measured=Measured())
    shorter = replace(layout, context_length=4096)
    assert proof.covers(shorter, ("CUDA0 x 23.1",))
    assert not proof.covers(replace(layout, context_length=16384), ("CUDA0 x 23.1",))
    assert not proof.covers(replace(shorter, ubatch=64), ("CUDA0 x 23.1",))
    assert not proof.covers(layout, ("CUDA0 x 25.0",))


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
