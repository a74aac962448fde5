"""Which context lengths are worth trying, and how long one may be for so much memory. Pure.

The trained length is a bound, never the default: memory for a context is taken at once.
"""

from engine.planner.budgets import MIB

LEAST = 2048
"""A conversation in less is no use: a model that needs less memory is the better offer."""
PLAIN = 4096
"""Every plan starts from at least this. Shorter ones only where memory forces it."""
LEAST_ROOMY = 8192
"""Contexts are halved down to here before anything else is given up for them."""
LONGEST = 65_536
"""By default; a person may state more."""
_MOST_ON_PROCESSOR = 8192
"""A processor would need minutes to read more."""
_GIB = 1024 * MIB
_TIERS = ((6, PLAIN), (10, 8192), (20, 16_384), (40, 32_768))


def tier(budget_bytes: int) -> int:
    """The longest context for a pool of this size (engine.md §4.4): the rest is for longer
    conversations, other models, and the person's other programs."""
    return next((tokens for gib, tokens in _TIERS if budget_bytes < gib * _GIB), LONGEST)


def processor_tier(budget_bytes: int) -> int:
    return min(tier(budget_bytes), _MOST_ON_PROCESSOR)


def wanted(trained: int | None, *, on_device: bool) -> int:
    """The context that a plan has where memory is no matter."""
    return min(trained or PLAIN, LONGEST if on_device else _MOST_ON_PROCESSOR)


def steps(trained: int | None, most: int) -> tuple[int, ...]:
    """Context lengths to try, longest first, each at most `most`: what the model was trained for,
    then powers of two. Never empty; a short-lived model's own length is its only one."""
    top = min(trained or PLAIN, LONGEST)
    if top <= LEAST:
        return (top,)
    halves = [1 << power for power in reversed(range(17)) if LEAST <= 1 << power < top]
    return tuple(length for length in (top, *halves) if length <= max(most, LEAST))


def below(stated: int) -> tuple[int, ...]:
    """Shorter contexts to offer where a stated one does not fit."""
    return tuple(1 << power for power in reversed(range(11, 25)) if 1 << power < stated)
