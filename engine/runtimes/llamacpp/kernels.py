"""Measures what the engine's own kernels reach on this machine: the base of "how fast?".

About half a second, and 150 MB while it lasts. It must never run beside a reply (see `graphs`):
in a child through `speed_role`, or on the inference thread. All graphs are timed in turns and the
best turn of each counts, so that a burst of other work does not fall on one of them alone.

Weights are laid in more memory than usual last-level caches hold, since a token of a real model
reads all of them once. AMX and KleidiAI orders are not measured: they count as the file's order.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from statistics import median

import psutil

from engine.models.ggml_types import TENSOR_TYPES
from engine.runtimes.llamacpp.graphs import Graph, Memory, Processor
from engine.types.hardware import Speed

WEIGHT_TYPES = (
    *("F16", "Q8_0", "Q6_K", "Q5_K", "Q5_0", "Q4_K", "Q4_1", "Q4_0"),
    *("Q3_K", "Q2_K", "IQ4_NL", "IQ4_XS", "MXFP4"),
)
"""Those that models are made of. The planner takes the nearest for any other."""
REPACKED_TYPES = ("Q4_0", "Q4_K", "Q5_K", "Q6_K", "Q8_0", "Q2_K", "IQ4_NL", "MXFP4")
"""Those that some processor repacks (repack.cpp); whether this one does is asked."""
KV_TYPES = {"f16": "F16", "q8_0": "Q8_0"}

_MEMORY_BYTES = 64 << 20
_COLUMNS = 2048
_ROWS = 2048
_NARROW_COLUMNS = 512
_NARROW_TYPES = ("Q8_0", "Q5_0", "Q4_0")
_TURNS = 5
_WALL_S = 1.2
"""After so long no further turn begins: on a slow machine each takes long enough to be true."""
_DISTINCT_TIMES = 8
"""Of `psutil.cpu_times`: on Linux, guests' times are in those of users too."""
_SMALL_NODES = 400
_SMALL = 64
_HEADS, _KV_HEADS, _CELLS, _ATTENTIONS = 8, 2, 1024, 4
_NARROW_HEAD, _WIDE_HEAD = 64, 256

_BY_NAME = {known.name: known for known in TENSOR_TYPES.values()}
Key = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bench:
    """A graph, and how many of its unit (bytes, nodes, head visits) it works through."""

    graph: Graph
    amount: int
    rows: int = 0


def _matrix_bytes(type_name: str) -> int:
    known = _BY_NAME[type_name]
    return _COLUMNS * _ROWS // known.block * known.block_bytes


