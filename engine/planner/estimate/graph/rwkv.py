"""Blocks of RWKV: mixing over time with a state for each head, then over channels.

Source: src/models/rwkv6-base.cpp, rwkv7-base.cpp, and the builders beside them. One sequence.
"""

from engine.planner.estimate.graph.feed_forward import feed_forward
from engine.planner.estimate.graph.setting import Setting
from engine.planner.estimate.graph.tensors import Tensor
from engine.types.shapes import Layer, StateSpace

SEVENTH = frozenset({"rwkv7", "arwkv7"})
SIXTH = frozenset({"rwkv6", "rwkv6qwen2"})
ARCHITECTURES = SIXTH | SEVENTH
_SIXTH_PARTS = 5
"""What the sixth mixes of a token and the one before: decay, K, V, receptance, gate."""


def block(to: Setting, layer: Layer, sizes: StateSpace, before: Tensor) -> Tensor:
    """Without a second norm for channels the feed-forward part is a transformer's."""
    graph, width, tokens = to.graph, to.shape.width, to.tokens
    before = graph.view(before, width, tokens, 1)
    shift = to.state(sizes.kernel * width)
    normed = to.norm(before)
    previous = graph.make(normed.shape, graph.view(shift, width, 1), graph.view(normed))
    mix = _seventh if to.shape.architecture in SEVENTH else _sixth
    mixed = mix(to, layer, sizes, normed, previous)
    if not to.has("attn_norm_2"):
        graph.store(graph.view(normed, width, 1))
        after = graph.change(mixed, before)
        flat = graph.view(after, width, tokens)
        return graph.change(feed_forward(to, layer, to.norm(flat)), flat)
    after = graph.change(mixed, before)
    second = to.norm(after)
    previous = graph.make(second.shape, graph.view(shift, width, 1), graph.view(second))
    kept = graph.make((width, 2), graph.view(normed), graph.view(second))
    graph.store(graph.view(kept))
    flat, second = (graph.view(part, width, tokens) for part in (after, second))
    mixed = _channels(to, layer, second, graph.view(previous, width, tokens))
    return graph.change(mixed, flat)


def _channels(to: Setting, layer: Layer, of: Tensor, previous: Tensor) -> Tensor:
    graph = to.graph
    step = graph.change(previous, of)
    keys = graph.change(graph.change(step), of)
    received = None
    if to.has("channel_mix_receptance"):
        mixed = graph.change(graph.change(step), of)
        received = graph.change(to.times(to.shape.width, mixed))
    hidden = graph.change(graph.change(to.times(layer.feed_forward, keys)))
    result = to.times(to.shape.width, hidden)
    return graph.change(received, result) if received else result


def _seventh(to: Setting, _layer: Layer, sizes: StateSpace, of: Tensor, previous: Tensor) -> Tensor:
    graph, width, tokens = to.graph, to.shape.width, to.tokens
    decay_rank, rate_rank, value_rank, gate_rank = sizes.ranks
    gated = to.has("time_mix_g1")
    step = graph.make((width, tokens, 1, 6 if gated else 5), graph.change(previous, of))
    mixed = graph.change(graph.change(step), of)
    r_in, w_in, k_in, v_in, a_in, g_in = (graph.view(mixed, width, tokens) for _ in range(6))
    r = to.times(width, r_in)
    w = graph.change(to.times(width, graph.change(to.times(decay_rank, w_in))))
    w = graph.change(graph.change(graph.change(w)))
    k, v = to.times(width, k_in), _value(to, value_rank, v_in)
    gate = to.times(width, graph.change(to.times(gate_rank, g_in))) if gated else None
    rate = graph.change(graph.change(to.times(width, to.times(rate_rank, a_in))))
    unit = graph.view(graph.change(k), sizes.state, sizes.heads, tokens)
    unit = graph.make(unit.shape, unit)
    scaled = graph.change(k)
    k = graph.change(k, graph.change(graph.change(rate, scaled), scaled))
    r, w, k, v, rate = (
        graph.view(part, sizes.state, sizes.heads, tokens) for part in (r, w, k, v, rate)
    )
    state = to.state(width * sizes.state)
    sources = (r, w, k, v, graph.change(unit), graph.change(unit, rate), state)
    seen = _scanned(to, sizes, sources)
    if to.has("time_mix_ln"):
        seen = _group_norm(to, sizes, seen)
    bonus = graph.change(graph.change(k, r))
    bonus = graph.change(v, graph.make((1, sizes.heads, tokens), bonus))
    seen = graph.change(seen, graph.view(bonus, width, tokens))
    seen = graph.change(seen, gate) if gate else seen
    return graph.view(to.times(width, seen), width, tokens, 1)


