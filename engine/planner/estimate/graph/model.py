"""The whole graph of one ubatch: token table, blocks, output (the builders in src/models/)."""

from dataclasses import replace

from engine.models.families import MAPS_DEEPSTACK
from engine.planner.estimate.graph import altup, linear, rwkv
from engine.planner.estimate.graph.attention import attention, gated, latent
from engine.planner.estimate.graph.feed_forward import feed_forward
from engine.planner.estimate.graph.recurrent import (
    delta_net,
    mamba1,
    mamba2,
    short_convolution,
    unknown_mixer,
)
from engine.planner.estimate.graph.setting import Setting, Size, Spot
from engine.planner.estimate.graph.tensors import Graph, Tensor
from engine.types.shapes import Layer, LayerKind, ModelShape

DELTA_NETS = frozenset({"qwen3next", "qwen35", "qwen35moe"})
MAMBA_1 = frozenset({"mamba", "jamba"})
SHORT_CONVOLUTIONS = frozenset({"lfm2", "lfm2moe"})
ONE_PART_BLOCKS = frozenset({"nemotron_h", "nemotron_h_moe"})
"""Each block is a mixer or a feed-forward part, never both."""
ADDS_TO_INPUT = frozenset({"jamba", "lfm2", "lfm2moe"})
"""The sum of a part and its input may take the place of the input instead of the part's."""
FEED_FORWARD_BESIDE = frozenset(
    {"cohere2", "cohere2moe", "command-r", "falcon", "gptneox", "phi2", "plamo"}
)
"""Attention and feed-forward part read the same input and are added up."""
ADDS_TO_ATTENTION = frozenset({"phi2"})
ADDS_ATTENTION_FIRST = frozenset({"falcon", "plamo"})
POSITION_TABLES = frozenset({"gpt2", "starcoder"})
NORMS_TOKENS = frozenset({"bloom", "rwkv6", "rwkv7", "talkie"})
NORMS_WITHOUT_WEIGHTS = frozenset({"olmo", "talkie"})
ADDS_TOKENS = frozenset({"talkie"})
"""What came in is added to the result of each block again."""
ADDS_NORMED = frozenset({"minimax-01"})
"""A part's normed input is added to its result, not what was before the norm."""
ANSWERS_FOR_ALL = frozenset({"cogvlm"})
"""Every token goes through the output head."""
EXPERTS_BESIDE = frozenset({"arctic"})
"""Experts read what attention read, and are added to a dense part's result."""
NORMS_EARLY = DELTA_NETS | {"kimi-linear"}
"""The first norm is put into the graph before anything of its block."""


Sample = tuple[tuple[Layer, Spot], ...]
"""Blocks that stand for all of a model, in order."""


def graph_of(shape: ModelShape, sample: Sample, size: Size, head: int = 0) -> Graph:
    """The graph with these layers of the model instead of all, its output head at `head`."""
    to = Setting(shape, size)
    graph = to.graph
    tokens = _input(to)
    if sample:
        to.enter(sample[0][1])
    first = now = _first(to, tokens)
    own = _own_of_layers(to, now) if shape.per_layer_width else None
    if shape.architecture == altup.ARCHITECTURE:
        return _finish(to, _streams(to, sample, own, now), head)
    for number, (layer, spot) in enumerate(sample):
        to.enter(spot)
        now = _block(to, layer, now)
        now = _add_own(to, own, now) if own else now
        if shape.architecture in ADDS_TOKENS:
            now = graph.change(now, graph.change(first))
        if number < shape.deepstack:
            now = graph.change(now, graph.view(tokens, shape.width, size.tokens))
    return _finish(to, now, head)


def _input(to: Setting) -> Tensor:
    """Tokens looked up, padded to the width that embeddings from outside have (build_inp_embd)."""
    graph, shape, size = to.graph, to.shape, to.size
    wide = shape.width * (1 + shape.deepstack)
    tokens = graph.make((shape.width, size.tokens), graph.input(size.tokens))
    if shape.deepstack:
        tokens = graph.make((wide, size.tokens), tokens)
    graph.expand(tokens)
    graph.expand(graph.input(wide, size.tokens))
    return tokens


