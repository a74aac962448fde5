"""A compute graph as sizes only: what is made of what, in the order llama.cpp evaluates it.

Weights and caches have buffers of their own, so they do not appear. Shapes are as in ggml (the
first dimension is the fastest). Source: ggml_visit_parents_graph in ggml/src/ggml.c.
"""

from math import prod


class Tensor:
    """`root` is the tensor a view looks into, None for one with memory of its own."""

    __slots__ = (
        "children",
        "inplace",
        "item",
        "kept",
        "offset",
        "owned",
        "root",
        "shape",
        "size",
        "sources",
        "views",
        "visited",
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
        self.children = self.views = self.offset = 0
        self.owned = self.kept = False


class Graph:
    """Records operations; `expand` puts one and all it needs into the order of evaluation."""

    def __init__(self) -> None:
        self.inputs: list[Tensor] = []
        self.nodes: list[Tensor] = []
        self._elsewhere = Tensor((0,), ())
        """Stands for weights and caches, which have buffers of their own."""

    def input(self, *shape: int, item: int = 4, kept: bool = False) -> Tensor:
        tensor = Tensor(shape, (), item=item)
        tensor.kept = kept
        return tensor

    def make(self, shape: tuple[int, ...], *sources: Tensor) -> Tensor:
        """A result in memory of its own."""
        return Tensor(shape, sources)

    def copy(self, *shape: int, item: int) -> Tensor:
        """Something read from a cache into memory of its own."""
        return Tensor(shape, (self._elsewhere,), item=item)

    def change(self, first: Tensor, *others: Tensor) -> Tensor:
        """A result as large as `first` that may take its place (ggml_op_can_inplace)."""
        return Tensor(first.shape, (first, *others), inplace=True)

    def view(self, of: Tensor, *shape: int) -> Tensor:
        return Tensor(shape or of.shape, (of,), item=of.item, root=of.root or of)

    def store(self, *sources: Tensor) -> None:
        """A write into a cache: takes no memory, but needs its sources until then."""
        self.expand(Tensor((0,), sources))

    def expand(self, tensor: Tensor) -> None:
        if tensor.visited:
            return
        tensor.visited = True
        for source in tensor.sources:
            self.expand(source)
        (self.nodes if tensor.sources else self.inputs).append(tensor)
