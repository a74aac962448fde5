"""Predicted tokens a second: sane on known machines, and more work is never faster."""

from dataclasses import replace
from math import inf, isfinite, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.planner.bandwidths import device_bytes_per_s, processor_bytes_per_s
from engine.planner.speed import TYPICAL_TOKENS, tokens_per_s, typical_cells
from engine.types.hardware import (
    Cpu,
    Device,
    DeviceKind,
    HardwareReport,
    Memory,
    Speed,
    System,
)
from engine.types.plans import KvType, Layout
from engine.types.shapes import Layer, LayerKind, ModelShape, Unsure

GIB = 1 << 30
CPU = Cpu(
    name="Some Processor",
    architecture="x86_64",
    physical_cores=8,
    performance_cores=8,
    logical_cores=16,
    usable_cores=16,
    features=frozenset(("avx2", "fma")),
)
SPEED = Speed(
    threads=4,
    bytes_per_s=(("F16", 40e9), ("Q8_0", 40e9), ("Q4_K", 30e9), ("Q6_K", 35e9)),
    overhead_s=1e-6,
    repacked_bytes_per_s=(("Q4_K", 36e9),),
    row_s=5e-9,
    attention_s=(("f16", 8e-9, 8e-11), ("q8_0", 9e-9, 9e-11)),
)
LAYER = Layer(
    kind=LayerKind.ATTENTION,
    heads=32,
    kv_heads=8,
    key_width=1024,
    value_width=1024,
    state_elements=0,
    feed_forward=14_336,
    experts=0,
    experts_used=0,
    expert_feed_forward=0,
    weights_bytes=134_000_000,
    expert_bytes=0,
    type_bytes=(("Q4_K", 100_000_000), ("Q6_K", 34_000_000)),
    repack_bytes=(("Q4_K", 100_000_000),),
)
LLAMA_8B = ModelShape(
    architecture="llama",
    name="Llama 8B",
    file_bytes=4_920_000_000,
    parameters=8_030_000_000,
    weights_bytes=4_912_000_000,
    layers=(LAYER,) * 32,
    embedding_bytes=295_000_000,
    output_bytes=431_000_000,
    tied=False,
    output_type_bytes=(("Q6_K", 431_000_000),),
    width=4096,
    vocabulary=128_256,
    context_length=131_072,
    window=0,
    head_width=128,
    mla=False,
    unsure=frozenset(),
)
LAYOUT = Layout(context_length=4096, threads=4)


def report(cpu: Cpu = CPU, speed: Speed | None = None) -> HardwareReport:
    memory = Memory(total_bytes=32 * GIB, available_bytes=24 * GIB)
    return HardwareReport(system=System.LINUX, cpu=cpu, memory=memory, speed=speed)


def device(backend: str, description: str, kind: DeviceKind = DeviceKind.GPU) -> Device:
    return Device(
        backend=backend,
        name=f"{backend}0",
        description=description,
        kind=kind,
        total_bytes=None,
        free_bytes=None,
    )


def rate(
    shape: ModelShape = LLAMA_8B,
    layout: Layout = LAYOUT,
    machine: HardwareReport | None = None,
    *devices: Device,
) -> float:
    found = tokens_per_s(shape, layout, machine or report(speed=SPEED), devices)
    assert found is not None
    return found


def all_on(backend: str, description: str, kind: DeviceKind = DeviceKind.GPU) -> float:
    layout = replace(LAYOUT, backends=(backend,), device_layers=(32,), output_on_device=True)
    return rate(LLAMA_8B, layout, report(), device(backend, description, kind))


def test_an_n100_is_as_slow_as_was_reported() -> None:
    cpu = replace(CPU, name="Intel(R) N100", physical_cores=4, usable_cores=4)
    assert 2.2 < rate(machine=report(cpu)) < 3.5  # brand-o/normiebench#38: 3.01


@pytest.mark.parametrize(
    ("backend", "description", "reported"),
    [("metal", "Apple M1 Max", 46.2), ("metal", "Apple M4", 20.9)],  # normiebench#40, #3
)
def test_apple_chips_are_about_as_fast_as_was_reported(
    backend: str, description: str, reported: float
) -> None:
    assert 0.75 < all_on(backend, description, DeviceKind.IGPU) / reported < 1.25


def test_a_graphics_card_is_much_faster_than_the_processor() -> None:
    assert all_on("cuda", "NVIDIA GeForce RTX 4060 Laptop GPU") > 5 * rate()


def test_blocks_left_with_the_processor_slow_a_card_down() -> None:
    card = device("cuda", "NVIDIA GeForce RTX 4060")
    rates = [
        rate(LLAMA_8B, replace(LAYOUT, backends=("cuda",), device_layers=(count,)), None, card)
        for count in (0, 16, 31)
    ]
    assert rates == sorted(rates)


def test_a_device_without_a_description_still_gets_a_number() -> None:
    layout = replace(LAYOUT, backends=("vulkan",), device_layers=(32,), output_on_device=True)
    assert rate(LLAMA_8B, layout) > 0


def test_repacked_weights_are_read_at_their_own_rate() -> None:
    shape = replace(LLAMA_8B, layers=(replace(LAYER, repack_bytes=()),) * 32)
    assert rate() > rate(layout=replace(LAYOUT, repack=False))
    assert rate(layout=replace(LAYOUT, repack=False)) == rate(shape)


def test_fewer_threads_than_measured_are_slower_and_more_are_not_faster() -> None:
    one, four, eight = (rate(layout=replace(LAYOUT, threads=count)) for count in (1, 4, 8))
    assert one < four == eight


