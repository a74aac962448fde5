"""The keeper of the loaded model: one thread of its own that takes requests in order.

Native work happens in the hosts; here it is decided what may run, where, and what was learned
when it ended. See the `Keeper` port.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Lock, Thread

from engine.errors import (
    Cancelled,
    EngineError,
    EngineStopped,
    NotLoaded,
    OutOfMemory,
)
from engine.guard.marker import CrashMarker
from engine.guard.pressure import Level
from engine.guard.record import Record, key_of
from engine.guard.watch import MemoryWatch
from engine.keeper.hosts import Hosts
from engine.keeper.lessons import Marking, learn_from_notes, learn_from_reply
from engine.keeper.loading import Load, Ready, Tools
from engine.keeper.planning import Planning
from engine.keeper.proving import Prover
from engine.keeper.room import freed_by, trim, wait_for_room
from engine.ports import DeliverGeneration, DeliverKeeper, DeliverLoad, GenerationEvent, Host
from engine.types.cancel import CancelToken
from engine.types.generation import Finished, FinishReason, GenerationRequest
from engine.types.hardware import Memory
from engine.types.models import (
    Failed,
    KeeperEvent,
    Loaded,
    MemoryLow,
    Unloaded,
    UnloadReason,
)
from engine.types.plans import LoadRequest, Plan

log = logging.getLogger("snug.keeper")

_IDLE_S = 600.0
_ENDED_WITH_MODEL = (EngineStopped, OutOfMemory, NotLoaded)
"""After these a model is not to be trusted, or gone: the next question loads it anew."""
_SMALL_MACHINE_BYTES = 8 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class KeeperParts:
    """`make_host(in_child)` makes the host of either kind."""

    planning: Planning
    prover: Prover
    record: Record
    marker: CrashMarker
    make_host: Callable[[bool], Host]
    read_memory: Callable[[], Memory]
    clock: Callable[[], float] = time.monotonic
    idle_s: float | None = None
    """Seconds without a question until the model leaves memory; None: by the machine's size."""
    watch_period_s: float | None = 1.0
    """How often memory is read; None: never."""


@dataclass(slots=True, eq=False)
class _Work:
    """A piece of work and the token that ends it; `fail` tells when it is not even begun."""

    run: Callable[[], None]
    fail: Callable[[EngineError], None]
    cancel: CancelToken = field(default_factory=CancelToken)


