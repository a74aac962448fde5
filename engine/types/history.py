"""What was learned of a model on this machine: what it proved, and how often it fell."""

from dataclasses import dataclass, replace

from engine.types.plans import Correction, Layout, Measured, Plan, Reason

MOST_CAUTION = 3
_PROOFS_KEPT = 8
_JUDGEMENTS_KEPT = 8
_CLEARLY_MORE = 1.25
_NEXT_BACKEND = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How fast a model usually writes, with up to `context_tokens` in its context."""

    tokens_per_s: float
    context_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """A layout that was rehearsed to the end, or that has answered."""

    layout: Layout
    devices: tuple[str, ...]
    """As `Plan.drivers` names them: a new driver has proved nothing yet."""
    measured: Measured
    pace: Pace | None = None
    """On devices; where the processor does all the work, nothing can fall back to it."""

    def covers(self, layout: Layout, devices: tuple[str, ...]) -> bool:
        """A longer context was proved too where only the context differs."""
        mine = self.layout
        shorter = replace(mine, context_length=layout.context_length)
        longer = mine.context_length >= layout.context_length
        return shorter == layout and longer and self.devices == devices


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """How a model did on devices, beside the same model on the processor. `against` says why they
    are not used for it (slower or failed), None that they are. More layers than `gpu_layers` on
    them may be faster."""

    devices: tuple[str, ...]
    """As `Plan.drivers` names them: with a new driver it is compared anew."""
    gpu_layers: int
    against: Reason | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """`crashes` counts since the last good reply; `in_child` is for good. `most_context`: a
    longer one ran out of memory, in tokens, when `memory_then_bytes` were available.
    `tokens_per_s` is what replies really reached on the devices of `timed_on`, () for none."""

    crashes: int = 0
    in_child: bool = False
    caution: int = 0
    stage: str = ""
    most_context: int | None = None
    memory_then_bytes: int = 0
    tokens_per_s: float | None = None
    timed_on: tuple[str, ...] = ()
    proofs: tuple[Proof, ...] = ()
    judgements: tuple[Judgement, ...] = ()

    def has_proved(self, layout: Layout, devices: tuple[str, ...]) -> bool:
        return self._proof(layout, devices) is not None

    def pace(self, plan: Plan) -> Pace | None:
        """How fast the devices of `plan` usually are with this model."""
        proof = self._proof(plan.layout, plan.drivers)
        return proof.pace if proof else None

    def against(self, plan: Plan) -> Reason | None:
        """Why the devices of `plan` are not to be used for this model."""
        judgement = self._judgement(plan)
        if judgement is None:
            return None
        more = plan.gpu_layers > judgement.gpu_layers
        outgrown = more and judgement.against is Reason.DEVICE_SLOWER
        return None if outgrown else judgement.against

    def compared(self, plan: Plan) -> bool:
        """Whether the devices of `plan` once wrote the same as the processor, and faster."""
        judgement = self._judgement(plan)
        return judgement is not None and judgement.against is None

    def speed_on(self, devices: tuple[str, ...]) -> float | None:
        """`tokens_per_s`, where it was reached on these."""
        return self.tokens_per_s if self.timed_on == devices else None

    def _proof(self, layout: Layout, devices: tuple[str, ...]) -> Proof | None:
        return next((proof for proof in self.proofs if proof.covers(layout, devices)), None)

    def _judgement(self, plan: Plan) -> Judgement | None:
        return next((found for found in self.judgements if found.devices == plan.drivers), None)

    def context_limit(self, available_bytes: int) -> int | None:
        """`most_context`, unless there is clearly more memory now than when it ran out."""
        if available_bytes > self.memory_then_bytes * _CLEARLY_MORE:
            return None
        return self.most_context

    @property
    def corrections(self) -> tuple[Correction, ...]:
        return tuple(Correction(layout=p.layout, measured=p.measured) for p in self.proofs)


def after_crash(history: History, stage: str) -> History:
    """One step more careful, in a child for good; what was proved counts no more."""
    return replace(
        history,
        crashes=history.crashes + 1,
        in_child=True,
        caution=min(history.caution + 1, MOST_CAUTION),
        stage=stage,
        proofs=(),
    )


def after_proof(history: History, proof: Proof) -> History:
    others = tuple(p for p in history.proofs if p.layout != proof.layout)
    return replace(history, proofs=(proof, *others)[:_PROOFS_KEPT])


def after_judgement(history: History, judgement: Judgement) -> History:
    if judgement.against is Reason.DEVICE_FAILED:
        history = after_fall(history, judgement.devices)
    others = tuple(found for found in history.judgements if found.devices != judgement.devices)
    return replace(history, judgements=(judgement, *others)[:_JUDGEMENTS_KEPT])


def after_reply(
    history: History, tokens_per_s: float | None, devices: tuple[str, ...] = ()
) -> History:
    """A whole reply: earlier crashes are forgiven, and the speed is known better."""
    if tokens_per_s is None:
        return replace(history, crashes=0)
    speed = blended(history.speed_on(devices), tokens_per_s)
    return replace(history, crashes=0, tokens_per_s=speed, timed_on=devices)


def after_pace(history: History, plan: Plan, pace: Pace) -> History:
    """The devices of `plan` have shown again how fast they are."""
    proofs = tuple(
        replace(proof, pace=pace) if proof.covers(plan.layout, plan.drivers) else proof
        for proof in history.proofs
    )
    return replace(history, proofs=proofs)


def after_fall(history: History, devices: tuple[str, ...]) -> History:
    """They no longer do the work: what they have proved counts no more."""
    return replace(
        history,
        proofs=tuple(proof for proof in history.proofs if proof.devices != devices),
        judgements=tuple(found for found in history.judgements if found.devices != devices),
    )


def blended(known: float | None, new: float) -> float:
    """A speed of which one reply says only a part."""
    return new if known is None else 0.7 * known + 0.3 * new


def after_memory_ran_out(history: History, context_length: int, available_bytes: int) -> History:
    """At most half of that context, until there is clearly more memory."""
    return replace(
        history,
        most_context=max(context_length // 2, 1024),
        memory_then_bytes=available_bytes,
    )


def after_wrong_answer(history: History) -> History:
    """What computes rubbish did not crash; but it is not asked again."""
    return replace(history, caution=max(history.caution + 1, _NEXT_BACKEND), proofs=())


def after_slow_rehearsal(history: History) -> History:
    """It took too long to tell anything: a child runs it, and nobody is to blame."""
    return replace(history, in_child=True)


def forgiven(history: History) -> History:
    """A person wants it tried once more; where it runs, and how carefully, stays."""
    return replace(history, crashes=0, most_context=None)
