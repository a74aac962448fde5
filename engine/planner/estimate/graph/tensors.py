"""A compute graph as sizes only: what is made of what, in the order llama.cpp evaluates it.

Weights and caches have buffers of their own: they appear only where a device may have to fetch
them. Shapes are as in ggml (the first dimension is the fastest). Source:
ggml_visit_parents_graph in ggml/src/ggml.c.
"""

from math import prod


class Tensor:
    """`root` is the tensor a view looks into, None for one with memory of its own. `place` is
    where it lies: 0 is main memory. `outside`: in a buffer of its own, a weight or a cache."""

    __slots__ = (
        "children",
        "inplace",
        "item",
        "kept",
        "offset",
        "outside",
        "owned",
        "place",
        "root",
        "shape",
        "size",
        "sources",
        "views",
        "visited",
        "weight",
    )

    def __init__(
        self,
        shape: tuple[int, ...],
        sources: "tuple[Tensor, ...]",
        *,
        item: int = 4,
        inplace: bool = False,
        root: "Tensor | None" = None,
    ) -> None:
        self.shape = shape
        self.item = item
        self.size = 0 if root else prod(shape) * item
        self.sources = sources
        self.inplace = inplace
        self.root = root
        self.visited = False
        self.children = self.views = self.offset = self.place = 0
        self.owned = self.kept = self.outside = self.weight = False


class Graph:
    """Records operations; `expand` puts one and all it needs into the order of evaluation.

    What is made lies at `work`, the place of the processor or device that computes it; caches
    and states at `home`.
    """

    def __init__(self) -> None:
        self.inputs: list[Tensor] = []
        self.nodes: list[Tensor] = []
        self.work = self.home = 0

    def input(self, *shape: int, item: int = 4, kept: bool = False) -> Tensor:
        tensor = Tensor(shape, (), item=item)
        tensor.kept = kept
        return tensor

    def outside(self, size_bytes: int, place: int, *, weight: bool = False) -> Tensor:
        """A weight, or what is read of a cache."""
        tensor = Tensor((size_bytes,), (), item=1)
        tensor.place, tensor.outside, tensor.weight = place, True, weight
        return tensor

    def make(self, shape: tuple[int, ...], *sources: Tensor) -> Tensor:
        """A result in memory of its own."""
        return self._at_work(Tensor(shape, sources))

    def copy(self, of: Tensor, *shape: int, item: int) -> Tensor:
        """Something read from a cache into memory of its own."""
        return self._at_work(Tensor(shape, (of,), item=item))

    def change(self, first: Tensor, *others: Tensor) -> Tensor:
        """A result as large as `first` that may take its place (ggml_op_can_inplace)."""
        return self._at_work(Tensor(first.shape, (first, *others), inplace=True))

    def view(self, of: Tensor, *shape: int) -> Tensor:
        """Where the memory is that it looks into."""
        view = Tensor(shape or of.shape, (of,), item=of.item, root=of.root or of)
        view.place = of.place
        return view

    def store(self, *sources: Tensor) -> None:
        """A write into a cache: takes no memory, but needs its sources until then."""
        tensor = Tensor((0,), sources)
        tensor.place = self.home
        self.expand(tensor)

    def _at_work(self, tensor: Tensor) -> Tensor:
        tensor.place = self.work
        return tensor

    def expand(self, tensor: Tensor) -> None:
        if tensor.visited or tensor.outside:
            return
        tensor.visited = True
        for source in tensor.sources:
            self.expand(source)
        (self.nodes if tensor.sources else self.inputs).append(tensor)
