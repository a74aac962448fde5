"""Bytes of the compute buffer in each place of a layout: what one ubatch needs while it is
evaluated. Pure.

llama.cpp lays the graph out before it allocates anything (`graph_reserve`), so its size is fully
determined by sizes we know: `graph` builds the same graph without data and replays the allocator.
Holds for one sequence, one output row, no LoRA, op_offload on.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

from engine.models.architectures import GENERATORS
from engine.models.families import EXTRA_CACHES, WITHOUT_FLASH_ATTENTION
from engine.planner.estimate.cache import context_cells, window_cells
from engine.planner.estimate.graph.allocator import peak_bytes
from engine.planner.estimate.graph.model import ANSWERS_FOR_ALL, graph_of
from engine.planner.estimate.graph.setting import MASK_BYTES, Size
from engine.planner.estimate.places import place_of_layers, places
from engine.types.plans import FlashAttention, KvType, Layout
from engine.types.shapes import Layer, LayerKind, ModelShape

MARGIN = 0.01
"""What is added to the exact size: alignment on devices, small inputs that come and go."""
MARGIN_BYTES = 8 << 10
SIDE_BY_SIDE_MARGIN = 0.04
"""Where a state-space part follows attention in one layer, the last one moves into the mask's
place and leaves worse holes. At most 3.6 % over all contexts of falcon-h1."""
ANSWERS_MARGIN = 0.12
"""Where every token goes through the output head, the largest results come after the last mask was
freed and may move into its place. At most 4.5 % over contexts from 1024 to 131072 of CogVLM."""
UNVERIFIED = EXTRA_CACHES | {"hrm_text", "plm"}
"""Their graphs differ from what is built here, or could not be compared with llama.cpp's; what they
do beside a plain transformer is covered by `UNVERIFIED_FACTOR`. All others that generate text were
compared: those of the tests' zoo are within 1.00 to 1.06 of the real buffer, the rest, on small
made-up files, within 1.00 to 1.2.

Wider inputs (`n_embd_inp`) have only those that see, by `ModelShape.deepstack`; drafting models
(gemma4-assistant, dflash), which take another model's layers as input, generate nothing alone."""
UNVERIFIED_FACTOR = 2
_REPEATS = 5
"""So often a step from one kind of layer to another is built: holes settle after four."""
_FEW, _FEWER = 512, 256
"""Cells of the full and the window's cache in the graph that serves all contexts."""
_PIPELINE_COPIES = 4
"""GGML_SCHED_MAX_COPIES: with several devices the inputs of as many ubatches are kept."""
_OFFLOAD_TOKENS = 32
"""From so many tokens on a device computes with weights that lie in main memory, too: it takes a
copy of one tensor while it still has the one before (op_offload; 32 in every backend)."""
_LARGEST_TENSOR = 0.43
"""The share of a layer's weights that its largest tensor may have: a third of three equal ones,
more where the down projection is stored with more bits."""


def compute_bytes(shape: ModelShape, layout: Layout) -> tuple[int, ...]:
    """Main memory first, then one number for each device.

    Measured without a device only. A device that holds layers is taken to need the whole graph.
    """
    need = _needs(shape, _size(shape, layout))
    held = place_of_layers(len(shape.layers), layout)
    copies = _input_copies(shape, layout) * need.inputs
    whole = _secured(shape, need.whole)
    in_ram = whole if 0 in held or layout.expert_layers_in_ram or not held else need.ends
    sizes = [_with_margin(in_ram + copies)]
    weights = _borrowed(shape, layout, held)
    for place in range(1, places(layout)):
        used = place in held or (layout.output_on_device and place == places(layout) - 1)
        sizes.append(_with_margin(whole + copies + weights) if used else 0)
    return tuple(sizes)


def _with_margin(size: int) -> int:
    return size + int(size * MARGIN) + MARGIN_BYTES


# --- the graph --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Need:
    """`ends`: inputs and the token table's rows, where a device does everything between."""

    whole: int
    inputs: int
    ends: int
    masks: int
    window_masks: int


class _Same:
    """A key that is equal for the same object only: comparing whole shapes costs too much."""

    __slots__ = ("shape",)

    def __init__(self, shape: ModelShape) -> None:
        self.shape = shape

    def __hash__(self) -> int:
        return id(self.shape)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.shape is self.shape


