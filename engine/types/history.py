"""What was learned of a model on this machine: what it proved, and how often it fell."""

from dataclasses import dataclass, replace

from engine.types.plans import Correction, Layout, Measured

MOST_CAUTION = 3
_PROOFS_KEPT = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """A layout that was rehearsed to the end, or that has answered."""

    layout: Layout
    devices: tuple[str, ...]
    measured: Measured


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """`crashes` counts since the last good reply; `in_child` is for good. `most_context`: a
    longer one ran out of memory, in tokens. `tokens_per_s` is what replies really reached."""

    crashes: int = 0
    in_child: bool = False
    caution: int = 0
    stage: str = ""
    most_context: int | None = None
    tokens_per_s: float | None = None
    proofs: tuple[Proof, ...] = ()

    def has_proved(self, layout: Layout, devices: tuple[str, ...]) -> bool:
        return any(p.layout == layout and p.devices == devices for p in self.proofs)

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


def after_memory_ran_out(history: History, context_length: int) -> History:
    """From now on at most half of that context."""
    return replace(history, most_context=max(context_length // 2, 1024))
