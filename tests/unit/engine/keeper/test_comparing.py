"""Graphics devices beside the processor: the same words, and clearly faster, or they are left."""

from dataclasses import replace

import pytest

from engine.errors import Cancelled, EngineCrashed, EngineTimedOut, OutOfMemory
from engine.keeper.comparing import differs
from engine.types.cancel import CancelToken
from engine.types.history import History
from engine.types.models import LoadedInfo, LoadStage
from engine.types.plans import Measured, Plan, Reason, Verdict, Wishes
from tests.unit.engine.keeper.parts import CARD, REHEARSAL, WAIT_S, Bench, error_of, load, ready

DRIVER = f"{CARD} 0000:01:00.0 550.1"
WRONG = (1, 2, 9, 9)


def with_card(bench: Bench, tokens_per_s: float) -> None:
    """The processor writes 20 tokens a second, as predicted."""
    bench.planning.driver = DRIVER
    bench.prover.on_card = replace(REHEARSAL, tokens_per_s=tokens_per_s)


def loaded(bench: Bench, **changes: object) -> LoadedInfo:
    return ready(load(bench.keeper(), bench.request(**changes))[0]).info


def restart(bench: Bench) -> None:
    bench.keepers.pop().close(WAIT_S)
    bench.prover.rehearsed.clear()


def reasons(info: LoadedInfo) -> tuple[Reason, ...]:
    assert info.plan is not None
    return info.plan.reasons


def test_a_faster_device_is_compared_once_and_used(bench: Bench) -> None:
    with_card(bench, 30.0)
    info = loaded(bench)
    assert (info.spec.devices, bench.prover.places) == ((CARD,), [CARD, "cpu"])
    restart(bench)
    assert (loaded(bench).spec.devices, bench.prover.places) == ((CARD,), [])


def test_a_device_that_is_hardly_faster_gives_way_to_the_processor(bench: Bench) -> None:
    with_card(bench, 22.0)
    event, stages = load(bench.keeper(), bench.request())
    info = ready(event).info
    assert (info.spec.devices, Reason.DEVICE_SLOWER in reasons(info)) == ((), True)
    assert Reason.DEVICE_FAILED not in reasons(info)
    assert bench.prover.places == [CARD, "cpu"]  # the processor's try is its proof
    assert stages == [LoadStage.CHECKING, LoadStage.REHEARSING, LoadStage.LOADING]
    restart(bench)
    info = loaded(bench)
    assert (info.spec.devices, Reason.DEVICE_SLOWER in reasons(info)) == ((), True)
    assert (bench.prover.places, len(bench.prover.measured)) == ([], 1)


def test_a_clearly_faster_device_is_compared_for_its_words_alone_and_once(bench: Bench) -> None:
    with_card(bench, 60.0)
    bench.prover.on_processor = replace(REHEARSAL, tokens_per_s=1.0)
    keeper = bench.keeper()
    load(keeper, bench.request())
    assert bench.prover.places == [CARD, "cpu"]
    load(keeper, bench.request(wishes=Wishes(context_length=8192)))  # another layout
    assert bench.prover.places == [CARD, "cpu", CARD]


@pytest.mark.parametrize("where", ["tokens", "alone_tokens"])
def test_other_words_than_the_processors_are_wrong(bench: Bench, where: str) -> None:
    with_card(bench, 500.0)
    bench.prover.on_card = replace(bench.prover.on_card, **{where: WRONG})  # type: ignore[arg-type]
    info = loaded(bench)
    assert (info.spec.devices, info.in_child) == ((), False)
    assert Reason.DEVICE_FAILED in reasons(info)
    assert bench.history().crashes == 0
    restart(bench)
    assert (loaded(bench).spec.devices, bench.prover.places) == ((), [])


def test_where_two_words_are_nearly_as_good_either_is_right() -> None:
    processor = replace(REHEARSAL, margins=(9.0, 9.0, 0.4, 9.0))
    assert not differs(replace(REHEARSAL, tokens=(1, 2, 9, 5)), processor)
    assert not differs(replace(REHEARSAL, tokens=(1, 2, 9, 9)), processor)
    assert differs(replace(REHEARSAL, tokens=(1, 9, 3, 4)), processor)


def test_words_after_prompts_of_other_lengths_are_not_compared() -> None:
    seen = replace(REHEARSAL, tokens=(9, 9, 9, 9), prompt_tokens=512)
    assert not differs(seen, REHEARSAL)
    alone = replace(seen, alone_tokens=(9, 9, 9, 9))
    assert differs(alone, REHEARSAL)
    assert not differs(replace(alone, alone_prompt_tokens=8), REHEARSAL)


def test_where_the_processor_has_no_room_the_device_is_not_compared(bench: Bench) -> None:
    with_card(bench, 10.0)
    bench.planning.verdict = Verdict.TOO_BIG
    assert (loaded(bench).spec.devices, bench.prover.places) == ((CARD,), [CARD])


