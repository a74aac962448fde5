"""KV cache and recurrent state, against what llama.cpp says itself, and how they move."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.models.shape import read_shape
from engine.planner.estimate.cache import cache_bytes, context_cells, window_cells
from engine.types.plans import FlashAttention, KvType, Layout
from engine.types.shapes import LayerKind, ModelShape
from tests import zoo
from tests.no_alloc import ask
from tests.rare import RARE

MIB = 1 << 20
LOGGED_WITHIN_MIB = 0.02
"""The log rounds each cache to 0.01 MiB, and there are at most three."""
LAYOUTS = [
    Layout(context_length=4096, ubatch=128),
    Layout(context_length=32768, ubatch=512, kv_type=KvType.Q8_0),
    Layout(context_length=131072, ubatch=512),
    Layout(context_length=4096, ubatch=256, flash_attention=FlashAttention.OFF),
    Layout(context_length=1000, ubatch=2048),
]


def matches(path: Path, layouts: list[Layout] = LAYOUTS) -> None:
    shape = read_shape(path)
    layouts = [at for at in layouts if shape.kv_quantizable or at.kv_type is KvType.F16]
    answer = ask(path, layouts)
    assert answer.loaded_bytes == shape.weights_bytes
    for layout, logged in zip(layouts, answer.cache_mib, strict=True):
        assert logged is not None, (layout, answer.log)
        ours = sum(cache_bytes(shape, layout)) / MIB
        assert ours == pytest.approx(logged, abs=LOGGED_WITHIN_MIB), layout


@contextmanager
def passing_file(path: Path) -> Iterator[Path]:
    """Sparse files cost no disk, but there are many of them."""
    yield path
    path.unlink()


@pytest.mark.parametrize("name", zoo.ZOO)
def test_the_zoo_keeps_what_llama_says(name: str, tmp_path: Path) -> None:
    with passing_file(zoo.write(name, tmp_path)) as path:
        matches(path)


@pytest.mark.parametrize("name", RARE)
def test_rare_shapes_keep_what_llama_says(name: str, tmp_path: Path) -> None:
    with passing_file(RARE[name](tmp_path / f"{name}.gguf")) as path:
        matches(path)


@pytest.mark.model
def test_the_starter_keeps_what_llama_says(starter_model: Path) -> None:
    matches(starter_model)


@pytest.mark.model
def test_gemma_keeps_what_llama_says(gemma_model: Path) -> None:
    matches(gemma_model)


# --- how it moves -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def shapes(tmp_path_factory: pytest.TempPathFactory) -> list[ModelShape]:
    folder = tmp_path_factory.mktemp("rare")
    return [read_shape(make(folder / f"{name}.gguf")) for name, make in RARE.items()]


@given(
    context=st.integers(1, 1 << 20),
    more=st.integers(0, 1 << 20),
    ubatch=st.integers(1, 4096),
    kv_type=st.sampled_from(KvType),
)
def test_a_longer_context_never_takes_less(
    shapes: list[ModelShape], context: int, more: int, ubatch: int, kv_type: KvType
) -> None:
    short = Layout(context_length=context, ubatch=ubatch, kv_type=kv_type)
    long = replace(short, context_length=context + more)
    for shape in shapes:
        assert 0 < sum(cache_bytes(shape, short)) <= sum(cache_bytes(shape, long))


@given(context=st.integers(1, 1 << 18), on_devices=st.lists(st.integers(0, 12), max_size=3))
def test_devices_share_out_the_same_cache(
    shapes: list[ModelShape], context: int, on_devices: list[int]
) -> None:
    layout = Layout(context_length=context)
    for shape in shapes:
        counts, left = [], len(shape.layers)
        for wanted in on_devices:
            counts.append(min(wanted, left))
            left -= counts[-1]
        shared = replace(layout, backends=("cuda",) * len(counts), device_layers=tuple(counts))
        sizes = cache_bytes(shape, shared)
        assert len(sizes) == 1 + len(counts)
        assert sum(sizes) == sum(cache_bytes(shape, layout))


@given(context=st.integers(1, 1 << 20), ubatch=st.integers(1, 4096))
def test_a_window_is_never_more_than_the_context(
    shapes: list[ModelShape], context: int, ubatch: int
) -> None:
    layout = Layout(context_length=context, ubatch=ubatch)
    for shape in shapes:
        assert context <= context_cells(layout) < context + 256
        assert window_cells(shape, layout) <= context_cells(layout)


def test_state_alone_does_not_grow(shapes: list[ModelShape]) -> None:
    recurrent = next(shape for shape in shapes if shape.architecture == "rwkv7")
    assert {layer.kind for layer in recurrent.layers} == {LayerKind.RECURRENT}
    sizes = {cache_bytes(recurrent, layout) for layout in LAYOUTS}
    assert len(sizes) == 1


def test_quantised_caches_are_smaller(shapes: list[ModelShape]) -> None:
    plain = Layout(context_length=8192)
    quantised = replace(plain, kv_type=KvType.Q8_0)
    for shape in shapes:
        if any(layer.key_width for layer in shape.layers):
            assert sum(cache_bytes(shape, quantised)) < sum(cache_bytes(shape, plain))
