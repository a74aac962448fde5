"""Brings the bytes of one file from a server to the disk, whatever the server does: opens and ends
connections, waits between tries, and says how far it is. Decides on the thread that runs it;
everything slow is on the connections' threads.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, Lock

from engine.errors import (
    Cancelled,
    EngineError,
    FileChanged,
    NoSpace,
    OfflineOnly,
    ServerIncomprehensible,
)
from engine.models.download.answers import AddressExpired, Answer, PartsUnusable
from engine.models.download.connection import Ask, Connection, Site
from engine.models.download.drip import LEAST_BYTES_PER_S
from engine.models.download.meter import Meter
from engine.models.download.partial import Partial, Source
from engine.models.download.plan import ENDLESS
from engine.models.download.retries import PASSING, Retries
from engine.models.download.storage import disk_error
from engine.models.download.surroundings import Refusal, Surroundings
from engine.models.download.targets import Target
from engine.models.download.tempo import Tempo
from engine.models.download.throttle import Throttle
from engine.net.requests import Request
from engine.types.cancel import CancelToken
from engine.types.downloads import DownloadState, FetchLimits

_TICK_S = 0.2
_LOOK_AT_DISK_S = 2.0
_STOP_WITHIN_S = 1.5
_LONGEST_SEGMENT_BYTES = 256 << 20
"""While there are several connections: so the hash is never far behind what was fetched."""
_NO_TEXTS = (".gguf", ".onnx", ".onnx.data", ".bin", ".safetensors")


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What a download works with, the same for all of its files. `nudged` is set when somebody
    thinks that it is worth trying at once."""

    ask: Ask
    refusal: Refusal
    limits: Callable[[], FetchLimits]
    throttle: Throttle
    around: Surroundings
    meter: Meter
    bell: Event
    nudged: Event


class _ChangedError(Exception):
    """The server has another file than the one that was begun."""


class _WholeError(Exception):
    """The server gave all of the file where a part was asked for."""


