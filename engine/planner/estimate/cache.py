"""Bytes of KV cache and recurrent state in each place of a layout. Pure.

The formulas are those of src/llama-kv-cache.cpp, llama-kv-cache-iswa.cpp and
llama-memory-recurrent.cpp, for one sequence, `swa_full` off and everything offloaded that can
be; contexts are padded as src/llama-context.cpp does.
"""

from engine.models.families import WITHOUT_FLASH_ATTENTION
from engine.planner.estimate.places import place_of_layers, places
from engine.types.plans import FlashAttention, KvType, Layout
from engine.types.shapes import Layer, LayerKind, ModelShape

CELLS_ALIGNMENT = 256
_BLOCK = {KvType.F16: (1, 2), KvType.Q8_0: (32, 34)}
"""Values stored together, and their bytes."""
_STATE_BYTES = 4
"""F32, whatever type K and V have."""


def cache_bytes(shape: ModelShape, layout: Layout) -> tuple[int, ...]:
    """Main memory first, then one number for each device."""
    sizes = [0] * places(layout)
    transposed = transposed_value_width(shape, layout)
    for layer, place in zip(shape.layers, place_of_layers(len(shape.layers), layout), strict=True):
        sizes[place] += _layer_bytes(layer, shape, layout, transposed)
    return tuple(sizes)


def context_cells(layout: Layout) -> int:
    return _padded(max(layout.context_length, 1))


def window_cells(shape: ModelShape, layout: Layout) -> int:
    """What a layer with a sliding window keeps: it, and one batch on top."""
    cells = context_cells(layout)
    return _padded(min(cells, shape.window + min(layout.ubatch, cells)))


def transposed_value_width(shape: ModelShape, layout: Layout) -> int | None:
    """Without flash attention V lies transposed, and all layers as wide as the widest."""
    off = layout.flash_attention is FlashAttention.OFF
    if not off and shape.architecture not in WITHOUT_FLASH_ATTENTION:
        return None
    return max((layer.value_width for layer in shape.layers), default=0)


def _layer_bytes(layer: Layer, shape: ModelShape, layout: Layout, transposed: int | None) -> int:
    windowed = layer.kind is LayerKind.WINDOW
    cells = window_cells(shape, layout) if windowed else context_cells(layout)
    value = _value_width(layer, shape, transposed)
    row = _row(layer.key_width, layout) + _row(value, layout)
    return layer.state_elements * _STATE_BYTES + cells * row


def _value_width(layer: Layer, shape: ModelShape, transposed: int | None) -> int:
    """A layer without heads of its own is widened too, unless it is another's kind of layer."""
    if transposed is None or shape.mla:
        return layer.value_width
    empty = not layer.kv_heads and not any(other.state_elements for other in shape.layers)
    return transposed if layer.value_width or empty else 0


def _row(width: int, layout: Layout) -> int:
    values, size = _BLOCK[layout.kv_type]
    return -(-width // values) * size


def _padded(cells: int) -> int:
    return -(-cells // CELLS_ALIGNMENT) * CELLS_ALIGNMENT