def test_a_device_stays_where_the_processor_has_suddenly_no_room(bench: Bench) -> None:
    with_card(bench, 22.0)
    loaded(bench)
    restart(bench)
    bench.planning.verdict = Verdict.TOO_BIG
    assert loaded(bench).spec.devices == (CARD,)


def test_a_new_driver_is_compared_anew(bench: Bench) -> None:
    with_card(bench, 22.0)
    loaded(bench)
    restart(bench)
    bench.planning.driver = f"{DRIVER}.2"
    bench.prover.on_card = replace(REHEARSAL, tokens_per_s=50.0)
    assert (loaded(bench).spec.devices, bench.prover.places) == ((CARD,), [CARD, "cpu"])


def test_a_new_driver_that_computes_rightly_is_used_again(bench: Bench) -> None:
    with_card(bench, 500.0)
    bench.prover.on_card = replace(bench.prover.on_card, tokens=WRONG)
    loaded(bench)
    restart(bench)
    with_card(bench, 500.0)
    bench.planning.driver = f"{DRIVER}.2"
    assert loaded(bench).spec.devices == (CARD,)


def test_more_layers_on_a_device_than_were_slower_are_tried(bench: Bench) -> None:
    with_card(bench, 22.0)
    bench.planning.card_layers = 4
    assert loaded(bench).spec.devices == ()
    restart(bench)
    bench.planning.card_layers = 30
    bench.prover.on_card = replace(REHEARSAL, tokens_per_s=50.0)
    assert loaded(bench).spec.devices == (CARD,)


@pytest.mark.parametrize(
    "error",
    [EngineCrashed("SIGILL", "rehearsal"), EngineTimedOut("rehearsal", 90.0), OutOfMemory("no")],
)
@pytest.mark.parametrize(("tokens_per_s", "places"), [(30.0, (CARD,)), (22.0, ())])
def test_a_processor_that_fails_its_try_is_known_by_its_prediction(
    bench: Bench, error: Exception, tokens_per_s: float, places: tuple[str, ...]
) -> None:
    with_card(bench, tokens_per_s)
    bench.prover.errors = [None, error]  # type: ignore[list-item]
    info = loaded(bench)
    assert (info.spec.devices, info.in_child) == (places, False)
    history = bench.history()
    assert (history.crashes, history.caution, history.most_context) == (0, 0, None)


def test_what_would_take_the_processor_long_is_not_tried(bench: Bench) -> None:
    with_card(bench, 30.0)
    bench.prover.on_card = replace(bench.prover.on_card, load_ms=29_000.0)
    assert (loaded(bench).spec.devices, bench.prover.places) == ((CARD,), [CARD])


def test_a_comparison_can_be_cancelled_and_is_made_the_next_time(bench: Bench) -> None:
    with_card(bench, 30.0)
    keeper, cancel = bench.keeper(), CancelToken()
    seen = bench.prover.rehearse

    def rehearse(*arguments: object, **named: object) -> object:
        if bench.prover.rehearsed:  # the second is the processor's
            bench.prover.begun = cancel.cancel
        return seen(*arguments, **named)  # type: ignore[arg-type]

    bench.prover.rehearse = rehearse  # type: ignore[method-assign,assignment]
    assert isinstance(error_of(load(keeper, bench.request(), cancel)[0]), Cancelled)
    assert bench.made_hosts == []
    bench.prover.begun, bench.prover.rehearse = None, seen  # type: ignore[method-assign]
    bench.prover.rehearsed.clear()
    ready(load(keeper, bench.request())[0])
    assert bench.prover.places == [CARD, "cpu"]


def test_a_device_that_holds_nothing_in_its_rehearsal_has_failed(bench: Bench) -> None:
    with_card(bench, 500.0)
    measured = Measured(weights_bytes=(("ram", 100),))
    bench.prover.on_card = replace(bench.prover.on_card, measured=measured)
    info = loaded(bench)
    assert (info.spec.devices, Reason.DEVICE_FAILED in reasons(info)) == ((), True)


def test_a_device_that_hangs_gives_way_to_the_processor(bench: Bench) -> None:
    with_card(bench, 500.0)
    bench.prover.errors = [EngineTimedOut("rehearsal", 300.0)]
    info = loaded(bench)
    assert (info.spec.devices, info.in_child) == ((), False)
    assert Reason.DEVICE_FAILED in reasons(info)


def test_a_stated_context_is_not_given_up_for_a_faster_processor(bench: Bench) -> None:
    with_card(bench, 22.0)
    made = bench.planning._made

    def shorter_on_processor(history: History, wishes: Wishes) -> Plan:
        plan = made(history, wishes)
        layout = replace(plan.layout, context_length=2048)
        return plan if plan.devices else replace(plan, layout=layout)

    bench.planning._made = shorter_on_processor  # type: ignore[method-assign]
    assert loaded(bench).spec.devices == ()
    assert loaded(bench, wishes=Wishes(context_length=8192)).spec.devices == (CARD,)
