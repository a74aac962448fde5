"""Every field of a layout arrives in llama.cpp's structs, read back from their memory."""

import ctypes
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BackendUnusable, LoadFailed
from engine.runtimes.llamacpp import devices, native
from engine.runtimes.llamacpp.abort import AbortFlag
from engine.runtimes.llamacpp.parameters import (
    Held,
    context_parameters,
    context_tokens,
    gpu_layers,
    model_parameters,
    ubatch_tokens,
)
from engine.types.models import LoadSpec
from engine.types.plans import FlashAttention, KvType, Layout, LoadMode

PLAIN = Layout(context_length=2048)
HEAD = rb"^(output|token_embd)\.weight$"


@pytest.fixture(scope="module")
def api() -> Any:
    return native.api()


def context_of(api: Any, layout: Layout) -> Any:
    return context_parameters(api, layout, AbortFlag(api.ggml_abort_callback))


def model_of(api: Any, layout: Layout, names: tuple[str, ...] = (), **more: Any) -> Held:
    spec = LoadSpec(path=Path("x.gguf"), layout=layout, devices=names)
    return model_parameters(api, spec, layers=30, **more)


def pointers(struct: Any) -> list[int]:
    """The device list, up to its NULL."""
    array = ctypes.cast(struct.devices, ctypes.POINTER(ctypes.c_void_p))
    found: list[int] = []
    while array[len(found)]:
        found.append(array[len(found)] or 0)
    return found


def patterns(struct: Any) -> list[bytes]:
    """The overrides' patterns, up to the terminator; all send to the processor's own buffers."""
    rows = ctypes.cast(struct.tensor_buft_overrides, ctypes.POINTER(ctypes.c_void_p))
    place = native.ggml(native.api()).ggml_backend_cpu_buffer_type
    place.restype = ctypes.c_void_p
    found: list[bytes] = []
    while rows[2 * len(found)]:
        assert rows[2 * len(found) + 1] == place()
        found.append(ctypes.string_at(rows[2 * len(found)] or 0))
    return found


def test_a_context_obeys_its_layout(api: Any) -> None:
    layout = Layout(context_length=4096, kv_type=KvType.Q8_0, ubatch=128, threads=3)
    struct = context_of(api, layout)
    assert (struct.n_ctx, struct.n_batch, struct.n_ubatch) == (4096, 128, 128)
    assert (struct.n_threads, struct.n_threads_batch) == (3, 3)
    assert struct.type_k == struct.type_v == api.GGML_TYPE_Q8_0
    assert (struct.n_outputs_max, struct.n_seq_max) == (1, 1)
    assert not struct.swa_full
    assert struct.abort_callback_data
    assert context_of(api, PLAIN).type_k == api.GGML_TYPE_F16


@pytest.mark.parametrize(
    ("wanted", "value"),
    [(FlashAttention.AUTO, -1), (FlashAttention.OFF, 0), (FlashAttention.ON, 1)],
)
def test_flash_attention(api: Any, wanted: FlashAttention, value: int) -> None:
    assert context_of(api, replace(PLAIN, flash_attention=wanted)).flash_attn_type == value


@given(context=st.integers(1, 200_000), ubatch=st.integers(1, 4096))
def test_a_batch_is_never_longer_than_its_context(context: int, ubatch: int) -> None:
    layout = Layout(context_length=context, ubatch=ubatch)
    tokens = context_tokens(layout)
    assert tokens % 256 == 0
    assert context <= tokens < context + 256
    assert ubatch_tokens(layout) == min(ubatch, tokens)


def test_without_devices_the_list_is_empty_but_there(api: Any) -> None:
    held = model_of(api, PLAIN)
    assert held.struct.devices
    assert pointers(held.struct) == []
    assert held.struct.n_gpu_layers == 0
    assert patterns(held.struct) == []


def test_devices_are_found_by_name(api: Any) -> None:
    held = model_of(api, replace(PLAIN, backends=("cpu",), device_layers=(4,)), ("CPU",))
    assert len(pointers(held.struct)) == 1