def test_a_type_that_was_not_measured_counts_as_its_nearest() -> None:
    unknown = replace(LAYER, type_bytes=(("IQ1_S", 134_000_000),))
    other = replace(LAYER, type_bytes=(("Q4_K", 134_000_000),), repack_bytes=())
    assert rate(replace(LLAMA_8B, layers=(unknown,))) == pytest.approx(
        rate(replace(LLAMA_8B, layers=(other,))), rel=0.2
    )


@pytest.mark.parametrize("broken", [nan, inf, 0.0, -1.0])
def test_broken_measurements_are_not_believed(broken: float) -> None:
    speed = replace(
        SPEED,
        bytes_per_s=(("Q4_K", broken), ("Q6_K", broken)),
        repacked_bytes_per_s=(("Q4_K", broken),),
        overhead_s=broken,
        row_s=broken,
        attention_s=(("f16", broken, broken),),
    )
    found = rate(machine=report(speed=speed))
    assert isfinite(found)
    assert found > 0


def test_experts_are_read_by_their_used_share_where_they_lie() -> None:
    routed = replace(
        LAYER, experts=8, experts_used=2, expert_feed_forward=1024, expert_bytes=400_000_000
    )
    shape = replace(LLAMA_8B, layers=(routed,) * 32)
    layout = replace(LAYOUT, backends=("cuda",), device_layers=(32,), output_on_device=True)
    card = device("cuda", "NVIDIA GeForce RTX 3090")
    rates = [
        rate(shape, replace(layout, expert_layers_in_ram=count), None, card) for count in (0, 8, 32)
    ]
    assert rates == sorted(rates, reverse=True)
    assert rates[2] > rate(shape)


def test_a_sliding_window_bounds_what_is_looked_at() -> None:
    windowed = replace(LAYER, kind=LayerKind.WINDOW)
    shape = replace(LLAMA_8B, window=512, layers=(windowed,) * 32)
    long = replace(LAYOUT, context_length=32_768)
    assert typical_cells(shape, long, windowed) == 512
    assert typical_cells(shape, long, LAYER) == TYPICAL_TOKENS
    assert typical_cells(shape, replace(LAYOUT, context_length=300), LAYER) == 256
    assert rate(shape, long) > rate(LLAMA_8B, long)


def test_a_model_of_unknown_sizes_has_no_number() -> None:
    unsure = replace(LLAMA_8B, unsure=frozenset((Unsure.SIZES_MISSING,)))
    assert tokens_per_s(unsure, LAYOUT, report(), ()) is None
    assert tokens_per_s(replace(LLAMA_8B, layers=()), LAYOUT, report(), ()) is None


@pytest.mark.parametrize(
    ("description", "gbps"),
    [
        ("NVIDIA GeForce RTX 4070 Laptop GPU", 256),
        ("NVIDIA GeForce RTX 4070 Ti SUPER", 672),
        ("NVIDIA GeForce RTX 4070", 504),
        ("Apple M2 Max", 400),
        ("Apple M2", 100),
        ("Apple M9 Extreme", 128),
        ("AMD Radeon 780M (RADV PHOENIX)", 90),
        ("Radeon 8060S (RADV GFX1151)", 256),
        ("Intel(R) Arc(TM) A770 Graphics (DG2)", 512),
        ("A chip from the future", 128),
    ],
)
def test_bandwidths_are_found_by_description(description: str, gbps: int) -> None:
    assert device_bytes_per_s(device("vulkan", description)) == gbps * 1e9


@pytest.mark.parametrize(
    ("changes", "gbps"),
    [
        ({}, 30),
        ({"name": "Intel(R) Celeron(R) J4125"}, 5),
        ({"name": "Intel(R) N100"}, 14),
        ({"name": "Apple M1"}, 32),
        ({"name": "Apple M3 Max", "emulated": True}, 15),
        ({"features": frozenset(("sse42",))}, 8),
        ({"name": "AMD RYZEN AI MAX+ 395 w/ Radeon 8060S"}, 32),
    ],
)
def test_processors_are_guessed_low(changes: dict[str, object], gbps: float) -> None:
    cpu = replace(CPU, **changes)  # type: ignore[arg-type]
    assert processor_bytes_per_s(cpu, threads=4) == gbps * 1e9


@given(
    extra=st.integers(0, 10**10),
    layers=st.integers(1, 40),
    measured=st.booleans(),
    context=st.integers(1, 1 << 18),
    kv_type=st.sampled_from(KvType),
    on_device=st.integers(0, 40),
)
def test_more_bytes_layers_or_context_are_never_faster(
    extra: int, layers: int, measured: bool, context: int, kv_type: KvType, on_device: int
) -> None:
    machine = report(speed=SPEED if measured else None)
    layout = Layout(
        context_length=context,
        kv_type=kv_type,
        threads=4,
        backends=("vulkan",),
        device_layers=(on_device,),
    )
    card = device("vulkan", "AMD Radeon RX 6600")
    first, *others = LAYER.type_bytes
    heavier = replace(LAYER, type_bytes=((first[0], first[1] + extra), *others))
    light = rate(replace(LLAMA_8B, layers=(LAYER,) * layers), layout, machine, card)
    heavy = rate(replace(LLAMA_8B, layers=(heavier,) * layers), layout, machine, card)
    assert heavy <= light
    more = replace(LLAMA_8B, layers=(LAYER,) * (layers + 1))
    assert rate(more, replace(layout, device_layers=(0,)), machine, card) < rate(
        replace(LLAMA_8B, layers=(LAYER,) * layers),
        replace(layout, device_layers=(0,)),
        machine,
        card,
    )
    longer = replace(layout, context_length=2 * context)
    assert rate(replace(LLAMA_8B, layers=(LAYER,) * layers), longer, machine, card) <= light
