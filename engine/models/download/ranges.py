"""Which bytes of a file are there: spans from one position up to but not with another. Pure."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable

Span = tuple[int, int]


class Ranges:
    """Sorted spans that neither overlap nor touch. Empty spans are nothing."""

    __slots__ = ("_ends", "_starts")

    def __init__(self, spans: Iterable[Span] = ()) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in spans:
            self.add(start, end)

    @property
    def spans(self) -> tuple[Span, ...]:
        return tuple(zip(self._starts, self._ends, strict=True))

    @property
    def count_bytes(self) -> int:
        return sum(self._ends) - sum(self._starts)

    def add(self, start: int, end: int) -> None:
        if start >= end:
            return
        first, last = bisect_left(self._ends, start), bisect_right(self._starts, end)
        if first < last:
            start, end = min(start, self._starts[first]), max(end, self._ends[last - 1])
        self._starts[first:last], self._ends[first:last] = [start], [end]

    def remove(self, start: int, end: int) -> None:
        if start >= end:
            return
        kept = [
            part
            for its_start, its_end in self.spans
            for part in ((its_start, min(its_end, start)), (max(its_start, end), its_end))
            if part[0] < part[1]
        ]
        self._starts, self._ends = [part[0] for part in kept], [part[1] for part in kept]

    def covers(self, start: int, end: int) -> bool:
        if start >= end:
            return True
        at = bisect_right(self._starts, start) - 1
        return at >= 0 and self._ends[at] >= end

    def holes(self, end: int) -> tuple[Span, ...]:
        """What is not there of the bytes before `end`, in order."""
        starts = [0, *self._ends]
        ends = [*self._starts, end]
        pairs = ((start, min(its_end, end)) for start, its_end in zip(starts, ends, strict=True))
        return tuple(pair for pair in pairs if pair[0] < pair[1])

    def until(self, start: int) -> int:
        """How far the bytes from `start` on are there without a hole."""
        at = bisect_right(self._starts, start) - 1
        return max(start, self._ends[at]) if at >= 0 else start
