"""From a request to a plan: reads the header, asks what the machine has now, minds what was
learned. On the keeper's thread; it may wait for the disk."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from engine.guard.record import key_of
from engine.models.reading import read_chat_model
from engine.planner.backends import ORDER
from engine.planner.place import plan
from engine.types.cancel import CancelToken
from engine.types.hardware import HardwareReport
from engine.types.history import History
from engine.types.models import ModelFacts
from engine.types.plans import Correction, LoadRequest, Plan, Reason, Verdict, Wishes
from engine.types.shapes import Alternative, AnyShape

Freed = tuple[tuple[str, int], ...]
Make = Callable[[Wishes], Plan]
"""Plans one model on one machine as it is now."""


def learned_wishes(asked: Wishes, history: History, lessons: Sequence[Correction] = ()) -> Wishes:
    """What is asked for, as careful and as well measured as `history` and `lessons` allow."""
    return replace(
        asked,
        caution=max(asked.caution, history.caution),
        corrections=(*asked.corrections, *history.corrections, *lessons),
        tokens_per_s=asked.tokens_per_s or history.tokens_per_s,
    )


def learned_plan(
    make: Make, asked: Wishes, history: History, lessons: Sequence[Correction] = ()
) -> Plan:
    """The best plan of `make` on devices that `history` has nothing against."""
    made = _timed(make, asked, history, lessons)
    while (against := history.against(made)) is Reason.DEVICE_FAILED:
        asked = replace(asked, denied=asked.denied | {made.backend})
        made = _timed(make, asked, history, lessons)
    if against is None:
        return made
    return processor_plan(make, asked, history, lessons, instead_of=made) or made


def processor_plan(
    make: Make,
    asked: Wishes,
    history: History,
    lessons: Sequence[Correction] = (),
    *,
    instead_of: Plan,
) -> Plan | None:
    """The processor's plan in place of one on devices that are slower; None if it does not keep
    what was asked for."""
    denied = asked.denied | frozenset((*ORDER, instead_of.backend))
    made = _timed(make, replace(asked, denied=denied), history, lessons)
    shorter = made.layout.context_length < instead_of.layout.context_length
    if made.devices or made.verdict not in (Verdict.FITS, Verdict.FITS_SLOWLY):
        return None
    if shorter and asked.context_length is not None:
        return None
    return replace(made, reasons=_slower_not_failed(made.reasons, instead_of.reasons))


def _timed(make: Make, asked: Wishes, history: History, lessons: Sequence[Correction]) -> Plan:
    """What replies have reached tells nothing of other devices."""
    wishes = learned_wishes(asked, history, lessons)
    made = make(wishes)
    if history.tokens_per_s is None or made.drivers == history.timed_on:
        return made
    return make(replace(wishes, tokens_per_s=asked.tokens_per_s))


def _slower_not_failed(reasons: Sequence[Reason], before: Sequence[Reason]) -> tuple[Reason, ...]:
    """Denied devices are called failed, but only some that are named `before` have."""
    kept = (reason for reason in reasons if reason is not Reason.DEVICE_FAILED or reason in before)
    return tuple(dict.fromkeys((*kept, Reason.DEVICE_SLOWER)))


class Shapes:
    """Facts and shapes of model files, each header read once as long as the file stays."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[ModelFacts, AnyShape]] = {}

    def get(self, path: Path) -> tuple[ModelFacts, AnyShape]:
        """Raises a `ModelFileError` for what can not be read or can not chat."""
        key = key_of(path)
        if key not in self._known:
            self._known[key] = read_chat_model(path)
        return self._known[key]


class Planning:
    """`read_report` is asked before every plan: free memory changes. `alternatives` lists the
    other models here; it is only asked when one is too big."""

    def __init__(
        self,
        *,
        read_report: Callable[[CancelToken], HardwareReport],
        alternatives: Callable[[], Sequence[Alternative]] = tuple,
    ) -> None:
        self._read_report = read_report
        self._alternatives = alternatives
        self.shapes = Shapes()

    def plan(
        self,
        request: LoadRequest,
        history: History,
        cancel: CancelToken,
        freed: Freed = (),
        lessons: Sequence[Correction] = (),
    ) -> Plan:
        """The best plan, whatever its verdict. Raises a `ModelFileError` or `Cancelled`."""
        make = self._maker(request, history, cancel)
        asked = replace(request.wishes, freed=freed or request.wishes.freed)
        return learned_plan(make, asked, history, lessons)

    def on_processor(
        self, request: LoadRequest, history: History, cancel: CancelToken, instead_of: Plan
    ) -> Plan | None:
        """See `processor_plan`. Raises like `plan`."""
        make = self._maker(request, history, cancel)
        return processor_plan(make, request.wishes, history, instead_of=instead_of)

    def _maker(self, request: LoadRequest, history: History, cancel: CancelToken) -> Make:
        _facts, shape = self.shapes.get(request.path)
        report = self._read_report(cancel)
        most = history.context_limit(report.memory.available_bytes)

        def make(wishes: Wishes) -> Plan:
            made = self._shorter(plan(report, shape, wishes), report, shape, wishes, most)
            if made.verdict is Verdict.TOO_BIG:
                return plan(report, shape, wishes, tuple(self._alternatives()))
            return made

        return make

    def _shorter(
        self,
        made: Plan,
        report: HardwareReport,
        shape: AnyShape,
        wishes: Wishes,
        most: int | None,
    ) -> Plan:
        """A context that does not fit, or did not fit before, gives way to one that does: whoever
        loads a model wants to talk to it."""
        context = made.layout.context_length
        if made.verdict is Verdict.TOO_BIG and made.offer and made.offer.context_length:
            context = made.offer.context_length
        context = min(context, most or context)
        if context == made.layout.context_length or wishes.load_anyway:
            return made
        shorter = plan(report, shape, replace(wishes, context_length=context))
        reasons = dict.fromkeys((*shorter.reasons, Reason.CONTEXT_CHOSEN_FOR_MEMORY))
        return replace(shorter, reasons=tuple(reasons))
