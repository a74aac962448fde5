"""Whether graphics devices are worth it for a model: they write what the processor writes, and are
clearly faster. The processor's try runs in a child; if it fails, nothing is held against anybody.
On the keeper's thread.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.errors import Cancelled, EngineError
from engine.keeper.proving import Prover
from engine.planner.spec import spec_of
from engine.types.cancel import CancelToken
from engine.types.plans import Plan, Reason, Rehearsal

log = logging.getLogger("snug.keeper")

NEAR_TIE = 1.0
"""In logits. Half as exact a cache, another batch or another way of attention moved margins by up
to 0.3, Mesa's Vulkan by 0.5 [measured: SmolLM2, gemma-3-270m]; wrong kernels do by much more."""
WORTH_IT = 1.2
SURELY_WORTH_IT = 2.0
"""So much faster than predicted for the processor, that nobody needs to measure that."""
LONGEST_S = 30.0
"""A person waits for it. What is predicted to take longer is not tried."""
_TIMEOUT_S = 90.0
_READS_FASTER = 3.0
"""At least so many times as fast as it writes a processor reads a batch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """What speaks against the devices, None if nothing does. `processor` is what it did itself,
    where that was tried."""

    against: Reason | None = None
    processor: Rehearsal | None = None


class Comparison:
    """Of one model, with `prover`."""

    def __init__(self, prover: Prover, path: Path, cancel: CancelToken) -> None:
        self._prover = prover
        self._path = path
        self._cancel = cancel

    def run(self, seen: Rehearsal, processor: Plan, *, compared: bool) -> Compared:
        """`seen` was on devices; `processor` is the plan to hold it against. With `compared` the
        same words came from both before. Raises `Cancelled`."""
        predicted = processor.predicted_tokens_per_s
        if compared and is_faster(seen, predicted, SURELY_WORTH_IT):
            return Compared()
        tried = self._tried(seen, processor)
        if tried is None:
            return Compared(against=_against(is_faster(seen, predicted, WORTH_IT)))
        if differs(seen, tried):
            return Compared(against=Reason.DEVICE_FAILED, processor=tried)
        faster = is_faster(seen, tried.tokens_per_s, WORTH_IT)
        return Compared(against=_against(faster), processor=tried)

    def _tried(self, seen: Rehearsal, processor: Plan) -> Rehearsal | None:
        if predicted_s(seen, processor) > LONGEST_S:
            return None
        try:
            return self._prover.rehearse(
                spec_of(processor, self._path),
                self._cancel,
                prompt_tokens=seen.prompt_tokens,
                timeout_s=_TIMEOUT_S,
            )
        except Cancelled:
            raise
        except (EngineError, OSError) as error:
            log.warning("the processor could not be compared with: %s", error)
            return None


def is_faster(seen: Rehearsal, other: float | None, times: float) -> bool:
    """Than `other` tokens a second; true where that is not known."""
    return other is None or seen.tokens_per_s >= times * other


def predicted_s(seen: Rehearsal, processor: Plan) -> float:
    """How long the processor's try takes: about as long to load, then to read and to write."""
    rate = processor.predicted_tokens_per_s
    if not rate:
        return float("inf")
    one_by_one = len(seen.tokens) + 3 * len(seen.alone_tokens)  # twice as many are read alone
    return seen.load_ms / 1000 + (seen.prompt_tokens / _READS_FASTER + one_by_one) / rate


def differs(seen: Rehearsal, other: Rehearsal) -> bool:
    """Whether `seen` wrote something that `other` was sure not to write. What follows a token
    that was as good as another says nothing: from there on they write different texts."""
    same_batch = seen.prompt_tokens == other.prompt_tokens
    same_alone = seen.alone_prompt_tokens == other.alone_prompt_tokens
    return (same_batch and _differ(seen.tokens, other.tokens, other.margins)) or (
        same_alone and _differ(seen.alone_tokens, other.alone_tokens, other.alone_margins)
    )


def _differ(seen: Sequence[int], other: Sequence[int], margins: Sequence[float]) -> bool:
    for mine, its, margin in zip(seen, other, margins, strict=False):
        if mine != its:
            return margin >= NEAR_TIE
    return False


def _against(faster: bool) -> Reason | None:
    return None if faster else Reason.DEVICE_SLOWER
