"""From a header to the exact sizes inside a model, for the planner's arithmetic.

Never raises for an odd header and never guesses in silence: `unsure` says what is not known.
With SIZES_MISSING there are no layers, and no number should be made of the rest. Any thread.
"""

from collections import Counter
from pathlib import Path

from engine.models import families
from engine.models.gguf import GgufHeader, Skipped
from engine.models.inspect import facts_of
from engine.models.layering import Layering, Slot, read_layering
from engine.models.mixers import deepstack, latent, state_space
from engine.models.numbers import EXPERTS_LIMIT, WIDTH_LIMIT, Numbers, NumbersMissing
from engine.models.split import read_model
from engine.models.weights import Part, Weights, repackable, sort_weights, type_bytes
from engine.types.models import ModelFacts, Problem
from engine.types.shapes import Layer, ModelShape, Unsure

_QUANTIZED_BLOCK = 32
"""Values that q8_0 stores together."""
_NO_PART = Part()


def read_shape(path: Path) -> ModelShape:
    """The shape of one file, or of all parts of the model that it is the first of. Raises
    `ModelFileError` only for a file that can not be read."""
    found, header = read_model(path)
    return shape_of(header, found)


def shape_of(header: GgufHeader, path: Path = Path()) -> ModelShape:
    """The shape in a header that was read before, of a local file or a remote one."""
    facts = facts_of(path, header)
    try:
        return _known(header, facts)
    except NumbersMissing:
        return _unknown(header, facts)


def _unknown(header: GgufHeader, facts: ModelFacts) -> ModelShape:
    """Its weights are all that can be told."""
    return ModelShape(
        architecture=facts.architecture,
        name=facts.name,
        file_bytes=header.file_size,
        parameters=facts.parameters,
        weights_bytes=sum(tensor.size_bytes for tensor in header.tensors),
        layers=(),
        embedding_bytes=0,
        output_bytes=0,
        tied=False,
        output_type_bytes=(),
        width=0,
        vocabulary=0,
        context_length=facts.context_length,
        window=0,
        head_width=0,
        mla=False,
        unsure=_unsure_architecture(facts) | {Unsure.SIZES_MISSING},
    )


def _unsure_architecture(facts: ModelFacts) -> frozenset[Unsure]:
    known = families.known(facts.architecture)
    return frozenset() if known else frozenset({Unsure.ARCHITECTURE})


def _known(header: GgufHeader, facts: ModelFacts) -> ModelShape:
    if not {Problem.SPLIT_PART, Problem.WEIGHTS_MISSING}.isdisjoint(facts.problems):
        raise NumbersMissing("tensors")
    numbers = Numbers(header, facts.architecture)
    layering = read_layering(numbers)
    skipped = families.SKIPPED_AHEAD.get(facts.architecture)
    weights = sort_weights(header.tensors, layering.blocks, layering.trunk, skipped)
    head, repack = _head(weights)
    shape = ModelShape(
        architecture=facts.architecture,
        name=facts.name,
        file_bytes=header.file_size,
        parameters=facts.parameters,
        weights_bytes=weights.size_bytes,
        layers=_layers(numbers, layering, weights),
        embedding_bytes=weights.embedding.size_bytes,
        output_bytes=head.total(),
        tied=weights.tied,
        output_type_bytes=type_bytes(head),
        output_repack_bytes=type_bytes(repack),
        width=layering.width,
        vocabulary=_vocabulary(header, weights),
        merges=_merges(header),
        context_length=facts.context_length,
        window=layering.window,
        head_width=max(_head_widths(layering)),
        mla=layering.heads.mla,
        kv_quantizable=not any(width % _QUANTIZED_BLOCK for width in _head_widths(layering)),
        unsure=_unsure_architecture(facts),
        parts=weights.names,
        state_space=state_space(numbers, layering),
        latent=latent(numbers, layering),
        per_layer_width=_rows(weights, "per_layer_token_embd.weight", 0) // layering.blocks,
        deepstack=deepstack(numbers),
    )
    _check_memory(shape)
    return shape


