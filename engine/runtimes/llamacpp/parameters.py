"""From a `LoadSpec` to llama.cpp's structs: everything a layout says, nothing left to a default.

Native code reads through pointers in these structs while it loads; what they point to lies in
`Held`, which the caller keeps until the call has returned. Used on the inference thread.
"""

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any

from engine.errors import LoadFailed
from engine.runtimes.llamacpp import devices, native
from engine.runtimes.llamacpp.abort import AbortFlag
from engine.types.models import LoadSpec
from engine.types.plans import FlashAttention, KvType, Layout, LoadMode

CONTEXT_STEP_TOKENS = 256
"""llama.cpp rounds a context up to this (`GGML_PAD(n_ctx, 256)`, llama-context.cpp)."""

_EXPERTS = r"^blk\.{}\.ffn_(up|down|gate|gate_up)_(ch|)exps\."
"""The routed experts of one block; the form of `LLM_FFN_EXPS_REGEX` in common/common.h."""
_OUTPUT = r"^(output|token_embd)\.weight$"
"""The output head; a tied one goes by the name of the token table."""


class _Override(ctypes.Structure):
    """`llama_model_tensor_buft_override` of llama.h; the package does not bind it."""

    _fields_ = (("pattern", ctypes.c_char_p), ("buffer_type", ctypes.c_void_p))


@dataclass(frozen=True, slots=True)
class Held:
    """A struct for native code, and the objects that it points to."""

    struct: Any
    kept: tuple[object, ...]


