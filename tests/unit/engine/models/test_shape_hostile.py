"""Any values in a header: a shape is sound or unsure, never an exception or a senseless number."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.models.families import COUNTS_DEEPSTACK, MAPS_DEEPSTACK, RECURRENCES, WINDOWS
from engine.models.gguf import GgufHeader, Skipped, Value, read_header
from engine.models.shape import shape_of
from engine.planner.estimate.cache import cache_bytes
from engine.planner.estimate.weights import weights_bytes
from engine.types.plans import FlashAttention, KvType, Layout
from engine.types.shapes import ModelShape, Unsure
from tests.rare import RARE

SCALARS = st.one_of(
    st.integers(-(2**63), 2**64 - 1),
    st.integers(0, 600),
    st.floats(),
    st.booleans(),
    st.text(max_size=8),
)
VALUES = st.one_of(
    SCALARS, st.lists(st.integers(-3, 2**32), max_size=32).map(tuple), st.lists(st.booleans())
)
NUMBERS = (
    *("block_count", "embedding_length", "nextn_predict_layers", "feed_forward_length"),
    *("attention.head_count", "attention.head_count_kv", "attention.key_length"),
    *("attention.value_length", "attention.key_length_swa", "attention.value_length_swa"),
    *("attention.key_length_mla", "attention.value_length_mla", "attention.kv_lora_rank"),
    *("attention.sliding_window", "attention.sliding_window_pattern"),
    *("attention.shared_kv_layers", "attention.recurrent_layers", "full_attention_interval"),
    *("ssm.conv_kernel", "ssm.inner_size", "ssm.state_size", "ssm.group_count"),
    *("ssm.time_step_rank", "wkv.head_size", "token_shift_count", "shortconv.l_cache"),
    *("n_deepstack_layers", "deepstack_mapping"),
    *("kda.head_dim", "num_loops", "expert_count", "expert_used_count", "context_length"),
)
SEEING = COUNTS_DEEPSTACK | MAPS_DEEPSTACK
OTHERS = {"llama", "deepseek2", "bert", "?"}
ARCHITECTURES = sorted({*RARE, *WINDOWS, *RECURRENCES, *SEEING, *OTHERS})
LAYOUTS = [
    Layout(context_length=131072, kv_type=KvType.Q8_0, ubatch=512),
    Layout(context_length=1, ubatch=1, flash_attention=FlashAttention.OFF),
    Layout(
        context_length=4096,
        backends=("cuda", "vulkan"),
        device_layers=(2, 3),
        output_on_device=True,
        expert_layers_in_ram=1,
    ),
]


@cache
def sound(name: str) -> GgufHeader:
    with TemporaryDirectory() as folder:
        return read_header(RARE[name](Path(folder) / "model.gguf"))


def changed(name: str, architecture: str | None, values: dict[str, Value]) -> GgufHeader:
    """A sound header under another architecture's name, with other values."""
    header = sound(name)
    old = str(header.metadata["general.architecture"])
    new = old if architecture is None else architecture
    renamed = {
        new + key[len(old) :] if key.startswith(f"{old}.") else key: value
        for key, value in header.metadata.items()
    }
    own = {f"{new}.{key}": value for key, value in values.items()}
    metadata = {**renamed, "general.architecture": new, **own}
    return replace(header, metadata=MappingProxyType(metadata))


def check(shape: ModelShape) -> None:
    assert shape.weights_bytes >= 0
    if Unsure.SIZES_MISSING in shape.unsure:
        assert shape.layers == ()
        return
    assert shape.weights_bytes > 0
    assert min(shape.width, shape.vocabulary, shape.embedding_bytes, shape.output_bytes) > 0
    for layer in shape.layers:
        counts = (layer.key_width, layer.value_width, layer.state_elements, layer.weights_bytes)
        assert all(isinstance(count, int) and count >= 0 for count in counts)
        assert 0 <= layer.expert_bytes <= layer.weights_bytes
        assert 0 <= layer.experts_used <= layer.experts
        assert all(size > 0 for _, size in (*layer.type_bytes, *layer.repack_bytes))
    for layout in LAYOUTS:
        estimate(shape, layout)


