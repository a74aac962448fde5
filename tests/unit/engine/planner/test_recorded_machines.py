"""Every recorded machine with every model of the zoo: a sound plan, and what the record expects."""

import time
from collections.abc import Callable
from statistics import median

import pytest

from engine.planner.backends import select_devices
from engine.planner.budgets import device_budget, ledger, ram_budget
from engine.planner.place import plan
from engine.types.hardware import DeviceKind, HardwareReport
from engine.types.plans import LoadMode, Plan, Reason, Verdict, Wishes
from engine.types.shapes import ModelShape
from tests.machines import ENTRIES, MIB, RECORDED, card, with_available, with_free
from tests.unit.engine.planner.conftest import Shapes

FITTING = (Verdict.FITS, Verdict.FITS_SLOWLY)


def check_sound(report: HardwareReport, shape: ModelShape, made: Plan) -> None:
    """What must hold for every plan."""
    layout = made.layout
    assert made.reasons
    assert made.layers == len(shape.layers) + 1
    assert 0 <= made.gpu_layers <= made.layers
    assert len(layout.backends) == len(layout.device_layers) == len(made.devices)
    assert len(made.memory) == 1 + len(made.devices)
    assert [pool.pool for pool in made.memory] == ["ram", *made.devices]
    assert made.needed_bytes > 0
    assert (made.offer is None) == (made.verdict in FITTING)
    if shape.context_length is not None:
        assert layout.context_length <= shape.context_length
    if made.verdict in FITTING:
        assert layout.context_length >= min(2048, shape.context_length or 2048)
        check_budgets(report, made)


def check_budgets(report: HardwareReport, made: Plan) -> None:
    """Never over a budget, and never over what the machine says it has."""
    for pool in made.memory:
        assert pool.use.total_bytes <= pool.budget_bytes, pool
    memory = {pool.pool: pool.use.total_bytes for pool in made.memory}
    carved = 0
    for device in report.devices:
        taken = memory.get(device.name, 0)
        assert taken <= max(device.total_bytes or 0, 0)
        if device.free_bytes is not None:
            assert taken <= device.free_bytes
        if device.kind is DeviceKind.IGPU and taken:
            carved = device.dedicated_bytes
            memory["ram"] += taken
    assert memory["ram"] <= report.memory.available_bytes + carved


@pytest.mark.parametrize("name", RECORDED)
def test_every_model_gets_a_sound_plan(name: str, shapes: Shapes) -> None:
    report, took_ms = RECORDED[name], []
    for shape in shapes.values():
        started = time.process_time()
        made = plan(report, shape, Wishes())
        took_ms.append((time.process_time() - started) * 1000)
        check_sound(report, shape, made)
    print(f"{name}: median {median(took_ms):.1f} ms, most {max(took_ms):.1f} ms")


def _uses(name: str, *devices: str) -> Callable[[Shapes], None]:
    """A small model runs wholly on these devices, a middling one on no others."""

    def check(shapes: Shapes) -> None:
        small = plan(RECORDED[name], shapes["llama-3.2-1b"], Wishes())
        assert small.verdict in FITTING
        assert small.devices == devices
        assert small.gpu_layers == (small.layers if devices else 0)
        assert set(plan(RECORDED[name], shapes["llama-3-8b"], Wishes()).devices) <= set(devices)

    return check


def _device_budget_mib(name: str) -> float:
    report = RECORDED[name]
    room = ledger(report, select_devices(report, Wishes()).devices)
    return room.device_bytes[0] / MIB


def _rtx4060(shapes: Shapes) -> None:
    """After failures: smaller batches, then the same card with Vulkan, then the processor."""
    _uses("rtx4060_laptop_win", "CUDA0")(shapes)
    report, shape = RECORDED["rtx4060_laptop_win"], shapes["llama-3-8b"]
    plans = [plan(report, shape, Wishes(caution=caution)) for caution in range(4)]
    used = [(made.backend, made.devices) for made in plans]
    assert used == [("cuda", ("CUDA0",))] * 2 + [("vulkan", ("Vulkan1",)), ("cpu", ())]
    assert not any(Reason.DEVICE_SLOWER in made.reasons for made in plans)


