"""What was learned of a model on this machine: what it proved, and how often it fell."""

from dataclasses import dataclass, replace

from engine.types.plans import Correction, Layout, Measured

MOST_CAUTION = 3
_PROOFS_KEPT = 8
_CLEARLY_MORE = 1.25
_NEXT_BACKEND = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """A layout that was rehearsed to the end, or that has answered."""

    layout: Layout
    devices: tuple[str, ...]
    """As `Plan.drivers` names them: a new driver has proved nothing yet."""
    measured: Measured

    def covers(self, layout: Layout, devices: tuple[str, ...]) -> bool:
        """A longer context was proved too where only the context differs."""
        mine = self.layout
        shorter = replace(mine, context_length=layout.context_length)
        longer = mine.context_length >= layout.context_length
        return shorter == layout and longer and self.devices == devices


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """`crashes` counts since the last good reply; `in_child` is for good. `most_context`: a
    longer one ran out of memory, in tokens, when `memory_then_bytes` were available.
    `tokens_per_s` is what replies really reached."""

    crashes: int = 0
    in_child: bool = False
    caution: int = 0
    stage: str = ""
    most_context: int | None = None
    memory_then_bytes: int = 0
    tokens_per_s: float | None = None
    proofs: tuple[Proof, ...] = ()

    def has_proved(self, layout: Layout, devices: tuple[str, ...]) -> bool:
        return any(proof.covers(layout, devices) for proof in self.proofs)

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


def after_reply(history: History, tokens_per_s: float | None) -> History:
    """A whole reply: earlier crashes are forgiven, and the speed is known better."""
    known, new = history.tokens_per_s, tokens_per_s
    speed = new if known is None else known if new is None else 0.7 * known + 0.3 * new
    return replace(history, crashes=0, tokens_per_s=speed)


def after_memory_ran_out(history: History, context_length: int, available_bytes: int) -> History:
    """At most half of that context, until there is clearly more memory."""
    return replace(
        history,
        most_context=max(context_length // 2, 1024),
        memory_then_bytes=available_bytes,
    )


def after_wrong_answer(history: History) -> History:
    """A device that computes rubbish did not crash; but it is not asked again."""
    return replace(history, caution=max(history.caution + 1, _NEXT_BACKEND), proofs=())


def after_slow_rehearsal(history: History) -> History:
    """It took too long to tell anything: a child runs it, and nobody is to blame."""
    return replace(history, in_child=True)


def forgiven(history: History) -> History:
    """A person wants it tried once more; where it runs, and how carefully, stays."""
    return replace(history, crashes=0, most_context=None)
