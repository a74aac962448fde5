"""How well a found layout runs, as one word. Pure.

The rates that count as good, slow and hopeless are here, for plans and for what is offered.
"""

from engine.planner import why
from engine.planner.backends import Selection
from engine.planner.ladder import Found
from engine.types.plans import READING_TOKENS_PER_S, Verdict

SPLIT_TOKENS_PER_S = 8.0
"""What is split between a card and main memory is predicted less surely: it must promise more."""
LEAST_TOKENS_PER_S = 1.0
"""Slower than this nobody waits for an answer."""


def is_slow(rate: float | None) -> bool:
    return rate is not None and rate < READING_TOKENS_PER_S


def verdict_of(
    found: Found, predicted: float | None, rate: float | None, selection: Selection
) -> Verdict:
    """`rate` may come from a reply on a busy machine: it can call a model slow, but only the
    prediction can call it hopeless."""
    if not found.fits or (predicted is not None and predicted < LEAST_TOKENS_PER_S):
        return Verdict.TOO_BIG
    unsure = rate is None or rate < SPLIT_TOKENS_PER_S
    if is_slow(rate) or (unsure and _beside_card(found, selection)):
        return Verdict.FITS_SLOWLY
    return Verdict.FITS


def _beside_card(found: Found, selection: Selection) -> bool:
    """Whether main memory holds a part, or all, of what a card could not. All of it too: a
    smaller card must not give a better verdict."""
    cards = bool(selection.devices) and not selection.shared
    return (cards and not why.all_on_device(found)) or bool(
        found.candidate.layout.expert_layers_in_ram
    )
