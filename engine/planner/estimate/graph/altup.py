"""gemma3n: four streams side by side, of which each block computes one and corrects the others.

Source: src/models/gemma3n.cpp (altup_predict, altup_correct, laurel, gaussian_topk).
"""

from engine.planner.estimate.graph.attention import attention
from engine.planner.estimate.graph.setting import Setting
from engine.planner.estimate.graph.tensors import Tensor
from engine.types.shapes import Layer

ARCHITECTURE = "gemma3n"
STREAMS = 4


def spread(to: Setting, first: Tensor) -> Tensor:
    """All streams from the first one."""
    graph, width, tokens = to.graph, to.shape.width, to.tokens
    size = graph.make((1, tokens), graph.change(first))
    repeated = graph.make((width, tokens, STREAMS - 1), first)
    added = graph.make(repeated.shape, repeated)
    sizes = graph.make((1, tokens), graph.change(added))
    added = graph.change(graph.change(added, size), sizes)
    return graph.make((width, tokens, STREAMS), first, added)


def block(to: Setting, layer: Layer, own: Tensor | None, streams: Tensor) -> Tensor:
    graph, width, tokens = to.graph, to.shape.width, to.tokens
    guesses = _predict(to, streams)
    active = graph.view(guesses, width, tokens)
    normed = to.norm(active)
    laurel = graph.change(to.norm(to.times(width, to.times(1, normed))), normed)
    seen = graph.change(to.norm(attention(to, layer, normed)), active)
    seen = graph.change(graph.change(seen, laurel))
    result = graph.change(to.norm(_feed_forward(to, layer, to.norm(seen))), seen)
    corrected = _correct(to, guesses, result)
    return _add_own(to, own, corrected) if own else corrected


def first_of(to: Setting, streams: Tensor) -> Tensor:
    return to.graph.make((to.shape.width, to.tokens), streams)


def _predict(to: Setting, streams: Tensor) -> Tensor:
    graph = to.graph
    router = graph.change(to.norm(graph.view(streams, to.shape.width, to.tokens)))
    weights = to.times(STREAMS**2, graph.change(to.times(STREAMS, router)))
    turned = graph.make(streams.shape, graph.view(streams))
    mixed = graph.make(streams.shape, turned, graph.view(weights))
    return graph.change(graph.make(streams.shape, graph.view(mixed)), streams)


def _feed_forward(to: Setting, layer: Layer, of: Tensor) -> Tensor:
    """Without a fused gate; the first layers keep only the largest values."""
    graph = to.graph
    up, gate = to.times(layer.feed_forward, of), to.times(layer.feed_forward, of)
    mean = graph.make((1, to.tokens), gate)
    spread_of = graph.make((1, to.tokens), graph.change(graph.change(gate, mean)))
    gate = graph.change(graph.change(gate, graph.change(mean, spread_of)))
    return to.times(to.shape.width, graph.change(up, graph.change(gate)))


def _correct(to: Setting, guesses: Tensor, result: Tensor) -> Tensor:
    graph = to.graph
    router = to.times(STREAMS, graph.change(to.norm(result)))
    news = graph.change(result, graph.view(guesses, *result.shape))
    repeated = graph.make(guesses.shape, news)
    return graph.change(graph.change(repeated, graph.view(router)), guesses)


def _add_own(to: Setting, own: Tensor, streams: Tensor) -> Tensor:
    graph, width, tokens = to.graph, to.shape.width, to.tokens
    each = to.shape.per_layer_width
    first = graph.change(graph.view(streams, width, tokens))
    gate = graph.change(to.times(each, first))
    gate = graph.change(gate, graph.view(own, each, tokens))
    first = to.norm(to.times(width, gate))
    rest = graph.change(graph.view(streams, width, tokens, STREAMS - 1), first)
    return graph.make(streams.shape, graph.view(streams, width, tokens), rest)
