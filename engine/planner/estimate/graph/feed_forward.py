"""Feed-forward parts as src/llama-graph.cpp builds them (build_ffn, build_moe_ffn)."""

from engine.planner.estimate.graph.setting import Setting
from engine.planner.estimate.graph.tensors import Tensor
from engine.types.shapes import Layer

DOUBLE_UP = frozenset({"phi3", "chatglm", "glm4", "plamo2", "plamo3"})
"""`ffn_up` computes gate and value at once."""
WEIGHTS_AFTER = frozenset({"gpt-oss"})
"""The softmax is over the chosen experts only."""
WEIGHTS_BEFORE = frozenset({"llama4"})
"""What goes into each expert is weighed, not what comes out."""
SHARED_GATE = frozenset({"qwen2moe", "qwen3next", "qwen35moe"})


def feed_forward(to: Setting, layer: Layer, of: Tensor) -> Tensor:
    """Experts, with a shared one beside them, or one dense network."""
    if not layer.experts:
        return _dense(to, layer.feed_forward, of, gate=to.has("ffn_gate"))
    routed = _experts(to, layer, of)
    if not layer.feed_forward or not to.has("ffn_up_shexp"):
        return routed
    shared = _dense(to, layer.feed_forward, of, gate=to.has("ffn_gate_shexp"))
    if to.shape.architecture in SHARED_GATE:
        shared = to.graph.change(shared, to.graph.change(to.times(1, of)))
    return to.graph.change(routed, shared)


def _dense(to: Setting, inner: int, of: Tensor, *, gate: bool) -> Tensor:
    graph = to.graph
    if gate:
        up = to.times(inner, of)
        hidden = graph.make(up.shape, to.times(inner, of), up)
    elif to.shape.architecture in DOUBLE_UP:
        hidden = graph.make((inner, *of.shape[1:]), to.times(2 * inner, of))
    else:
        hidden = graph.change(to.times(inner, of))
    hidden = to.norm(hidden) if to.has("ffn_sub_norm") else hidden
    return to.times(to.shape.width, hidden)


def _experts(to: Setting, layer: Layer, of: Tensor) -> Tensor:
    graph, tokens = to.graph, of.shape[1]
    used, inner, width = layer.experts_used, layer.expert_feed_forward, to.shape.width
    chosen, weights = _route(to, layer, of)
    graph.expand(weights)
    each = graph.view(of, width, 1, tokens)
    before = to.shape.architecture in WEIGHTS_BEFORE
    if before:
        each = graph.change(graph.make((width, used, tokens), each), weights)

    graph.work = to.spot.experts_work

    def all_of(rows: int, source: Tensor) -> Tensor:
        weight = to.weight(source.shape[0], rows * layer.experts, to.spot.experts_home)
        return graph.make((rows, used, tokens), *weight, source, chosen)

    if to.has("ffn_gate_up_exps"):
        both = all_of(2 * inner, each)
        hidden = graph.make((inner, used, tokens), graph.view(both), graph.view(both))
    elif to.has("ffn_gate_exps"):
        up = all_of(inner, each)
        hidden = graph.make(up.shape, all_of(inner, each), up)
    else:
        hidden = graph.change(all_of(inner, each))
    results = all_of(width, hidden)
    graph.work = to.spot.work
    results = results if before else graph.change(results, weights)
    graph.expand(results)
    return _sum(to, results, used)


def _route(to: Setting, layer: Layer, of: Tensor) -> tuple[Tensor, Tensor]:
    """Which experts, and how much each counts."""
    graph, tokens = to.graph, of.shape[1]
    late = to.shape.architecture in WEIGHTS_AFTER
    scores = to.times(layer.experts, of)
    scores = scores if late else graph.change(scores)
    ranked = graph.change(scores) if to.has("exp_probs_b.bias") else scores
    order = graph.make((layer.experts, tokens), ranked)
    chosen = graph.view(order, layer.experts_used, tokens)
    weights = graph.make((1, layer.experts_used, tokens), graph.view(scores), chosen)
    if late:
        weights = graph.change(graph.view(weights))
        return chosen, graph.view(weights)
    flat = graph.view(weights, layer.experts_used, tokens)
    total = graph.make((1, tokens), flat)
    return chosen, graph.view(graph.change(flat, graph.change(total)))


def _sum(to: Setting, results: Tensor, used: int) -> Tensor:
    graph = to.graph
    shape = (results.shape[0], results.shape[2])
    parts = [graph.view(results, *shape) for _ in range(used)]
    for part in parts:
        graph.expand(part)
    if used == 1:
        return graph.make(shape, parts[0])
    total = parts[0]
    for part in parts[1:]:
        total = graph.change(total, part)
        graph.expand(total)
    return total
