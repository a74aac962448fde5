"""Sees to it that what was fetched outlives a power cut: every now and then the file is synced, and
then the chunks that were whole before are journalled with a check of each.

On a thread of its own, since a sync may take long. Never writes to a file after `stop`.
"""

from collections.abc import Callable, Mapping
from threading import Event, Thread

from engine.models.download.checks import crc_of
from engine.models.download.follower import Follower
from engine.models.download.journal import Journal
from engine.models.download.plan import Plan
from engine.models.download.ranges import Span
from engine.models.download.records import Check
from engine.models.download.storage import PositionalFile

_EVERY_S = 5.0
_EVERY_BYTES = 128 << 20
_LOOK_S = 0.1


class Syncer:
    """`chunks` are those in the journal. Most checks are known by the `follower` already."""

    def __init__(
        self,
        file: PositionalFile,
        journal: Journal,
        plan: Plan,
        follower: Follower,
        chunks: Mapping[int, Check],
        clock: Callable[[], float],
    ) -> None:
        self._file = file
        self._journal = journal
        self._plan = plan
        self._follower = follower
        self._clock = clock
        self._stopped = Event()
        self._last = Event()
        self._synced_bytes = plan.done_bytes
        self._at_s = clock()
        self._thread = Thread(target=self._run, name="snug-sync", daemon=True)
        self.chunks = dict(chunks)
        self.finished = Event()
        self.error: OSError | None = None

    def start(self) -> None:
        self._thread.start()

    def finish(self) -> None:
        """All is there: sync once more and end. Does not wait."""
        self._last.set()

    def stop(self, within_s: float = 0.5) -> bool:
        """Whether it has ended; if not, the system still syncs, and nothing comes after that."""
        self._stopped.set()
        self._last.set()
        self._thread.join(within_s)
        return not self._thread.is_alive()

    # --- on the thread ----------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            while not self._last.wait(_LOOK_S):
                if self._is_due():
                    self._sync()
            if not self._stopped.is_set():
                self._sync()
        except OSError as error:
            self.error = error
        self.finished.set()

    def _is_due(self) -> bool:
        new_bytes = self._plan.done_bytes - self._synced_bytes
        waited_s = self._clock() - self._at_s
        return new_bytes >= _EVERY_BYTES or (new_bytes > 0 and waited_s >= _EVERY_S)

    def _sync(self) -> None:
        done_bytes, spans = self._plan.done_bytes, self._plan.written
        self._file.sync()
        found: dict[int, Check] = {}
        for number, span in whole_chunks(spans, self._follower.chunk_bytes, self._plan.size_bytes):
            if self._stopped.is_set():
                return
            check = None if number in self.chunks else self._check(number, span)
            if check is not None:
                found[number] = check
        self._journal.chunks(found)
        self.chunks |= found
        self._synced_bytes, self._at_s = done_bytes, self._clock()

    def _check(self, number: int, span: Span) -> Check | None:
        check = self._follower.checks.get(number)
        if check is None and (crc := crc_of(self._file, span)) is not None:
            return Check(value=crc)
        return check


def whole_chunks(
    spans: tuple[Span, ...], chunk_bytes: int, size_bytes: int | None
) -> list[tuple[int, Span]]:
    """The chunks of a file of that size which are there from their first to their last byte."""
    if size_bytes is None:
        return []
    found = []
    for start, end in spans:
        number = -(-start // chunk_bytes)
        while (first := number * chunk_bytes) < size_bytes:
            last = min(first + chunk_bytes, size_bytes)
            if last > end:
                break
            found.append((number, (first, last)))
            number += 1
    return found
