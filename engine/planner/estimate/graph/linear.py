"""Linear attention with a state for each head: KDA (src/models/kimi-linear.cpp, bailingmoe3.cpp)
and lightning attention (minimax-01.cpp). One sequence.
"""

from engine.planner.estimate.graph.setting import Setting
from engine.planner.estimate.graph.tensors import Tensor
from engine.types.shapes import StateSpace

KDA = frozenset({"bailingmoe3", "kimi-linear"})
LIGHTNING = frozenset({"minimax-01"})


def kda(to: Setting, sizes: StateSpace, of: Tensor) -> Tensor:
    graph, tokens, inner = to.graph, to.tokens, sizes.inner
    by_head = (sizes.state, sizes.heads, tokens)
    past = to.state(3 * (sizes.kernel - 1) * inner)
    q, k, v = (_convolved(to, sizes, past, part) for part in _projected(to, sizes, of))
    decay = graph.change(graph.change(_low_rank(to, sizes, "ssm_f_b", of)))
    decay = graph.change(graph.change(graph.change(graph.view(decay, *by_head))))
    beta = graph.change(graph.view(to.times(sizes.heads, of), 1, sizes.heads, tokens))
    state = graph.view(to.state(sizes.state * inner))
    q, k = (graph.change(graph.change(graph.view(part, *by_head))) for part in (q, k))
    v = graph.view(v, *by_head)
    result = graph.make((inner, tokens + sizes.state), q, k, v, graph.view(decay), beta, state)
    graph.store(graph.view(result))
    output = graph.make(by_head, graph.view(result, *by_head))
    normed = to.norm(graph.view(output))
    gate = graph.change(graph.view(_low_rank(to, sizes, "ssm_g_b", of), *by_head))
    gated = graph.make((inner, tokens), graph.change(normed, gate))
    return to.times(to.shape.width, gated)


def _low_rank(to: Setting, sizes: StateSpace, second: str, of: Tensor) -> Tensor:
    """Kimi has two small weights for each gate, others one large."""
    return to.times(sizes.inner, to.times(sizes.state, of) if to.has(second) else of)


def _projected(to: Setting, sizes: StateSpace, of: Tensor) -> list[Tensor]:
    graph = to.graph
    if not to.has("attn_qkv"):
        return [to.times(sizes.inner, of) for _ in range(3)]
    three = to.times(3 * sizes.inner, of)
    parts = [graph.view(three, sizes.inner, to.tokens) for _ in range(3)]
    return [graph.make(part.shape, part) for part in parts]


def _convolved(to: Setting, sizes: StateSpace, past: Tensor, of: Tensor) -> Tensor:
    """The last tokens are kept at once, what comes of them is computed when it is needed."""
    graph = to.graph
    shape = (sizes.kernel - 1 + to.tokens, sizes.inner)
    joined = graph.make(shape, graph.view(past), graph.view(of))
    graph.store(graph.view(joined))
    convolved = graph.make((sizes.inner, to.tokens), joined)
    return graph.change(graph.view(convolved))


def lightning(to: Setting, sizes: StateSpace, of: Tensor) -> Tensor:
    """Each token decays for each other: inputs and results that grow with the square of them."""
    graph, tokens, inner, heads = to.graph, to.tokens, sizes.inner, sizes.heads
    by_token, by_head = (sizes.state, heads, tokens), (sizes.state, tokens, heads)
    three = graph.change(to.times(3 * inner, graph.view(of)))
    q, k, v = (graph.view(three, *by_token) for _ in range(3))
    past = graph.view(to.state(sizes.state * inner), sizes.state, sizes.state, heads)
    decays = [to.decays(name, 1, heads, tokens) for name in ("q", "k")]
    q_decay, k_decay = (graph.change(graph.change(each)) for each in decays)
    diagonal = graph.change(graph.change(to.decays("diagonal", tokens, tokens, heads)))
    other = graph.make(by_head, past, graph.view(graph.change(q, q_decay)))
    turned = graph.make((tokens, sizes.state, heads), graph.view(v))
    scores = graph.make((tokens, tokens, heads), graph.view(k), graph.view(q))
    own = graph.make(by_head, turned, graph.change(scores, diagonal))
    seen = graph.change(other, own)
    graph.expand(seen)
    slopes = graph.change(graph.change(graph.change(to.decays("slopes", heads))))
    faded = graph.change(past, graph.view(slopes))
    keys = graph.make(turned.shape, graph.view(graph.change(k, k_decay)))
    graph.store(graph.change(faded, graph.make(past.shape, keys, turned)))
    seen = graph.view(graph.make(by_token, graph.view(seen)), inner, tokens)
    normed = to.norm(seen)
    gate = graph.change(to.times(inner, of))
    return graph.view(to.times(to.shape.width, graph.change(gate, normed)))
