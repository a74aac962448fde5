"""The compute buffer: what must hold for any layout. Real figures: system/test_estimate_zoo.py."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.models.shape import read_shape
from engine.planner.estimate.compute import compute_bytes
from engine.types.plans import FlashAttention, KvType, Layout
from engine.types.shapes import ModelShape, Unsure
from tests.zoo import ZOO, write

Shapes = Callable[[str], ModelShape]
MIB = 1 << 20
DEVICE = Layout(
    context_length=8192, ubatch=512, backends=("cuda",), device_layers=(32,), output_on_device=True
)


@pytest.fixture(scope="module")
def shapes(tmp_path_factory: pytest.TempPathFactory) -> Shapes:
    folder = tmp_path_factory.mktemp("zoo")
    known: dict[str, ModelShape] = {}

    def shape(name: str) -> ModelShape:
        if name not in known:
            known[name] = read_shape(write(name, folder))
        return known[name]

    return shape


@settings(deadline=None)  # the first of each model writes its file
@given(
    name=st.sampled_from(tuple(ZOO)),
    context=st.integers(1, 1 << 17),
    more=st.integers(0, 1 << 15),
    ubatch=st.integers(1, 512),
    kv_type=st.sampled_from(KvType),
)
def test_more_context_never_takes_less(
    shapes: Shapes, name: str, context: int, more: int, ubatch: int, kv_type: KvType
) -> None:
    layout = Layout(context_length=context, ubatch=ubatch, kv_type=kv_type)
    (small,) = compute_bytes(shapes(name), layout)
    (large,) = compute_bytes(shapes(name), replace(layout, context_length=context + more))
    assert 0 < small <= large < 1 << 50


@pytest.mark.parametrize("name", ZOO)
@pytest.mark.parametrize("kv_type", KvType)
def test_a_larger_ubatch_never_takes_less(shapes: Shapes, name: str, kv_type: KvType) -> None:
    """In the steps that plans take: between them holes of an odd size may cost a little more."""
    layouts = [
        Layout(context_length=32768, ubatch=ubatch, kv_type=kv_type)
        for ubatch in (1, 16, 32, 64, 128, 256, 512, 1024, 2048)
    ]
    sizes = [compute_bytes(shapes(name), layout)[0] for layout in layouts]
    assert sizes == sorted(sizes)


@pytest.mark.parametrize("name", ZOO)
def test_flash_attention_saves_the_scores_of_all_heads(shapes: Shapes, name: str) -> None:
    layout = Layout(context_length=32768, ubatch=512)
    shape = shapes(name)
    (on,) = compute_bytes(shape, layout)
    (off,) = compute_bytes(shape, replace(layout, flash_attention=FlashAttention.OFF))
    scores = max(layer.heads for layer in shape.layers if layer.key_width or not layer.heads)
    assert off >= max(on, scores * 32768 * 512 * 4)


def test_a_device_that_holds_all_layers_needs_nearly_the_whole_graph(shapes: Shapes) -> None:
    """Main memory looks the tokens up; what nothing reads is no device's matter."""
    shape = shapes("llama-3-8b")
    (alone,) = compute_bytes(shape, Layout(context_length=8192, ubatch=512))
    ram, device = compute_bytes(shape, DEVICE)
    tokens = shape.width * 512 * 4
    assert alone - 1.1 * tokens < device < alone
    assert 2 * tokens < ram < 4 * tokens


def test_vulkan_gets_more_for_the_order_it_changes(shapes: Shapes) -> None:
    shape = shapes("llama-3-8b")
    _, plain = compute_bytes(shape, DEVICE)
    _, changed = compute_bytes(shape, replace(DEVICE, backends=("vulkan",)))
    assert 1.06 < changed / plain < 1.08


def test_a_device_without_layers_needs_nothing_for_small_batches(shapes: Shapes) -> None:
    """Larger ones it computes all the same."""
    idle = replace(DEVICE, device_layers=(0,), output_on_device=False)
    shape = shapes("llama-3-8b")
    assert compute_bytes(shape, replace(idle, ubatch=16))[1] == 0
    assert compute_bytes(shape, idle)[1] > compute_bytes(shape, DEVICE)[1]


