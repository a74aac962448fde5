"""Plans for ONNX model folders: never over budget, and DirectML only where it is the way."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.keeper.onnx import with_directml as with_directml_line
from engine.planner.onnx_backends import onnx_backend, preferred_format
from engine.planner.onnx_layouts import kv_bytes
from engine.planner.place import plan
from engine.types.backends import BackendProblem, BackendReport, BackendState
from engine.types.hardware import Device, HardwareReport, Memory, System
from engine.types.models import ModelFormat
from engine.types.plans import KvType, Plan, Reason, Verdict, Wishes
from engine.types.shapes import Alternative, OnnxShape, Unsure
from tests.machines import GIB, MIB, RECORDED, card, integrated, machine, with_available
from tests.unit.engine.planner.conftest import Shapes

READY = BackendReport(backend="directml", state=BackendState.READY)
ORDER = (Verdict.TOO_BIG, Verdict.FITS_SLOWLY, Verdict.FITS)


def shape(weights_gib: float = 2.3, **more: object) -> OnnxShape:
    """Like Phi-3-mini in int4."""
    made = OnnxShape(
        architecture="phi3",
        name="Phi-3-mini",
        weights_bytes=int(weights_gib * GIB),
        layers=32,
        kv_heads=32,
        head_width=96,
        kv_element_bytes=2,
        width=3072,
        vocabulary=32_064,
        context_length=131_072,
        unsure=frozenset(),
    )
    return replace(made, **more)  # type: ignore[arg-type]


def with_directml(report: HardwareReport) -> HardwareReport:
    return replace(report, backends=(*report.backends, READY))


def windows(total_gib: float = 16, devices: tuple[Device, ...] = ()) -> HardwareReport:
    return with_directml(machine(total_gib, devices=devices, system=System.WINDOWS, cores=8))


def assert_sound(made: Plan) -> None:
    if made.verdict is Verdict.TOO_BIG:
        assert Reason.TOO_BIG in made.reasons
        assert made.offer is not None
        return
    for pool in made.memory:
        assert pool.use.total_bytes <= pool.budget_bytes
    assert made.layout.context_length >= 2048


def test_the_cache_is_that_of_the_formula() -> None:
    """2 (K and V) x 32 layers x 32 heads x 96 elements x 4096 tokens x 2 bytes = 1.5 GiB."""
    assert kv_bytes(shape(), 4096) == 1536 * MIB
    assert kv_bytes(shape(kv_element_bytes=4), 4096) == 3072 * MIB


def test_a_roomy_machine_runs_it_on_the_processor_with_a_bounded_context() -> None:
    made = plan(machine(32, cores=8), shape(), Wishes())
    assert made.verdict is Verdict.FITS
    assert made.backend == "cpu"
    assert made.layout.context_length == 8192  # never the 131,072 of the folder
    use = made.memory[0].use
    assert use.weights_bytes == int(2.3 * GIB * 1.05)
    assert use.kv_bytes == kv_bytes(shape(), 8192)
    assert_sound(made)


def test_little_memory_shortens_the_context_and_says_so() -> None:
    made = plan(machine(8, 7.4, cores=8), shape(), Wishes())
    assert made.verdict is Verdict.FITS
    assert made.layout.context_length < 8192
    assert Reason.CONTEXT_CHOSEN_FOR_MEMORY in made.reasons


def test_what_is_too_big_comes_with_an_offer(shapes: Shapes) -> None:
    small = Alternative(name="small", path=Path("a.gguf"), shape=shapes["smollm2-135m"])
    made = plan(machine(8), shape(9.0), Wishes(), (small,))
    assert made.verdict is Verdict.TOO_BIG
    assert made.needed_bytes > made.free_bytes
    assert made.offer is not None
    assert (made.offer.model, made.offer.path) == ("small", Path("a.gguf"))
    assert made.offer.file_bytes > 0


def test_a_folder_is_offered_where_a_file_is_too_big(shapes: Shapes) -> None:
    small = Alternative(name="folder", path=Path("folder"), shape=shape(0.5, layers=8))
    made = plan(machine(8, cores=8), shapes["llama-3-70b"], Wishes(), (small,))
    assert made.offer is not None
    assert made.offer.model == "folder"


def test_a_context_beyond_the_models_own_is_not_possible_and_a_shorter_one_is_offered() -> None:
    made = plan(machine(64, cores=8), shape(context_length=4096), Wishes(context_length=8192))
    assert made.verdict is Verdict.TOO_BIG
    assert made.offer is not None
    assert made.offer.context_length == 4096
    fine = plan(machine(64, cores=8), shape(context_length=4096), Wishes(context_length=4096))
    assert fine.verdict is Verdict.FITS
    assert Reason.CONTEXT_AS_TRAINED in fine.reasons


def test_a_stated_context_that_does_not_fit_is_answered_with_the_longest_that_does() -> None:
    stated = Wishes(context_length=65_536)
    made = plan(machine(16, cores=8), shape(), stated)
    assert made.verdict is Verdict.TOO_BIG
    assert made.offer is not None
    shorter = made.offer.context_length
    assert shorter is not None
    offered = plan(machine(16, cores=8), shape(), replace(stated, context_length=shorter))
    longer = plan(machine(16, cores=8), shape(), replace(stated, context_length=2 * shorter))
    assert offered.verdict is not Verdict.TOO_BIG
    assert longer.verdict is Verdict.TOO_BIG


def test_another_kind_of_cache_is_not_possible() -> None:
    made = plan(machine(64), shape(), Wishes(kv_type=KvType.Q8_0))
    assert made.verdict is Verdict.TOO_BIG


def test_memory_that_others_hold_is_told_from_memory_that_is_not_there() -> None:
    made = plan(machine(16, 3.0), shape(), Wishes())
    assert made.verdict is Verdict.TOO_BIG
    assert Reason.MEMORY_LOW_NOW in made.reasons
    assert Reason.MEMORY_LOW_NOW not in plan(machine(4), shape(), Wishes()).reasons


def test_sizes_that_a_folder_does_not_tell_leave_the_rehearsal_to_decide() -> None:
    unsure = shape(layers=0, unsure=frozenset({Unsure.SIZES_MISSING}))
    made = plan(machine(16), unsure, Wishes())
    assert made.verdict is Verdict.UNKNOWN
    assert Reason.NOT_ESTIMATED in made.reasons
    huge = replace(unsure, weights_bytes=40 * GIB)
    assert plan(machine(16), huge, Wishes()).verdict is Verdict.TOO_BIG


def test_on_the_way_to_a_card_the_weights_need_main_memory_too() -> None:
    gpu = card(8, backend="rocm", description="AMD Radeon RX 7600")
    made = plan(windows(16, (gpu,)), shape(), Wishes())
    assert (made.backend, made.devices) == ("directml", ("ROCM0",))
    assert made.layout.backends == ("directml",)
    ram, device = made.memory
    assert ram.use.overhead_bytes > device.use.weights_bytes
    assert device.use.weights_bytes == int(2.3 * GIB * 1.05)
    assert_sound(made)


def test_memory_that_a_chip_shares_is_counted_once_and_with_its_copy() -> None:
    chip = integrated(8, backend="hip", description="AMD Radeon 780M")
    made = plan(windows(32, (chip,)), shape(), Wishes())
    assert made.backend == "directml"
    (ram,) = made.memory
    assert ram.pool == "ram"
    assert ram.use.total_bytes > 2 * int(2.3 * GIB * 1.05)
    assert Reason.SHARED_MEMORY in made.reasons


def test_a_card_that_is_too_small_leaves_it_to_the_processor() -> None:
    gpu = card(2, backend="rocm", description="AMD Radeon RX 550")
    made = plan(windows(32, (gpu,)), shape(), Wishes())
    assert made.backend == "cpu"
    assert Reason.DEVICE_TOO_SMALL in made.reasons


@pytest.mark.parametrize(
    "wishes", [Wishes(denied=frozenset({"directml"})), Wishes(caution=2), Wishes(caution=3)]
)
def test_what_failed_with_directml_runs_on_the_processor(wishes: Wishes) -> None:
    assert onnx_backend(windows(), Wishes()) == "directml"
    assert onnx_backend(windows(), wishes) == "cpu"
    assert plan(windows(32), shape(), wishes).backend == "cpu"


CHOICES = {
    # Vulkan or CUDA works: llama.cpp is faster with it.
    "rtx4060_laptop_win": ModelFormat.GGUF,
    "rtx4060_laptop_cudacrash": ModelFormat.GGUF,
    "gtx1650_4gb": ModelFormat.GGUF,
    "arc_130v_win": ModelFormat.GGUF,
    "rx9060xt_underflow": ModelFormat.GGUF,
    # Only HIP sees this chip, which is not shipped: DirectML is the way to it.
    "radeon780m_win_hip": ModelFormat.ONNX,
    # Its chip is slower than its processor, whatever drives it.
    "n100_16gb": ModelFormat.GGUF,
    # There is no DirectML build for ARM.
    "snapdragon_x": ModelFormat.GGUF,
}


def test_every_recorded_windows_machine_has_a_choice() -> None:
    found = {name for name, report in RECORDED.items() if report.system is System.WINDOWS}
    assert found == set(CHOICES)


@pytest.mark.parametrize(("name", "expected"), CHOICES.items())
def test_the_format_for_recorded_windows_machines(name: str, expected: ModelFormat) -> None:
    report = with_directml(RECORDED[name])
    assert preferred_format(report, Wishes(), accepts_onnx=True) is expected
    assert preferred_format(report, Wishes(), accepts_onnx=False) is ModelFormat.GGUF
    assert preferred_format(RECORDED[name], Wishes(), accepts_onnx=True) is ModelFormat.GGUF


@pytest.mark.parametrize("name", RECORDED)
def test_elsewhere_an_onnx_model_runs_on_the_processor(name: str) -> None:
    report = with_directml(RECORDED[name])
    if report.system is not System.WINDOWS:
        assert onnx_backend(report, Wishes()) == "cpu"
        assert preferred_format(report, Wishes(), accepts_onnx=True) is ModelFormat.GGUF
    assert_sound(plan(report, shape(), Wishes()))


devices = st.lists(
    st.builds(card, st.floats(1, 32), backend=st.sampled_from(["rocm", "cuda", "vulkan"]))
    | st.builds(integrated, st.floats(1, 32), backend=st.sampled_from(["hip", "vulkan"])),
    max_size=2,
).map(tuple)
models = st.builds(
    shape,
    st.floats(0.05, 60),
    layers=st.integers(1, 80),
    kv_heads=st.integers(1, 32),
    kv_element_bytes=st.sampled_from([2, 4]),
    context_length=st.none() | st.integers(256, 1 << 20),
)
memories = st.floats(0.5, 128)
MANY = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@MANY
@given(models, memories, st.floats(0, 1), devices, st.sampled_from(System), st.integers(0, 3))
def test_no_plan_is_over_its_budget_and_less_memory_gives_no_larger_one(
    model: OnnxShape,
    total_gib: float,
    share: float,
    found: tuple[Device, ...],
    system: System,
    caution: int,
) -> None:
    report = with_directml(machine(total_gib, devices=found, system=system, cores=8))
    wishes = Wishes(caution=caution)
    more = plan(report, model, wishes)
    assert more.verdict is Verdict.TOO_BIG or all(
        pool.use.total_bytes <= pool.budget_bytes for pool in more.memory
    )
    assert more.layout.context_length <= (model.context_length or more.layout.context_length)
    less = plan(with_available(report, int(report.memory.available_bytes * share)), model, wishes)
    if less.backend == more.backend:
        assert ORDER.index(less.verdict) <= ORDER.index(more.verdict)
        if less.verdict is not Verdict.TOO_BIG:
            assert less.layout.context_length <= more.layout.context_length


def test_what_is_given_back_counts_as_free() -> None:
    report = machine(8, 3.0, cores=8)
    assert plan(report, shape(), Wishes()).verdict is Verdict.TOO_BIG
    freed = plan(report, shape(), Wishes(freed=(("ram", 6 * GIB),)))
    assert freed.verdict is Verdict.FITS


def test_a_limit_on_promised_memory_counts() -> None:
    report = machine(32, cores=8)
    memory: Memory = replace(report.memory, commit_left_bytes=3 * GIB)
    made = plan(replace(report, memory=memory), shape(), Wishes())
    assert made.verdict is Verdict.TOO_BIG
    assert made.free_bytes < 3 * GIB


def test_the_machine_says_itself_whether_there_is_directml() -> None:
    plain = machine(system=System.WINDOWS)
    with_it = with_directml_line(plain, lambda _: True)
    assert with_it.backends == (READY,)
    assert with_directml_line(with_it, lambda _: False) is with_it
    (missing,) = with_directml_line(plain, lambda _: False).backends
    assert (missing.state, missing.problem) == (
        BackendState.MISSING,
        BackendProblem.NOT_INSTALLED,
    )
    assert onnx_backend(with_directml_line(plain, lambda _: False), Wishes()) == "cpu"
    elsewhere = machine()
    assert with_directml_line(elsewhere, lambda _: True) is elsewhere
