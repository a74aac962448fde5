"""One load from request to answering model: plan, rehearse, compare, load, and on a crash a step
more careful. Runs on the keeper's thread; everything that may kill a process happens elsewhere."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from engine.errors import (
    Cancelled,
    DoesNotFit,
    EngineCrashed,
    EngineError,
    EngineStopped,
    EngineTimedOut,
    ModelHeldBack,
    OutOfMemory,
)
from engine.guard.marker import CrashMarker, Note
from engine.guard.record import Record
from engine.keeper.comparing import Comparison
from engine.keeper.hosts import Hosts, load_and_wait
from engine.keeper.planning import Freed, Planning
from engine.keeper.proving import Prover, holds_weights, with_overhead
from engine.keeper.ready import Ready
from engine.keeper.slowing import pace_of
from engine.planner.spec import spec_of
from engine.types.backends import PROCESSOR
from engine.types.cancel import CancelToken
from engine.types.history import (
    History,
    Judgement,
    Pace,
    Proof,
    after_crash,
    after_judgement,
    after_memory_ran_out,
    after_proof,
    after_slow_rehearsal,
    after_wrong_answer,
    forgiven,
)
from engine.types.models import LoadedInfo, LoadProgress, LoadSpec, LoadStage
from engine.types.plans import (
    Correction,
    LoadRequest,
    Measured,
    Plan,
    Reason,
    Rehearsal,
    Verdict,
)

log = logging.getLogger("snug.keeper")

MOST_RESTARTS = 2
"""Restarts by ourselves after crashes; then a person has to ask expressly."""
MOST_WRONG = 2
"""Wrong answers until the processor has its turn: a computer has no more backends than that."""

Progress = Callable[[LoadProgress], None]


class _WrongAnswer(EngineStopped):
    """A rehearsal ended, but what came out is no answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What a load works with. `release(plan)` frees what is loaded and waits for its memory."""

    planning: Planning
    prover: Prover
    record: Record
    marker: CrashMarker
    hosts: Hosts
    release: Callable[[Plan, CancelToken], None]
    available_bytes: Callable[[], int]


class Load:
    """One load of `request`. `freed` is what `release` will give back."""

    def __init__(
        self, tools: Tools, request: LoadRequest, key: str, freed: Freed, cancel: CancelToken
    ) -> None:
        self._tools = tools
        self._request = request
        self._key = key
        self._freed = freed
        self._cancel = cancel
        self._lessons: list[Correction] = []
        self._history = History()
        self._tried: Plan | None = None

    def run(self, progress: Progress) -> Ready:
        """Raises an `EngineError`; then nothing is loaded, or still what was before."""
        self._history = self._remembered()
        restarts, wrong = MOST_RESTARTS, MOST_WRONG
        while True:
            try:
                return self._attempt(progress)
            except (EngineCrashed, EngineTimedOut, OutOfMemory, _WrongAnswer) as error:
                log.warning("%s: %s", self._request.path.name, error)
                self._history = self._tools.record.learn(self._key, self._lesson(error))
                if isinstance(error, _WrongAnswer):
                    wrong -= 1
                else:
                    restarts -= 1
                if min(restarts, wrong) < 0:
                    raise

    def _remembered(self) -> History:
        """What is known of the model. Raises `ModelHeldBack` where a person has to ask first."""
        request, record = self._request, self._tools.record
        history = record.history(self._key)
        if request.retry and (history.crashes or history.most_context):
            return record.learn(self._key, forgiven)
        if history.crashes > MOST_RESTARTS or (history.crashes and not request.by_person):
            raise ModelHeldBack(request.path, history.stage, history.crashes)
        return history

    def _lesson(self, error: EngineError) -> Callable[[History], History]:
        plan = self._tried
        if isinstance(error, OutOfMemory):
            context, available = self._tried_context, self._tools.available_bytes()
            return lambda known: after_memory_ran_out(known, context, available)
        too_slow = isinstance(error, EngineTimedOut) and error.stage == "rehearsal"
        if (too_slow or isinstance(error, _WrongAnswer)) and plan is not None and plan.devices:
            return _against(plan, Reason.DEVICE_FAILED)
        if isinstance(error, _WrongAnswer):
            return after_wrong_answer
        if too_slow:
            return after_slow_rehearsal
        stage = getattr(error, "stage", "load")
        return lambda known: after_crash(known, stage)

    @property
    def _tried_context(self) -> int:
        return self._tried.layout.context_length if self._tried else 0

    def _attempt(self, progress: Progress) -> Ready:
        progress(LoadProgress(fraction=0.0, stage=LoadStage.CHECKING))
        plan = self._fitting_plan()
        self._tools.release(plan, self._cancel)
        self._freed = ()
        plan = self._proved(plan, progress)
        return self._brought_up(plan, progress)

    # --- the plan --------------------------------------------------------------------------------

    def _fitting_plan(self) -> Plan:
        if self._cancel.cancelled:
            raise Cancelled
        request = self._request
        plan = self._tools.planning.plan(
            request, self._history, self._cancel, self._freed, self._lessons
        )
        if plan.verdict is Verdict.TOO_BIG and not request.wishes.load_anyway:
            raise DoesNotFit(request.path, plan)
        self._tried = plan
        return plan

    # --- the proof -------------------------------------------------------------------------------

    def _in_child(self) -> bool:
        return self._history.in_child or self._request.extra_safe

    def _proved(self, plan: Plan, progress: Progress) -> Plan:
        """A plan that has been rehearsed: this one, or a better one after measuring it."""
        if self._history.has_proved(plan.layout, plan.drivers):
            return plan
        plan = self._measured(plan)
        if not plan.devices and self._in_child():  # on the processor a child is proof enough
            return plan
        progress(LoadProgress(fraction=0.0, stage=LoadStage.REHEARSING))
        seen = self._rehearse(plan)
        against = self._compared(plan, seen) if plan.devices else None
        pace = pace_of(seen) if plan.devices else None
        self._keep_proof(plan, with_overhead(seen, plan), pace)
        return plan if against is None else self._rather_on_processor(plan, progress)

    def _measured(self, plan: Plan) -> Plan:
        """Measure the buffers, and plan once more with what they really take."""
        spec = spec_of(plan, self._request.path)
        try:
            measured = self._tools.prover.measure(spec, self._cancel)
        except (EngineCrashed, EngineTimedOut, OutOfMemory) as error:
            log.warning("the buffers could not be measured: %s", error)
            return plan  # the rehearsal will show
        self._lessons.append(Correction(layout=plan.layout, measured=measured))
        return self._fitting_plan()

    def _rehearse(self, plan: Plan) -> Rehearsal:
        spec = spec_of(plan, self._request.path)
        try:
            seen = self._tools.prover.rehearse(spec, self._cancel)
        except (EngineCrashed, EngineTimedOut):
            raise
        except EngineStopped as error:
            raise _WrongAnswer(str(error)) from error
        if plan.devices and not holds_weights(seen.measured, plan.devices):
            raise _WrongAnswer("nothing of it was on the device")
        return seen

    def _keep_proof(self, plan: Plan, measured: Measured, pace: Pace | None = None) -> None:
        proof = Proof(layout=plan.layout, devices=plan.drivers, measured=measured, pace=pace)
        self._learn(lambda known: after_proof(known, proof))

    def _learn(self, lesson: Callable[[History], History]) -> None:
        self._history = self._tools.record.learn(self._key, lesson)

    # --- the choice between devices and the processor --------------------------------------------

    def _compared(self, plan: Plan, seen: Rehearsal) -> Reason | None:
        """Why the processor is used instead; learned, and None too where it can not do it. Before
        the proof: a comparison that was cancelled is made again. Raises `_WrongAnswer`."""
        tools, request, history = self._tools, self._request, self._history
        processor = tools.planning.on_processor(request, history, self._cancel, plan)
        if processor is None:
            return None
        comparison = Comparison(tools.prover, request.path, self._cancel)
        found = comparison.run(seen, processor, compared=history.compared(plan))
        if found.against is Reason.DEVICE_FAILED:
            raise _WrongAnswer("the processor writes something else")
        if found.processor is not None and found.processor.prompt_tokens >= processor.layout.ubatch:
            self._keep_proof(processor, with_overhead(found.processor, processor))
        if found.processor is not None or found.against is not None:
            self._learn(_against(plan, found.against))
        return found.against

    def _rather_on_processor(self, plan: Plan, progress: Progress) -> Plan:
        """`plan` has a proof too, and stays where there is suddenly no room for the other."""
        log.info("the processor is faster than %s", ", ".join(plan.drivers))
        other = self._fitting_plan()
        if not other.devices:
            return self._proved(other, progress)
        self._tried = plan
        return plan

    # --- the load --------------------------------------------------------------------------------

    def _brought_up(self, plan: Plan, progress: Progress) -> Ready:
        spec = spec_of(plan, self._request.path)
        in_child = self._in_child()
        with self._marked(in_child=in_child):
            info = self._load(spec, progress, in_child=in_child)
        info = replace(info, plan=plan, in_child=in_child)
        if plan.devices and not holds_weights(info.measured, plan.devices):
            info = replace(info, backend=PROCESSOR)
        elif not self._history.has_proved(plan.layout, plan.drivers):
            self._keep_proof(plan, info.measured)
        return Ready(request=self._request, key=self._key, info=info, plan=plan)

    def _load(self, spec: LoadSpec, progress: Progress, *, in_child: bool) -> LoadedInfo:
        progress(LoadProgress(fraction=0.0))
        host = self._tools.hosts.get(in_child=in_child)
        return load_and_wait(host, spec, progress, self._cancel)

    @contextmanager
    def _marked(self, *, in_child: bool) -> Iterator[None]:
        if in_child:
            yield
            return
        self._tools.marker.enter(Note(model=self._key, stage="load"), durable=True)
        try:
            yield
        finally:
            self._tools.marker.leave()


def _against(plan: Plan, reason: Reason | None) -> Callable[[History], History]:
    judgement = Judgement(devices=plan.drivers, gpu_layers=plan.gpu_layers, against=reason)
    return lambda known: after_judgement(known, judgement)