def test_a_device_fetches_the_cache_of_blocks_in_main_memory(shapes: Shapes) -> None:
    shape = shapes("llama-3-8b")
    part = replace(DEVICE, device_layers=(16,))
    short, long = (
        compute_bytes(shape, replace(part, context_length=length))[1] for length in (8192, 32768)
    )
    row = 2 * shape.layers[0].key_width * 2
    mask = 512 * 2
    assert long > max(short, 32768 * (row + mask))


def test_weights_left_in_main_memory_are_fetched_one_by_one(shapes: Shapes) -> None:
    shape = shapes("qwen3-30b-a3b")
    all_there = replace(DEVICE, device_layers=(48,))
    away = replace(all_there, expert_layers_in_ram=12)
    fetched = compute_bytes(shape, away)[1] - compute_bytes(shape, all_there)[1]
    largest = max(size for layer in shape.layers for _, _, size in layer.matrices)
    assert largest / 2 < fetched < largest * 1.01


def test_small_batches_fetch_no_weights(shapes: Shapes) -> None:
    shape = shapes("qwen3-30b-a3b")
    away = replace(DEVICE, device_layers=(48,), expert_layers_in_ram=12, ubatch=16)
    all_there = replace(away, expert_layers_in_ram=0)
    assert compute_bytes(shape, away)[1] == compute_bytes(shape, all_there)[1]


def test_pipelined_devices_keep_the_inputs_of_four_batches(shapes: Shapes) -> None:
    shape = shapes("llama-3-8b")
    two = replace(DEVICE, backends=("cuda", "cuda"), device_layers=(16, 16))
    _, first, second = compute_bytes(shape, two)
    mask = 8192 * 512 * 2
    assert first == pytest.approx(second, rel=0.01)
    assert first - compute_bytes(shape, DEVICE)[1] >= 3 * mask


def test_an_equal_question_gets_the_same_answer(shapes: Shapes) -> None:
    shape = shapes("gemma3-4b")
    layout = Layout(context_length=4096)
    assert compute_bytes(shape, layout) == compute_bytes(replace(shape), layout)


def test_a_recurrent_layer_without_known_sizes_still_gets_a_number(shapes: Shapes) -> None:
    shape = replace(shapes("mamba2-2.7b"), state_space=None)
    (unknown,) = compute_bytes(shape, Layout(context_length=4096, ubatch=512))
    assert MIB < unknown < 1024 * MIB


def test_an_architecture_that_was_never_compared_gets_twice_as_much(shapes: Shapes) -> None:
    shape, layout = shapes("llama-3-8b"), Layout(context_length=4096, ubatch=512)
    (known,) = compute_bytes(shape, layout)
    for architecture in ("plm", "never-heard-of"):
        (unknown,) = compute_bytes(replace(shape, architecture=architecture), layout)
        assert known * 1.9 < unknown < known * 2.1


def test_embeddings_for_the_first_layers_come_padded_and_as_an_input(shapes: Shapes) -> None:
    """On a device main memory still looks the tokens up and pads them."""
    shape = shapes("qwen3-vl-8b")
    plain = replace(shape, deepstack=0)
    more = shape.deepstack * shape.width * 512 * 4
    alone = Layout(context_length=8192, ubatch=512)
    for layout in (alone, replace(DEVICE, device_layers=(36,))):
        wide, narrow = compute_bytes(shape, layout)[0], compute_bytes(plain, layout)[0]
        assert 2 * more <= wide - narrow <= 2.2 * more + shape.width * 512 * 4 * 1.01


def test_every_token_through_the_output_head_takes_a_row_each(shapes: Shapes) -> None:
    shape, layout = shapes("llama-3-8b"), Layout(context_length=4096, ubatch=512)
    (one,) = compute_bytes(shape, layout)
    (every,) = compute_bytes(replace(shape, architecture="cogvlm"), layout)
    assert every > shape.vocabulary * 512 * 4 > one / 2


def test_a_shape_without_sizes_takes_something(shapes: Shapes) -> None:
    shape = replace(
        shapes("llama-3-8b"), layers=(), width=0, vocabulary=0, unsure=frozenset(Unsure)
    )
    assert compute_bytes(shape, Layout(context_length=4096))[0] > 0
