"""Which model to recommend. Never one that is too big. Pure."""

from collections.abc import Sequence
from dataclasses import replace

from app.shop_values import Choice, Judged
from engine.models.catalogue import ModelClass
from engine.types.plans import Plan, Verdict

_ORDER = (Verdict.FITS, Verdict.FITS_SLOWLY)
_MOST_PERCENT = 85
"""Of the memory that a model may have, in weights: what a person opens tomorrow needs some too."""


def recommended(judged: Sequence[Judged]) -> tuple[Judged, ...]:
    """With a mark on the best one for everything: of those that run well with room to spare, else
    of those that run well, else of those that run slowly; on none if nothing fits."""
    general = [one for one in judged if ModelClass.GENERAL in one.entry.classes]
    best = _first_class(general)
    return tuple(replace(one, recommended=one is best) for one in judged)


def _first_class(judged: Sequence[Judged]) -> Judged | None:
    for verdict in _ORDER:
        fitting = [one for one in judged if one.verdict is verdict]
        if fitting:
            roomy = [one for one in fitting if _has_room(one)]
            return max(roomy or fitting, key=lambda one: one.entry.rank)
    return None


def _has_room(one: Judged) -> bool:
    """By its weights: what else it needs shrinks with the memory there is."""
    return 100 * one.size_bytes <= _MOST_PERCENT * one.free_bytes


def in_order(choices: Sequence[Choice]) -> tuple[Choice, ...]:
    """The first that runs well, else the first that runs slowly, before the others; marked. They
    come in the order in which they are worth having. Without a plan that fits none is marked."""
    best = _first(choices)
    rest = tuple(replace(one, recommended=False) for one in choices if one is not best)
    return rest if best is None else (replace(best, recommended=True), *rest)


def _first(choices: Sequence[Choice]) -> Choice | None:
    for verdict in _ORDER:
        for choice in choices:
            if _usable(choice) and _verdict(choice.plan) is verdict:
                return choice
    return None


def _usable(choice: Choice) -> bool:
    return choice.refusal is None and not choice.offering.missing


def _verdict(plan: Plan | None) -> Verdict:
    return plan.verdict if plan is not None else Verdict.UNKNOWN
