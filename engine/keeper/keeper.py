"""The keeper of the loaded model: one thread of its own that takes requests in order.

Native work happens in the hosts; here it is decided what may run, where, and what was learned
when it ended. See the `Keeper` port.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from queue import SimpleQueue
from threading import Lock

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
from engine.keeper.loading import Load, Tools
from engine.keeper.planning import Planning
from engine.keeper.proving import Prover
from engine.keeper.ready import Ready
from engine.keeper.room import freed_by, trim, wait_for_room
from engine.keeper.slowing import Slowing
from engine.keeper.work import Work, WorkQueue
from engine.models.split import first_part
from engine.ports import DeliverGeneration, DeliverKeeper, DeliverLoad, GenerationEvent, Host
from engine.types.cancel import CancelToken
from engine.types.generation import Finished, FinishReason, GenerationRequest
from engine.types.hardware import Memory
from engine.types.models import (
    DeviceSlowed,
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
    """`make_host(in_child)` makes the host of either kind. `recheck` is called, on the keeper's
    thread, when what is known of devices may no longer be true."""

    planning: Planning
    prover: Prover
    record: Record
    marker: CrashMarker
    make_host: Callable[[bool], Host]
    read_memory: Callable[[], Memory]
    recheck: Callable[[], None] = lambda: None
    clock: Callable[[], float] = time.monotonic
    idle_s: float | None = None
    """Seconds without a question until the model leaves memory; None: by the machine's size."""
    watch_period_s: float | None = 1.0
    """How often memory is read; None: never."""


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
        self._slowing: Slowing | None = None
        self._lock = Lock()
        self._memory_full = False
        self._used_at_s = parts.clock()
        self._idle_s = _idle_s(parts)
        self._listeners: tuple[DeliverKeeper, ...] = ()
        self._work = WorkQueue("snug-keeper", self._was_used)
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
        self._ask(lambda: self._load(request, deliver, cancel), deliver, cancel)

    def generate(
        self, request: GenerationRequest, deliver: DeliverGeneration, cancel: CancelToken
    ) -> None:
        self._ask(lambda: self._generate(request, deliver, cancel), deliver, cancel)

    def _ask(
        self, run: Callable[[], None], deliver: Callable[[Failed], None], cancel: CancelToken
    ) -> None:
        def fail(error: EngineError) -> None:
            deliver(Failed(error=error))

        self._work.put(Work(run=run, fail=fail, cancel=cancel))

    def unload(self, reason: UnloadReason | None = None) -> None:
        if reason in (UnloadReason.MEMORY, UnloadReason.SUSPEND):
            self._work.cancel_all()
        self._work.put(Work(run=lambda: self._unload(reason)))

    def listen(self, deliver: DeliverKeeper) -> None:
        with self._lock:
            self._listeners += (deliver,)

    def close(self, timeout_s: float) -> bool:
        deadline = self._parts.clock() + timeout_s
        self._work.close()
        if self._watch is not None:
            self._watch.close(timeout_s)
        self._work.join(timeout_s)
        left_s = max(deadline - self._parts.clock(), 0.1)
        hosts_ended = self._hosts.close(left_s)
        ended = self._work.join(left_s)
        self._parts.marker.leave()
        return hosts_ended and ended

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
        if self._ready is not None and not self._work.wanted and self._unused_for_long():
            self._work.put(Work(run=self._unload_unused))

    def _was_used(self) -> None:
        self._used_at_s = self._parts.clock()

    def _unused_for_long(self) -> bool:
        return self._parts.clock() - self._used_at_s > self._idle_s

    def _unload_unused(self) -> None:
        """Decided where it is done: a question may have come meanwhile."""
        others = self._work.wanted > 1
        if not others and self._unused_for_long():
            self._unload(UnloadReason.IDLE)

    def _let_go(self) -> None:
        concerned = self._ready is not None or self._work.wanted > 0
        if not concerned:
            return
        with self._lock:
            self._memory_full = True
        log.warning("memory is full: the model is let go")
        self.unload(UnloadReason.MEMORY)

    def _tell(self, event: KeeperEvent) -> None:
        for deliver in self._listeners:
            deliver(event)

    def _tell_of_fall(self, event: DeviceSlowed | None) -> None:
        if event is not None:
            self._parts.recheck()
            self._tell(event)

    # --- loading ---------------------------------------------------------------------------------

    def _load(self, request: LoadRequest, deliver: DeliverLoad, cancel: CancelToken) -> None:
        request = replace(request, path=first_part(request.path))
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
        self._slowing = Slowing(self._parts.record, self._ready)
        deliver(Loaded(info=self._ready.info))
        self._tell_of_fall(self._slowing.at_start())

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
        if reason is UnloadReason.SUSPEND:
            self._parts.recheck()
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
        memory = self._parts.read_memory()
        learn_from_reply(self._parts.record, ready, last, memory.available_bytes)
        if self._slowing is not None:
            self._tell_of_fall(self._slowing.after(last, memory))
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
