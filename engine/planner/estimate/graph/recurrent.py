"""Layers with a state instead of a cache: src/models/mamba-base.cpp, delta-net-base.cpp, lfm2.cpp.

One sequence. States live in buffers of their own; what is read from them is copied.
"""

from engine.planner.estimate.graph.setting import Setting
from engine.planner.estimate.graph.tensors import Tensor
from engine.types.shapes import Layer, StateSpace

REPEATS_KEYS = frozenset({"qwen3next"})
"""Copies K and Q for each head of V; others let the operation do it."""
_UNKNOWN_TENSORS = 8


def mamba1(to: Setting, sizes: StateSpace, of: Tensor) -> Tensor:
    graph, tokens, inner = to.graph, to.tokens, sizes.inner
    past = to.state((sizes.kernel - 1) * inner)
    both = to.times(2 * inner, graph.view(of))
    x = graph.change(_convolve(to, sizes, past, both, inner))
    x = graph.change(x)
    small = to.times(sizes.heads + 2 * sizes.state, x)
    step, b, c = (graph.view(small, size, tokens) for size in _thirds(sizes))
    if to.has("ssm_dt_norm"):
        step, b, c = to.norm(step), to.norm(b), to.norm(c)
    else:
        step = graph.make(step.shape, step)
    step = graph.change(to.times(inner, step))
    scanned = _scan(to, sizes, (graph.view(x), step, b, c))
    y = graph.change(graph.view(scanned, inner, tokens), graph.change(x))
    y = graph.make(y.shape, graph.make(y.shape, graph.view(both)), y)
    return graph.view(to.times(to.shape.width, y))


def mamba2(to: Setting, sizes: StateSpace, of: Tensor) -> Tensor:
    graph, tokens, inner = to.graph, to.tokens, sizes.inner
    convolved = inner + 2 * sizes.groups * sizes.state
    past = to.state((sizes.kernel - 1) * convolved)
    projected = to.times(inner + convolved + sizes.heads, of)
    mixed = graph.change(_convolve(to, sizes, past, projected, convolved))
    mixed = graph.change(mixed)
    step = graph.make((sizes.heads, tokens), graph.view(projected))
    step = graph.change(step)
    x, b, c = (graph.view(mixed, inner, tokens) for _ in range(3))
    scanned = _scan(to, sizes, (x, step, b, c))
    y = graph.change(graph.view(scanned, inner, tokens), graph.change(x))
    y = graph.make(y.shape, graph.make(y.shape, graph.view(projected)), y)
    if to.has("ssm_norm"):
        y = to.norm(graph.view(y))
    return to.times(to.shape.width, graph.view(y))


def delta_net(to: Setting, sizes: StateSpace, of: Tensor) -> Tensor:
    """Gated delta net with the fused operation (models/qwen35.cpp, qwen3next.cpp)."""
    graph, tokens, heads = to.graph, to.tokens, sizes.heads
    keys = sizes.groups * sizes.state
    mixed = graph.view(to.times(sizes.inner + 2 * keys, of))
    z = to.times(sizes.inner, of)
    beta, gate = _beta_and_gate(to, sizes, of)
    past = to.state((sizes.kernel - 1) * (sizes.inner + 2 * keys))
    joined = _join(to, sizes, past, mixed, sizes.inner + 2 * keys)
    state = graph.view(to.state(sizes.state * sizes.inner))
    convolved = graph.change(graph.make((sizes.inner + 2 * keys, tokens), joined))
    q, k = (_unit(to, graph.view(convolved, keys, tokens)) for _ in range(2))
    if to.shape.architecture in REPEATS_KEYS and sizes.groups != heads:
        q, k = (graph.view(graph.make((sizes.inner, tokens), graph.view(part))) for part in (q, k))
    rows = tokens + sizes.state
    sources = (q, k, graph.view(convolved), gate, beta, state)
    result = graph.make((sizes.inner, rows), *sources)
    graph.store(graph.view(result))
    normed = to.norm(graph.view(result, sizes.inner, tokens))
    y = graph.change(normed, graph.change(graph.view(z)))
    return graph.view(to.times(to.shape.width, graph.view(y)))


def short_convolution(to: Setting, sizes: StateSpace, of: Tensor) -> Tensor:
    graph, tokens, width = to.graph, to.tokens, to.shape.width
    three = to.times(3 * width, graph.view(of))
    b, c, x = (graph.view(three, width, tokens) for _ in range(3))
    product = graph.change(b, x)
    past = to.state((sizes.kernel - 1) * width)
    joined = _join(to, sizes, past, product, width)
    y = graph.change(c, graph.make((width, tokens), joined))
    return graph.view(to.times(width, y))


def unknown_mixer(to: Setting, layer: Layer, of: Tensor) -> Tensor:
    """A mixer whose sizes are not known: its state twice, eight tensors as wide as the model
    (Mamba needs fewer)."""
    graph = to.graph
    past = to.state(layer.state_elements)
    wide = [to.times(to.shape.width, of) for _ in range(_UNKNOWN_TENSORS)]
    after = graph.make((layer.state_elements,), past, *wide)
    graph.store(after)
    return to.times(to.shape.width, graph.change(wide[0], *wide[1:]))


def _thirds(sizes: StateSpace) -> tuple[int, int, int]:
    return sizes.heads, sizes.state, sizes.state


def _join(to: Setting, sizes: StateSpace, past: Tensor, new: Tensor, width: int) -> Tensor:
    """The convolution's last tokens before the new ones; the newest are kept for next time."""
    graph = to.graph
    shape = (sizes.kernel - 1 + to.tokens, width)
    joined = graph.make(shape, graph.view(past), graph.view(new))
    graph.store(graph.view(joined))
    return joined


def _convolve(to: Setting, sizes: StateSpace, past: Tensor, new: Tensor, width: int) -> Tensor:
    joined = _join(to, sizes, past, to.graph.view(new), width)
    return to.graph.make((width, to.tokens), joined)


def _scan(to: Setting, sizes: StateSpace, parts: tuple[Tensor, ...]) -> Tensor:
    """Results of all tokens and the state after them, in one tensor (ggml_ssm_scan)."""
    graph = to.graph
    elements = sizes.inner * (to.tokens + sizes.state)
    scanned = graph.make((elements,), *parts, graph.view(to.state_source()))
    graph.expand(scanned)
    graph.store(graph.view(scanned))
    return scanned


def _beta_and_gate(to: Setting, sizes: StateSpace, of: Tensor) -> tuple[Tensor, Tensor]:
    graph, shape = to.graph, (sizes.heads, to.tokens)
    if to.has("ssm_ba"):
        both = graph.view(to.times(2 * sizes.heads, of))
        beta, alpha = (graph.make(shape, graph.view(both)) for _ in range(2))
        beta = graph.view(graph.change(beta))
        gate = graph.change(graph.change(graph.change(alpha)))
        return beta, graph.view(gate)
    beta = graph.change(graph.view(to.times(sizes.heads, of)))
    alpha = graph.change(graph.view(to.times(sizes.heads, of)))
    return beta, graph.view(graph.change(graph.change(alpha)))


def _unit(to: Setting, of: Tensor) -> Tensor:
    """build_gdn_l2_norm: RMS norm and scale."""
    return to.graph.change(to.graph.change(of))
