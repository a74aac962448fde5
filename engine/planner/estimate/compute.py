"""Bytes of the compute buffer in each place of a layout: what one ubatch needs while it is
evaluated. Pure.

llama.cpp lays the graph out before it allocates anything (`graph_reserve`), so its size is fully
determined by sizes we know: `graph` builds the same graph without data and replays the allocator.
Holds for one sequence, one output row, no LoRA, op_offload on.
"""

from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache

from engine.models.architectures import GENERATORS
from engine.models.families import EXTRA_CACHES, WITHOUT_FLASH_ATTENTION
from engine.planner.estimate.cache import context_cells, window_cells
from engine.planner.estimate.graph.allocator import peak_bytes
from engine.planner.estimate.graph.model import ANSWERS_FOR_ALL, graph_of
from engine.planner.estimate.graph.scheduler import scheduled
from engine.planner.estimate.graph.setting import MASK_BYTES, Size, Spot
from engine.planner.estimate.places import output_place, place_of_layers, places
from engine.types.backends import PROCESSOR
from engine.types.plans import FlashAttention, KvType, Layout
from engine.types.shapes import Layer, LayerKind, ModelShape

MARGIN = 0.01
"""What is added to the exact size: alignment on devices, small inputs that come and go."""
MARGIN_BYTES = 8 << 10
_MARGINS = {"vulkan": 0.08}
"""Vulkan changes the order within a stretch (`ggml_vk_graph_optimize`), which is not replayed:
from 8 % less to 7 % more over the tests' zoo. Without it the sizes are exact on Mesa's device."""
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
copy of one tensor after the other (op_offload; 32 in every backend)."""


def compute_bytes(shape: ModelShape, layout: Layout) -> tuple[int, ...]:
    """Main memory first, then one number for each device."""
    size = _size(shape, layout)
    need = _needs(shape, size, _sample(shape, _spots(shape, layout, size.tokens)), layout)
    copies = _input_copies(shape, layout) * need.inputs
    return tuple(
        _with_margin(_secured(shape, peak) + copies, backend) if peak else 0
        for peak, backend in zip(need.peaks, (PROCESSOR, *layout.backends), strict=True)
    )


def _with_margin(size: int, backend: str) -> int:
    return size + int(size * _MARGINS.get(backend, MARGIN)) + MARGIN_BYTES


# --- the graph --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Need:
    """`peaks` and how many masks lie there, for each place; `inputs` of one batch."""

    peaks: tuple[int, ...]
    inputs: int
    masks: tuple[int, ...]
    window_masks: tuple[int, ...]


Places = tuple[tuple[int, Spot], ...]
"""Blocks, by the number of the first one of their kind, and where they are."""


class _Same:
    """A key that is equal for the same object only: comparing whole shapes costs too much."""

    __slots__ = ("shape",)

    def __init__(self, shape: ModelShape) -> None:
        self.shape = shape

    def __hash__(self) -> int:
        return id(self.shape)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.shape is self.shape


def _needs(shape: ModelShape, size: Size, sample: Places, layout: Layout) -> _Need:
    """With flash attention only the masks grow with the context, and they lie before all else: the
    graph for a few cells serves every context. Not where a device fetches caches."""
    head, count = output_place(layout), places(layout)
    if not size.flash or any(spot.home != spot.work for _, spot in sample):
        return _built(_Same(shape), size, sample, head, count)
    few = replace(size, cells=_FEW, window_cells=_FEWER)
    built = _built(_Same(shape), few, sample, head, count)
    more = [
        (many * (size.cells - _FEW) + windows * (size.window_cells - _FEWER))
        * size.tokens
        * MASK_BYTES
        for many, windows in zip(built.masks, built.window_masks, strict=True)
    ]
    peaks = tuple(peak + extra for peak, extra in zip(built.peaks, more, strict=True))
    return replace(built, peaks=peaks, inputs=built.inputs + more[0])


@lru_cache(maxsize=512)
def _built(key: _Same, size: Size, sample: Places, head: int, count: int) -> _Need:
    shape = key.shape
    layers = tuple((shape.layers[index], spot) for index, spot in sample)
    graph = graph_of(shape, layers, size, head)
    order = scheduled(graph)
    kept = [tensor for tensor in (*graph.inputs, *order) if tensor.kept]

    def masks(cells: int) -> tuple[int, ...]:
        found = Counter(tensor.place for tensor in kept if tensor.shape[0] == cells)
        return tuple(found[place] for place in range(count))

    return _Need(
        inputs=sum(tensor.size for tensor in graph.inputs),
        masks=masks(_FEW),
        window_masks=masks(_FEWER),
        peaks=peak_bytes(graph.inputs, order, count),
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


def _sample(shape: ModelShape, spots: tuple[Spot, ...]) -> Places:
    """Layers enough for every kind and every step between kinds, in order."""
    seen: dict[tuple[object, ...], int] = {}
    first: dict[tuple[object, ...], int] = {}
    chosen = []
    before: tuple[object, ...] = ()
    for index, (layer, spot) in enumerate(zip(shape.layers, spots, strict=True)):
        kind = (*_graph_kind(layer), spot)
        step = (before, kind)
        before = kind
        seen[step] = seen.get(step, 0) + 1
        if seen[step] <= _REPEATS:
            chosen.append((first.setdefault(kind, index), spot))
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


def _spots(shape: ModelShape, layout: Layout, tokens: int) -> tuple[Spot, ...]:
    """Where each block lies and is computed. With a large batch the first device computes what
    lies in main memory, too: it fetches weights, and the cache for attention."""
    fetches = bool(layout.backends) and tokens >= _OFFLOAD_TOKENS
    kept = layout.expert_layers_in_ram
    spots = []
    for layer, home in zip(shape.layers, place_of_layers(len(shape.layers), layout), strict=True):
        away = home == 0 or (kept > 0 and layer.experts > 0)
        kept -= 1 if home else 0
        work = home or int(fetches)
        spots.append(
            Spot(
                home=home,
                work=work,
                experts_home=0 if away else home,
                experts_work=work if fetches or not away else 0,
                matrices=layer.matrices if away and fetches else (),
            )
        )
    return tuple(spots)
