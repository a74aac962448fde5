"""Attention as src/llama-graph.cpp builds it (build_qkv, build_attn, build_attn_mha)."""

from engine.planner.estimate.graph.setting import MROPE_POSITIONS, Setting
from engine.planner.estimate.graph.tensors import Tensor
from engine.types.shapes import Latent, Layer, LayerKind

MROPE = frozenset({"qwen2vl", "qwen3vl", "qwen3vlmoe", "qwen35", "qwen35moe"})
NO_ROPE = frozenset(
    {
        "bloom",
        "gpt2",
        "jais",
        "jamba",
        "kimi-linear",
        "mpt",
        "nemotron_h",
        "nemotron_h_moe",
        "refact",
        "starcoder",
    }
)
ROPE_IN_WINDOWS = frozenset({"cohere2", "cohere2moe"})
NEITHER_FUSED_NOR_GATED = frozenset({"minimax-01"})
"""`attn_qkv` and `attn_gate` are of its layers without a cache."""
SCALES_QUERY = frozenset({"gemma", "gemma2", "gemma3", "phi2", "phi3"})


def attention(to: Setting, layer: Layer, of: Tensor) -> Tensor:
    """Plain attention, grouped or not, over the whole cache or a window."""
    q, k, v = _split(to, layer, of)
    q = _prepare(to, layer, q, norm="attn_q_norm")
    k = _prepare(to, layer, k, norm="attn_k_norm")
    if to.shape.architecture in SCALES_QUERY:
        q = to.graph.change(q)
    seen = _attend(to, layer, q, k, v)
    if to.has("attn_sub_norm"):
        seen = to.norm(seen)
    if _has(to, "attn_gate"):
        gate = to.graph.change(to.times(layer.heads, of))
        seen = to.graph.view(to.graph.change(to.graph.view(seen), gate))
    return to.times(to.shape.width, seen)


def gated(to: Setting, layer: Layer, of: Tensor) -> Tensor:
    """The query comes with a gate for the result (build_layer_attn in models/qwen35.cpp)."""
    graph, tokens = to.graph, to.tokens
    heads, head = layer.heads, _key_head(layer)
    both = to.times(2 * layer.heads * head, of)
    k, v = to.times(layer.key_width, of), to.times(layer.value_width, of)
    q = _rope(to, to.norm(graph.view(both, head, heads, tokens)))
    k = _rope(to, to.norm(graph.view(k, head, layer.kv_heads, tokens)))
    gate = graph.make((heads * head, tokens), graph.view(both))
    v = graph.view(v, head, layer.kv_heads, tokens)
    result = _attend(to, layer, q, k, v)
    return to.times(to.shape.width, graph.change(result, graph.change(gate)))


def latent(to: Setting, layer: Layer, sizes: Latent, of: Tensor) -> Tensor:
    """MLA with absorbed projections (models/deepseek2.cpp, is_mla)."""
    graph, tokens, heads = to.graph, to.tokens, layer.heads
    query = of
    if sizes.query_rank:
        query = to.norm(to.times(sizes.query_rank, of))
    q = graph.view(to.times(heads * sizes.key, query))
    compressed = to.times(sizes.rank + sizes.rope, of)
    rotated = to.shape.architecture not in NO_ROPE
    k_rope = graph.view(compressed, sizes.rope, 1, tokens)
    k_rope = _rope(to, k_rope) if rotated else k_rope
    kv = to.norm(graph.view(compressed, sizes.rank, tokens))
    q_rope = graph.view(q, sizes.rope, heads, tokens)
    q_rope = _rope(to, q_rope) if rotated else q_rope
    absorbed = graph.make((sizes.rank, tokens, heads), graph.view(q))
    q = graph.make((sizes.rank + sizes.rope, heads, tokens), graph.view(absorbed), q_rope)
    kv = graph.view(kv, sizes.rank, 1, tokens)
    k = graph.make((sizes.rank + sizes.rope, 1, tokens), kv, k_rope)
    for tensor in (q, kv, k):
        graph.expand(tensor)
    graph.store(graph.view(k), to.k_places(window=False))
    cached = to.cached(layer.key_width, window=False)
    values = to.cached(layer.key_width, window=False)
    values = values if to.size.flash else to.turned_values(sizes.rank, values)
    seen = _flash_or_not(to, layer, q, sizes.rank, (cached, values), window=False)
    unpacked = graph.make((sizes.value, tokens, heads), graph.view(seen))
    result = graph.make((sizes.value, heads, tokens), graph.view(unpacked))
    result = graph.view(result, sizes.value * heads, tokens)
    graph.expand(result)
    if to.has("attn_gate"):
        gate = graph.change(graph.view(to.times(heads, of), 1, heads, tokens))
        seen = graph.change(graph.view(result, sizes.value, heads, tokens), gate)
        result = graph.make(result.shape, seen)
    return to.times(to.shape.width, result)


