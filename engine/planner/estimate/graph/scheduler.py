"""Who computes what, replayed: ggml's scheduler cuts a graph into stretches of one place each, and
copies what a stretch needs from elsewhere to its beginning.

Source: ggml_backend_sched_split_graph in ggml/src/ggml-backend.cpp (passes 5 and after; which
place computes a node was decided where it was made). A host reads no device's memory and a device
no host's. Copies of weights do not outlive their stretch.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.planner.estimate.graph.tensors import Graph, Tensor


@dataclass(slots=True)
class _Stretch:
    place: int
    copied: list[tuple[Tensor, Tensor]] = field(default_factory=list)
    """What is copied, and its copy."""
    nodes: list[Tensor] = field(default_factory=list)


def scheduled(graph: Graph) -> list[Tensor]:
    """All nodes in the order in which they are given memory, with the copies between places.

    A copy is given its memory when its stretch begins, and what is copied may not be freed before:
    that is a node without size whose source it is.
    """
    if not any(node.place for node in graph.nodes):
        return graph.nodes
    order: list[Tensor] = []
    for stretch in _stretches(graph.nodes):
        for original, copy in stretch.copied:
            order += (Tensor((0,), (original,)), copy)
        order += stretch.nodes
    return order


def _stretches(nodes: Iterable[Tensor]) -> list[_Stretch]:
    copies: dict[tuple[int, int], Tensor] = {}
    stretches: list[_Stretch] = []
    waiting: list[Tensor] = []
    for node in nodes:
        if node.root:
            (stretches[-1].nodes if stretches else waiting).append(node)
            continue
        if not stretches or _begins(node, stretches[-1]):
            stretches.append(_Stretch(node.place, nodes=waiting))
            waiting = []
        stretch = stretches[-1]
        node.sources = tuple(_at(source, stretch, copies) for source in node.sources)
        stretch.nodes.append(node)
    return stretches


def _begins(node: Tensor, stretch: _Stretch) -> bool:
    """Another place; or a weight to fetch, so that the memory of the last one can be used."""
    if node.place != stretch.place:
        return True
    fetches = any(source.weight and source.place != node.place for source in node.sources)
    return fetches and bool(stretch.copied)


def _at(source: Tensor, stretch: _Stretch, copies: dict[tuple[int, int], Tensor]) -> Tensor:
    """The source itself, or its copy at this place: one a place serves all who need it. A view of
    some columns is copied with what lies between them."""
    if source.place == stretch.place:
        return source
    key = (id(source), stretch.place)
    if key not in copies:
        whole = source.root or source
        copy = Tensor(whole.shape, (), item=whole.item)
        copy.place, copy.kept = stretch.place, source.kept
        copies[key] = copy
        stretch.copied.append((source, copy))
    return copies[key]
