"""What would work instead of a model that is too big. Pure.

First the same model with a shorter memory, then the best other model that is known, then how
large a file may be.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from engine.planner import context
from engine.types.plans import Offer, Plan, Verdict, Wishes
from engine.types.shapes import Alternative, ModelShape

Decide = Callable[[ModelShape, Wishes], Plan]

_MOST_TRIED = 12
"""Of the other models, largest first: an answer must not take long."""
_GOOD_TOKENS_PER_S = 5.0
_STEP_BYTES = 100_000_000


def best(
    decide: Decide,
    made: Plan,
    shape: ModelShape,
    wishes: Wishes,
    alternatives: Sequence[Alternative],
) -> Offer:
    """The best offer in place of `made`, which is too big."""
    shorter = _shorter(decide, shape, wishes)
    if shorter is not None:
        return Offer(context_length=shorter)
    file_bytes = _file_bytes(made)
    found = _smaller(decide, shape, wishes, alternatives)
    if found is None:
        return Offer(file_bytes=file_bytes)
    model, verdict = found
    return Offer(model=model.name, path=model.path, verdict=verdict, file_bytes=file_bytes)


def _shorter(decide: Decide, shape: ModelShape, wishes: Wishes) -> int | None:
    """A context that fits where the stated wishes do not."""
    return next(
        (
            changed.context_length
            for changed in _changed(shape, wishes)
            if decide(shape, changed).verdict is not Verdict.TOO_BIG
        ),
        None,
    )


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


def _smaller(
    decide: Decide, shape: ModelShape, wishes: Wishes, alternatives: Sequence[Alternative]
) -> tuple[Alternative, Verdict] | None:
    """The largest model that runs well, else the largest that runs."""
    plain = Wishes(denied=wishes.denied, caution=wishes.caution)
    smaller = [model for model in alternatives if _is_smaller(model.shape, shape)]
    smaller.sort(key=lambda model: model.shape.weights_bytes, reverse=True)
    slow: tuple[Alternative, Verdict] | None = None
    for model in smaller[:_MOST_TRIED]:
        verdict = decide(model.shape, plain).verdict
        if verdict is Verdict.FITS:
            return model, verdict
        if verdict is Verdict.FITS_SLOWLY and slow is None:
            slow = model, verdict
    return slow


def _is_smaller(shape: ModelShape, than: ModelShape) -> bool:
    return 0 < shape.weights_bytes < than.weights_bytes


def _file_bytes(made: Plan) -> int:
    """About how large a file may be: what the plan's largest pool leaves beside everything that
    is not weights, and no larger than can be read often enough."""
    rooms = [
        pool.budget_bytes - (pool.use.total_bytes - pool.use.weights_bytes) for pool in made.memory
    ]
    room = max(rooms, default=0)
    rate = made.predicted_tokens_per_s
    if rate is not None and rate < _GOOD_TOKENS_PER_S:
        weights = sum(pool.use.weights_bytes for pool in made.memory)
        room = min(room, int(weights * rate / _GOOD_TOKENS_PER_S))
    return max(room, 0) // _STEP_BYTES * _STEP_BYTES