def _head(weights: Weights) -> tuple[Counter[str], Counter[str]]:
    """Bytes by type of the output head, and of what of it may be repacked."""
    head, repack = weights.head.dense + weights.head.routed, weights.head.dense_repack.copy()
    table = weights.table
    if weights.tied:
        head[table.type.name] += table.size_bytes
        if repackable(table):
            repack[table.type.name] += table.size_bytes
    return head, repack


def _head_widths(layering: Layering) -> tuple[int, ...]:
    heads = layering.heads
    return heads.plain + heads.windowed if layering.window else heads.plain


def _check_memory(shape: ModelShape) -> None:
    """A model that remembers nothing is no chat model: its header must be wrong."""
    remembers = any(
        layer.key_width + layer.value_width + layer.state_elements for layer in shape.layers
    )
    if not remembers and shape.architecture not in families.WITHOUT_CACHE:
        raise NumbersMissing("attention.head_count")


def _vocabulary(header: GgufHeader, weights: Weights) -> int:
    rows = weights.table.dims[1] if len(weights.table.dims) > 1 else 0
    tokens = header.skipped.get("tokenizer.ggml.tokens")
    if isinstance(tokens, Skipped) and not rows:
        return tokens.count
    if not 0 < rows <= WIDTH_LIMIT:
        raise NumbersMissing("tokens")
    return rows


def _merges(header: GgufHeader) -> int:
    merges = header.skipped.get("tokenizer.ggml.merges")
    return merges.count if isinstance(merges, Skipped) else 0


# --- layers -----------------------------------------------------------------------------------


def _layers(numbers: Numbers, layering: Layering, weights: Weights) -> tuple[Layer, ...]:
    experts = numbers.count("expert_count", 0, most=EXPERTS_LIMIT)
    none = (0,) * layering.blocks
    used = numbers.per_layer("expert_used_count", layering.blocks, none, most=EXPERTS_LIMIT)
    if max(used) > experts or (experts and not max(used)):
        raise NumbersMissing("expert_used_count")
    return tuple(
        _layer(index, slot, layering, weights, (experts, used[index % layering.blocks]))
        for index, slot in enumerate(layering.slots)
    )


def _layer(
    index: int, slot: Slot, layering: Layering, weights: Weights, routing: tuple[int, int]
) -> Layer:
    """Blocks that run again have caches of their own but no weights of their own."""
    block = index % layering.blocks
    part = weights.blocks[block] if index < layering.blocks else _NO_PART
    expert_width = _rows(weights, f"blk.{block}.ffn_down_exps.weight", 0)
    experts, used = routing if expert_width else (0, 0)
    return Layer(
        kind=slot.kind,
        heads=layering.heads.count[block],
        kv_heads=layering.heads.kv_count[block],
        key_width=slot.key_width,
        value_width=slot.value_width,
        state_elements=slot.state_elements,
        feed_forward=_dense_width(weights, layering, block, expert_width > 0),
        experts=experts,
        experts_used=used,
        expert_feed_forward=expert_width,
        weights_bytes=part.size_bytes,
        expert_bytes=part.routed.total(),
        type_bytes=part.read_by_a_token(used, experts),
        repack_bytes=type_bytes(part.dense_repack + part.routed_repack),
        expert_repack_bytes=type_bytes(part.routed_repack),
        matrices=tuple((*size, bytes_) for size, bytes_ in sorted(part.matrices.items())),
    )


def _dense_width(weights: Weights, layering: Layering, block: int, routed: bool) -> int:
    """With experts only what tensors say: headers give the width of other layers then."""
    stated = _rows(weights, f"blk.{block}.ffn_down.weight", 0)
    if stated or not routed:
        return stated or layering.feed_forward[block]
    return _rows(weights, f"blk.{block}.ffn_down_shexp.weight", 0)


def _rows(weights: Weights, name: str, dimension: int) -> int:
    tensor = weights.by_name.get(name)
    if tensor is None or len(tensor.dims) <= dimension:
        return 0
    return min(tensor.dims[dimension], WIDTH_LIMIT)