def _split(to: Setting, layer: Layer, of: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Q, K and V, from one projection or three; biases are added in place."""
    graph, tokens = to.graph, to.tokens
    head = _key_head(layer)
    q_shape = (head, layer.heads, tokens)
    k_shape = (head, layer.kv_heads, tokens)
    v_shape = (layer.value_width // max(layer.kv_heads, 1), layer.kv_heads, tokens)
    if _has(to, "attn_qkv"):
        all_three = to.times(layer.heads * head + layer.key_width + layer.value_width, of)
        views = [graph.view(all_three, *shape) for shape in (q_shape, k_shape, v_shape)]
        return views[0], views[1], views[2]
    widths = (layer.heads * head, layer.key_width, layer.value_width)
    q, k, v = (to.times(width, of) for width in widths)
    return graph.view(q, *q_shape), graph.view(k, *k_shape), graph.view(v, *v_shape)


def _prepare(to: Setting, layer: Layer, part: Tensor, *, norm: str) -> Tensor:
    if to.has(norm):
        part = to.norm(part)
    architecture = to.shape.architecture
    plain = architecture in ROPE_IN_WINDOWS and layer.kind is not LayerKind.WINDOW
    return part if plain or architecture in NO_ROPE else _rope(to, part)


def _rope(to: Setting, of: Tensor) -> Tensor:
    per_token = MROPE_POSITIONS if to.shape.architecture in MROPE else 1
    return to.graph.change(of, to.positions(per_token), *to.rope_factors(of.shape[0]))


def _attend(to: Setting, layer: Layer, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Rotate, store, look: up to the output projection."""
    graph, window = to.graph, layer.kind is LayerKind.WINDOW
    v_head = v.shape[0]
    k_turn = to.rotation(q.shape[0], window=window, whole=True)
    v_turn = to.rotation(v_head, window=window, whole=False)
    if k_turn:
        q, k = _turn(to, q, k_turn), _turn(to, k, k_turn)
    if v_turn:
        v = _turn(to, v, v_turn, scattered=_has(to, "attn_qkv"))
    for tensor in (q, k, v) if to.shape.window else (q, v, k):
        graph.expand(tensor)
    graph.store(graph.view(k), to.k_places(window=window))
    graph.store(graph.view(v), to.v_places(window=window))
    cached = [to.cached(width, window=window) for width in (layer.key_width, layer.value_width)]
    seen = _flash_or_not(to, layer, q, v_head, (cached[0], cached[1]), window=window)
    result = seen
    if not to.size.flash:
        result = graph.make((v_head, layer.heads, to.tokens), graph.view(seen))
    result = graph.view(result, v_head * layer.heads, to.tokens)
    graph.expand(result)
    return _turn(to, result, v_turn) if v_turn else result


def _flash_or_not(
    to: Setting,
    layer: Layer,
    q: Tensor,
    head: int,
    cached: tuple[Tensor, Tensor],
    *,
    window: bool,
) -> Tensor:
    """Flash attention never holds the scores of all heads; without it they are the peak."""
    graph, mask = to.graph, to.mask(window=window)
    query, (keys, values) = graph.view(graph.view(q)), cached
    if to.size.flash:
        return graph.make((head, layer.heads, to.tokens), query, keys, values, mask)
    cells = mask.shape[0]
    scores = graph.make((cells, to.tokens, layer.heads), keys, query)
    return graph.make((head, to.tokens, layer.heads), values, graph.change(scores, mask))


def _turn(to: Setting, of: Tensor, rotation: Tensor, *, scattered: bool = False) -> Tensor:
    """llama_mul_mat_hadamard; what is not in one piece is copied first."""
    graph = to.graph
    flat = graph.make(of.shape, of) if scattered else graph.view(of)
    return graph.view(graph.make(of.shape, rotation, flat), *of.shape)


def _has(to: Setting, part: str) -> bool:
    return to.has(part) and to.shape.architecture not in NEITHER_FUSED_NOR_GATED


def _key_head(layer: Layer) -> int:
    return layer.key_width // max(layer.kv_heads, 1)
