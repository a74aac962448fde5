"""What was learned of a model's devices, in the plans of the real planner."""

from functools import partial

import pytest

from engine.keeper.planning import learned_plan
from engine.planner.place import plan
from engine.types.history import History, Judgement
from engine.types.plans import Plan, Reason, Verdict, Wishes
from tests.machines import card, integrated, machine
from tests.unit.engine.planner.conftest import Shapes, shapes

__all__ = ["shapes"]

CARDS = [card(8, driver="560"), card(8, backend="vulkan", description="AMD Radeon RX 6600")]
WITH_CARDS = machine(32, 24, CARDS)
SHARED = machine(32, 24, [integrated(driver="24.1")])
SMALL = machine(8, 3, [card(24, driver="560")])


def planned(report: object, shapes: Shapes, history: History, asked: Wishes | None = None) -> Plan:
    make = partial(plan, report, shapes["llama-3-8b"])  # type: ignore[arg-type]
    return learned_plan(make, asked or Wishes(), history)


def judged(made: Plan, against: Reason, history: History | None = None) -> History:
    judgement = Judgement(devices=made.drivers, gpu_layers=made.gpu_layers, against=against)
    return History(judgements=(judgement, *(history or History()).judgements))


def test_slower_devices_give_way_to_the_processor_alone(shapes: Shapes) -> None:
    first = planned(WITH_CARDS, shapes, History())
    assert first.backend == "cuda"
    made = planned(WITH_CARDS, shapes, judged(first, Reason.DEVICE_SLOWER))
    assert (made.backend, made.devices, made.gpu_layers) == ("cpu", (), 0)
    assert Reason.DEVICE_SLOWER in made.reasons
    assert not {Reason.DEVICE_FAILED, Reason.DEMOTED, Reason.NO_DEVICE} & set(made.reasons)


def test_devices_that_failed_give_way_to_the_next_backend_then_to_the_processor(
    shapes: Shapes,
) -> None:
    first = planned(WITH_CARDS, shapes, History())
    history = judged(first, Reason.DEVICE_FAILED)
    second = planned(WITH_CARDS, shapes, history)
    assert (first.backend, second.backend) == ("cuda", "vulkan")
    third = planned(WITH_CARDS, shapes, judged(second, Reason.DEVICE_FAILED, history))
    assert (third.devices, Reason.DEVICE_FAILED in third.reasons) == ((), True)
    history = judged(second, Reason.DEVICE_SLOWER, history)
    reasons = planned(WITH_CARDS, shapes, history).reasons
    assert {Reason.DEVICE_FAILED, Reason.DEVICE_SLOWER} <= set(reasons)


def test_shared_memory_is_the_processors_again(shapes: Shapes) -> None:
    first = planned(SHARED, shapes, History())
    assert first.devices
    made = planned(SHARED, shapes, judged(first, Reason.DEVICE_SLOWER))
    assert (made.devices, made.verdict) == ((), planned(machine(32, 24), shapes, History()).verdict)


def test_a_slower_device_is_better_than_no_room(shapes: Shapes) -> None:
    first = planned(SMALL, shapes, History())
    made = planned(SMALL, shapes, judged(first, Reason.DEVICE_SLOWER))
    assert made.devices == first.devices
    failed = planned(SMALL, shapes, judged(first, Reason.DEVICE_FAILED))
    assert (failed.devices, failed.verdict) == ((), Verdict.TOO_BIG)


@pytest.mark.parametrize("reached_on_card", [True, False])
def test_a_reached_speed_counts_where_it_was_reached(shapes: Shapes, reached_on_card: bool) -> None:
    first = planned(WITH_CARDS, shapes, History())
    timed_on = first.drivers if reached_on_card else ()
    made = planned(WITH_CARDS, shapes, History(tokens_per_s=3.0, timed_on=timed_on))
    assert (made.predicted_tokens_per_s == 3.0) is reached_on_card
    assert made.devices == first.devices