class ModelKeeper:
    """See `Keeper`. `on_level` and `tick` are for the memory watch, on its thread."""

    def __init__(self, parts: KeeperParts) -> None:
        self._parts = parts
        self._hosts = Hosts(parts.make_host)
        self._tools = Tools(
            planning=parts.planning,
            prover=parts.prover,
            record=parts.record,
            marker=parts.marker,
            hosts=self._hosts,
            release=self._make_room,
            available_bytes=lambda: parts.read_memory().available_bytes,
        )
        self._ready: Ready | None = None
        self._queue: SimpleQueue[_Work | None] = SimpleQueue()
        self._lock = Lock()
        self._wanted: list[_Work] = []
        """Queued or running. A load and the reply that waits for it share one cancel token."""
        self._closed = False
        self._memory_full = False
        self._used_at_s = parts.clock()
        self._idle_s = _idle_s(parts)
        self._listeners: tuple[DeliverKeeper, ...] = ()
        self._thread = Thread(target=self._work, name="snug-keeper", daemon=True)
        self._thread.start()
        self._watch = self._watching(parts.watch_period_s)

    def _watching(self, period_s: float | None) -> MemoryWatch | None:
        if period_s is None:
            return None
        return MemoryWatch(
            read=self._parts.read_memory,
            tell=self.on_level,
            tick=self.tick,
            clock=self._parts.clock,
            period_s=period_s,
        )

    # --- for everybody ---------------------------------------------------------------------------

    def load(self, request: LoadRequest, deliver: DeliverLoad, cancel: CancelToken) -> None:
        self._enqueue(
            _Work(
                run=lambda: self._load(request, deliver, cancel),
                fail=lambda error: deliver(Failed(error=error)),
                cancel=cancel,
            )
        )

    def generate(
        self, request: GenerationRequest, deliver: DeliverGeneration, cancel: CancelToken
    ) -> None:
        self._enqueue(
            _Work(
                run=lambda: self._generate(request, deliver, cancel),
                fail=lambda error: deliver(Failed(error=error)),
                cancel=cancel,
            )
        )

    def unload(self, reason: UnloadReason | None = None) -> None:
        if reason in (UnloadReason.MEMORY, UnloadReason.SUSPEND):
            self._stop_all()
        self._enqueue(_Work(run=lambda: self._unload(reason), fail=lambda _: None))

    def listen(self, deliver: DeliverKeeper) -> None:
        with self._lock:
            self._listeners += (deliver,)

    def close(self, timeout_s: float) -> bool:
        deadline = self._parts.clock() + timeout_s
        with self._lock:
            first, self._closed = not self._closed, True
        self._stop_all()
        if self._watch is not None:
            self._watch.close(timeout_s)
        if first:
            self._queue.put(None)
        self._thread.join(timeout_s)
        left_s = max(deadline - self._parts.clock(), 0.1)
        hosts_ended = self._hosts.close(left_s)
        self._thread.join(left_s)
        self._parts.marker.leave()
        return hosts_ended and not self._thread.is_alive()

    # --- for the memory watch --------------------------------------------------------------------

    def on_level(self, level: Level) -> None:
        """Memory became tight, or is no longer."""
        if level is Level.FULL:
            self._let_go()
        elif level is Level.LOW:
            trim()
            self._tell(MemoryLow())
        else:
            self._tell(MemoryLow(over=True))

    def tick(self) -> None:
        """Once a second: a model that nobody uses leaves memory."""
        with self._lock:
            idle = not self._wanted and self._ready is not None
        if idle and self._unused_for_long():
            self._enqueue(_Work(run=self._unload_unused, fail=lambda _: None))

    def _unused_for_long(self) -> bool:
        return self._parts.clock() - self._used_at_s > self._idle_s

    def _unload_unused(self) -> None:
        """Decided where it is done: a question may have come meanwhile."""
        with self._lock:
            others = len(self._wanted) > 1
        if not others and self._unused_for_long():
            self._unload(UnloadReason.IDLE)

    def _let_go(self) -> None:
        with self._lock:
            concerned = self._ready is not None or bool(self._wanted)
            self._memory_full = self._memory_full or concerned
        if concerned:
            log.warning("memory is full: the model is let go")
            self.unload(UnloadReason.MEMORY)

    def _stop_all(self) -> None:
        with self._lock:
            wanted = tuple(self._wanted)
        for work in wanted:
            work.cancel.cancel()

    # --- the thread ------------------------------------------------------------------------------

    def _enqueue(self, work: _Work) -> None:
        with self._lock:
            closed = self._closed
            if not closed:
                self._wanted.append(work)
                self._queue.put(work)
        if closed:
            work.fail(Cancelled())

    def _work(self) -> None:
        while (work := self._queue.get()) is not None:
            try:
                self._do(work)
            except Exception:  # a listener failed; the thread must go on for the others
                log.exception("what was told of the model could not be taken")
            finally:
                self._used_at_s = self._parts.clock()
                with self._lock:
                    self._wanted.remove(work)

    def _do(self, work: _Work) -> None:
        """Every foreign exception becomes a final `Failed`."""
        try:
            work.run()
        except EngineError as error:
            work.fail(error)
        except Exception as error:
            log.exception("the keeper failed")
            work.fail(EngineStopped(f"{type(error).__name__}: {error}"))

    def _tell(self, event: KeeperEvent) -> None:
        for deliver in self._listeners:
            deliver(event)

    # --- loading ---------------------------------------------------------------------------------

    def _load(self, request: LoadRequest, deliver: DeliverLoad, cancel: CancelToken) -> None:
        if self._ready is not None and not self._host_of(self._ready).holds_model:
            self._free()  # its process died while nobody asked; the next one starts it anew
        if self._ready is not None and self._ready.answers(request) and not request.retry:
            deliver(Loaded(info=self._ready.info))
            return
        if cancel.cancelled:
            raise self._why_cancelled()
        learn_from_notes(self._parts.record, self._parts.marker)
        freed = freed_by(self._ready.plan if self._ready else None)
        load = Load(self._tools, request, key_of(request.path), freed, cancel)
        try:
            self._ready = load.run(deliver)
        except Cancelled as error:
            raise self._why_cancelled() from error
        deliver(Loaded(info=self._ready.info))

    def _why_cancelled(self) -> EngineError:
        """A person stopped it, or the guard did because memory ran out."""
        with self._lock:
            full, self._memory_full = self._memory_full, False
        return OutOfMemory("memory ran out while the model was loading") if full else Cancelled()

    def _host_of(self, ready: Ready) -> Host:
        return self._hosts.get(in_child=ready.in_child)

    def _make_room(self, plan: Plan, cancel: CancelToken) -> None:
        """Free what is loaded before `plan` is carried out, and wait until its memory is back."""
        ready = self._ready
        if ready is None:
            return
        read = self._parts.read_memory
        before = read().available_bytes
        self._free()
        wanted = sum(taken for pool, taken in freed_by(ready.plan) if pool == "ram")
        needed = sum(pool.use.total_bytes for pool in plan.memory if pool.pool == "ram")
        wait_for_room(read, min(before, needed), wanted, cancel)

    def _free(self) -> str:
        """Unload; the name of what was loaded, "" if nothing was."""
        ready, self._ready = self._ready, None
        if ready is None:
            return ""
        self._host_of(ready).unload()
        return ready.info.name

    def _unload(self, reason: UnloadReason | None) -> None:
        name = self._free()
        trim()
        with self._lock:
            self._memory_full = False
        if name and reason is not None:
            self._tell(Unloaded(name=name, reason=reason))

    # --- answering -------------------------------------------------------------------------------

    def _generate(
        self, request: GenerationRequest, deliver: DeliverGeneration, cancel: CancelToken
    ) -> None:
        ready = self._ready
        if ready is None:
            raise NotLoaded
        ended: SimpleQueue[Finished | Failed] = SimpleQueue()
        mark = Marking(self._parts.marker, ready)

        def follow(event: GenerationEvent) -> None:
            mark.see(event)
            try:
                deliver(self._as_told(event))
            finally:
                if isinstance(event, Finished | Failed):
                    ended.put(event)

        self._host_of(ready).generate(request, follow, cancel)
        last = ended.get()
        mark.end()
        available = self._parts.read_memory().available_bytes
        learn_from_reply(self._parts.record, ready, last, available)
        if isinstance(last, Failed) and isinstance(last.error, _ENDED_WITH_MODEL):
            self._free()

    def _as_told(self, event: GenerationEvent) -> GenerationEvent:
        """A reply that the guard stopped was not stopped by the person."""
        stopped = isinstance(event, Finished) and event.reason is FinishReason.CANCELLED
        if stopped and self._memory_full:
            return Failed(error=OutOfMemory("memory ran out while the model was answering"))
        return event


def _idle_s(parts: KeeperParts) -> float:
    if parts.idle_s is not None:
        return parts.idle_s
    small = parts.read_memory().total_bytes <= _SMALL_MACHINE_BYTES
    return _IDLE_S / 2 if small else _IDLE_S
