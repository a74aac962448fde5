"""Who fetches which bytes of a file: holes are given to connections as segments, and what is left
of the longest segment is shared when there are no holes any more. No clock, no disk; any thread."""

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Final

from engine.models.download.ranges import Ranges, Span

ENDLESS: Final = 1 << 60
"""Stands for the end of a file whose size nobody has told."""
SHARED_BYTES: Final = 16 << 20
"""Less than this is not shared between two connections: another request costs more."""


@dataclass(slots=True, eq=False)
class Segment:
    """`start` up to `at` is written, `at` up to `end` is to come. Changed by its plan only.
    `marked` is how much of it the journal knows, and since when."""

    slot: int
    start: int
    at: int
    end: int
    marked: int = 0
    marked_s: float = 0.0

    @property
    def left_bytes(self) -> int:
        return self.end - self.at


class Plan:
    def __init__(self, size_bytes: int | None, done: Sequence[Span] = ()) -> None:
        self._lock = Lock()
        self._size_bytes = size_bytes
        self._done = Ranges(done)
        self._open: list[Segment] = []

    @property
    def size_bytes(self) -> int | None:
        return self._size_bytes

    @property
    def complete(self) -> bool:
        with self._lock:
            size = self._size_bytes
            return size is not None and self._written().covers(0, size)

    @property
    def done_bytes(self) -> int:
        with self._lock:
            return self._done.count_bytes + sum(s.at - s.start for s in self._open)

    @property
    def left_bytes(self) -> int:
        """0 while the size is not known."""
        return max((self._size_bytes or 0) - self.done_bytes, 0)

    @property
    def prefix_bytes(self) -> int:
        """How far the file is there from its beginning."""
        with self._lock:
            return self._written().until(0)

    @property
    def open_segments(self) -> tuple[Segment, ...]:
        with self._lock:
            return tuple(self._open)

    @property
    def written(self) -> tuple[Span, ...]:
        with self._lock:
            return self._written().spans

    def settle(self, size_bytes: int) -> None:
        """Now the size is known."""
        with self._lock:
            self._size_bytes = size_bytes
            self._done.remove(size_bytes, ENDLESS)
            for segment in self._open:
                segment.end = max(min(segment.end, size_bytes), segment.at)

    def take(self, most_bytes: int = ENDLESS) -> Segment | None:
        """The first bytes that nobody fetches, or a share of what somebody has still to do. None
        if nothing can be shared."""
        with self._lock:
            holes = self._holes()
            if holes:
                start, end = holes[0]
                return self._opened(start, min(end, start + most_bytes))
            return self._share(most_bytes)

    def advance(self, segment: Segment, count_bytes: int) -> None:
        with self._lock:
            segment.at += count_bytes

    def give_back(self, segment: Segment) -> None:
        """What is written of it is done; the rest is a hole again."""
        with self._lock:
            if segment in self._open:
                self._open.remove(segment)
                self._done.add(segment.start, segment.at)

    def forget(self, spans: Sequence[Span]) -> None:
        """These bytes are wrong, so they are holes. Only while no segment is open."""
        with self._lock:
            for start, end in spans:
                self._done.remove(start, end)

    # --- with the lock ----------------------------------------------------------------------------

    def _written(self) -> Ranges:
        found = Ranges(self._done.spans)
        for segment in self._open:
            found.add(segment.start, segment.at)
        return found

    def _holes(self) -> tuple[Span, ...]:
        taken = Ranges(self._done.spans)
        for segment in self._open:
            taken.add(segment.start, segment.end)
        return taken.holes(ENDLESS if self._size_bytes is None else self._size_bytes)

    def _opened(self, start: int, end: int) -> Segment:
        used = {segment.slot for segment in self._open}
        slot = next(number for number in range(len(used) + 1) if number not in used)
        segment = Segment(slot, start, start, end)
        self._open.append(segment)
        return segment

    def _share(self, most_bytes: int) -> Segment | None:
        """The later half; of a long one the part after `most_bytes`, so that parts follow each
        other closely and the hash is not far behind."""
        victim = max(self._open, key=lambda segment: segment.left_bytes, default=None)
        if victim is None or self._size_bytes is None or victim.left_bytes < 2 * SHARED_BYTES:
            return None
        end = victim.end
        middle = victim.at + min(victim.left_bytes // 2, most_bytes)
        victim.end = middle
        return self._opened(middle, min(end, middle + most_bytes))
