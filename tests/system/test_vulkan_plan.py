"""Plans for a device of 2 GiB, held against what llama.cpp takes of it: nothing is loaded."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from engine.models.shape import read_shape
from engine.planner.backends import select_devices
from engine.planner.budgets import ledger
from engine.planner.estimate.memory import estimate
from engine.planner.estimate.repacking import for_processor
from engine.planner.place import plan
from engine.planner.weigh import Candidate, Scales
from engine.types.hardware import HardwareReport
from engine.types.plans import KvType, Layout, Plan, Reason, Use, Verdict, Wishes
from tests import vulkan
from tests.ggufs import write_sparse
from tests.vulkan import DEVICE, by_pool
from tests.zoo import ZOO, ZooModel

GIB = 1 << 30
MIB = 1 << 20
Written = Callable[[str], Path]
_FEW_WORDS, _FEW_EXPERTS = 32_000, 64
MODELS = {
    "smollm2-135m": ZOO["smollm2-135m"],
    "phi-3-mini": ZOO["phi-3-mini"],
    "llama-8b": replace(ZOO["llama-3-8b"], name="llama-8b", vocabulary=_FEW_WORDS),
    "qwen3-moe": replace(
        ZOO["qwen3-30b-a3b"],
        name="qwen3-moe",
        vocabulary=_FEW_WORDS,
        extra={**ZOO["qwen3-30b-a3b"].extra, "expert_count": _FEW_EXPERTS},
    ),
    "gemma3-270m": replace(ZOO["gemma3-270m"], vocabulary=_FEW_WORDS),
    "qwen3.5-4b": replace(ZOO["qwen3.5-4b"], vocabulary=_FEW_WORDS),
}
"""Dense, grouped, with experts, with windows, hybrid. Some have fewer words or experts than the
true ones: this device's shaders reach 128 MiB of one tensor (`maxStorageBufferRange`), and what is
larger stays in main memory. A cache of more than that in one layer even ends the process. Cards
reach at least 1 GiB."""


@pytest.fixture(scope="module", autouse=True)
def _software_device() -> Iterator[None]:
    with vulkan.approved():
        yield


@pytest.fixture(scope="module")
def machine() -> HardwareReport:
    """The real device beside enough main memory for any of the models."""
    report = vulkan.card_here()
    memory = replace(
        report.memory,
        total_bytes=32 * GIB,
        available_bytes=24 * GIB,
        limit_bytes=None,
        address_space_left_bytes=None,
        commit_left_bytes=None,
    )
    return replace(report, memory=memory)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    folder = tmp_path_factory.mktemp("zoo")

    def write(name: str) -> Path:
        path, model = folder / f"{name}.gguf", MODELS[name]
        if not path.exists():
            write_sparse(path, model.metadata(), model.tensors())
        return path

    return write


# --- what llama.cpp takes -----------------------------------------------------------------------


def layouts(model: ZooModel) -> list[Layout]:
    """No, some and all layers; the head beside them or not; both caches, both batches."""
    blocks, routed = model.layers, model.extra.get("expert_count")
    plain = Layout(context_length=4096, ubatch=512, backends=("vulkan",), device_layers=(0,))
    some = [
        replace(
            plain, device_layers=(count,), output_on_device=head, kv_type=kv_type, ubatch=ubatch
        )
        for (count, head), (kv_type, ubatch) in product(
            ((blocks, True), (blocks // 2, True), (blocks // 3, False)),
            ((KvType.F16, 512), (KvType.Q8_0, 128)),
        )
    ]
    long = replace(plain, device_layers=(blocks,), output_on_device=True, context_length=16_384)
    experts = [
        replace(long, expert_layers_in_ram=count, ubatch=128) for count in (blocks // 2, blocks)
    ]
    return [plain, *some, long, *(experts if routed else [])]


@pytest.mark.parametrize("name", MODELS)
def test_each_pool_takes_what_was_estimated(name: str, written: Written) -> None:
    path = written(name)
    shape, many = read_shape(path), layouts(MODELS[name])
    for layout, native in zip(many, vulkan.ask(path, many), strict=True):
        assert native.unsupported == 0, layout
        require_equal(estimate(shape, layout), native, str(layout))


def require_equal(uses: Sequence[Use], native: vulkan.Native, case: str) -> None:
    """Weights and cache of each pool, and the sum with the compute buffer within 3 %."""
    for pool, use in zip(("ram", DEVICE), uses, strict=True):
        weights = dict(native.weights).get(pool, 0)
        _, kv, compute = by_pool(native.measured, pool)
        told = f"{case}: {pool} {use}, in truth {weights} {kv} {compute}"
        assert use.weights_bytes == pytest.approx(weights, rel=0.001, abs=100_000), told
        assert use.kv_bytes == pytest.approx(kv, rel=0.001, abs=100_000), told
        real = weights + kv + compute
        total = use.weights_bytes + use.kv_bytes + use.compute_bytes
        graph_alone = not weights + kv
        assert total == pytest.approx(real, rel=0.2 if graph_alone else 0.03), told


# --- plans ----------------------------------------------------------------------------------------


def made_for(machine: HardwareReport, path: Path) -> Plan:
    made = plan(machine, read_shape(path), Wishes())
    assert made.verdict in (Verdict.FITS, Verdict.FITS_SLOWLY)
    for use in made.memory:
        assert use.use.total_bytes <= use.budget_bytes
    return made


def require_true(made: Plan, path: Path) -> None:
    """What the plan says of each pool is what llama.cpp takes there."""
    (native,) = vulkan.ask(path, [made.layout])
    assert native.unsupported == 0
    require_equal([use.use for use in made.memory], native, str(made.layout))


def fits(machine: HardwareReport, path: Path, layout: Layout) -> bool:
    """Whether the device could hold this."""
    shape = for_processor(read_shape(path), machine.cpu)
    devices = select_devices(machine, Wishes()).devices
    candidate = Candidate(layout=layout, devices=devices)
    return Scales(shape).miss(candidate, ledger(machine, devices)).fits_devices


def test_a_small_model_is_all_on_the_device(machine: HardwareReport, written: Written) -> None:
    path = written("smollm2-135m")
    made = made_for(machine, path)
    assert Reason.ALL_ON_DEVICE in made.reasons
    assert made.layout.device_layers == (30,)
    require_true(made, path)


def test_what_is_too_large_is_there_in_part_and_not_a_layer_less(
    machine: HardwareReport, written: Written
) -> None:
    path = written("phi-3-mini")
    made = made_for(machine, path)
    (count,) = made.layout.device_layers
    assert Reason.PARTLY_ON_DEVICE in made.reasons
    assert 8 <= count < 32
    assert fits(machine, path, made.layout)
    assert not fits(machine, path, replace(made.layout, device_layers=(count + 1,)))
    require_true(made, path)


def test_where_less_than_a_quarter_would_fit_the_processor_does_it_all(
    machine: HardwareReport, written: Written
) -> None:
    path = written("llama-8b")
    made = made_for(machine, path)
    assert made.devices == ()
    assert Reason.DEVICE_TOO_SMALL in made.reasons
    roomier = replace(machine.devices[0], total_bytes=3 * GIB, free_bytes=3 * GIB)
    made = made_for(replace(machine, devices=(roomier,)), path)
    assert Reason.PARTLY_ON_DEVICE in made.reasons
    require_true(made, path)


def test_experts_stay_in_main_memory(machine: HardwareReport, written: Written) -> None:
    """Of as few layers as possible."""
    path = written("qwen3-moe")
    made = made_for(machine, path)
    kept = made.layout.expert_layers_in_ram
    assert Reason.EXPERTS_IN_RAM in made.reasons
    assert made.layout.device_layers == (48,)
    assert 0 < kept <= 48
    assert fits(machine, path, made.layout)
    assert not fits(machine, path, replace(made.layout, expert_layers_in_ram=kept - 1))
    require_true(made, path)