def _streams(to: Setting, sample: Sample, own: Tensor | None, first: Tensor) -> Tensor:
    streams = altup.spread(to, first)
    for layer, spot in sample:
        to.enter(spot)
        streams = altup.block(to, layer, own, streams)
    return altup.first_of(to, streams)


def _first(to: Setting, tokens: Tensor) -> Tensor:
    graph = to.graph
    if to.shape.architecture in POSITION_TABLES:
        return graph.change(tokens, graph.make(tokens.shape, to.positions(1)))
    if to.shape.deepstack:
        tokens = graph.view(tokens, to.shape.width, to.tokens)
        if to.shape.architecture in MAPS_DEEPSTACK:
            return graph.change(graph.make(tokens.shape, tokens))
    return to.norm(tokens) if to.shape.architecture in NORMS_TOKENS else tokens


def _own_of_layers(to: Setting, now: Tensor) -> Tensor:
    """What each layer gets of a token for itself, for all layers (models/gemma4.cpp)."""
    graph = to.graph
    width = to.shape.per_layer_width * len(to.shape.layers)
    graph.work = 0  # looked up in a table that stays in main memory
    rows = graph.make((width, to.tokens), graph.input(to.tokens))
    graph.work = to.spot.work
    rows = graph.change(graph.view(rows))
    graph.expand(rows)
    projected = to.norm(graph.view(graph.change(to.times(width, now))))
    return graph.make((width, to.tokens), graph.view(graph.change(projected, rows)))


def _add_own(to: Setting, own: Tensor, now: Tensor) -> Tensor:
    graph, width = to.graph, to.shape.per_layer_width
    gate = graph.change(to.times(width, now))
    gate = graph.change(gate, graph.view(own, width, to.tokens))
    return graph.change(to.norm(to.times(to.shape.width, gate)), now)


def _finish(to: Setting, now: Tensor, head: int) -> Graph:
    """Only the last token's result goes through the output head."""
    last = to.norm(now)
    if to.shape.architecture not in ANSWERS_FOR_ALL:
        last = to.graph.make((to.shape.width, 1), last)
    to.enter(Spot(home=head, work=head))
    to.graph.expand(to.times(to.shape.vocabulary, last))
    return to.graph


def _block(to: Setting, layer: Layer, before: Tensor) -> Tensor:
    architecture, sizes = to.shape.architecture, to.shape.state_space
    if layer.kind is LayerKind.BOTH:
        return _side_by_side(to, layer, before)
    if architecture in ONE_PART_BLOCKS:
        return _one_part(to, layer, before)
    if architecture in rwkv.ARCHITECTURES and sizes:
        return rwkv.block(to, layer, sizes, before)
    return _two_parts(to, layer, before)


def _two_parts(to: Setting, layer: Layer, before: Tensor) -> Tensor:
    architecture, normed = to.shape.architecture, _first_norm(to, before)
    if architecture in FEED_FORWARD_BESIDE:
        return _beside(to, layer, before, normed)
    mixed = _post_norm(to, "post_attention_norm", _mixer(to, layer, normed))
    if architecture in ADDS_NORMED:
        return _adding_normed(to, layer, mixed, normed)
    after = _sum(to, mixed, before)
    if architecture in EXPERTS_BESIDE:
        return _experts_beside(to, layer, before, after)
    if not layer.feed_forward and not layer.experts:
        return after
    result = feed_forward(to, layer, _second_norm(to, normed, after))
    return _sum(to, _post_norm(to, "post_ffw_norm", result), after)