def _value(to: Setting, rank: int, of: Tensor) -> Tensor:
    """From the second layer on the first one's value is mixed in: it lives until the last."""
    graph, width = to.graph, to.shape.width
    value = to.times(width, of)
    if to.first_value is None:
        to.first_value = value
        return value
    share = graph.change(graph.change(to.times(width, to.times(rank, of))))
    return graph.change(value, graph.change(graph.change(to.first_value, value), share))


def _sixth(to: Setting, layer: Layer, sizes: StateSpace, of: Tensor, previous: Tensor) -> Tensor:
    graph, width, tokens = to.graph, to.shape.width, to.tokens
    heads = (sizes.state, sizes.heads, tokens)
    _, decay_rank = sizes.ranks
    w_in, k_in, v_in, r_in, g_in = _mixes(to, sizes, of, previous)
    keys = _key_width(sizes, layer)
    r, k, v = to.times(width, r_in), to.times(keys, k_in), to.times(keys, v_in)
    gate = graph.change(to.times(width, g_in))
    if keys != width:
        k, v = (graph.make((width, tokens), graph.view(part)) for part in (k, v))
    w = to.times(width, graph.change(to.times(decay_rank, w_in)))
    w = graph.change(graph.change(graph.change(graph.change(w))))
    r, k, v, w = (graph.view(part, *heads) for part in (r, k, v, w))
    linear = not to.has("time_mix_first")
    if linear:
        k = graph.change(k, graph.change(k, w))
    seen = _scanned(to, sizes, (k, v, r, w, to.state(width * sizes.state)))
    seen = seen if linear else _group_norm(to, sizes, seen)
    return graph.view(to.times(width, graph.change(seen, gate)), width, tokens, 1)


def _key_width(sizes: StateSpace, layer: Layer) -> int:
    """Fewer heads for K and V, as in the Qwen 2 that some were made of."""
    return (layer.kv_heads or sizes.heads) * sizes.state


def _mixes(to: Setting, sizes: StateSpace, of: Tensor, previous: Tensor) -> list[Tensor]:
    graph, width, tokens = to.graph, to.shape.width, to.tokens
    rank, _ = sizes.ranks
    step = graph.view(graph.change(previous, of), width, tokens)
    now = graph.view(of, width, tokens)
    mixed = graph.change(graph.change(step), now)
    small = graph.change(to.times(rank * _SIXTH_PARTS, mixed))
    small = graph.make((rank, 1, tokens, _SIXTH_PARTS), graph.view(small))
    mixed = graph.make((width, 1, tokens, _SIXTH_PARTS), small)
    if to.has("time_mix_lerp_fused"):
        mixed = graph.change(graph.change(graph.change(mixed), graph.view(step)), graph.view(now))
        return [graph.view(mixed, width, tokens) for _ in range(_SIXTH_PARTS)]
    parts = [graph.view(mixed, width, tokens) for _ in range(_SIXTH_PARTS)]
    return [graph.change(graph.change(graph.change(part), step), now) for part in parts]


def _scanned(to: Setting, sizes: StateSpace, sources: tuple[Tensor, ...]) -> Tensor:
    """All tokens' results and behind them the state, which is kept (ggml_rwkv_wkv7)."""
    graph, width = to.graph, to.shape.width
    both = graph.make((width, to.tokens + sizes.state), *sources)
    graph.store(graph.view(both))
    return graph.view(both, width, to.tokens)


def _group_norm(to: Setting, sizes: StateSpace, of: Tensor) -> Tensor:
    graph = to.graph
    by_head = graph.view(of, sizes.state, sizes.heads, to.tokens)
    normed = graph.view(graph.make(by_head.shape, by_head), to.shape.width, to.tokens)
    return graph.change(graph.change(normed))
