"""Graphs over several places: who needs a copy of what, and when it gets its memory."""

from engine.planner.estimate.graph.allocator import peak_bytes
from engine.planner.estimate.graph.scheduler import scheduled
from engine.planner.estimate.graph.tensors import Graph, Tensor

SIZE = (1024,)
BYTES = 4096


def on(graph: Graph, place: int) -> Graph:
    graph.work = graph.home = place
    return graph


def test_in_one_place_nothing_is_copied() -> None:
    graph = Graph()
    graph.expand(graph.make(SIZE, graph.make(SIZE, graph.input(*SIZE))))
    assert scheduled(graph) is graph.nodes


def test_a_device_gets_one_copy_for_all_who_need_it() -> None:
    graph = Graph()
    given = graph.input(*SIZE)
    on(graph, 1).expand(graph.make(SIZE, graph.make(SIZE, given), given))
    order = scheduled(graph)
    wait, copy, first, second = order
    assert (wait.size, wait.sources) == (0, (given,))
    assert (copy.place, copy.size, copy.sources) == (1, BYTES, ())
    assert first.sources == (copy,)
    assert second.sources == (first, copy)
    assert peak_bytes(graph.inputs, order, 2) == (BYTES, 3 * BYTES)


def fetching(graph: Graph, count: int) -> Tensor:
    now = graph.make(SIZE, graph.input(*SIZE))
    for _ in range(count):
        now = graph.make(SIZE, graph.outside(10 * BYTES, 0, weight=True), now)
    return now


def test_fetched_weights_follow_one_another() -> None:
    """Each in a stretch of its own, so that there is one at a time."""
    graph = on(Graph(), 1)
    graph.expand(fetching(graph, 4))
    _, device = peak_bytes(graph.inputs, scheduled(graph), 2)
    assert 12 * BYTES <= device < 20 * BYTES


def test_a_view_of_some_columns_is_copied_with_what_lies_between_them() -> None:
    graph = on(Graph(), 1)
    whole = graph.make((1024, 8), graph.input(8))
    part = graph.view(whole, 128, 8)
    on(graph, 0).store(part)
    (copy,) = [node for node in scheduled(graph) if node.size and not node.place]
    assert copy.size == whole.size


def test_what_is_kept_stays_with_the_device_too() -> None:
    """A mask's copy never makes room, so that the buffer grows evenly with the context."""
    graph = Graph()
    mask = graph.input(*SIZE, kept=True)
    on(graph, 1)
    graph.expand(graph.make(SIZE, graph.make(SIZE, graph.make(SIZE, mask))))
    order = scheduled(graph)
    assert [node.place for node in order if node.kept] == [1]
    assert peak_bytes(graph.inputs, order, 2)[1] == 3 * BYTES