def _needs(shape: ModelShape, size: Size) -> _Need:
    """With flash attention only the masks grow with the context, and they lie before all else: the
    graph for a few cells serves every context."""
    if not size.flash:
        return _built(_Same(shape), size)
    built = _built(_Same(shape), replace(size, cells=_FEW, window_cells=_FEWER))
    more = built.masks * (size.cells - _FEW) + built.window_masks * (size.window_cells - _FEWER)
    more *= size.tokens * MASK_BYTES
    return replace(
        built,
        whole=built.whole + more,
        inputs=built.inputs + more,
        ends=built.ends + more,
    )


@lru_cache(maxsize=256)
def _built(key: _Same, size: Size) -> _Need:
    shape = key.shape
    graph = graph_of(shape, _sample(shape.layers), size)
    inputs = sum(tensor.size for tensor in graph.inputs)
    ends = inputs + (2 + shape.deepstack) * shape.width * size.tokens * 4
    lengths = [tensor.shape[0] for tensor in graph.inputs if tensor.kept]
    return _Need(
        whole=peak_bytes(graph),
        inputs=inputs,
        ends=ends,
        masks=lengths.count(_FEW),
        window_masks=lengths.count(_FEWER),
    )


def _secured(shape: ModelShape, size: int) -> int:
    """What the graph of this architecture may take beyond what was built."""
    if shape.architecture in UNVERIFIED or shape.architecture not in GENERATORS:
        size *= UNVERIFIED_FACTOR
    if shape.architecture in ANSWERS_FOR_ALL:
        size += int(size * ANSWERS_MARGIN)
    if any(layer.kind is LayerKind.BOTH for layer in shape.layers):
        size += int(size * SIDE_BY_SIDE_MARGIN)
    return size


def _size(shape: ModelShape, layout: Layout) -> Size:
    cells = context_cells(layout)
    off = layout.flash_attention is FlashAttention.OFF
    return Size(
        tokens=max(1, min(cells, layout.ubatch)),
        cells=cells,
        window_cells=window_cells(shape, layout),
        quantized=layout.kv_type is KvType.Q8_0,
        flash=not off and shape.architecture not in WITHOUT_FLASH_ATTENTION,
    )


def _sample(layers: tuple[Layer, ...]) -> tuple[Layer, ...]:
    """Layers enough for every kind and every step between kinds, in order."""
    seen: dict[tuple[object, ...], int] = {}
    chosen = []
    before: tuple[object, ...] = ()
    for layer in layers:
        kind = _graph_kind(layer)
        step = (before, kind)
        before = kind
        seen[step] = seen.get(step, 0) + 1
        if seen[step] <= _REPEATS:
            chosen.append(layer)
    return tuple(chosen)


def _graph_kind(layer: Layer) -> tuple[object, ...]:
    """Everything of a layer that its graph depends on."""
    attention = (layer.heads, layer.kv_heads, layer.key_width, layer.value_width)
    experts = (layer.experts, layer.experts_used, layer.expert_feed_forward)
    return (layer.kind, *attention, layer.state_elements, layer.feed_forward, *experts)


# --- devices ----------------------------------------------------------------------------------


def _input_copies(shape: ModelShape, layout: Layout) -> int:
    """Pipelining (src/llama-context.cpp): several devices, and nothing left in main memory."""
    several = sum(count > 0 for count in layout.device_layers) > 1
    whole = sum(layout.device_layers) >= len(shape.layers) and layout.output_on_device
    return _PIPELINE_COPIES - 1 if several and whole and not layout.expert_layers_in_ram else 0


def _borrowed(shape: ModelShape, layout: Layout, held: tuple[int, ...]) -> int:
    """Two tensors of the largest layer whose weights a device has to fetch."""
    if layout.ubatch < _OFFLOAD_TOKENS:
        return 0
    pairs = list(zip(shape.layers, held, strict=True))
    offloaded = [layer for layer, place in pairs if place]
    fetched = [layer.expert_bytes for layer in offloaded[: layout.expert_layers_in_ram]]
    fetched += [layer.weights_bytes for layer, place in pairs if not place]
    return int(2 * _LARGEST_TENSOR * max(fetched, default=0))