def estimate(shape: ModelShape, layout: Layout) -> None:
    weights, cached = weights_bytes(shape, layout), cache_bytes(shape, layout)
    assert len(weights) == len(cached) == 1 + len(layout.backends)
    for size in (*weights, *cached):
        assert isinstance(size, int)
        assert size >= 0
    assert sum(weights) >= shape.weights_bytes
    assert sum(cached) > 0 or shape.architecture == "bert"


@given(
    name=st.sampled_from(sorted(RARE)),
    architecture=st.none() | st.sampled_from(ARCHITECTURES),
    values=st.dictionaries(st.sampled_from(NUMBERS), VALUES, max_size=5),
)
def test_any_values(name: str, architecture: str | None, values: dict[str, Value]) -> None:
    check(shape_of(changed(name, architecture, values)))


@given(
    name=st.sampled_from(sorted(RARE)),
    key=st.sampled_from(NUMBERS),
    value=st.one_of(st.integers(0, 70), st.lists(st.integers(0, 9), min_size=4, max_size=9)),
)
def test_one_likely_value(name: str, key: str, value: int | list[int]) -> None:
    likely = tuple(value) if isinstance(value, list) else value
    check(shape_of(changed(name, None, {key: likely})))


@given(name=st.sampled_from(sorted(RARE)), key=st.sampled_from(NUMBERS))
def test_a_list_too_long_to_be_kept_is_not_read_as_absent(name: str, key: str) -> None:
    header = sound(name)
    full = f"{header.metadata['general.architecture']}.{key}"
    rest = {known: value for known, value in header.metadata.items() if known != full}
    skipped = {**header.skipped, full: Skipped(type_id=4, count=5000)}
    shape = shape_of(
        replace(header, metadata=MappingProxyType(rest), skipped=MappingProxyType(skipped))
    )
    check(shape)
    if full in header.metadata and key in ("block_count", "attention.head_count"):
        assert Unsure.SIZES_MISSING in shape.unsure


@given(name=st.sampled_from(sorted(RARE)), data=st.data())
def test_any_tensors_missing_or_renamed(name: str, data: st.DataObject) -> None:
    header = sound(name)
    kept = data.draw(st.sets(st.integers(0, len(header.tensors) - 1), max_size=12))
    renamed = data.draw(st.text("blk.0123456789weight_exps", max_size=24))
    tensors = [header.tensors[number] for number in sorted(kept)]
    if tensors:
        tensors[0] = replace(tensors[0], name=renamed)
    check(shape_of(replace(header, tensors=tuple(tensors))))


@pytest.mark.parametrize("name", sorted(RARE))
def test_the_headers_they_start_from_are_sound(name: str) -> None:
    shape = shape_of(sound(name))
    assert not shape.unsure
    check(shape)


def test_an_interval_of_nothing_divides_nothing() -> None:
    shape = shape_of(changed("qwen35", None, {"full_attention_interval": 0}))
    assert shape.unsure == {Unsure.SIZES_MISSING}


def test_a_window_that_no_layer_has_would_abort_llama() -> None:
    shape = shape_of(changed("cohere2", None, {"attention.sliding_window_pattern": 1}))
    assert shape.unsure == {Unsure.SIZES_MISSING}


@pytest.mark.parametrize("mapping", [(-1, 2), 3, (True,)])
def test_a_mapping_of_inputs_that_llama_refuses(mapping: Value) -> None:
    """An index beyond the inputs there are, and no list of numbers at all."""
    shape = shape_of(changed("exaone4", "granite", {"deepstack_mapping": mapping}))
    assert shape.unsure == {Unsure.SIZES_MISSING}
