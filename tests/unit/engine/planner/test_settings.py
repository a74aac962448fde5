"""Cache types and batches: what is tried, and what only when it is asked for."""

from dataclasses import replace

import pytest

from engine.planner.backends import select_devices
from engine.planner.settings import Choices, Setting, choices
from engine.types.hardware import HardwareReport, System
from engine.types.plans import KvType, Wishes
from tests.machines import RECORDED, card, integrated, machine
from tests.unit.engine.planner.conftest import Shapes

BOTH = (KvType.F16, KvType.Q8_0)


def chosen(
    report: HardwareReport, shapes: Shapes, model: str = "llama-3-8b", wishes: Wishes | None = None
) -> Choices:
    wishes = wishes or Wishes()
    return choices(report, shapes[model], wishes, select_devices(report, wishes))


def mac(total_gib: float) -> HardwareReport:
    metal = integrated(total_gib, backend="metal", description="Apple M1")
    return machine(total_gib, devices=[metal], system=System.MACOS, architecture="arm64")


@pytest.mark.parametrize(
    ("report", "ubatches"),
    [
        (machine(), (256, 128)),
        (machine(cores=2), (128,)),
        (machine(devices=[card(8)]), (512, 256, 128)),
        (machine(devices=[card(4)]), (128,)),
        (machine(devices=[card(24), card(4, number=1)]), (128,)),
        (machine(devices=[integrated(8)]), (128,)),
        (mac(16), (512, 256, 128)),
        (mac(8), (256, 128)),
        (RECORDED["n100_16gb"], (128,)),
        (RECORDED["celeron_j4125_noavx"], (128,)),
    ],
)
def test_the_batch_suits_the_machine(
    report: HardwareReport, ubatches: tuple[int, ...], shapes: Shapes
) -> None:
    assert chosen(report, shapes).ubatches == ubatches


def test_the_cache_may_be_quantised_where_that_works(shapes: Shapes) -> None:
    assert chosen(machine(), shapes).kv_types == BOTH
    assert chosen(machine(devices=[card(8)]), shapes).kv_types == BOTH
    assert chosen(mac(16), shapes).kv_types == (KvType.F16,)  # slow there
    assert chosen(machine(), shapes, "mamba-2.8b").kv_types == (KvType.F16,)  # nothing to gain
    old = machine(devices=[card(8, compute_capability="5.2")])  # no flash attention
    assert chosen(old, shapes).kv_types == (KvType.F16,)


@pytest.mark.parametrize(("width", "can"), [(128, True), (80, False), (96, True), (100, False)])
def test_rows_of_a_quantised_cache_are_whole_blocks(width: int, can: bool, shapes: Shapes) -> None:
    odd = Shapes({"odd": replace(shapes["llama-3-8b"], head_width=width)})
    assert chosen(machine(), odd, "odd").kv_types == (BOTH if can else (KvType.F16,))


def test_what_is_stated_is_the_only_choice(shapes: Shapes) -> None:
    wishes = Wishes(kv_type=KvType.Q8_0, ubatch=37, caution=3)
    assert chosen(mac(16), shapes, wishes=wishes) == Choices(
        kv_types=(KvType.Q8_0,), ubatches=(37,)
    )


@pytest.mark.parametrize(
    ("caution", "ubatches"), [(0, (256, 128)), (1, (128, 64)), (2, (64, 32)), (3, (32,))]
)
def test_caution_makes_batches_smaller(
    caution: int, ubatches: tuple[int, ...], shapes: Shapes
) -> None:
    assert chosen(machine(), shapes, wishes=Wishes(caution=caution)).ubatches == ubatches


def test_long_contexts_are_halved_before_the_batch_is() -> None:
    both = Choices(kv_types=BOTH, ubatches=(512, 256))
    assert [(s.kv_type, s.ubatch) for s in both.settings(16384)] == [
        (KvType.F16, 512),
        (KvType.Q8_0, 512),
    ]
    assert [(s.kv_type, s.ubatch) for s in both.settings(8192)] == [
        (KvType.F16, 512),
        (KvType.Q8_0, 512),
        (KvType.Q8_0, 256),
    ]
    tight = Setting(context_length=4096, kv_type=KvType.Q8_0, ubatch=256)
    assert both.tightest(4096) == tight
    assert list(both.frugal(4096)) == [tight]