class Fetching:
    """One file, `number` among those of the download."""

    def __init__(
        self,
        means: Means,
        target: Target,
        number: int,
        partial: Partial,
        request: Callable[[], Request],
    ) -> None:
        self._means = means
        self._target = target
        self._number = number
        self._partial = partial
        self._around = means.around
        self._limits = means.limits()
        self._site = Site(
            ask=means.ask,
            request=request,
            refusal=means.refusal,
            partial=partial,
            throttle=means.throttle,
            around=means.around,
            accept=self._accept,
            ended=self._note_end,
        )
        self._lock = Lock()
        self._ended: deque[Connection] = deque()
        self._connections: list[Connection] = []
        self._tempo = Tempo(means.around.clock())
        self._retries = Retries(means.around.pace, means.around.jitter)
        self._whole = False
        self._wholes = 0
        self._at_once = 0
        """Tries in a row that were not waited for."""
        self._past_bytes = 0
        """By connections that have ended."""
        self._waiting: tuple[EngineError, float] | None = None
        self._disk_at_s = 0.0

    def run(self, cancel: CancelToken) -> None:
        """Until every byte is there. Raises why that can not be, `Cancelled` among it."""
        try:
            while not self._partial.plan.complete:
                self._go_on(cancel)
        finally:
            self._stop()

    def _go_on(self, cancel: CancelToken) -> None:
        if cancel.cancelled:
            raise Cancelled
        if self._around.offline():
            raise OfflineOnly(self._site.request().address)
        self._limits = self._means.limits()
        self._means.throttle.limit_bytes_per_s = self._limits.bytes_per_s
        self._look_at_disk()
        if self._may_try():
            self._open_connections()
        self._show()
        self._around.wait(self._means.bell, _TICK_S)
        self._means.bell.clear()
        self._partial.mark_all()
        self._partial.require_sound()
        self._after_ends()
        self._measure()

    # --- connections ------------------------------------------------------------------------------

    def _open_connections(self) -> None:
        wanted = 1 if self._whole or self._partial.source is None else self._tempo.connections
        while len(self._connections) < wanted:
            alone = self._tempo.connections == 1
            segment = self._partial.plan.take(ENDLESS if alone else _LONGEST_SEGMENT_BYTES)
            if segment is None:
                return
            connection = Connection(self._site, segment, whole=self._whole)
            self._connections.append(connection)
            connection.start()

    def _note_end(self, connection: Connection) -> None:
        self._ended.append(connection)
        self._means.bell.set()

    def _after_ends(self) -> None:
        while self._ended:
            connection = self._ended.popleft()
            self._connections.remove(connection)
            self._past_bytes += connection.fetched_bytes
            if connection.fetched_bytes >= LEAST_BYTES_PER_S * self._around.stall_s:
                self._retries.progressed()
                self._at_once = 0
            self._after(connection)

    def _after(self, connection: Connection) -> None:
        error = connection.error
        if self._partial.plan.complete and (error is None or isinstance(error, PASSING)):
            return
        if error is None and not connection.fetched_bytes:
            error = ServerIncomprehensible(self._site.request().address, "nothing came")
        if error is None or isinstance(error, Cancelled):
            return
        if isinstance(error, _ChangedError):
            self._begin_anew()
        elif isinstance(error, _WholeError | PartsUnusable) and not self._whole:
            self._without_parts()
        elif isinstance(error, OSError):
            raise self._disk_error(error) from error
        elif not isinstance(error, EngineError):
            raise error
        else:
            self._failed(error)

    def _failed(self, error: EngineError) -> None:
        if self._connections and isinstance(error, PASSING):
            self._tempo.refused(self._around.clock())  # the others go on
        elif isinstance(error, AddressExpired) and not self._at_once:
            self._at_once += 1
        else:
            delay_s = self._retries.delay_s(error)
            self._waiting = error, self._around.clock() + delay_s
            self._means.nudged.clear()

    def _begin_anew(self) -> None:
        self._stop()
        self._partial.begin_anew()
        self._whole, self._wholes = False, 0
        self._at_once += 1
        if self._at_once > 1:
            address = self._site.request().address
            self._failed(ServerIncomprehensible(address, "the file changes all the time"))

    def _without_parts(self) -> None:
        """The first time it may have been an accident: it would be a pity to read gigabytes again.
        What is there stays if it is surely of the same file."""
        if self._connections:
            self._tempo.refused(self._around.clock())
            return
        self._wholes += 1
        self._whole = self._wholes > 1
        source = self._partial.source
        if self._whole and source is not None and not (self._partial.sha256 or source.etag):
            self._partial.forget_all()

    def _stop(self) -> None:
        for connection in self._connections:
            connection.stop()
        for connection in self._connections:
            connection.join(_STOP_WITHIN_S)
            self._past_bytes += connection.fetched_bytes
        self._connections.clear()
        self._ended.clear()

    def _may_try(self) -> bool:
        if self._waiting is None:
            return True
        passed = self._around.clock() >= self._waiting[1]
        if passed or self._means.nudged.is_set():
            self._waiting = None
            self._means.nudged.clear()
        return self._waiting is None

    # --- what servers say, on the connections' threads --------------------------------------------

    def _accept(self, answer: Answer, asked: int) -> None:
        """Raises if it is another file, or if parts are not to be had."""
        with self._lock:
            self._retries.answered()
            if self._partial.source is None:
                self._begin(answer)
            else:
                self._compare(answer, self._partial.source)
        if answer.start != asked and not self._whole:
            raise _WholeError

    def _begin(self, answer: Answer) -> None:
        self._require_same_hash(answer)
        size = self._target.size_bytes
        unknown = size is None and not (self._target.sha256 or answer.sha256)
        if unknown and answer.is_text and self._target.name.endswith(_NO_TEXTS):
            raise ServerIncomprehensible(self._site.request().address, "a text")
        if None not in (size, answer.total_bytes) and size != answer.total_bytes:
            raise FileChanged(
                self._site.request().address, f"{answer.total_bytes} bytes instead of {size}"
            )
        total = size if answer.total_bytes is None else answer.total_bytes
        self._require_room(total or 0)
        self._partial.begin(Source(size_bytes=total, etag=answer.etag, sha256=answer.sha256))
        if total is not None:
            self._means.meter.size(self._number, total)

    def _compare(self, answer: Answer, source: Source) -> None:
        self._require_same_hash(answer)
        total, size = answer.total_bytes, self._partial.plan.size_bytes
        if size is None and total is not None:
            self._partial.plan.settle(total)
            self._means.meter.size(self._number, total)
        elif None not in (total, size) and total != size:
            raise self._changed(f"{total} bytes instead of {size}")
        known = self._partial.sha256
        if known and (not answer.sha256 or answer.sha256 == known):
            return  # the same content under another ETag is still the same
        if answer.sha256 != source.sha256 or (
            answer.etag and source.etag and answer.etag != source.etag
        ):
            raise self._changed(f"ETag {answer.etag} instead of {source.etag}")

    def _require_same_hash(self, answer: Answer) -> None:
        if self._target.sha256 and answer.sha256 not in ("", self._target.sha256):
            raise FileChanged(self._site.request().address, f"SHA-256 {answer.sha256}")

    def _changed(self, detail: str) -> Exception:
        if self._target.sha256:
            return FileChanged(self._site.request().address, detail)
        return _ChangedError()

    # --- the disk ---------------------------------------------------------------------------------

    def _require_room(self, total_bytes: int) -> None:
        reserve = self._limits.reserve_bytes
        free = self._around.free_bytes(self._target.folder)
        needed = max(total_bytes - self._partial.plan.done_bytes, 0)
        if needed + reserve > free:
            raise NoSpace(self._target.folder, needed, max(free - reserve, 0))

    def _look_at_disk(self) -> None:
        now = self._around.clock()
        if now < self._disk_at_s:
            return
        self._disk_at_s = now + _LOOK_AT_DISK_S
        self._partial.require_place()
        free = self._around.free_bytes(self._target.folder)
        if free < self._limits.reserve_bytes:
            raise NoSpace(self._target.folder, self._partial.plan.left_bytes, 0)

    def _disk_error(self, error: OSError) -> EngineError:
        plan = self._partial.plan
        return disk_error(error, self._target.folder, plan.left_bytes, self._around.free_bytes)

    # --- what is shown ----------------------------------------------------------------------------

    def _fetched_bytes(self) -> int:
        return self._past_bytes + sum(c.fetched_bytes for c in self._connections)

    def _measure(self) -> None:
        now, fetched = self._around.clock(), self._fetched_bytes()
        if self._waiting is not None or self._partial.source is None:
            self._tempo.settle(now, fetched)
            self._means.meter.pause()
            return
        self._means.meter.fetched(fetched)
        left = self._partial.plan.left_bytes
        self._tempo.measure(now, fetched, left, self._limits)
        for connection in self._connections[max(self._tempo.connections, 1) :]:
            connection.stop()

    def _show(self) -> None:
        done = self._partial.plan.done_bytes
        self._partial.note_best(self._means.meter.shown_of(done))
        error, retry_s = None, None
        if self._waiting is not None:
            error, at_s = self._waiting
            retry_s = max(at_s - self._around.clock(), 0.0)
        self._means.meter.show(DownloadState.RUNNING, done, error, retry_s)
