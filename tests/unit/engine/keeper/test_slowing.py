"""A device that no longer does the work: replies became slow, or weights are elsewhere."""

from dataclasses import replace
from queue import Empty

import pytest

from engine.guard.record import Record
from engine.keeper.keeper import ModelKeeper
from engine.keeper.ready import Ready
from engine.keeper.slowing import Slowing, pace_of
from engine.runtimes.fake import Script
from engine.types.generation import Finished, FinishReason, GenerationStats
from engine.types.history import Pace, Proof, after_proof
from engine.types.models import DeviceSlowed, LoadedInfo, LoadSpec, Unloaded, UnloadReason
from engine.types.plans import Layout, LoadRequest, Measured
from tests.unit.engine.keeper.parts import (
    CARD,
    PLENTY,
    REHEARSAL,
    WAIT_S,
    Bench,
    a_plan,
    ask,
    load,
    ready,
    settle,
)

DRIVER = f"{CARD} 0 1.0"
PACE = Pace(tokens_per_s=100.0, context_tokens=2048)
SLOW, USUAL = 20.0, 90.0


def reply(speed: float, tokens: int = 1000) -> Finished:
    stats = GenerationStats(
        prompt_tokens=tokens - 100,
        cached_tokens=0,
        generated_tokens=100,
        prompt_ms=0.0,
        generation_ms=100 / speed * 1000,
    )
    return Finished(reason=FinishReason.STOP, stats=stats)


@pytest.fixture
def slowing(bench: Bench) -> Slowing:
    """Of a model on a card that usually writes 100 tokens a second."""
    plan = a_plan(Layout(context_length=8192), drivers=(DRIVER,))
    proof = Proof(layout=plan.layout, devices=plan.drivers, measured=Measured(), pace=PACE)
    bench.record.learn("key", lambda history: after_proof(history, proof))
    spec = LoadSpec(path=bench.model, layout=plan.layout, devices=plan.devices)
    info = LoadedInfo(spec=spec, name="Model", backend="vulkan", load_ms=1.0, notices=())
    request = LoadRequest(path=bench.model)
    return Slowing(bench.record, Ready(request=request, key="key", info=info, plan=plan))


def pace(record: Record) -> Pace | None:
    return record.history("key").pace(a_plan(Layout(context_length=8192), drivers=(DRIVER,)))


def test_the_second_slow_reply_in_a_row_is_told_once(slowing: Slowing, bench: Bench) -> None:
    assert slowing.after(reply(SLOW), PLENTY) is None
    told = slowing.after(reply(SLOW), PLENTY)
    assert told == DeviceSlowed(name="Model", tokens_per_s=SLOW, usual_tokens_per_s=100.0)
    assert slowing.after(reply(SLOW), PLENTY) is None
    assert bench.record.history("key").proofs == ()  # the next load tries it anew


def test_one_slow_reply_is_chance(slowing: Slowing) -> None:
    for speed in (SLOW, USUAL, SLOW, USUAL, SLOW):
        assert slowing.after(reply(speed), PLENTY) is None


def test_a_much_fuller_context_is_slow_by_itself(slowing: Slowing) -> None:
    assert [slowing.after(reply(SLOW, tokens=8000), PLENTY) for _ in range(3)] == [None] * 3


def test_a_fuller_context_that_was_fast_once_is_comparable_from_then_on(slowing: Slowing) -> None:
    slowing.after(reply(USUAL, tokens=8000), PLENTY)
    slowing.after(reply(SLOW, tokens=8000), PLENTY)
    assert slowing.after(reply(SLOW, tokens=8000), PLENTY) is not None


def test_while_memory_is_low_nothing_is_said(slowing: Slowing) -> None:
    low = replace(PLENTY, available_bytes=600 << 20)
    assert [slowing.after(reply(SLOW), low) for _ in range(3)] == [None] * 3


def test_short_replies_tell_no_speed(slowing: Slowing) -> None:
    stats = replace(reply(SLOW).stats, generated_tokens=15)
    short = Finished(reason=FinishReason.STOP, stats=stats)
    assert [slowing.after(short, PLENTY) for _ in range(3)] == [None] * 3


def test_replies_make_the_usual_speed_truer_but_slow_ones_do_not(
    slowing: Slowing, bench: Bench
) -> None:
    slowing.after(reply(200.0), PLENTY)
    assert pace(bench.record) == replace(PACE, tokens_per_s=pytest.approx(130.0))
    slowing.after(reply(SLOW), PLENTY)
    assert pace(bench.record) == replace(PACE, tokens_per_s=pytest.approx(130.0))


def test_a_small_fast_model_is_not_slow_for_what_a_reply_does_beside() -> None:
    """At 1000 tokens a second sampling and text take longer than the evaluation."""
    assert pace_of(replace(REHEARSAL, tokens_per_s=1000.0)).tokens_per_s == pytest.approx(200.0)


def on_card(bench: Bench) -> ModelKeeper:
    bench.planning.driver = DRIVER
    bench.prover.on_card = replace(REHEARSAL, tokens_per_s=1000.0)
    bench.scripts[False] = Script(pieces=("word ",) * 16, pause_s=0.02)  # 50 a second
    return bench.keeper()


def test_a_keeper_tells_of_it_and_looks_anew(bench: Bench) -> None:
    keeper = on_card(bench)
    load(keeper, bench.request())
    for _ in range(3):
        ask(keeper)
    settle(keeper)
    told = bench.told.get(timeout=WAIT_S)
    assert isinstance(told, DeviceSlowed)
    assert (told.name, told.usual_tokens_per_s) == ("model", pytest.approx(200.0))
    assert bench.rechecks == 1
    with pytest.raises(Empty):
        bench.told.get_nowait()
    keeper.unload()
    bench.prover.rehearsed.clear()
    load(keeper, bench.request())
    assert bench.prover.places == [CARD, "cpu"]


def test_weights_that_are_not_on_the_device_are_told_as_what_they_are(bench: Bench) -> None:
    bench.weights_in = "ram"
    keeper = on_card(bench)
    info = ready(load(keeper, bench.request())[0]).info
    assert info.backend == "cpu"
    told = bench.told.get(timeout=WAIT_S)
    assert told == DeviceSlowed(
        name="model", tokens_per_s=None, usual_tokens_per_s=pytest.approx(200.0)
    )
    assert bench.rechecks == 1


def test_weights_that_are_on_the_device_are_no_news(bench: Bench) -> None:
    bench.weights_in = CARD
    keeper = on_card(bench)
    ready(load(keeper, bench.request())[0])
    settle(keeper)
    assert bench.told.empty()


def test_a_processor_has_nothing_to_fall_to(bench: Bench) -> None:
    bench.weights_in = "ram"
    bench.scripts[False] = Script(pieces=("word ",) * 16, pause_s=0.02)
    bench.prover.on_processor = replace(REHEARSAL, tokens_per_s=1000.0)
    keeper = bench.keeper()
    load(keeper, bench.request())
    ask(keeper)
    ask(keeper)
    settle(keeper)
    assert bench.told.empty()


def test_after_sleep_devices_are_looked_at_anew(bench: Bench) -> None:
    keeper = bench.keeper()
    keeper.unload(UnloadReason.SUSPEND)
    load(keeper, bench.request())
    assert bench.rechecks == 1  # with or without a model
    keeper.unload(UnloadReason.SUSPEND)
    assert bench.told.get(timeout=WAIT_S) == Unloaded(name="model", reason=UnloadReason.SUSPEND)
    keeper.unload(UnloadReason.MEMORY)
    settle(keeper)
    assert bench.rechecks == 2
