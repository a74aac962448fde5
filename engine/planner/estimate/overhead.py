"""Bytes that appear with a model but in no buffer of llama.cpp's log. Pure.

Constants tagged [M] were measured as growth of resident memory on Linux: SmolLM2 (49k merged
tokens), gemma-3-270m (262k sentence pieces), and written models of 50k and 152k entries of both
kinds. Repacked copies count as the shape names them; see `repacking` for this processor's own.
"""

from collections.abc import Iterator
from dataclasses import replace

from engine.planner.estimate.places import output_place, place_of_layers, places
from engine.types.plans import Layout, LoadMode, Use
from engine.types.shapes import Layer, ModelShape

MIB = 1 << 20

_FIXED_BYTES = 5 * MIB
"""Touched code, the heap's slack, the session's template and parser [M]."""
_LAYER_BYTES = 48 << 10
"""Descriptions of tensors and graph nodes: `graph_max_nodes` in src/llama-context.cpp [M]."""
_VOCABULARY_ENTRY_BYTES = 164
"""Text, score and two indices of it [M]."""
_MERGE_BYTES = 140
"""A pair of texts and its rank, of byte-pair vocabularies [M]."""
_LOGIT_BYTES = 4
"""One output row (`n_outputs_max` is 1), a host buffer whatever place computes it."""
_CANDIDATE_BYTES = 12
"""`llama_token_data` of the sampler, an entry of the vocabulary."""
_CONTEXT_TOKEN_BYTES = 320
"""A cell's position and sequences (src/llama-kv-cells.h), and a token in our own lists: what the
context holds, and up to four times as much of earlier replies, 36 bytes each."""

_BACKEND_BYTES = {
    **dict.fromkeys(("cuda", "rocm", "hip", "musa"), 400 * MIB),
    **dict.fromkeys(("vulkan", "opencl"), 200 * MIB),
    "metal": 150 * MIB,
}
"""Vulkan's on Mesa's software device [M]: 62 MiB of resident memory with the plug-in and its
libraries, 32 with the device, 43 with the first batch, 137 in all. Of a card only a part of that
is its own memory; how much a driver takes of it beside that was not measured."""
_OTHER_BACKEND_BYTES = 300 * MIB
_WITHOUT_PINNED_MEMORY = frozenset(("metal", "opencl"))
"""No `get_host_buffer_type` in their device interface."""
_STAGING_BYTES = {LoadMode.NONE: 32 * MIB, LoadMode.DIRECT_IO: 128 * MIB}
"""On the way to a device that can not map the file: four pinned buffers of 1, or 64, MiB and
what the reader holds beside them."""

_PROJECTOR_GRAPH_BYTES = 1024 * MIB

_TILE = 64
"""`GGML_FA_TILE_Q` and `GGML_FA_TILE_KV` of ggml/src/ggml-cpu/common.h."""
_TILED_SLOT_BYTES = 512 << 10
"""A thread's workspace of the tiled kernels (ggml/src/ggml-cpu/tiled)."""
_INPUT_BYTES = 2
"""An element of a multiplication's input, turned into what its weights want: F16, or about 1.1
bytes for quantised ones."""


def overhead_bytes(shape: ModelShape, layout: Layout) -> tuple[int, ...]:
    """Main memory first, then one number for each device."""
    sizes = [0] * places(layout)
    sizes[0] = (
        _FIXED_BYTES
        + len(shape.layers) * _LAYER_BYTES
        + vocabulary_bytes(shape)
        + layout.context_length * _CONTEXT_TOKEN_BYTES
        + work_bytes(shape, layout)
        + repacked_bytes(shape, layout)
        + _staging_bytes(layout)
    )
    for place, backend in enumerate(layout.backends, start=1):
        sizes[place] = _BACKEND_BYTES.get(backend, _OTHER_BACKEND_BYTES)
    return tuple(sizes)


def with_projector(uses: tuple[Use, ...], file_bytes: int) -> tuple[Use, ...]:
    """Adds what a projector of `file_bytes` takes in main memory: its weights with their slack, and
    a GiB for its graph, as Ollama allows for it (an upper bound; pictures differ in size)."""
    if file_bytes <= 0:
        return uses
    extra = file_bytes + file_bytes // 10 + _PROJECTOR_GRAPH_BYTES
    first = replace(uses[0], overhead_bytes=uses[0].overhead_bytes + extra)
    return (first, *uses[1:])


def vocabulary_bytes(shape: ModelShape) -> int:
    """Objects of the vocabulary, one row of logits, and the sampler's candidates."""
    entry = _VOCABULARY_ENTRY_BYTES + _LOGIT_BYTES + _CANDIDATE_BYTES
    return shape.vocabulary * entry + shape.merges * _MERGE_BYTES


def repacked_bytes(shape: ModelShape, layout: Layout) -> int:
    """Copies of mapped weights in main memory; what is read into memory is repacked in place."""
    if not repacks(layout) or layout.load_mode is not LoadMode.MMAP:
        return 0
    copied = sum(_sum(sizes) for sizes in _repacked_in_ram(shape, layout))
    return copied + (0 if output_place(layout) else _sum(shape.output_repack_bytes))


def repacks(layout: Layout) -> bool:
    """Whether the processor's weights are in the order it likes. Beside a device llama.cpp would
    rather have them pinned for it, and of a mapped file then leaves them as they are
    (`make_cpu_buft_list`, `create_tensor` in src/llama-model-loader.cpp)."""
    return layout.repack and _WITHOUT_PINNED_MEMORY.issuperset(layout.backends)


def _repacked_in_ram(shape: ModelShape, layout: Layout) -> Iterator[tuple[tuple[str, int], ...]]:
    kept = layout.expert_layers_in_ram
    for layer, place in zip(shape.layers, place_of_layers(len(shape.layers), layout), strict=True):
        if place == 0:
            yield layer.repack_bytes
        elif kept > 0:
            yield layer.expert_repack_bytes
        kept -= 1 if place else 0


def _sum(sizes: tuple[tuple[str, int], ...]) -> int:
    return sum(size for _, size in sizes)


def work_bytes(shape: ModelShape, layout: Layout) -> int:
    """The processor's work buffer: as large as its hungriest node (`ggml_graph_plan`)."""
    blocks = zip(shape.layers, place_of_layers(len(shape.layers), layout), strict=True)
    kept = layout.expert_layers_in_ram
    in_ram = [layer for layer, place in blocks if place == 0 or (kept > 0 and layer.experts)]
    return max((_block_work_bytes(layer, layout) for layer in in_ram), default=0)


def _block_work_bytes(layer: Layer, layout: Layout) -> int:
    threads = max(layout.threads, 1)
    tokens = max(1, min(layout.ubatch, layout.context_length))
    widest = max(layer.feed_forward, layer.expert_feed_forward * layer.experts_used)
    multiply = tokens * widest * _INPUT_BYTES + threads * _TILED_SLOT_BYTES
    return max(multiply, threads * _attention_work_bytes(layer))


def _attention_work_bytes(layer: Layer) -> int:
    """A thread's scratch of `GGML_OP_FLASH_ATTN_EXT` in float32: Q, scores, mask, V and K."""
    key = layer.key_width // max(layer.kv_heads, 1)
    value = layer.value_width // max(layer.kv_heads, 1) or key
    return 4 * (2 * _TILE * key + 2 * _TILE * _TILE + 2 * _TILE * value)


def _staging_bytes(layout: Layout) -> int:
    return _STAGING_BYTES.get(layout.load_mode, 0) if layout.backends else 0
