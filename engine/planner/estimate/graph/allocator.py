"""How much memory ggml's graph allocator needs for a graph: its rules, replayed on sizes.

Source: ggml/src/ggml-alloc.c (ggml_gallocr_alloc_graph_impl, ggml_dyn_tallocr_alloc): inputs
first, results in order of evaluation, in place of a source where that is its last use, else in
the smallest hole that fits; a hole opens when the last user of a tensor is done. Inputs that are
`kept` never leave one, other than in ggml.
"""

from collections.abc import Sequence

from engine.planner.estimate.graph.tensors import Tensor

ALIGNMENT_BYTES = 32
"""TENSOR_ALIGNMENT of the processor's buffers; devices use 128 or 256, which is nothing here."""
_ENDLESS = 1 << 62


class _Arena:
    """One chunk of memory without an upper end. Holes are [offset, size], by offset."""

    def __init__(self) -> None:
        self.holes = [[0, _ENDLESS]]
        self.peak = 0

    def take(self, size: int) -> int:
        size = _aligned(size)
        hole = self._best(size)
        offset = hole[0]
        hole[0] += size
        hole[1] -= size
        if not hole[1]:
            self.holes.remove(hole)
        self.peak = max(self.peak, offset + size)
        return offset

    def _best(self, size: int) -> list[int]:
        """The smallest that fits, the later one of equals; the endless one only if none does."""
        best = self.holes[-1]
        for hole in self.holes[:-1]:
            if size <= hole[1] <= best[1]:
                best = hole
        return best

    def give(self, offset: int, size: int) -> None:
        size = _aligned(size)
        at = 0
        while at < len(self.holes) and self.holes[at][0] < offset:
            at += 1
        self.holes.insert(at, [offset, size])
        self._join(at)
        self._join(at - 1)

    def _join(self, at: int) -> None:
        if 0 <= at < len(self.holes) - 1:
            hole, after = self.holes[at], self.holes[at + 1]
            if hole[0] + hole[1] == after[0]:
                hole[1] += after[1]
                del self.holes[at + 1]


def peak_bytes(
    inputs: Sequence[Tensor], order: Sequence[Tensor], places: int = 1
) -> tuple[int, ...]:
    """The size of each place's compute buffer, of inputs and what is `scheduled`. Uses them up."""
    arenas = [_Arena() for _ in range(places)]
    for tensor in inputs:
        _place(arenas, tensor)
    for node in order:
        if node.root:
            node.root.views += 1
        for source in node.sources:
            source.children += 1
    for node in order:
        _place(arenas, node)
        for source in node.sources:
            _release(arenas, source)
    return tuple(arena.peak for arena in arenas)


def _place(arenas: list[_Arena], tensor: Tensor) -> None:
    if tensor.root or not tensor.size:
        return
    tensor.owned = not tensor.kept
    if tensor.inplace:
        for source in tensor.sources:
            if _can_replace(tensor, source):
                source.owned = False
                tensor.offset = source.offset
                return
    tensor.offset = arenas[tensor.place].take(tensor.size)


def _can_replace(tensor: Tensor, source: Tensor) -> bool:
    return (
        source.owned
        and source.children == 1
        and not source.views
        and source.shape == tensor.shape
        and source.item == tensor.item
    )


def _release(arenas: list[_Arena], source: Tensor) -> None:
    source.children -= 1
    if source.children or source.views:
        return
    if source.root:
        source.root.views -= 1
        source = source.root
        if source.children or source.views:
            return
    if source.owned:
        source.owned = False
        arenas[source.place].give(source.offset, source.size)


def _aligned(size: int) -> int:
    return -(-size // ALIGNMENT_BYTES) * ALIGNMENT_BYTES
