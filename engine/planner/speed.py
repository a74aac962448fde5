"""Predicted tokens a second of a layout: what one token reads, over what this machine reads.

Pure. A token is decoded after a usual conversation: `TYPICAL_TOKENS`, a question and an answer of
a page, or half of a smaller context. A fuller cache is slower, the first words are faster.

time = weights / rate + rows + cached tokens x heads + nodes x overhead + sampling, with the
processor's rates measured (`Speed`) or guessed, and a device's bandwidth from a table.
Every term grows with bytes, layers or tokens: more is never faster.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite

from engine.models.ggml_types import TENSOR_TYPES
from engine.planner.bandwidths import GUESSED_NODE_S, device_bytes_per_s, processor_bytes_per_s
from engine.planner.estimate.overhead import repacks
from engine.planner.estimate.places import output_place, place_of_layers
from engine.types.hardware import Device, HardwareReport, Speed
from engine.types.plans import KvType, Layout
from engine.types.shapes import Layer, LayerKind, ModelShape, Unsure

TYPICAL_TOKENS = 1024
_CELLS_STEP = 256
"""llama.cpp looks at cached tokens in such steps (`get_padding` in src/llama-kv-cache.cpp)."""

_NODES, _EXPERT_NODES, _RECURRENT_NODES, _GEMMA_NODES = 17, 12, 18, 8
"""Graph nodes of a block: SmolLM2 has 515 in 30 blocks; routing, recurrence and more norms."""
_SAMPLING_S = 4e-9
"""An entry of the vocabulary in the sampler chain [measured: 0.22 ms for 49k, 0.87 for 262k]."""
_WHOLE_GRAPH = 1.15
"""A real token takes this much longer than its kernels one by one: weights, cache and activations
push one another out of the caches, and threads wait at uneven pieces [measured: 1.11 to 1.22 on
SmolLM2 and gemma-3-270m]."""
_GUESSED_VISIT_S = (20e-9, 0.2e-9)
_KV_BYTES = {KvType.F16: 2.0, KvType.Q8_0: 34 / 32}

_NEAREST = (
    (("F32", "BF16", "F64"), "F16"),
    (("Q8_1", "Q8_K"), "Q8_0"),
    (("Q5_1",), "Q5_0"),
    (("IQ3_S", "IQ3_XXS"), "Q3_K"),
    (("IQ2_S", "IQ2_XS", "IQ2_XXS", "IQ1_S", "IQ1_M", "TQ1_0", "TQ2_0", "Q1_0"), "Q2_K"),
    (("NVFP4",), "MXFP4"),
)
_MEASURED_AS = {name: measured for names, measured in _NEAREST for name in names}
"""Types that are not measured, and the one that costs about as much a byte."""
_BLOCKS = {known.name: known for known in TENSOR_TYPES.values()}

_DEVICE_SHARE = {"metal": 0.8, "cuda": 0.75, "rocm": 0.6, "hip": 0.6, "vulkan": 0.6}
"""Of the published bandwidth. With the node times below: M1 Max 51 tokens a second predicted for
llama-8B in Q4_K_M, 46 reported; M4 18 and 21 (brand-o/normiebench#40, #3); RTX 3090, 7B in F16
49 predicted, 48 reported (llama.cpp#4766)."""
_DEVICE_NODE_S = {"metal": 8e-6, "cuda": 2.5e-6, "rocm": 4e-6, "hip": 4e-6, "vulkan": 6e-6}
_OTHER_SHARE, _OTHER_NODE_S = 0.5, 10e-6
_UNKNOWN_DEVICE_BYTES_PER_S = 38e9
_CROSSING_S = 50e-6
"""Handing a token's activations from one place to another, and waiting for it."""

TypeBytes = Iterable[tuple[str, float]]


def tokens_per_s(
    shape: ModelShape, layout: Layout, report: HardwareReport, devices: Sequence[Device]
) -> float | None:
    """`devices` are those of `layout.backends`. None only for a model of unknown sizes."""
    if Unsure.SIZES_MISSING in shape.unsure or not shape.layers:
        return None
    blocks = tuple(_blocks(shape, layout))
    time_s = shape.vocabulary * _SAMPLING_S + _CROSSING_S * _crossings(shape, layout)
    processor = _processor(report, layout)
    time_s += sum(processor.block_s(block) for block in blocks if block.place == 0)
    for place, backend in enumerate(layout.backends, start=1):
        device = _device(backend, devices[place - 1] if place <= len(devices) else None)
        time_s += sum(device.block_s(block) for block in blocks if block.place == place)
    return 1 / time_s


def typical_cells(shape: ModelShape, layout: Layout, layer: Layer) -> int:
    """Cached tokens that a block looks at in a usual conversation."""
    tokens = min(TYPICAL_TOKENS, layout.context_length // 2)
    if layer.kind is LayerKind.WINDOW and shape.window:
        tokens = min(tokens, shape.window)
    return max(-(-tokens // _CELLS_STEP), 1) * _CELLS_STEP


# --- what a token does ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Block:
    """Work that one token brings to one place. `visits`: query heads times cached tokens."""

    place: int
    weights: tuple[tuple[str, float], ...]
    repackable: frozenset[str]
    width: int
    visits: int = 0
    head: int = 0
    kv_type: KvType = KvType.F16
    kv_bytes: float = 0.0
    state_bytes: float = 0.0
    nodes: int = 0


def _blocks(shape: ModelShape, layout: Layout) -> Iterator[_Block]:
    kept = layout.expert_layers_in_ram
    for layer, place in zip(shape.layers, place_of_layers(len(shape.layers), layout), strict=True):
        in_ram = _experts_share(layer) if place and kept > 0 else 0.0
        kept -= 1 if place else 0
        if in_ram:
            yield _weights(layer, shape, 0, in_ram)
        yield _attending(layer, shape, layout, place, 1 - in_ram)
    yield _Block(
        place=output_place(layout),
        weights=shape.output_type_bytes,
        repackable=frozenset(name for name, _ in shape.output_repack_bytes),
        width=max(shape.width, 1),
        nodes=3,
    )


def _experts_share(layer: Layer) -> float:
    """The part of what a token reads that lies in routed experts."""
    read = sum(size for _, size in layer.type_bytes)
    if not layer.experts or not read:
        return 0.0
    return min(layer.expert_bytes * layer.experts_used / layer.experts / read, 1.0)


def _weights(layer: Layer, shape: ModelShape, place: int, share: float) -> _Block:
    return _Block(
        place=place,
        weights=tuple((name, size * share) for name, size in layer.type_bytes),
        repackable=frozenset(name for name, _ in layer.repack_bytes),
        width=max(shape.width, 1),
        nodes=_EXPERT_NODES,
    )


def _attending(layer: Layer, shape: ModelShape, layout: Layout, place: int, share: float) -> _Block:
    cells = typical_cells(shape, layout, layer) if layer.key_width else 0
    cached = (layer.key_width + layer.value_width) * _KV_BYTES[layout.kv_type]
    plain = _weights(layer, shape, place, share)
    return _Block(
        place=place,
        weights=plain.weights,
        repackable=plain.repackable,
        width=plain.width,
        visits=layer.heads * cells,
        head=layer.key_width // max(layer.kv_heads, 1),
        kv_type=layout.kv_type,
        kv_bytes=cells * cached,
        state_bytes=2.0 * 4 * layer.state_elements,  # F32, read and written
        nodes=_nodes(layer, shape),
    )


def _nodes(layer: Layer, shape: ModelShape) -> int:
    nodes = _NODES + (_GEMMA_NODES if shape.architecture.startswith("gemma") else 0)
    nodes += _EXPERT_NODES if layer.experts else 0
    return nodes + (_RECURRENT_NODES if layer.state_elements else 0)


def _crossings(shape: ModelShape, layout: Layout) -> int:
    """How often a token goes from one place to another."""
    path = [0, *place_of_layers(len(shape.layers), layout), output_place(layout)]
    turns = sum(here != there for here, there in pairwise(path))
    on_devices = sum(1 for place in path[1:-1] if place)
    return turns + 2 * min(max(layout.expert_layers_in_ram, 0), on_devices)


# --- what a place can do ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Processor:
    """Rates in bytes a second; `slower` stretches all that was measured with more threads."""

    plain: Mapping[str, float]
    repacked: Mapping[str, float]
    row_s: float
    node_s: float
    visit_s: Mapping[str, tuple[float, float]]
    slower: float = 1.0

    def block_s(self, block: _Block) -> float:
        weights_s = sum(self._weights_s(name, size, block) for name, size in block.weights)
        fixed_s, element_s = self.visit_s.get(block.kv_type.value, _GUESSED_VISIT_S)
        attention_s = block.visits * (fixed_s + element_s * block.head)
        state_s = block.state_bytes / self._rate("F16")
        kernels_s = self.slower * (weights_s + attention_s + state_s)
        return _WHOLE_GRAPH * (kernels_s + block.nodes * self.node_s)

    def _weights_s(self, name: str, size: float, block: _Block) -> float:
        if name in self.repacked and name in block.repackable:
            return size / self.repacked[name]
        return size / self._rate(name) + _rows(name, size, block.width) * self.row_s

    def _rate(self, name: str) -> float:
        found = self.plain.get(name) or self.plain.get(_MEASURED_AS.get(name, ""))
        return found or min(self.plain.values())


def _rows(name: str, size: float, width: int) -> float:
    """About how many rows a quantised matrix has: most are as wide as the model."""
    known = _BLOCKS.get(name)
    if known is None or known.block == 1:
        return 0.0
    return size / known.block_bytes * known.block / width


def _processor(report: HardwareReport, layout: Layout) -> _Processor:
    speed = report.speed
    rates = dict(_sound(speed.bytes_per_s)) if speed else {}
    if speed is None or not rates:
        return _guessed(report, layout)
    return _Processor(
        plain=rates,
        repacked=dict(_sound(speed.repacked_bytes_per_s)) if repacks(layout) else {},
        row_s=_positive(speed.row_s),
        node_s=_positive(speed.overhead_s),
        visit_s=_visits(speed),
        slower=max(1.0, speed.threads / max(layout.threads, 1)),
    )


def _guessed(report: HardwareReport, layout: Layout) -> _Processor:
    rate = processor_bytes_per_s(report.cpu, layout.threads)
    return _Processor(
        plain={"F16": rate},
        repacked={},
        row_s=0.0,
        node_s=GUESSED_NODE_S,
        visit_s={},
    )


def _visits(speed: Speed) -> dict[str, tuple[float, float]]:
    return {name: (_positive(a), _positive(b)) for name, a, b in speed.attention_s}


def _sound(rates: TypeBytes) -> Iterator[tuple[str, float]]:
    return ((name, rate) for name, rate in rates if isfinite(rate) and rate > 0)


def _positive(value: float) -> float:
    return value if isfinite(value) and value > 0 else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Device:
    bytes_per_s: float
    node_s: float

    def block_s(self, block: _Block) -> float:
        read = sum(size for _, size in block.weights) + block.kv_bytes + block.state_bytes
        return read / self.bytes_per_s + block.nodes * self.node_s


def _device(backend: str, device: Device | None) -> _Device:
    bandwidth = device_bytes_per_s(device) if device else _UNKNOWN_DEVICE_BYTES_PER_S
    return _Device(
        bytes_per_s=bandwidth * _DEVICE_SHARE.get(backend, _OTHER_SHARE),
        node_s=_DEVICE_NODE_S.get(backend, _OTHER_NODE_S),
    )