def _m1_8gb(shapes: Shapes) -> None:
    report = with_available(RECORDED["m1_8gb"], 8192 * MIB)  # the static bound; then live memory
    assert ledger(report, report.devices).ram_bytes == 4096 * MIB
    tight = with_available(report, 3000 * MIB)
    assert ledger(tight, report.devices).ram_bytes == 3000 * MIB
    _uses("m1_8gb", "MTL0")(shapes)


def _m1_16gb(shapes: Shapes) -> None:
    """The record: a cache of 8 GiB, taken although it did not fit."""
    made = plan(RECORDED["m1_16gb_kv_overflow"], shapes["llama-3-8b"], Wishes(context_length=65536))
    assert made.verdict is Verdict.TOO_BIG
    assert sum(pool.use.kv_bytes for pool in made.memory) == 8192 * MIB
    assert made.offer is not None
    assert made.offer.context_length


def _m3max_64gb(shapes: Shapes) -> None:
    report = with_available(RECORDED["m3max_64gb_proxy"], 65536 * MIB)
    assert ledger(report, report.devices).device_bytes == (48128 * MIB,)
    _uses("m3max_64gb_proxy", "MTL0")(shapes)


def _rtx_cuda_crashed(shapes: Shapes) -> None:
    _uses("rtx4060_laptop_cudacrash", "Vulkan0")(shapes)
    made = plan(RECORDED["rtx4060_laptop_cudacrash"], shapes["llama-3.2-1b"], Wishes())
    assert Reason.DEVICE_FAILED in made.reasons


def _radeon_780m(shapes: Shapes) -> None:
    report = RECORDED["radeon780m_linux_gtt"]
    most = 2048 - 256 + ram_budget(report) / MIB
    assert _device_budget_mib("radeon780m_linux_gtt") <= most < 82 * 1024
    _uses("radeon780m_linux_gtt", "Vulkan0")(shapes)


def _radeon_780m_hip(shapes: Shapes) -> None:
    assert RECORDED["radeon780m_win_hip"].devices[0].free_bytes is None
    _uses("radeon780m_win_hip")(shapes)  # HIP is not shipped


def _radeon_680m(shapes: Shapes) -> None:
    made = plan(RECORDED["radeon680m"], shapes["llama-3-8b"], Wishes())
    assert made.layout.ubatch == 128
    assert made.layout.load_mode is LoadMode.NONE


def _strix_halo(shapes: Shapes) -> None:
    assert _device_budget_mib("strixhalo_carve96_linux") >= 90 * 1024
    made = plan(RECORDED["strixhalo_carve96_linux"], shapes["gpt-oss-120b"], Wishes())
    assert made.verdict is Verdict.FITS
    assert made.gpu_layers == made.layers
    assert made.memory[0].use.weights_bytes < 2048 * MIB  # main memory holds the token table only
    assert made.layout.load_mode is LoadMode.NONE


def _steam_deck(shapes: Shapes) -> None:
    made = plan(RECORDED["steamdeck"], shapes["llama-3-8b"], Wishes())
    assert made.layout.load_mode is LoadMode.NONE
    assert made.devices == ("Vulkan0",)
    check_budgets(RECORDED["steamdeck"], made)  # counted once


def _arc_130v(shapes: Shapes) -> None:
    budget = _device_budget_mib("arc_130v_win")
    assert budget == ram_budget(RECORDED["arc_130v_win"]) / MIB
    _uses("arc_130v_win", "Vulkan0")(shapes)


def _gtx_1650(shapes: Shapes) -> None:
    made = plan(RECORDED["gtx1650_4gb"], shapes["qwen3-4b"], Wishes())
    assert (made.predicted_tokens_per_s or 0) > 8.0
    assert made.verdict is Verdict.FITS  # split, but fast
    assert Reason.PARTLY_ON_DEVICE in made.reasons
    assert 0 < made.gpu_layers < made.layers
    assert made.layout.context_length == 4096


