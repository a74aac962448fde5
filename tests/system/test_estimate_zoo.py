"""The estimate against llama.cpp's own figures, on every shape of the zoo.

KV within 0.5 MiB, weights exact, compute buffer 1.00 to 1.15 of the real one, the sum within 3 %.
"""

from itertools import product
from pathlib import Path

import pytest

from engine.models.shape import read_shape
from engine.planner.estimate.compute import UNVERIFIED, compute_bytes
from engine.planner.estimate.memory import estimate
from engine.types.plans import FlashAttention, KvType, Layout
from engine.types.shapes import ModelShape
from tests.no_alloc import ask
from tests.rare import RARE
from tests.zoo import ZOO, write

MIB = 1 << 20
LOGGED_MIB = 0.005
"""llama.cpp prints two digits."""
LAYOUTS = tuple(
    Layout(context_length=context, kv_type=kv_type, ubatch=ubatch)
    for context, kv_type, ubatch in product((4096, 32768, 131072), KvType, (128, 512))
)
ODD = (
    Layout(context_length=1, ubatch=512),
    Layout(context_length=3000, ubatch=33),
    Layout(context_length=2048, ubatch=8),
    Layout(context_length=8192, ubatch=256, kv_type=KvType.Q8_0),
    Layout(context_length=8192, ubatch=64, flash_attention=FlashAttention.OFF),
    Layout(context_length=4096, ubatch=512, flash_attention=FlashAttention.OFF),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("zoo")


@pytest.mark.parametrize("name", ZOO)
def test_estimate_is_what_llama_cpp_takes(name: str, folder: Path) -> None:
    """One child for all of a model's layouts: reading its vocabulary takes the longest."""
    check(write(name, folder), (*LAYOUTS, *ODD))


@pytest.mark.parametrize("name", RARE)
def test_rare_graphs_take_what_was_estimated(name: str, tmp_path: Path) -> None:
    path = RARE[name](tmp_path / f"{name}.gguf")
    shape, layouts = read_shape(path), (*LAYOUTS[:6], *ODD[3:])
    assert shape.architecture not in UNVERIFIED
    for layout, real in zip(layouts, ask(path, layouts).compute_mib, strict=True):
        if real is not None:
            assert 1 <= compute_bytes(shape, layout)[0] / MIB / real <= 1.15, layout


def split(
    shape: ModelShape, layouts: tuple[Layout, ...]
) -> tuple[tuple[Layout, ...], tuple[Layout, ...]]:
    """What llama.cpp takes, and what it refuses: blocks of 32 do not fit into odd heads."""
    refused = [
        layout for layout in layouts if layout.kv_type is KvType.Q8_0 and not shape.kv_quantizable
    ]
    return tuple(layout for layout in layouts if layout not in refused), tuple(refused)


def check(path: Path, layouts: tuple[Layout, ...]) -> None:
    shape = read_shape(path)
    layouts, refused = split(shape, layouts)
    real = ask(path, (*layouts, *refused))
    assert real.compute_mib[len(layouts) :] == (None,) * len(refused)
    assert None not in real.compute_mib[: len(layouts)]
    for layout, kv, compute in zip(layouts, real.cache_mib, real.compute_mib, strict=False):
        (ours,) = estimate(shape, layout)
        case = f"{path.stem} {layout}"
        assert kv is not None
        assert compute is not None
        assert ours.weights_bytes == real.loaded_bytes, case
        assert abs(ours.kv_bytes / MIB - kv) <= 0.5, case
        ratio = ours.compute_bytes / MIB / compute
        assert 1 <= ratio <= 1.15, f"{case}: {ours.compute_bytes / MIB:.2f} of {compute}"
        total = (ours.weights_bytes + ours.kv_bytes + ours.compute_bytes) / MIB
        assert total == pytest.approx(real.loaded_bytes / MIB + kv + compute, rel=0.03), case