def _matrices(graph: Graph, memory: Memory, type_name: str) -> Iterator[int]:
    size = _matrix_bytes(type_name)
    for index in range(memory.size_bytes // size):
        weights = graph.tensor(type_name, _COLUMNS, _ROWS)
        memory.lay(weights, index * size)
        yield weights


def _multiplying(processor: Processor, memory: Memory, type_name: str) -> _Bench | None:
    """One token times all matrices that fit; None if the processor can not do it."""
    graph = Graph(processor)
    token = graph.tensor("F32", _COLUMNS)
    results = [graph.multiply(weights, token) for weights in _matrices(graph, memory, type_name)]
    if not processor.supports(results[0]):
        graph.close()
        return None
    graph.place(results)
    count = len(results)
    return _Bench(graph=graph, amount=count * _matrix_bytes(type_name), rows=count * _ROWS)


def _narrow(processor: Processor, memory: Memory, type_name: str) -> _Bench:
    """The same bytes as `_multiplying`, cut into more and shorter rows."""
    graph = Graph(processor)
    token = graph.tensor("F32", _NARROW_COLUMNS)
    rows = _ROWS * _COLUMNS // _NARROW_COLUMNS
    shapes = [
        graph.reshape(weights, _NARROW_COLUMNS, rows)
        for weights in _matrices(graph, memory, type_name)
    ]
    graph.place([graph.multiply(weights, token) for weights in shapes])
    count = len(shapes)
    return _Bench(graph=graph, amount=count * _matrix_bytes(type_name), rows=count * rows)


def _chain(processor: Processor) -> _Bench:
    """Nodes with next to nothing to do, each waiting for the one before."""
    graph = Graph(processor)
    weights = graph.tensor("F32", _SMALL, _SMALL)
    one = graph.tensor("F32", _SMALL)
    value = one
    for _ in range(_SMALL_NODES // 2):
        value = graph.add(graph.multiply(weights, value), one)
    graph.place([value])
    return _Bench(graph=graph, amount=_SMALL_NODES)


def _attending(processor: Processor, type_name: str, head: int) -> _Bench:
    """One token's query heads over a cache of `_CELLS` tokens."""
    graph = Graph(processor)
    query = graph.tensor("F32", head, 1, _HEADS)
    mask = graph.tensor("F16", _CELLS, 1)
    cache = [
        [graph.tensor(type_name, head, _CELLS, _KV_HEADS) for _ in "kv"] for _ in range(_ATTENTIONS)
    ]
    graph.place([graph.attend(query, key, value, mask) for key, value in cache])
    return _Bench(graph=graph, amount=_ATTENTIONS * _HEADS * _CELLS)


def _benches(processor: Processor, plain: Memory, repacking: Memory | None) -> dict[Key, _Bench]:
    found: dict[Key, _Bench | None] = {("chain", ""): _chain(processor)}
    for name in WEIGHT_TYPES:
        found["plain", name] = _multiplying(processor, plain, name)
    for name in _NARROW_TYPES:
        found["narrow", name] = _narrow(processor, plain, name)
    if repacking:
        for name in REPACKED_TYPES:
            found["repacked", name] = _multiplying(processor, repacking, name)
    for name, type_name in KV_TYPES.items():
        found["narrow head", name] = _attending(processor, type_name, _NARROW_HEAD)
        found["wide head", name] = _attending(processor, type_name, _WIDE_HEAD)
    return {key: bench for key, bench in found.items() if bench is not None}


def _timed(work: Callable[[], None]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _best_s(benches: Mapping[Key, _Bench]) -> dict[Key, float]:
    deadline = time.perf_counter() + _WALL_S
    turns: list[dict[Key, float]] = []
    while len(turns) < 2 or (len(turns) < _TURNS and time.perf_counter() < deadline):
        turns.append({key: _timed(bench.graph.compute) for key, bench in benches.items()})
    return {key: min(turn[key] for turn in turns) for key in benches}


def _row_s(benches: Mapping[Key, _Bench], best_s: Mapping[Key, float]) -> float:
    """Two cuts of the same bytes differ by their numbers of rows alone."""
    found = []
    for name in _NARROW_TYPES:
        narrow, wide = benches["narrow", name], benches["plain", name]
        slower_s = best_s["narrow", name] - best_s["plain", name]
        found.append(slower_s / (narrow.rows - wide.rows))
    return max(0.0, median(found))


def _plain_rate(name: str, bench: _Bench, best_s: float, row_s: float) -> float:
    """Bytes a second without what rows cost; that never explains more than half of the time."""
    rows_s = 0.0 if _BY_NAME[name].block == 1 else bench.rows * row_s
    return bench.amount / (best_s - min(rows_s, best_s / 2))


def _attention(
    name: str, benches: Mapping[Key, _Bench], best_s: Mapping[Key, float]
) -> tuple[str, float, float]:
    """A straight line through a narrow and a wide head."""
    narrow, wide = (
        best_s[key, name] / benches[key, name].amount for key in ("narrow head", "wide head")
    )
    element_s = max(0.0, (wide - narrow) / (_WIDE_HEAD - _NARROW_HEAD))
    return name, max(0.0, narrow - element_s * _NARROW_HEAD), element_s


def _speed(threads: int, benches: Mapping[Key, _Bench], best_s: Mapping[Key, float]) -> Speed:
    row_s = _row_s(benches, best_s)
    of_kind = {kind: {k[1]: k for k in benches if k[0] == kind} for kind in ("plain", "repacked")}
    return Speed(
        threads=threads,
        bytes_per_s=tuple(
            (name, _plain_rate(name, benches[key], best_s[key], row_s))
            for name, key in of_kind["plain"].items()
        ),
        overhead_s=best_s["chain", ""] / benches["chain", ""].amount,
        repacked_bytes_per_s=tuple(
            (name, benches[key].amount / best_s[key]) for name, key in of_kind["repacked"].items()
        ),
        row_s=row_s,
        attention_s=tuple(_attention(name, benches, best_s) for name in KV_TYPES),
    )


class _Others:
    """What other programs have of the processor from now on."""

    def __init__(self) -> None:
        self._began = self._now()

    def share(self) -> float:
        """From 0 to 1, of all cores."""
        everybody, ours, whole = (
            now - then for now, then in zip(self._now(), self._began, strict=True)
        )
        return min(max(everybody - ours, 0.0) / max(whole, 1e-9), 1.0)

    @staticmethod
    def _now() -> tuple[float, float, float]:
        """Seconds that everybody worked, that we did, and that there were, over all cores."""
        times, own = psutil.cpu_times(), psutil.Process().cpu_times()
        whole = sum(times[:_DISTINCT_TIMES])
        waiting = times.idle + getattr(times, "iowait", 0.0)
        return whole - waiting, own.user + own.system, whole


def measure_speed(threads: int) -> Speed:
    """What this machine's kernels reach with `threads` threads. Raises `EngineStopped`."""
    with ExitStack() as held:
        processor = Processor(threads)
        held.callback(processor.close)
        plain = processor.memory(_MEMORY_BYTES)
        held.callback(plain.close)
        repacking = processor.repacking_memory(_MEMORY_BYTES)
        if repacking:
            held.callback(repacking.close)
        benches = _benches(processor, plain, repacking)
        for bench in benches.values():
            held.callback(bench.graph.close)
        others = _Others()
        best_s = _best_s(benches)
        return replace(_speed(threads, benches, best_s), others_share=others.share())


def speed_role(argument: dict[str, object]) -> dict[str, object]:
    """`{"threads": n}` -> the fields of a `Speed`, for a child process."""
    threads = argument.get("threads")
    return asdict(measure_speed(threads if isinstance(threads, int) and threads > 0 else 1))
