"""Never over budget, always an answer; and less memory never gives a larger plan."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.planner.place import plan
from engine.types.hardware import Device, HardwareReport, Memory, System
from engine.types.plans import KvType, Plan, Verdict, Wishes
from tests.machines import GIB, card, integrated, machine, with_available, with_free
from tests.unit.engine.planner.conftest import Shapes
from tests.unit.engine.planner.test_recorded_machines import check_sound

ORDER = (Verdict.TOO_BIG, Verdict.FITS_SLOWLY, Verdict.FITS)
MODELS = (
    "smollm2-135m", "gemma3-4b", "llama-3-8b", "gemma3-27b", "llama-3-70b", "deepseek-v2-lite",
    "gpt-oss-20b", "qwen3-30b-a3b", "gpt-oss-120b", "mamba-2.8b", "qwen3.5-4b", "jamba-52b",
)  # fmt: skip
QUICK = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
models = st.sampled_from(MODELS)
shares = st.floats(0.0, 1.0)
sizes_gib = st.floats(0.25, 140.0)
cards = st.lists(
    st.builds(
        card,
        st.floats(1.0, 48.0),
        backend=st.just("cuda"),
        description=st.sampled_from(["NVIDIA GeForce RTX 3090", "NVIDIA GeForce RTX 4060"]),
    ),
    max_size=3,
).map(lambda found: tuple(replace(one, name=f"CUDA{i}") for i, one in enumerate(found)))


def shrunk(size: int | None, share: float) -> int | None:
    return None if size is None else int(size * share)


def assert_no_larger(less: Plan, more: Plan) -> None:
    assert ORDER.index(less.verdict) <= ORDER.index(more.verdict)
    if less.verdict is not Verdict.TOO_BIG:
        assert less.layout.context_length <= more.layout.context_length
        assert less.gpu_layers <= more.gpu_layers


@QUICK
@given(models, sizes_gib, shares, shares, cards, st.sampled_from(System))
def test_less_main_memory_or_less_on_cards_never_gives_a_larger_plan(  # noqa: PLR0917
    shapes: Shapes,
    model: str,
    total_gib: float,
    ram_share: float,
    device_share: float,
    devices: tuple[Device, ...],
    system: System,
) -> None:
    more = machine(total_gib, devices=devices, system=system)
    less = with_available(more, int(more.memory.available_bytes * ram_share))
    less = with_free(less, *(shrunk(one.free_bytes, device_share) for one in devices))
    assert_no_larger(plan(less, shapes[model], Wishes()), plan(more, shapes[model], Wishes()))


@QUICK
@given(models, sizes_gib, shares, st.sampled_from(["vulkan", "metal"]), st.floats(0.5, 1.0))
def test_less_shared_memory_never_gives_a_larger_plan(
    shapes: Shapes, model: str, total_gib: float, share: float, backend: str, part: float
) -> None:
    device = integrated(total_gib * part, backend=backend)
    mac = backend == "metal"
    more = machine(
        total_gib,
        devices=[device],
        system=System.MACOS if mac else System.LINUX,
        architecture="arm64" if mac else "x86_64",
    )
    less = with_available(more, int(more.memory.available_bytes * share))
    less = with_free(less, shrunk(device.free_bytes, share))
    assert_no_larger(plan(less, shapes[model], Wishes()), plan(more, shapes[model], Wishes()))


@QUICK
@given(
    models,
    sizes_gib,
    shares,
    cards,
    st.one_of(st.none(), st.integers(1, 1 << 20)),
    st.one_of(st.none(), st.sampled_from(KvType)),
    st.one_of(st.none(), st.integers(16, 4096)),
    st.booleans(),
)
def test_what_is_stated_is_kept_and_never_over_budget(  # noqa: PLR0917
    shapes: Shapes,
    model: str,
    total_gib: float,
    share: float,
    devices: tuple[Device, ...],
    context: int | None,
    kv_type: KvType | None,
    ubatch: int | None,
    anyway: bool,
) -> None:
    report = machine(total_gib, total_gib * share, devices)
    wishes = Wishes(context_length=context, kv_type=kv_type, ubatch=ubatch, load_anyway=anyway)
    made = plan(report, shapes[model], wishes)
    assert made.layout.context_length == (context or made.layout.context_length)
    assert made.layout.kv_type == (kv_type or made.layout.kv_type)
    assert made.layout.ubatch == (ubatch or made.layout.ubatch)
    if made.verdict is not Verdict.TOO_BIG:
        assert all(pool.use.total_bytes <= pool.budget_bytes for pool in made.memory)
    elif made.offer is not None and made.offer.context_length is not None:
        shorter = replace(wishes, context_length=made.offer.context_length)
        freer = replace(shorter, kv_type=None, ubatch=None)
        verdicts = {plan(report, shapes[model], way).verdict for way in (shorter, freer)}
        assert verdicts != {Verdict.TOO_BIG}


@QUICK
@given(models, sizes_gib, cards)
def test_without_wishes_every_plan_is_sound(
    shapes: Shapes, model: str, total_gib: float, devices: tuple[Device, ...]
) -> None:
    report = machine(total_gib, devices=devices)
    check_sound(report, shapes[model], plan(report, shapes[model], Wishes()))


@QUICK
@given(models, st.floats(4.0, 64.0), st.floats(0.0, 8.0), st.floats(0.0, 8.0))
def test_what_will_be_freed_counts_as_free(
    shapes: Shapes, model: str, total_gib: float, ram_gib: float, card_gib: float
) -> None:
    now = machine(total_gib, total_gib * 0.5, [card(24, 8)])
    given_back = (("ram", int(ram_gib * GIB)), ("CUDA0", int(card_gib * GIB)))
    then = with_available(now, now.memory.available_bytes + given_back[0][1])
    then = with_free(then, (now.devices[0].free_bytes or 0) + given_back[1][1])
    assert plan(now, shapes[model], Wishes(freed=given_back)) == plan(then, shapes[model], Wishes())


absurd = st.one_of(
    st.integers(-(1 << 66), 1 << 66),
    st.sampled_from([0, 1, 1 << 46, 1 << 64, 17592186039468 << 20]),
)
perhaps = st.one_of(st.none(), absurd)


@st.composite
def absurd_reports(draw: st.DrawFn) -> HardwareReport:
    devices = [
        replace(
            card(backend=draw(st.sampled_from(["cuda", "vulkan", "metal", "opencl", "blas", "?"]))),
            name=f"D{number}",
            kind=draw(st.sampled_from(list(type(card().kind)))),
            total_bytes=draw(perhaps),
            free_bytes=draw(perhaps),
            dedicated_bytes=draw(absurd),
            dedicated_used_bytes=draw(absurd),
            compute_capability=draw(st.sampled_from(["", "7.5", "x", "3.5", "9" * 40])),
            driver=draw(st.sampled_from(["", "12.6", "550.1", "470.2", "Mesa"])),
        )
        for number in range(draw(st.integers(0, 3)))
    ]
    memory = Memory(
        total_bytes=draw(absurd),
        available_bytes=draw(absurd),
        limit_bytes=draw(perhaps),
        address_space_left_bytes=draw(perhaps),
        commit_left_bytes=draw(perhaps),
        swap_total_bytes=draw(absurd),
    )
    plain = machine(devices=devices, system=draw(st.sampled_from(System)))
    cpu = replace(
        plain.cpu,
        performance_cores=draw(st.integers(0, 1 << 20)),
        usable_cores=draw(st.integers(0, 1 << 20)),
    )
    return replace(plain, memory=memory, cpu=cpu)


@settings(QUICK, max_examples=120)
@given(models, absurd_reports())
def test_absurd_reports_give_an_answer(shapes: Shapes, model: str, report: HardwareReport) -> None:
    made = plan(report, shapes[model], Wishes())
    assert made.reasons
    assert made.layout.threads >= 1
    assert all(pool.budget_bytes >= 0 for pool in made.memory)
    if made.verdict is not Verdict.TOO_BIG:
        assert all(pool.use.total_bytes <= pool.budget_bytes for pool in made.memory)


@pytest.mark.parametrize("model", MODELS)
def test_a_fine_scale_of_memory_has_no_step_back(shapes: Shapes, model: str) -> None:
    """Hypothesis rarely hits the edge of a tier; walk over all of them."""
    shape = shapes[model]
    plans = [
        plan(machine(64, gib, [card(48, gib * 0.5)]), shape, Wishes())
        for gib in (step * 0.5 for step in range(2, 97))
    ]
    for less, more in pairwise(plans):
        assert_no_larger(less, more)
