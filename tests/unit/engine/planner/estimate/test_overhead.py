"""What appears with a model but in no buffer. Real loads are checked in tests/system."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.planner.estimate.overhead import (
    MIB,
    overhead_bytes,
    repacked_bytes,
    vocabulary_bytes,
    work_bytes,
)
from engine.planner.estimate.repacking import for_processor, repacked_types
from engine.types.hardware import Cpu
from engine.types.plans import Layout, LoadMode
from engine.types.shapes import Layer, LayerKind, ModelShape

DENSE = Layer(
    kind=LayerKind.ATTENTION,
    heads=8,
    kv_heads=2,
    key_width=256,
    value_width=256,
    state_elements=0,
    feed_forward=4096,
    experts=0,
    experts_used=0,
    expert_feed_forward=0,
    weights_bytes=10_000,
    expert_bytes=0,
    type_bytes=(("Q4_K", 10_000),),
    repack_bytes=(("Q4_K", 6000), ("Q6_K", 3000)),
)
ROUTED = replace(
    DENSE,
    feed_forward=0,
    experts=8,
    experts_used=2,
    expert_feed_forward=1024,
    expert_bytes=8000,
    repack_bytes=(("Q4_K", 9000),),
    expert_repack_bytes=(("Q4_K", 8000),),
)
SHAPE = ModelShape(
    architecture="llama",
    name="",
    file_bytes=50_000,
    parameters=90_000,
    weights_bytes=50_000,
    layers=(DENSE,) * 4,
    embedding_bytes=5000,
    output_bytes=5000,
    tied=False,
    output_type_bytes=(("Q6_K", 5000),),
    output_repack_bytes=(("Q6_K", 5000),),
    width=1024,
    vocabulary=32_000,
    context_length=8192,
    window=0,
    head_width=128,
    mla=False,
    unsure=frozenset(),
)
LAYOUT = Layout(context_length=4096, threads=4)
CPU = Cpu(
    name="",
    architecture="x86_64",
    physical_cores=4,
    performance_cores=4,
    logical_cores=4,
    usable_cores=4,
)


def on_devices(layers: int, *, output: bool = True, experts: int = 0) -> Layout:
    return replace(
        LAYOUT,
        backends=("vulkan",),
        device_layers=(layers,),
        output_on_device=output,
        expert_layers_in_ram=experts,
    )


def test_a_larger_vocabulary_takes_more_and_merges_more_still() -> None:
    larger = replace(SHAPE, vocabulary=262_144)
    merged = replace(SHAPE, merges=31_000)
    assert vocabulary_bytes(larger) > 8 * vocabulary_bytes(SHAPE)
    assert vocabulary_bytes(merged) - vocabulary_bytes(SHAPE) > 31_000 * 100


def test_all_blocks_and_the_head_are_copied_on_the_processor() -> None:
    assert repacked_bytes(SHAPE, LAYOUT) == 4 * 9000 + 5000


@pytest.mark.parametrize("mode", [LoadMode.NONE, LoadMode.DIRECT_IO])
def test_weights_that_are_read_are_repacked_in_place(mode: LoadMode) -> None:
    assert repacked_bytes(SHAPE, replace(LAYOUT, load_mode=mode)) == 0


def test_nothing_is_copied_unless_wanted() -> None:
    assert repacked_bytes(SHAPE, replace(LAYOUT, repack=False)) == 0


def on_metal(count: int, *, output: bool = True, experts: int = 0) -> Layout:
    return replace(on_devices(count, output=output, experts=experts), backends=("metal",))


def test_what_lies_on_a_device_is_not_copied() -> None:
    assert repacked_bytes(SHAPE, on_metal(4)) == 0
    assert repacked_bytes(SHAPE, on_metal(3)) == 9000
    assert repacked_bytes(SHAPE, on_metal(3, output=False)) == 9000 + 5000


def test_experts_kept_in_main_memory_are_copied_alone() -> None:
    routed = replace(SHAPE, layers=(ROUTED,) * 4)
    assert repacked_bytes(routed, on_metal(4, experts=3)) == 3 * 8000
    assert repacked_bytes(routed, on_metal(2, experts=1)) == 2 * 9000 + 8000


@pytest.mark.parametrize("backend", ["cuda", "vulkan"])
def test_beside_a_device_with_pinned_memory_nothing_is_copied(backend: str) -> None:
    layout = replace(on_devices(2, output=False), backends=(backend,))
    assert repacked_bytes(SHAPE, layout) == 0


def test_the_work_buffer_follows_the_widest_block_and_is_absent_without_one() -> None:
    wide = replace(SHAPE, layers=(DENSE, replace(DENSE, feed_forward=16_384)))
    assert work_bytes(wide, LAYOUT) >= 256 * 16_384
    assert work_bytes(SHAPE, on_devices(4)) == 0
    routed = replace(SHAPE, layers=(ROUTED,) * 4)
    assert work_bytes(routed, on_devices(4, experts=1)) >= 256 * 2 * 1024


def test_each_backend_brings_its_own_context() -> None:
    layout = replace(on_devices(4), backends=("cuda", "metal", "new"), device_layers=(2, 1, 1))
    assert overhead_bytes(SHAPE, layout)[1:] == (400 * MIB, 150 * MIB, 300 * MIB)


def test_reading_for_a_device_passes_through_main_memory() -> None:
    mapped = on_devices(4)
    read, direct = (replace(mapped, load_mode=mode) for mode in (LoadMode.NONE, LoadMode.DIRECT_IO))
    sizes = [overhead_bytes(SHAPE, layout)[0] for layout in (mapped, read, direct)]
    assert sizes[0] < sizes[1] < sizes[2]


@pytest.mark.parametrize(
    ("architecture", "features", "copied", "kept"),
    [
        ("x86_64", {"sse42", "avx"}, set(), {"Q4_0", "Q4_K"}),
        ("x86_64", {"avx2"}, {"Q4_0", "Q4_K", "IQ4_NL", "MXFP4"}, {"Q2_K", "Q6_K", "Q8_0"}),
        ("x86_64", {"avx2", "avx512f"}, {"Q4_K", "Q2_K"}, {"Q5_K", "Q6_K", "Q8_0"}),
        ("arm64", {"neon", "dotprod"}, {"Q4_0", "Q6_K", "Q8_0"}, {"Q2_K"}),
        ("arm64", {"neon"}, set(), {"Q4_0"}),
        ("arm64", set(), {"Q4_0", "Q8_0"}, {"Q2_K"}),
        ("x86_64", set(), {"Q4_0", "Q2_K"}, {"Q8_0"}),
    ],
)
def test_which_types_a_processor_copies(
    architecture: str, features: set[str], copied: set[str], kept: set[str]
) -> None:
    types = repacked_types(replace(CPU, architecture=architecture, features=frozenset(features)))
    assert copied <= types
    assert not kept & types


def test_a_shape_for_this_processor_counts_only_its_copies() -> None:
    here = for_processor(SHAPE, replace(CPU, features=frozenset(("avx2",))))
    assert repacked_bytes(here, LAYOUT) == 4 * 6000
    assert here.layers[0].weights_bytes == DENSE.weights_bytes


@given(
    context=st.integers(1, 1 << 20),
    ubatch=st.integers(1, 4096),
    threads=st.integers(1, 64),
    on_device=st.integers(0, 4),
)
def test_more_of_anything_never_takes_less(
    context: int, ubatch: int, threads: int, on_device: int
) -> None:
    layout = replace(on_devices(on_device), context_length=context, ubatch=ubatch, threads=threads)
    more = replace(layout, context_length=2 * context, ubatch=2 * ubatch, threads=2 * threads)
    less_bytes, more_bytes = overhead_bytes(SHAPE, layout), overhead_bytes(SHAPE, more)
    assert all(a > 0 for a in less_bytes)
    assert all(a <= b for a, b in zip(less_bytes, more_bytes, strict=True))
