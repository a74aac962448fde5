"""llama.cpp's log lines, of this version and of others' machines, as bytes per memory pool."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.runtimes.llamacpp.buffers import RAM, measured_from, pool_of, tensor_count
from engine.types.plans import Measured

MIB = 1024 * 1024

LOGS = Path(__file__).parents[4] / "data" / "llama_logs"
"""`gemma` and `qwen3-next-no-alloc` were logged by this version; the others are from
ggml-org/llama.cpp: #6122 (two cards, an older wording), #12728 (vulkan), #22673 (metal) and
#27680 (dsv4)."""


def lines_of(log: str) -> list[str]:
    return (LOGS / f"{log}.log").read_text(encoding="utf-8").splitlines()


def read(log: str, *devices: str) -> Measured:
    return measured_from(lines_of(log), devices)


def mib(size: float) -> int:
    return round(size * MIB)


def test_two_caches_and_repacked_weights_add_up() -> None:
    assert read("gemma") == Measured(
        kv_bytes=((RAM, mib(6.38) + mib(5.98)),),
        compute_bytes=((RAM, mib(6.16)),),
        weights_bytes=((RAM, mib(235.16) + mib(12.66)),),
        output_bytes=((RAM, mib(1.0)),),
    )


def test_a_hybrid_adds_its_state_to_its_cache() -> None:
    measured = read("qwen3-next-no-alloc")
    assert measured.kv_bytes == ((RAM, mib(75.38) + mib(768)),)
    assert measured.weights_bytes == ()


def test_each_card_has_its_own() -> None:
    measured = read("cuda-two-cards", "CUDA0", "CUDA1")
    assert measured.kv_bytes == (("CUDA0", mib(1536)), ("CUDA1", mib(3584)))
    assert measured.compute_bytes == (("CUDA0", mib(672.01)),)
    assert measured.output_bytes == ((RAM, mib(1.95)),)


def test_pinned_memory_is_main_memory() -> None:
    measured = read("vulkan", "Vulkan0")
    assert measured.kv_bytes == (("Vulkan0", mib(19200)),)
    assert measured.compute_bytes == ((RAM, mib(18.01)), ("Vulkan0", mib(1174)))


def test_weights_mapped_for_metal_are_the_devices() -> None:
    assert read("metal", "MTL0").weights_bytes == ((RAM, mib(644.14)), ("MTL0", mib(14803.73)))


def test_an_empty_cache_says_nothing() -> None:
    assert read("cuda-dsv4", "CUDA0").kv_bytes == (("CUDA0", mib(182.75)),)


def test_without_allocation_a_cache_goes_where_its_layers_are() -> None:
    lines = [f"llama_kv_cache: layer {n:3}: dev = {'CPU' if n < 8 else 'CUDA0'}" for n in range(32)]
    lines += [
        "llama_kv_cache:        CPU KV buffer size =     0.00 MiB",
        "llama_kv_cache:      CUDA0 KV buffer size =     0.00 MiB",
        "llama_kv_cache: size = 4096.00 MiB ( 32768 cells,  32 layers,  1/1 seqs), K (f16): …",
    ]
    expected = ((RAM, mib(1024)), ("CUDA0", mib(3072)))
    assert measured_from(lines, ("CUDA0",)).kv_bytes == expected


def test_a_graph_that_is_reserved_anew_replaces_the_one_before() -> None:
    lines = [f"sched_reserve:      CUDA0 compute buffer size =  {size} MiB" for size in (4, 1)]
    assert measured_from(lines, ("CUDA0",)).compute_bytes == (("CUDA0", MIB),)


@pytest.mark.parametrize(
    ("buffer", "devices", "pool"),
    [
        ("CPU", (), RAM),
        ("CPU_REPACK", ("CUDA0",), RAM),
        ("CUDA_Host", ("CUDA0",), RAM),
        ("CUDA1", ("CUDA0", "CUDA1"), "CUDA1"),
        ("CUDA10", ("CUDA1", "CUDA10"), "CUDA10"),
        ("MTL0_Private", ("MTL0",), "MTL0"),
        ("OpenCL", ("GPUOpenCL",), "GPUOpenCL"),
        ("ROCm1", ("ROCm0", "Vulkan0"), "ROCm1"),
        ("Odd", (), RAM),
    ],
)
def test_pools(buffer: str, devices: tuple[str, ...], pool: str) -> None:
    assert pool_of(buffer, devices) == pool


def test_the_number_of_tensors_is_told() -> None:
    assert tensor_count(lines_of("gemma")) == 236
    assert tensor_count(lines_of("metal")) == 0


@given(st.lists(st.text(max_size=80), max_size=5))
def test_any_lines_can_be_read(lines: list[str]) -> None:
    assert all(size >= 0 for _, size in measured_from(lines, ("CUDA0",)).kv_bytes)


@given(
    size=st.integers(1, 10**6),
    layers=st.lists(st.sampled_from(["CPU", "CUDA0", "CUDA1"]), min_size=1, max_size=80),
)
def test_shares_of_a_cache_sum_up(size: int, layers: list[str]) -> None:
    lines = [f"llama_kv_cache: layer {n:3}: dev = {name}" for n, name in enumerate(layers)]
    lines.append(f"llama_kv_cache: size = {size}.00 MiB (256 cells), K (f16): 1.00 MiB")
    kv = measured_from(lines, ("CUDA0", "CUDA1")).kv_bytes
    assert size * MIB - len(layers) <= sum(part for _, part in kv) <= size * MIB
