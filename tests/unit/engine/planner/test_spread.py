"""Blocks over devices."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.planner.place import plan
from engine.planner.spread import least, most
from engine.types.hardware import System
from engine.types.plans import LoadMode, Plan, Reason, Verdict, Wishes
from tests.machines import RECORDED, card, integrated, machine
from tests.unit.engine.planner.conftest import Shapes


@given(st.integers(0, 200), st.integers(0, 250))
def test_bisection_finds_the_edge(length: int, edge: int) -> None:
    counts = range(1, length + 1)
    assert most(counts, lambda n: n <= edge) == min(edge, length)
    assert least(counts, lambda n: n >= edge) == min(max(edge, 1), length + 1)


def placed(shapes: Shapes, model: str, *devices: float, **more: object) -> Plan:
    """On a machine with much memory and cards of these sizes in GiB."""
    cards = [card(size, number=number) for number, size in enumerate(devices)]
    return plan(machine(256, 200, cards, **more), shapes[model], Wishes())  # type: ignore[arg-type]


def test_one_card_is_enough_where_it_is(shapes: Shapes) -> None:
    made = placed(shapes, "llama-3.2-1b", 8, 24)
    assert made.devices == ("CUDA1",)
    assert made.layout.device_layers == (16,)
    assert made.layout.output_on_device
    assert made.gpu_layers == made.layers == 17
    assert Reason.ALL_ON_DEVICE in made.reasons


def test_two_cards_share_by_their_room(shapes: Shapes) -> None:
    made = placed(shapes, "llama-3-70b", 24, 48)
    first, second = made.layout.device_layers
    assert first + second == 80
    assert 1.5 < second / first < 3.0
    assert {Reason.SEVERAL_DEVICES, Reason.ALL_ON_DEVICE} <= set(made.reasons)


def test_a_card_that_can_hold_nothing_is_left_out(shapes: Shapes) -> None:
    made = placed(shapes, "llama-3-8b", 1, 12)
    assert made.devices == ("CUDA1",)
    made = placed(shapes, "gemma3-27b", 12, 1, 12)
    assert made.devices == ("CUDA0", "CUDA2")


def test_a_part_is_worth_it_from_a_quarter_on(shapes: Shapes) -> None:
    some = placed(shapes, "gemma3-27b", 8)
    assert some.verdict is Verdict.FITS_SLOWLY
    assert 0.25 * 62 <= some.gpu_layers - 1 < 62
    assert Reason.PARTLY_ON_DEVICE in some.reasons
    none = placed(shapes, "gemma3-27b", 5)
    assert none.gpu_layers == 0
    assert Reason.DEVICE_TOO_SMALL in none.reasons


def test_experts_stay_in_main_memory_before_blocks_do(shapes: Shapes) -> None:
    made = placed(shapes, "qwen3-30b-a3b", 12)
    assert made.verdict is Verdict.FITS
    assert made.gpu_layers == made.layers
    assert 0 < made.layout.expert_layers_in_ram < 48
    assert Reason.EXPERTS_IN_RAM in made.reasons
    assert Reason.PARTLY_ON_DEVICE not in made.reasons
    more = placed(shapes, "qwen3-30b-a3b", 16)
    assert more.layout.expert_layers_in_ram < made.layout.expert_layers_in_ram


def test_experts_are_spread_over_several_cards_too(shapes: Shapes) -> None:
    made = placed(shapes, "gpt-oss-120b", 24, 24)
    assert made.devices == ("CUDA0", "CUDA1")
    assert sum(made.layout.device_layers) == 36
    assert made.layout.expert_layers_in_ram > 0


def test_shared_memory_is_not_split(shapes: Shapes) -> None:
    """Taking blocks off an integrated device frees nothing."""
    small = machine(64, 50, [integrated(6)])
    made = plan(small, shapes["gemma3-27b"], Wishes())
    assert made.gpu_layers == 0
    assert Reason.DEVICE_TOO_SMALL in made.reasons


@pytest.mark.parametrize(
    ("name", "mode"),
    [
        ("rtx4060_laptop_win", LoadMode.NONE),  # a mapping would stay in the working set
        ("dual3090", LoadMode.MMAP),
        ("radeon680m", LoadMode.NONE),  # Vulkan can not use mapped memory there
        ("m1_16gb_kv_overflow", LoadMode.MMAP),
        ("sandbox_epyc", LoadMode.MMAP),
    ],
)
def test_weights_are_mapped_where_that_works(name: str, mode: LoadMode, shapes: Shapes) -> None:
    assert plan(RECORDED[name], shapes["llama-3.2-1b"], Wishes()).layout.load_mode is mode


def test_a_part_on_windows_is_mapped_and_a_device_may_refuse_it(shapes: Shapes) -> None:
    part = plan(machine(64, 40, [card(8)], system=System.WINDOWS), shapes["gemma3-27b"], Wishes())
    assert 0 < part.gpu_layers < part.layers
    assert part.layout.load_mode is LoadMode.MMAP
    refusing = replace(card(8), supports_mmap=False)
    made = plan(machine(64, 40, [refusing]), shapes["llama-3.2-1b"], Wishes())
    assert made.layout.load_mode is LoadMode.NONE
