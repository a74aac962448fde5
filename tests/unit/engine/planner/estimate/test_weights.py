"""Weights by place: what is on devices, what stays in main memory, and what is there twice."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.models.shape import read_shape
from engine.planner.estimate.places import output_place, place_of_layers
from engine.planner.estimate.weights import own_output_bytes, weights_bytes
from engine.types.plans import Layout
from engine.types.shapes import ModelShape
from tests import zoo
from tests.rare import RARE


@pytest.fixture(scope="module")
def shapes(tmp_path_factory: pytest.TempPathFactory) -> list[ModelShape]:
    folder = tmp_path_factory.mktemp("shapes")
    rare = [read_shape(make(folder / f"{name}.gguf")) for name, make in RARE.items()]
    return [*rare, read_shape(zoo.write("qwen3-30b-a3b", folder))]


def layout(
    *on_devices: int, output_on_device: bool = False, expert_layers_in_ram: int = 0
) -> Layout:
    return Layout(
        context_length=4096,
        backends=("cuda",) * len(on_devices),
        device_layers=on_devices,
        output_on_device=output_on_device,
        expert_layers_in_ram=expert_layers_in_ram,
    )


def tail(shape: ModelShape, count: int) -> int:
    """Bytes of the last blocks."""
    return sum(layer.weights_bytes for layer in shape.layers[len(shape.layers) - count :])


def test_without_devices_all_is_in_main_memory(shapes: list[ModelShape]) -> None:
    for shape in shapes:
        assert weights_bytes(shape, layout()) == (shape.weights_bytes,)


def test_the_last_blocks_go_to_devices(shapes: list[ModelShape]) -> None:
    for shape in shapes:
        ram, first, second = weights_bytes(shape, layout(1, 2))
        norm = own_output_bytes(shape) if shape.tied else 0
        assert first + second - norm == tail(shape, 3)
        assert second - norm == tail(shape, 2)
        assert ram + first + second == shape.weights_bytes


def test_a_tied_head_on_a_device_is_a_second_copy_of_the_table(shapes: list[ModelShape]) -> None:
    for shape in shapes:
        sizes = weights_bytes(shape, layout(len(shape.layers), output_on_device=True))
        assert sizes[0] == shape.embedding_bytes
        copied = sum(sizes) - shape.weights_bytes
        assert copied == (shape.output_bytes - own_output_bytes(shape))
        assert (copied > 0) == shape.tied


@given(in_ram=st.integers(0, 60))
def test_experts_of_the_first_offloaded_blocks_stay(shapes: list[ModelShape], in_ram: int) -> None:
    for shape in shapes:
        count = len(shape.layers) - 1
        plain = weights_bytes(shape, layout(count))
        kept = weights_bytes(shape, layout(count, expert_layers_in_ram=in_ram))
        moved = sum(layer.expert_bytes for layer in shape.layers[1:][:in_ram])
        assert kept[0] - plain[0] == moved
        assert plain[1] - kept[1] == moved


@given(
    layers=st.integers(0, 200),
    on_devices=st.lists(st.integers(0, 300), max_size=4).map(tuple),
)
def test_each_block_has_one_place_and_they_come_in_order(
    layers: int, on_devices: tuple[int, ...]
) -> None:
    found = place_of_layers(layers, layout(*on_devices))
    assert len(found) == layers
    assert list(found) == sorted(found)
    if sum(on_devices) <= layers:
        assert all(found.count(place) == n for place, n in enumerate(on_devices, start=1))


def test_the_head_goes_to_the_last_device() -> None:
    assert output_place(layout(3, 4, output_on_device=True)) == 2
    assert output_place(layout(3, 4)) == 0
    assert output_place(layout()) == 0


@pytest.mark.model
def test_real_files_are_counted_to_the_byte(starter_model: Path, gemma_model: Path) -> None:
    for path in (starter_model, gemma_model):
        shape = read_shape(path)
        assert 0 < shape.file_bytes - shape.weights_bytes < shape.file_bytes // 10
        assert sum(weights_bytes(shape, layout())) == shape.weights_bytes
