"""What every block of a graph shares: the sizes asked for and the inputs that all of them read."""

from dataclasses import dataclass, field

from engine.planner.estimate.graph.tensors import Graph, Tensor
from engine.types.shapes import ModelShape

MROPE_POSITIONS = 4
LAYER_NORMS = frozenset({"cohere2", "cohere2moe", "command-r", "mpt", "olmo"})
"""Plain layer norm though it has no bias."""
MASK_BYTES = 2
"""A value of the mask, with flash attention."""
HADAMARD = 64
"""Heads of a multiple of it are rotated for a quantised cache (src/llama-kv-cache.cpp)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """`cells` of the full cache and `window_cells` of that for sliding windows."""

    tokens: int
    cells: int
    window_cells: int
    quantized: bool
    flash: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Where a block's weights and cache lie (`home`) and where it is computed (`work`), and the
    same of its routed experts; 0 is main memory. `matrices`: (columns, rows, bytes) of weights
    that a device has to fetch."""

    home: int = 0
    work: int = 0
    experts_home: int = 0
    experts_work: int = 0
    matrices: tuple[tuple[int, int, int], ...] = ()


@dataclass(slots=True)
class Setting:
    """One graph under construction. Inputs that nothing reads take no memory."""

    shape: ModelShape
    size: Size
    graph: Graph = field(default_factory=Graph)
    spot: Spot = field(default_factory=Spot)
    first_value: Tensor | None = None
    """What later layers need of the first one (RWKV 7)."""
    _inputs: dict[str, Tensor] = field(default_factory=dict)
    _factors: Tensor | None = None

    @property
    def tokens(self) -> int:
        return self.size.tokens

    def has(self, part: str) -> bool:
        return part in self.shape.parts

    def enter(self, spot: Spot) -> None:
        """What follows is of a block at this spot."""
        self.spot = spot
        self.graph.home, self.graph.work = spot.home, spot.work

    def _input(self, name: str, *shape: int, item: int = 4, kept: bool = False) -> Tensor:
        if name not in self._inputs:
            self._inputs[name] = self.graph.input(*shape, item=item, kept=kept)
        return self._inputs[name]

    def positions(self, per_token: int) -> Tensor:
        return self._input("positions", self.tokens * per_token)

    def mask(self, *, window: bool) -> Tensor:
        """F16 with flash attention, else F32 (build_attn_inp_kq_mask in llama-graph.cpp).

        The last layer with attention frees it. That is too late to lower the peak, and what moves
        into a hole of this size would make a longer context seem smaller now and then: so it is
        kept, and the buffer grows evenly with the context.
        """
        cells = self.size.window_cells if window else self.size.cells
        item = MASK_BYTES if self.size.flash else 4
        return self._input(f"mask {window}", cells, self.tokens, item=item, kept=True)

    def k_places(self, *, window: bool) -> Tensor:
        return self._input(f"k places {window}", self.tokens, item=8)

    def v_places(self, *, window: bool) -> Tensor:
        """A transposed V, as without flash attention, is written element by element."""
        widest = max(layer.value_width for layer in self.shape.layers)
        elements = self.tokens * (1 if self.size.flash else widest)
        return self._input(f"v places {window}", elements, item=8)

    def rotation(self, head: int, *, window: bool, whole: bool) -> Tensor | None:
        """The Hadamard matrix for K (`whole`: the largest that divides a head) or V."""
        if not self.size.quantized or head % HADAMARD:
            return None
        side = head & -head if whole else HADAMARD
        return self._input(f"rotation {whole} {window}", side, side)

    def turned_values(self, width: int, cached: Tensor) -> Tensor:
        """A transposed F16 copy of what a cache of K alone holds of V."""
        return self.graph.copy(cached, self.size.cells, width, item=2)

    def cached(self, width: int, *, window: bool) -> Tensor:
        """What attention reads of K or V: all cells, `width` elements each."""
        cells = self.size.window_cells if window else self.size.cells
        row = -(-width // 32) * 34 if self.size.quantized else width * 2
        return self.graph.outside(cells * row, self.spot.home)

    def state_source(self) -> Tensor:
        """Which sequence's state to read: a view, made anew for each use."""
        return self._input("state source", 1)

    def decays(self, name: str, *shape: int) -> Tensor:
        """How much older tokens count, for all layers (llm_graph_input_la in llama-graph.h)."""
        return self._input(f"decays {name}", *shape)

    def state(self, elements: int) -> Tensor:
        """A sequence's state, copied out (build_rs in llama-graph.cpp)."""
        kept = self.graph.outside(elements * 4, self.spot.home)
        state = self.graph.make((elements,), kept, self.graph.view(self.state_source()))
        self.graph.expand(state)
        return state

    def norm(self, of: Tensor) -> Tensor:
        """RMS norm and its weight; plain layer norm (with a bias) can not work in place."""
        graph, weight = self.graph, self._vector(of.shape[0])
        if self.has("attn_norm.bias") or self.shape.architecture in LAYER_NORMS:
            scaled = graph.change(graph.make(of.shape, of), *weight)
            return graph.change(scaled, *self._vector(of.shape[0]))
        return graph.change(graph.change(of), *weight)

    def times(self, rows: int, of: Tensor) -> Tensor:
        """A product with a weight of `rows` outputs."""
        weight = self.weight(of.shape[0], rows, self.spot.home)
        return self.graph.make((rows, *of.shape[1:]), *weight, of)

    def rope_factors(self, head: int) -> tuple[Tensor, ...]:
        """The same for all blocks: fetched once, kept until the last one that lacks it."""
        if self.spot.home == self.graph.work or not self.has("rope_factors"):
            return ()
        self._factors = self._factors or self.graph.outside(2 * head, self.spot.home, weight=True)
        return (self._factors,)

    def _vector(self, elements: int) -> tuple[Tensor, ...]:
        """A small weight where it has to be fetched, else nothing."""
        away = self.spot.home != self.graph.work
        return (self.graph.outside(4 * elements, self.spot.home, weight=True),) if away else ()

    def weight(self, columns: int, rows: int, home: int) -> tuple[Tensor, ...]:
        """A weight matrix where it has to be fetched, else nothing."""
        if home == self.graph.work or not self.spot.matrices:
            return ()
        known = {(width, height): size for width, height, size in self.spot.matrices}
        size = known.get((columns, rows)) or _similar(columns * rows, self.spot.matrices)
        return (self.graph.outside(size, home, weight=True),)


def _similar(elements: int, matrices: tuple[tuple[int, int, int], ...]) -> int:
    """Bytes of a matrix that the file has in another form: as dense as the largest."""
    columns, rows, size = max(matrices, key=lambda matrix: matrix[2])
    return elements * size // (columns * rows)