def _dual_3090(shapes: Shapes) -> None:
    made = plan(RECORDED["dual3090"], shapes["llama-3-70b"], Wishes())
    assert made.devices == ("CUDA0", "CUDA1")
    assert made.verdict is Verdict.FITS
    first, second = made.layout.device_layers
    assert first <= second  # the first one drives the screen and has less
    assert first + second == 80


def _rx_9060(shapes: Shapes) -> None:
    total = RECORDED["rx9060xt_underflow"].devices[0].total_bytes
    assert total is not None
    assert RECORDED["rx9060xt_underflow"].devices[0].free_bytes is None
    assert _device_budget_mib("rx9060xt_underflow") <= 0.85 * total / MIB
    _uses("rx9060xt_underflow", "Vulkan0")(shapes)


def _zero(shapes: Shapes) -> None:
    _uses("zero_zero")(shapes)
    made = plan(RECORDED["zero_zero"], shapes["llama-3.2-1b"], Wishes())
    assert Reason.DEVICE_FAILED in made.reasons


def _n100(shapes: Shapes) -> None:
    """3 tokens a second with 8 billion weights: said to be slow, and 3 billion recommended."""
    report = RECORDED["n100_16gb"]
    big = plan(report, shapes["llama-3-8b"], Wishes())
    assert big.backend == "cpu"
    assert Reason.DEVICE_SLOWER in big.reasons
    assert big.verdict is Verdict.FITS_SLOWLY
    assert big.predicted_tokens_per_s is not None
    assert 2.0 < big.predicted_tokens_per_s < 4.0
    assert plan(report, shapes["llama-3.2-1b"], Wishes()).verdict is Verdict.FITS


EXPECTED: dict[str, Callable[[Shapes], None]] = {
    "rtx4060_laptop_win": _rtx4060,
    "rtx4060_laptop_cudacrash": _rtx_cuda_crashed,
    "m1_8gb": _m1_8gb,
    "m1_16gb_kv_overflow": _m1_16gb,
    "m3max_64gb_proxy": _m3max_64gb,
    "m3max_128gb": _uses("m3max_128gb", "MTL0"),
    "m5max_128gb": _uses("m5max_128gb", "MTL0"),
    "intel_mac_5600m": _uses("intel_mac_5600m"),
    "intel_mac_moltenvk": _uses("intel_mac_moltenvk"),
    "radeon780m_linux_gtt": _radeon_780m,
    "radeon780m_win_hip": _radeon_780m_hip,
    "radeon680m": _radeon_680m,
    "strixhalo_carve96_linux": _strix_halo,
    "steamdeck": _steam_deck,
    "arc_a770": _uses("arc_a770", "Vulkan0"),
    "arc_130v_win": _arc_130v,
    "gtx1650_4gb": _gtx_1650,
    "dual3090": _dual_3090,
    "rx6700xt_rocm": _uses("rx6700xt_rocm", "Vulkan0"),
    "rx9060xt_underflow": _rx_9060,
    "zero_zero": _zero,
    "n100_16gb": _n100,
    "celeron_j4125_noavx": _uses("celeron_j4125_noavx"),
    "snapdragon_x": _uses("snapdragon_x"),
    "sandbox_epyc": _uses("sandbox_epyc"),
}


def test_every_recorded_machine_has_an_expectation() -> None:
    assert EXPECTED.keys() == ENTRIES.keys()


@pytest.mark.parametrize("name", EXPECTED)
def test_the_plan_is_what_the_record_expects(name: str, shapes: Shapes) -> None:
    EXPECTED[name](shapes)


def test_a_card_that_holds_nothing_is_not_asked_to() -> None:
    report = with_free(RECORDED["arc_a770"], 0, 0)
    assert device_budget(report, report.devices[1], 0) == 0
    assert device_budget(report, card(0, 0), 0) == 0