def context_tokens(layout: Layout) -> int:
    """The context as llama.cpp makes it: at least 256, in steps of 256."""
    steps = -(-max(layout.context_length, 1) // CONTEXT_STEP_TOKENS)
    return steps * CONTEXT_STEP_TOKENS


def ubatch_tokens(layout: Layout) -> int:
    """Tokens evaluated at once: never more than the context, where llama.cpp would abort."""
    return max(1, min(layout.ubatch, context_tokens(layout)))


def context_parameters(api: Any, layout: Layout, abort: AbortFlag) -> Any:
    """The context's struct. `abort` must live as long as the context."""
    parameters = api.llama_context_default_params()
    parameters.n_ctx = context_tokens(layout)
    parameters.n_batch = parameters.n_ubatch = ubatch_tokens(layout)
    parameters.n_seq_max = 1
    parameters.n_outputs_max = 1  # 0 would reserve logits for a whole batch
    parameters.n_threads = parameters.n_threads_batch = layout.threads
    parameters.type_k = parameters.type_v = _cache_type(api, layout.kv_type)
    parameters.flash_attn_type = _flash_attention(api, layout.flash_attention)
    parameters.swa_full = False  # the default keeps the full context for sliding windows too
    parameters.no_perf = True
    parameters.abort_callback = abort.callback
    parameters.abort_callback_data = abort.data
    return parameters


def model_parameters(
    api: Any,
    spec: LoadSpec,
    *,
    layers: int,
    keep_going: object | None = None,
    no_alloc: bool = False,
) -> Held:
    """The model's struct. `layers` is the file's block count, `keep_going` the progress callback.

    With `no_alloc` nothing is read or taken and the load mode is NONE: llama.cpp aborts on any
    mapped one. Raises `LoadFailed` for a device that is not there, `BackendUnusable` for one whose
    backend can not be loaded.
    """
    layout = spec.layout
    pointers = _devices(api, spec)
    overrides = _overrides(api, layout, layers)
    split = _tensor_split(api, layout)
    parameters = api.llama_model_default_params()
    parameters.devices = ctypes.addressof(pointers)
    parameters.n_gpu_layers = gpu_layers(layout)
    parameters.tensor_split = ctypes.cast(split, ctypes.POINTER(ctypes.c_float))
    parameters.tensor_buft_overrides = ctypes.addressof(overrides)
    parameters.split_mode = api.LLAMA_SPLIT_MODE_LAYER
    parameters.load_mode = (
        api.LLAMA_LOAD_MODE_NONE if no_alloc else _load_mode(api, layout.load_mode)
    )
    parameters.use_extra_bufts = layout.repack
    parameters.no_alloc = no_alloc
    if keep_going is not None:
        parameters.progress_callback = keep_going
    return Held(parameters, (pointers, overrides, split, keep_going))


def gpu_layers(layout: Layout) -> int:
    """llama.cpp's `n_gpu_layers`: it counts from the end, and the output head is the very last.

    So a block can be on a device only if the head is counted too (`i_gpu_start` in
    llama-model.cpp); a head that is to stay in main memory is sent back by an override.
    """
    blocks = sum(layout.device_layers)
    return blocks + 1 if blocks or layout.output_on_device else 0


def _devices(api: Any, spec: LoadSpec) -> ctypes.Array[ctypes.c_void_p]:
    """NULL-terminated; an empty list means none, where a missing one would mean all."""
    backends = chain(spec.layout.backends, repeat(""))
    pointers = [_pointer(api, *pair) for pair in zip(spec.devices, backends, strict=False)]
    missing = [name for name, found in zip(spec.devices, pointers, strict=True) if not found]
    if missing:
        raise LoadFailed(spec.path, f"no device {', '.join(missing)}")
    return (ctypes.c_void_p * (len(pointers) + 1))(*pointers, None)


def _pointer(api: Any, name: str, backend: str) -> int | None:
    """A device by its name; its backend may be a file of its own that is not open yet."""
    find = native.ggml(api, "ggml").ggml_backend_dev_by_name
    find.argtypes, find.restype = [ctypes.c_char_p], ctypes.c_void_p
    pointer: int | None = find(name.encode())
    if pointer is None and backend:
        devices.load(backend)
        pointer = find(name.encode())
    return pointer


def _tensor_split(api: Any, layout: Layout) -> ctypes.Array[ctypes.c_float]:
    """Blocks a device, the head counted with the last: then llama.cpp's fractions are exact."""
    counts = [float(count) for count in layout.device_layers]
    if counts:
        counts[-1] += 1
    row = ctypes.c_float * max(int(api.LLAMA_MAX_DEVICES), len(counts))
    return row(*counts)


def _overrides(api: Any, layout: Layout, layers: int) -> ctypes.Array[_Override]:
    """Tensors that stay in main memory though their block is on a device."""
    patterns = _patterns(layout, layers)
    place = native.ggml(api).ggml_backend_cpu_buffer_type
    place.argtypes, place.restype = [], ctypes.c_void_p
    rows = [_Override(pattern.encode(), place()) for pattern in patterns]
    return (_Override * (len(rows) + 1))(*rows)


def _patterns(layout: Layout, layers: int) -> Sequence[str]:
    blocks = sum(layout.device_layers)
    first = max(layers - blocks, 0)
    last = min(first + layout.expert_layers_in_ram, layers)
    patterns = [_EXPERTS.format(block) for block in range(first, last)] if blocks else []
    return patterns if layout.output_on_device or not blocks else [*patterns, _OUTPUT]


def _cache_type(api: Any, kv_type: KvType) -> int:
    types = {KvType.F16: api.GGML_TYPE_F16, KvType.Q8_0: api.GGML_TYPE_Q8_0}
    return int(types[kv_type])


def _flash_attention(api: Any, wanted: FlashAttention) -> int:
    types = {
        FlashAttention.AUTO: api.LLAMA_FLASH_ATTN_TYPE_AUTO,
        FlashAttention.ON: api.LLAMA_FLASH_ATTN_TYPE_ENABLED,
        FlashAttention.OFF: api.LLAMA_FLASH_ATTN_TYPE_DISABLED,
    }
    return int(types[wanted])


def _load_mode(api: Any, wanted: LoadMode) -> int:
    modes = {
        LoadMode.MMAP: api.LLAMA_LOAD_MODE_MMAP,
        LoadMode.NONE: api.LLAMA_LOAD_MODE_NONE,
        LoadMode.DIRECT_IO: api.LLAMA_LOAD_MODE_DIRECT_IO,
    }
    return int(modes[wanted])
