"""What would work instead of a model that is too big. Pure.

First the same model with a shorter memory, then the best other model that is known, then how
large a file may be.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from engine.planner import context
from engine.types.plans import Offer, Plan, Verdict, Wishes
from engine.types.shapes import Alternative, ModelShape

_MOST_TRIED = 12
"""Of the other models, largest first: an answer must not take long."""
_GOOD_TOKENS_PER_S = 5.0
_STEP_BYTES = 100_000_000


def shorter(decide: Callable[[Wishes], Plan], shape: ModelShape, wishes: Wishes) -> int | None:
    """A context that fits where the stated wishes do not."""
    return next(
        (
            changed.context_length
            for changed in _changed(shape, wishes)
            if decide(changed).verdict is not Verdict.TOO_BIG
        ),
        None,
    )


def other(
    decide: Callable[[ModelShape, Wishes], Plan],
    shape: ModelShape,
    denied: frozenset[str],
    alternatives: Sequence[Alternative],
) -> Offer | None:
    """The best other model: the largest that runs well, else the largest that runs."""
    slow: Offer | None = None
    for model in _smaller(shape, alternatives):
        verdict = decide(model.shape, Wishes(denied=denied)).verdict
        offer = Offer(model=model.name, path=model.path, verdict=verdict)
        if verdict is Verdict.FITS:
            return offer
        if verdict is Verdict.FITS_SLOWLY and slow is None:
            slow = offer
    return slow


def file_bytes(made: Plan, ram_room: int, device_room: int) -> int:
    """About how large a file may be in place of `made`: what the larger of main memory and all
    devices leaves beside all that is not weights, and no larger than can be read often enough."""
    weights = sum(pool.use.weights_bytes for pool in made.memory)
    beside = sum(pool.use.total_bytes for pool in made.memory) - weights
    in_ram, on_devices = ram_room - beside, device_room - beside
    rate = made.predicted_tokens_per_s
    if rate is not None and rate < _GOOD_TOKENS_PER_S:
        readable = int(weights * rate / _GOOD_TOKENS_PER_S)
        in_ram = min(in_ram, readable)
        on_devices = min(on_devices, readable) if made.gpu_layers == made.layers else on_devices
    room = max(in_ram, on_devices, 0)
    return room // _STEP_BYTES * _STEP_BYTES


def _smaller(shape: ModelShape, alternatives: Sequence[Alternative]) -> list[Alternative]:
    """The largest first."""
    smaller = [m for m in alternatives if 0 < m.shape.weights_bytes < shape.weights_bytes]
    return sorted(smaller, key=lambda m: m.shape.weights_bytes, reverse=True)[:_MOST_TRIED]


def _changed(shape: ModelShape, wishes: Wishes) -> Iterator[Wishes]:
    """Shorter contexts as stated otherwise; then contexts alone, without what else was stated."""
    stated = wishes.context_length
    longest = shape.context_length or context.PLAIN
    shorter = context.below(min(stated or context.LONGEST + 1, longest + 1))
    if stated:
        yield from (replace(wishes, context_length=length) for length in shorter)
    if wishes.kv_type or wishes.ubatch:
        lengths = (stated, *shorter) if stated else shorter
        free = replace(wishes, kv_type=None, ubatch=None)
        yield from (replace(free, context_length=length) for length in lengths)
