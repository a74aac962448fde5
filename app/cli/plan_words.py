"""A plan in plain English, without jargon. The codes and numbers are for Details."""

import math
from collections.abc import Callable

from engine.types.models import ModelFacts
from engine.types.plans import TOKENS_A_PAGE, Offer, Plan, Reason, Verdict

_GB = 1 << 30
_MB = 1 << 20


def explanation(plan: Plan) -> str:
    """One or two sentences."""
    match plan.verdict:
        case Verdict.FITS:
            return f"Runs well on this computer. {_remembers(plan)}"
        case Verdict.FITS_SLOWLY:
            return f"{_slowly(plan)} {_remembers(plan)}"
        case Verdict.UNKNOWN:
            return "The file says too little to know whether this model fits. Snug can try it."
        case Verdict.TOO_BIG:
            return _too_big(plan)


def offered(offer: Offer) -> str:
    """What would work instead, as a sentence."""
    if offer.context_length is not None:
        return f"It fits if it remembers less: about {pages(offer.context_length)}."
    if offer.model:
        slowly = ", slowly" if offer.verdict is Verdict.FITS_SLOWLY else ""
        return f"A smaller model that fits{slowly}: {offer.model}."
    if offer.file_bytes:
        most = size(offer.file_bytes, math.floor)
        return f"A model file of up to about {most} would run well."
    return "No model fits now."


def size(count: int, rounded: Callable[[float], int] = round, *, more_digits: int = 0) -> str:
    """12 GB, 6.3 GB, 280 MB: as systems count memory."""
    digits = more_digits + (1 if _GB <= count < 10 * _GB else 0)
    unit, name = (_GB, "GB") if count >= _GB else (_MB, "MB")
    number = rounded(max(count, 0) / unit * 10**digits) / 10**digits
    return f"{number:.{digits}f} {name}"


def needed_and_free(plan: Plan) -> tuple[str, str]:
    """What is needed is rounded up and what is free down, more exactly where they come close."""
    needed, free = plan.needed_bytes, plan.free_bytes
    more = 1 if size(needed) == size(free) else 0
    return size(needed, math.ceil, more_digits=more), size(free, math.floor, more_digits=more)


def pages(tokens: int) -> str:
    count = max(round(tokens / TOKENS_A_PAGE), 1)
    return "1 page" if count == 1 else f"{count} pages"


def details(facts: ModelFacts, plan: Plan) -> list[tuple[str, str]]:
    """Names and values, with the jargon."""
    layout = plan.layout
    rows = [
        ("model", facts.name),
        ("verdict", plan.verdict.value),
        ("runs on", ", ".join(plan.devices) or "the processor"),
        *([("layers", _placed(plan))] if plan.devices else []),
        ("context", f"{layout.context_length} tokens, kept as {layout.kv_type.value}"),
        ("batch", f"{layout.ubatch} tokens"),
        ("threads", str(layout.threads)),
    ]
    if plan.predicted_tokens_per_s is not None:
        rows.append(("speed", f"about {plan.predicted_tokens_per_s:.1f} tokens a second"))
    for pool in plan.memory:
        used, free = size(pool.use.total_bytes), size(pool.budget_bytes)
        rows.append((f"memory {pool.pool}", f"{used} of {free}"))
    rows.append(("because", ", ".join(reason.value for reason in plan.reasons)))
    return rows


def _placed(plan: Plan) -> str:
    kept = plan.layout.expert_layers_in_ram
    experts = f", experts of {kept} in normal memory" if kept else ""
    return f"{plan.gpu_layers} of {plan.layers} on the graphics card{experts}"


def _remembers(plan: Plan) -> str:
    """No more than the model was made for is promised."""
    length, trained = plan.layout.context_length, plan.trained_length
    if Reason.CONTEXT_BEYOND_TRAINING not in plan.reasons or trained is None:
        return f"It remembers about {pages(length)} of the conversation."
    return (
        f"It was made to remember about {pages(trained)} of the conversation; "
        "what goes beyond may turn out wrong."
    )


def _slowly(plan: Plan) -> str:
    """What writes about as fast as one reads is not called slow."""
    reasons = plan.reasons
    slow = Reason.SLOWER_THAN_READING in reasons
    pace = "but slowly" if slow else "but not fast"
    if Reason.PARTLY_ON_DEVICE in reasons or Reason.EXPERTS_IN_RAM in reasons:
        return f"Will run, {pace}: part of it must use normal memory."
    if Reason.DEVICE_TOO_SMALL in reasons or not slow:
        return f"Will run, {pace}: it is too big for the graphics card."
    return f"Will run, {pace}: it writes slower than you read."


def _too_big(plan: Plan) -> str:
    if plan.needed_bytes <= plan.free_bytes:
        if plan.predicted_tokens_per_s is None or Reason.SLOWER_THAN_READING not in plan.reasons:
            return "This model can not run on this computer in the way that was asked for."
        return "Too slow on this computer: it would write less than a word a second."
    needed, free = needed_and_free(plan)
    needs = f"needs about {needed}, about {free} can be used"
    if Reason.MEMORY_LOW_NOW in plan.reasons:
        return f"Memory is too full now ({needs}). Close some programs, then it can fit."
    return f"Too big for this computer ({needs})."
