"""The host that runs the engine inside this process, on one inference thread of its own.

Requests queue: a native context is not thread-safe. Every request ends with exactly one final
event, whatever happens; foreign exceptions become `EngineStopped`.
"""

import logging
from collections.abc import Callable
from queue import SimpleQueue
from threading import Lock, Thread

from engine.errors import Cancelled, EngineError, EngineStopped, NotLoaded
from engine.ports import DeliverGeneration, DeliverLoad, LoadedModel, Runtime
from engine.types.cancel import CancelToken
from engine.types.generation import GenerationRequest
from engine.types.models import Failed, Loaded, LoadProgress, LoadSpec

log = logging.getLogger("snug.engine")

Work = Callable[[], None]


def _run_guarded(work: Work, fail: Callable[[Failed], None]) -> None:
    """Do `work`; every exception becomes a final `Failed`."""
    try:
        work()
    except EngineError as error:
        fail(Failed(error=error))
    except Exception as error:
        log.exception("the engine failed")
        fail(Failed(error=EngineStopped(f"{type(error).__name__}: {error}")))


class InProcessHost:
    """See `Host`. `make_runtime` is called once, on the inference thread: it may be slow."""

    def __init__(self, make_runtime: Callable[[], Runtime]) -> None:
        self._make_runtime = make_runtime
        self._runtime: Runtime | None = None
        self._model: LoadedModel | None = None
        self._queue: SimpleQueue[Work | None] = SimpleQueue()
        self._lock = Lock()
        self._running: set[CancelToken] = set()
        self._closed = False
        self._thread = Thread(target=self._work, name="snug-inference", daemon=True)
        self._thread.start()

    def load(self, spec: LoadSpec, deliver: DeliverLoad, cancel: CancelToken) -> None:
        self._enqueue(lambda: self._load(spec, deliver, cancel), deliver, cancel)

    def generate(
        self, request: GenerationRequest, deliver: DeliverGeneration, cancel: CancelToken
    ) -> None:
        self._enqueue(lambda: self._generate(request, deliver, cancel), deliver, cancel)

    @property
    def holds_model(self) -> bool:
        return self._model is not None

    def unload(self) -> None:
        self._queue.put(self._unload)

    def close(self, timeout_s: float) -> bool:
        with self._lock:
            if not self._closed:
                self._queue.put(self._unload)
                self._queue.put(None)
            self._closed = True
            running = tuple(self._running)
        for cancel in running:
            cancel.cancel()
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _enqueue(self, work: Work, fail: Callable[[Failed], None], cancel: CancelToken) -> None:
        def run() -> None:
            try:
                _run_guarded(work, fail)
            finally:
                with self._lock:
                    self._running.discard(cancel)

        with self._lock:
            closed = self._closed
            if not closed:
                self._running.add(cancel)
                self._queue.put(run)
        if closed:
            fail(Failed(error=Cancelled()))

    def _work(self) -> None:
        while (work := self._queue.get()) is not None:
            try:
                work()
            except Exception:  # a listener failed; the thread must go on for the others
                log.exception("what was told of the engine could not be taken")

    def _load(self, spec: LoadSpec, deliver: DeliverLoad, cancel: CancelToken) -> None:
        if self._model is None or self._model.info.spec != spec:
            self._unload()  # first, so that two models are never in memory together
            if cancel.cancelled:
                raise Cancelled
            if self._runtime is None:
                self._runtime = self._make_runtime()
            self._model = self._runtime.load(
                spec, lambda fraction: deliver(LoadProgress(fraction=fraction)), cancel
            )
        deliver(Loaded(info=self._model.info))

    def _generate(
        self, request: GenerationRequest, deliver: DeliverGeneration, cancel: CancelToken
    ) -> None:
        if self._model is None:
            raise NotLoaded
        for delta in self._model.generate(request, cancel):
            deliver(delta)

    def _unload(self) -> None:
        model, self._model = self._model, None
        if model is not None:
            model.close()
