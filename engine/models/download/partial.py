"""What is there of a file that is being fetched: its bytes, its journal, and the threads that hash
and sync them. Knows nothing of networks; several connections write to it at once.

After the death of a process every byte that was written counts. After a start of the computer only
chunks that were synced count, and only if they still have their hashes.
"""

import errno
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from engine.models.download import journal as journals
from engine.models.download.checks import compare
from engine.models.download.follower import Follower
from engine.models.download.journal import Journal
from engine.models.download.plan import Plan, Segment
from engine.models.download.ranges import Ranges, Span
from engine.models.download.records import Check, Found, Header, Stamp, chunk_span
from engine.models.download.storage import PositionalFile, clear_odd
from engine.models.download.surroundings import Surroundings
from engine.models.download.syncing import Syncer, whole_chunks
from engine.models.download.targets import Target
from engine.types.cancel import CancelToken

CHUNK_BYTES: Final = 4 << 20
"""A power cut costs at most one of them for each connection, and what was not synced."""
_MARK_BYTES: Final = 1 << 20
_MARK_S: Final = 0.002
"""What a fast server sends is marked less often than written: each mark is a call of the system."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The file as the server has told it."""

    size_bytes: int | None
    etag: str
    sha256: str


class Partial:
    """`source` is None while no server has told anything. All of it raises `OSError` for what the
    disk does not do."""

    def __init__(self, target: Target, around: Surroundings, cancel: CancelToken) -> None:
        self._target = target
        self._around = around
        clear_odd(target.part)
        self._file = PositionalFile(target.part)
        self._boot = around.boot_id()
        self._journal: Journal | None = None
        self._follower: Follower | None = None
        self._syncer: Syncer | None = None
        self.source: Source | None = None
        self.best_bytes = 0
        self.plan = Plan(target.size_bytes)
        try:
            self._go_on(journals.read(target.journal), cancel)
        except BaseException:
            self._file.close()
            raise

    @property
    def sha256(self) -> str:
        """The hash that it should have; "" if nobody has told."""
        return self._target.sha256 or (self.source.sha256 if self.source else "")

    # --- beginning --------------------------------------------------------------------------------

    def begin(self, source: Source) -> None:
        """A server has told which file it is. Nothing of another one is there."""
        if source.size_bytes is not None:
            self.plan.settle(source.size_bytes)
        self._write_down(source, (), {})

    def begin_anew(self) -> None:
        """It is another file now. Only while nobody writes."""
        self._stop()
        self._file.cut(0)
        self.source = None
        self.plan = Plan(self._target.size_bytes)

    def forget_all(self) -> None:
        """Every byte is fetched anew."""
        self.forget(((0, 1 << 60),))
        self._file.cut(0)

    def forget(self, spans: tuple[Span, ...]) -> None:
        """These bytes are wrong. Only while nobody writes."""
        chunks = {} if self._syncer is None else self._syncer.chunks
        self._stop()
        self.plan.forget(spans)
        kept = {number for number, _ in self._whole(self.plan.written)}
        if self.source is not None:
            left = {number: check for number, check in chunks.items() if number in kept}
            self._write_down(self.source, self.plan.written, left)

    def _go_on(self, found: Found | None, cancel: CancelToken) -> None:
        if found is None or not self._target.is_of(found):
            self._file.cut(0)
            return
        self.best_bytes = found.best_bytes
        header = found.header
        source = Source(size_bytes=header.size_bytes, etag=header.etag, sha256=header.sha256)
        written = self._there(found, cancel)
        size = self._target.size_bytes if source.size_bytes is None else source.size_bytes
        self.plan = Plan(size, written)
        kept = {number for number, _ in self._whole(written)}
        chunks = {number: one for number, one in found.chunks.items() if number in kept}
        self._write_down(source, written, chunks if header.chunk_bytes == CHUNK_BYTES else {})

    def _there(self, found: Found, cancel: CancelToken) -> tuple[Span, ...]:
        """What of the journal's words can be believed."""
        spans = Ranges(found.written)
        if not self._boot or found.header.boot != self._here():
            spans = Ranges(self._intact(found, cancel))
        spans.remove(self._file.size_bytes, 1 << 64)
        return spans.spans

    def _intact(self, found: Found, cancel: CancelToken) -> list[Span]:
        spans = {number: chunk_span(found.header, number) or (0, 0) for number in found.chunks}
        right, _ = compare(self._file, found.chunks, spans.__getitem__, cancel)
        return [spans[number] for number in right]

    def _write_down(
        self, source: Source, written: tuple[Span, ...], chunks: Mapping[int, Check]
    ) -> None:
        """Begin a journal, and the threads."""
        header = Header(
            identity=self._target.identity,
            size_bytes=source.size_bytes,
            etag=source.etag,
            sha256=self._target.sha256 or source.sha256,
            chunk_bytes=CHUNK_BYTES,
            boot=self._here(),
        )
        self._journal = Journal.create(
            self._target.journal, header, written, chunks, self.best_bytes
        )
        self.source = source
        self._follower = Follower(self._file, self.plan, CHUNK_BYTES)
        self._syncer = Syncer(
            self._file, self._journal, self.plan, self._follower, chunks, self._around.clock
        )
        self._follower.start()
        self._syncer.start()

    def _here(self) -> str:
        return f"{self._boot} {self._file.name_on_disk()}"

    def _whole(self, spans: tuple[Span, ...]) -> list[tuple[int, Span]]:
        return whole_chunks(spans, CHUNK_BYTES, self.plan.size_bytes)

    # --- writing, from the threads of connections -------------------------------------------------

    def write(self, segment: Segment, data: bytes) -> int:
        """How many of the bytes were still wanted; they are at their place then."""
        room = segment.left_bytes
        if room < len(data):
            data = data[:room]
        if data:
            self._file.write([data], segment.at)
            at = segment.at
            self.plan.advance(segment, len(data))
            now = self._around.clock()
            if segment.at - segment.marked >= _MARK_BYTES or now - segment.marked_s >= _MARK_S:
                self._mark(segment, now)
            if self._follower is not None:
                self._follower.offer(at, data)
        return len(data)

    def mark_all(self) -> None:
        """The journal shall know all that was written, even if nothing more comes."""
        now = self._around.clock()
        for segment in self.plan.open_segments:
            if segment.at != segment.marked:
                self._mark(segment, now)

    def _mark(self, segment: Segment, now_s: float) -> None:
        if self._journal is not None:
            segment.marked, segment.marked_s = segment.at, now_s
            self._journal.mark(segment.slot, segment.start, segment.marked)

    def give_back(self, segment: Segment) -> None:
        """Nobody fetches the rest of it for now."""
        if self._journal is not None:
            self._journal.written(segment.start, segment.at)
        self.plan.give_back(segment)

    def note_best(self, count_bytes: int) -> None:
        """The most that was shown of this file."""
        if count_bytes > self.best_bytes:
            self.best_bytes = count_bytes
            if self._journal is not None:
                self._journal.best(count_bytes)

    def require_sound(self) -> None:
        """Raises what a thread has met of the disk. Then what was written may be lost although it
        can still be read, so a later try believes in hashes only."""
        for thread in (self._follower, self._syncer):
            if thread is not None and thread.error is not None:
                if self._journal is not None:
                    self._journal.distrust()
                raise thread.error

    def require_place(self) -> None:
        """Raises `OSError` if the file has lost its place: what is written there is for nobody."""
        if not self._file.is_at(self._target.part):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))

    # --- the end ----------------------------------------------------------------------------------

    def check(self) -> str | None:
        """The hash of all that is there, once it is known and everything is on the disk; None: not
        yet. Raises `OSError` as soon as a thread has met one."""
        self.require_sound()
        if self._follower is None or self._syncer is None or not self.plan.complete:
            return None
        self._syncer.finish()
        both = self._follower.finished.is_set() and self._syncer.finished.is_set()
        return self._follower.sha256 if both else None

    def damaged(self, cancel: CancelToken) -> tuple[Span, ...]:
        """Chunks that are no longer what was written down of them; there may be more."""
        spans = dict(self._whole(self.plan.written))
        chunks = {} if self._syncer is None else self._syncer.chunks
        known = {number: check for number, check in chunks.items() if number in spans}
        _, wrong = compare(self._file, known, spans.__getitem__, cancel)
        return tuple(spans[number] for number in sorted(wrong))

    def put_in_place(self) -> None:
        """It is complete and right: give it its name. The journal stays, with a stamp of it."""
        size = self.plan.size_bytes or 0
        if self._file.size_bytes > size:
            self._file.cut(size)
        self._stop_threads()
        self.require_place()
        self._file.close()  # Windows renames no file that is open
        status = self._target.part.stat()
        if self._journal is not None:
            self._journal.stamp(Stamp(size_bytes=size, mtime_ns=status.st_mtime_ns))
            self._journal.sync()
        self._target.part.replace(self._target.final)
        self._stop()

    def close(self) -> None:
        """Leaves nothing behind if nothing was fetched."""
        empty = self.source is None
        if self._stop():
            self._file.close()
        if empty:
            with suppress(OSError):
                self._target.part.unlink()

    def _stop(self) -> bool:
        """Whether nobody uses the file any more."""
        ended = self._stop_threads()
        if self._journal is not None:
            self._journal.close()
            self._journal = None
        return ended

    def _stop_threads(self) -> bool:
        ended = self._follower.stop() if self._follower is not None else True
        if self._syncer is not None:
            self._syncer.stop()
        return ended