def _first_norm(to: Setting, before: Tensor) -> Tensor:
    bare = to.shape.architecture in NORMS_WITHOUT_WEIGHTS
    normed = to.norm(before) if bare or to.has("attn_norm") else before
    if to.shape.architecture in NORMS_EARLY:
        to.graph.expand(normed)
    return normed


def _adding_normed(to: Setting, layer: Layer, mixed: Tensor, normed: Tensor) -> Tensor:
    graph = to.graph
    second = to.norm(graph.change(mixed, graph.change(normed)))
    return graph.change(feed_forward(to, layer, second), graph.change(second))


def _beside(to: Setting, layer: Layer, before: Tensor, normed: Tensor) -> Tensor:
    graph = to.graph
    seen = _mixer(to, layer, normed)
    source = to.norm(before) if to.has("ffn_norm") else normed
    result = feed_forward(to, layer, source)
    if to.shape.architecture in ADDS_TO_ATTENTION:
        return graph.change(graph.change(seen, result), before)
    if to.shape.architecture in ADDS_ATTENTION_FIRST:
        return graph.change(graph.change(result, seen), before)
    return graph.change(graph.change(result, before), seen)


def _experts_beside(to: Setting, layer: Layer, before: Tensor, after: Tensor) -> Tensor:
    graph = to.graph
    dense = graph.change(feed_forward(to, replace(layer, experts=0), to.norm(after)), after)
    return graph.change(feed_forward(to, layer, to.norm(before)), dense)


def _second_norm(to: Setting, first: Tensor, after: Tensor) -> Tensor:
    """Without a norm of its own the feed-forward part reads what attention read (stablelm)."""
    own = to.has("ffn_norm") or to.has("post_attention_norm") or to.has("attn_post_norm")
    return first if to.shape.architecture == "stablelm" and not own else to.norm(after)


def _sum(to: Setting, part: Tensor, before: Tensor) -> Tensor:
    if to.shape.architecture in ADDS_TO_INPUT:
        return to.graph.change(before, part)
    return to.graph.change(part, before)


def _mixer(to: Setting, layer: Layer, of: Tensor) -> Tensor:
    architecture = to.shape.architecture
    if layer.kind is LayerKind.RECURRENT:
        return _recurrent(to, layer, of)
    if to.shape.latent:
        return latent(to, layer, to.shape.latent, of)
    return (gated if architecture in DELTA_NETS else attention)(to, layer, of)


def _recurrent(to: Setting, layer: Layer, of: Tensor) -> Tensor:
    architecture, sizes = to.shape.architecture, to.shape.state_space
    if sizes is None:
        return unknown_mixer(to, layer, of)
    if architecture in DELTA_NETS:
        return delta_net(to, sizes, of)
    if architecture in linear.KDA:
        return linear.kda(to, sizes, of)
    if architecture in linear.LIGHTNING:
        return linear.lightning(to, sizes, of)
    if architecture in SHORT_CONVOLUTIONS:
        return short_convolution(to, sizes, of)
    return (mamba1 if architecture in MAMBA_1 else mamba2)(to, sizes, of)


def _one_part(to: Setting, layer: Layer, before: Tensor) -> Tensor:
    normed = to.norm(before)
    if layer.kind is LayerKind.NONE:
        return to.graph.change(feed_forward(to, layer, normed), before)
    return to.graph.change(_mixer(to, layer, normed), before)


def _side_by_side(to: Setting, layer: Layer, before: Tensor) -> Tensor:
    """Attention and state-space read the same input (models/falcon-h1.cpp)."""
    graph = to.graph
    seen = attention(to, layer, to.norm(before))
    both = graph.change(seen, _recurrent(to, layer, to.norm(before)))
    after = graph.change(both, before)
    return graph.change(feed_forward(to, layer, to.norm(after)), after)


def _post_norm(to: Setting, name: str, of: Tensor) -> Tensor:
    """A norm behind a part; under this name some keep the one before the next part instead."""
    return to.norm(of) if to.has(name) and to.has("ffn_norm") else of
