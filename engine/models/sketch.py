"""A rough shape of a model that is not here, from the few numbers its makers publish: good enough
to say "runs well" or "too big" before anything is fetched. The header decides afterwards. Pure.

Bits a weight: Q4_K_M files hold most matrices as Q4_K (4.5), a third of them and the table as Q6_K
(6.56), which makes 4.85 over the blocks of published files; MXFP4 files keep attention at 8 bits.
"""

from engine.models.catalogue import Entry, Numbers
from engine.types.shapes import Layer, LayerKind, ModelShape, Unsure

_BLOCK_BITS = {"Q4_K_M": 4.85, "UD-Q4_K_M": 5.2, "Q8_0": 8.5, "MXFP4": 4.5}
_TYPES = {"Q4_K_M": "Q4_K", "UD-Q4_K_M": "Q4_K", "Q8_0": "Q8_0", "MXFP4": "MXFP4"}
_TABLE_BITS = {"Q4_K_M": 6.5625, "UD-Q4_K_M": 6.5625, "Q8_0": 8.5, "MXFP4": 8.5}
_OTHER_BITS = 5.0
_STATE_ELEMENTS = 600_000
"""Of a recurrent layer in models of this size; little beside the weights."""


def sketch(entry: Entry) -> ModelShape:
    """About what `shape_of` will tell of the file's header; marked as unsure."""
    numbers, bits = entry.numbers, _TABLE_BITS.get(entry.quantization, _OTHER_BITS)
    table = _bytes(numbers.vocabulary * numbers.width, bits)
    blocks = _block_bytes(entry)
    layers = tuple(_layer(entry, index, blocks) for index in range(numbers.layers))
    weights = sum(layer.weights_bytes for layer in layers) + table * (1 if numbers.tied else 2)
    kind = _TYPES.get(entry.quantization, "Q4_K")
    return ModelShape(
        architecture="",
        name=entry.name,
        file_bytes=weights,
        parameters=entry.parameters,
        weights_bytes=weights,
        layers=layers,
        embedding_bytes=table,
        output_bytes=table,
        tied=numbers.tied,
        output_type_bytes=((kind, table),),
        width=numbers.width,
        vocabulary=numbers.vocabulary,
        context_length=entry.context_length,
        window=numbers.window,
        head_width=numbers.head_width,
        mla=False,
        unsure=frozenset({Unsure.ARCHITECTURE}),
    )


def _bytes(elements: float, bits: float) -> int:
    return int(elements * bits / 8)


def _block_bytes(entry: Entry) -> int:
    """Of each block."""
    numbers = entry.numbers
    tables = numbers.vocabulary * numbers.width * (1 if numbers.tied else 2)
    bits = _BLOCK_BITS.get(entry.quantization, _OTHER_BITS)
    return _bytes(entry.parameters - tables, bits) // numbers.layers


def _layer(entry: Entry, index: int, size_bytes: int) -> Layer:
    numbers, kind = entry.numbers, _kind(entry.numbers, index)
    caches = 0 if kind is LayerKind.RECURRENT else numbers.kv_heads * numbers.head_width
    expert = _expert_bytes(entry, size_bytes)
    read = size_bytes - expert + expert * numbers.experts_used // max(numbers.experts, 1)
    if not numbers.experts:  # per-layer tables and the like are not read for each token
        read = size_bytes * entry.active_parameters // entry.parameters
    name = _TYPES.get(entry.quantization, "Q4_K")
    return Layer(
        kind=kind,
        heads=numbers.heads,
        kv_heads=numbers.kv_heads,
        key_width=caches,
        value_width=caches,
        state_elements=_STATE_ELEMENTS if kind is LayerKind.RECURRENT else 0,
        feed_forward=numbers.feed_forward,
        experts=numbers.experts,
        experts_used=numbers.experts_used,
        expert_feed_forward=numbers.expert_feed_forward,
        weights_bytes=size_bytes,
        expert_bytes=expert,
        type_bytes=((name, read),),
        repack_bytes=((name, size_bytes),),
        expert_repack_bytes=((name, expert),) if expert else (),
    )


def _kind(numbers: Numbers, index: int) -> LayerKind:
    """Those that see everything lie evenly between the others, and the last is one of them."""
    before = index * numbers.attention_layers // numbers.layers
    whole = (index + 1) * numbers.attention_layers // numbers.layers > before
    if whole:
        return LayerKind.ATTENTION
    return LayerKind.WINDOW if numbers.window else LayerKind.RECURRENT


def _expert_bytes(entry: Entry, size_bytes: int) -> int:
    numbers = entry.numbers
    if not numbers.experts:
        return 0
    matrices = 3 * numbers.experts * numbers.width * numbers.expert_feed_forward
    bits = _BLOCK_BITS.get(entry.quantization, _OTHER_BITS)
    return min(_bytes(matrices, bits), size_bytes)