def test_a_device_that_is_not_there_is_named(api: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "load", lambda _backend: None)
    with pytest.raises(LoadFailed, match="CUDA7"):
        model_of(api, replace(PLAIN, backends=("cuda",), device_layers=(4,)), ("CUDA7",))


def test_a_backend_that_is_not_approved_is_named(api: Any) -> None:
    with pytest.raises(BackendUnusable, match="cuda"):
        model_of(api, replace(PLAIN, backends=("cuda",), device_layers=(4,)), ("CUDA7",))


def test_the_backend_of_an_unknown_device_is_opened_first(
    api: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(devices, "load", asked.append)
    layout = replace(PLAIN, backends=("cpu", "vulkan"), device_layers=(1, 1))
    with pytest.raises(LoadFailed, match="Vulkan0"):
        model_of(api, layout, ("CPU", "Vulkan0"))
    assert asked == ["vulkan"]


@pytest.mark.parametrize(
    ("layers", "head", "expected"),
    [((), False, 0), ((0,), True, 1), ((30,), True, 31), ((5, 7), True, 13), ((5, 7), False, 13)],
)
def test_layers_on_devices(api: Any, layers: tuple[int, ...], head: bool, expected: int) -> None:
    layout = replace(PLAIN, device_layers=layers, output_on_device=head)
    assert gpu_layers(layout) == expected
    assert model_of(api, layout).struct.n_gpu_layers == expected


@given(counts=st.lists(st.integers(0, 60), min_size=1, max_size=6).filter(any))
def test_the_split_gives_each_device_its_blocks(counts: list[int]) -> None:
    """As `get_layer_buft_list` in llama-model.cpp: the first device whose sum is greater."""
    layout = replace(PLAIN, device_layers=tuple(counts), output_on_device=True)
    held = model_of(native.api(), layout)
    total = held.struct.n_gpu_layers
    sums = [0.0]
    for device in range(len(counts)):
        sums.append(sums[-1] + held.struct.tensor_split[device])
    ends = [ctypes.c_float(value / sums[-1]).value for value in sums]
    given_blocks = [0] * len(counts)
    for block in range(total - 1):
        at = ctypes.c_float(block / total).value
        given_blocks[sum(end <= at for end in ends) - 1] += 1
    assert given_blocks == counts
    assert all(before <= after for before, after in pairwise(ends))


def test_experts_of_the_first_offloaded_blocks_stay_in_main_memory(api: Any) -> None:
    layout = replace(PLAIN, device_layers=(4, 6), output_on_device=True, expert_layers_in_ram=2)
    assert patterns(model_of(api, layout).struct) == [
        rb"^blk\.20\.ffn_(up|down|gate|gate_up)_(ch|)exps\.",
        rb"^blk\.21\.ffn_(up|down|gate|gate_up)_(ch|)exps\.",
    ]


def test_no_more_blocks_than_there_are_are_named(api: Any) -> None:
    layout = replace(PLAIN, device_layers=(2,), output_on_device=True, expert_layers_in_ram=99)
    assert len(patterns(model_of(api, layout).struct)) == 2
    assert patterns(model_of(api, replace(PLAIN, expert_layers_in_ram=99)).struct) == []


def test_a_head_in_main_memory_is_sent_there(api: Any) -> None:
    assert patterns(model_of(api, replace(PLAIN, device_layers=(3,))).struct) == [HEAD]


@pytest.mark.parametrize(
    ("mode", "value"), [(LoadMode.NONE, 0), (LoadMode.MMAP, 1), (LoadMode.DIRECT_IO, 4)]
)
def test_load_mode_and_repacking(api: Any, mode: LoadMode, value: int) -> None:
    struct = model_of(api, replace(PLAIN, load_mode=mode, repack=False)).struct
    assert struct.load_mode == value
    assert not struct.use_extra_bufts
    assert not struct.no_alloc
    assert model_of(api, PLAIN).struct.use_extra_bufts


def test_nothing_is_mapped_where_nothing_is_taken(api: Any) -> None:
    struct = model_of(api, replace(PLAIN, load_mode=LoadMode.MMAP), no_alloc=True).struct
    assert struct.no_alloc
    assert struct.load_mode == api.LLAMA_LOAD_MODE_NONE
