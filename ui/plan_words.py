"""A plan in plain words: how a model fits, why, how much it remembers, and how fast it writes.

Exhaustive over verdicts and reasons. No jargon here; numbers and codes are in `plan_details.py`.
Sizes are in GB as systems count memory (2**30 bytes): a need is rounded up, what is free down.
"""

import math
from typing import assert_never

from PySide6.QtCore import QCoreApplication

from engine.types.plans import Plan, Reason, Verdict
from ui.theme.fit import FitLook, Tone

translate = QCoreApplication.translate

_GB = 2**30
_MB = 2**20
_MB_STEP = 10
_NEARLY_NOTHING_MB = 100
_MOST_EXACT_GB = 10
_LONGEST_NAME = 40
_ROUNDING = 1e-6
TOKENS_PER_PAGE = 400
"""A printed page of about 300 English words, each about 1.3 tokens."""
READING_TOKENS_PER_S = 5.0
"""How fast people read: about 240 words a minute are 4 words, or 5 tokens, a second."""

MOST_TELLING: tuple[Reason, ...] = (
    Reason.DEMOTED,
    Reason.LOAD_ANYWAY,
    Reason.MEMORY_LOW_NOW,
    Reason.DEVICE_FAILED,
    Reason.MEMORY_LIMITED,
    Reason.UNSURE,
    Reason.DEVICE_TOO_SMALL,
    Reason.DEVICE_DENIED,
    Reason.SOFTWARE_RENDERER,
    Reason.DEVICE_SLOWER,
    Reason.EXPERTS_IN_RAM,
    Reason.PARTLY_ON_DEVICE,
    Reason.SEVERAL_DEVICES,
    Reason.ALL_ON_DEVICE,
    Reason.CONTEXT_CHOSEN_FOR_MEMORY,
    Reason.KV_QUANTIZED,
    Reason.SMALL_BATCH,
    Reason.NOT_REPACKED,
    Reason.NO_DEVICE,
    Reason.SHARED_MEMORY,
    Reason.CONTEXT_AS_TRAINED,
)
SAID_BY_VERDICT = (Reason.SLOWER_THAN_READING, Reason.TOO_BIG, Reason.NOT_ESTIMATED)


# --- the verdict -------------------------------------------------------------------------------


def fit_look(verdict: Verdict) -> FitLook | None:
    """The badge of `verdict`; none where there is nothing to say."""
    match verdict:
        case Verdict.FITS:
            return FitLook(icon="circle-check", tone="good", words=translate("Fit", "Runs well"))
        case Verdict.FITS_SLOWLY:
            return FitLook(icon="turtle", tone="warn", words=translate("Fit", "Runs slowly"))
        case Verdict.TOO_BIG:
            return FitLook(icon="circle-x", tone="bad", words=translate("Fit", "Too big"))
        case Verdict.UNKNOWN:
            return None
        case _:
            assert_never(verdict)


def tone(verdict: Verdict) -> Tone:
    """The colour of the slot."""
    look = fit_look(verdict)
    return look.tone if look else "warn"


def explanation(plan: Plan) -> str:
    """The verdict, and the reason that tells most."""
    reason = next((reason for reason in MOST_TELLING if reason in plan.reasons), None)
    said = verdict_words(plan)
    return said if reason is None else joined(said, reason_words(reason))


def joined(first: str, second: str) -> str:
    """Two sentences, one after the other, as the language writes them."""
    return translate("Plan", "{first} {second}").format(first=first, second=second)


def verdict_words(plan: Plan) -> str:
    match plan.verdict:
        case Verdict.FITS:
            return translate("Plan", "It fits into memory and runs well here.")
        case Verdict.FITS_SLOWLY:
            return translate(
                "Plan", "It fits into memory, but writes more slowly than people read."
            )
        case Verdict.TOO_BIG:
            needed, free = sizes(plan)
            words = translate("Plan", "This model needs {a} of memory, and {b} is free.")
            return words.format(a=needed, b=free)
        case Verdict.UNKNOWN:
            return translate("Plan", "Its file does not say how much memory it needs.")
        case _:
            assert_never(plan.verdict)


def reason_words(reason: Reason) -> str:  # noqa: C901, PLR0911, PLR0912 - one line a reason
    """One sentence."""
    match reason:
        case Reason.ALL_ON_DEVICE:
            return translate("Plan", "All of it runs on the graphics card.")
        case Reason.PARTLY_ON_DEVICE:
            return translate(
                "Plan", "A part of it runs on the graphics card, the rest on the processor."
            )
        case Reason.EXPERTS_IN_RAM:
            return translate(
                "Plan", "The graphics card and the processor share the work, to save memory."
            )
        case Reason.SEVERAL_DEVICES:
            return translate("Plan", "Several graphics cards share the work.")
        case Reason.NO_DEVICE:
            return translate("Plan", "The processor does all the work.")
        case Reason.DEVICE_TOO_SMALL:
            return translate(
                "Plan", "It is too big for the graphics card, so the processor does the work."
            )
        case Reason.DEVICE_DENIED:
            return translate(
                "Plan", "The graphics card does not work well with models, so it is not used."
            )
        case Reason.DEVICE_FAILED:
            return translate(
                "Plan", "The graphics card did not work as it should, so it is not used."
            )
        case Reason.DEVICE_SLOWER:
            return translate("Plan", "The processor is faster here than the graphics card.")
        case Reason.SOFTWARE_RENDERER:
            return translate(
                "Plan", "There is no real graphics card, so the processor does the work."
            )
        case Reason.SHARED_MEMORY:
            return translate("Plan", "The graphics card shares its memory with other programs.")
        case Reason.CONTEXT_CHOSEN_FOR_MEMORY:
            return translate(
                "Plan", "It remembers less of a conversation than it could, so that it fits."
            )
        case Reason.CONTEXT_AS_TRAINED:
            return translate("Plan", "It remembers as much of a conversation as it was made for.")
        case Reason.KV_QUANTIZED:
            return translate(
                "Plan", "It remembers conversations a little less exactly, to save memory."
            )
        case Reason.SMALL_BATCH:
            return translate("Plan", "It reads long texts in smaller steps, to save memory.")
        case Reason.NOT_REPACKED:
            return translate("Plan", "It gives up some speed to save memory.")
        case Reason.MEMORY_LOW_NOW:
            return translate("Plan", "Other programs hold much of the memory right now.")
        case Reason.MEMORY_LIMITED:
            return translate("Plan", "Snug may use only a part of the memory of this computer.")
        case Reason.SLOWER_THAN_READING:
            return translate("Plan", "It writes more slowly than people read.")
        case Reason.UNSURE:
            return translate(
                "Plan", "Snug does not know this kind of model well, so it is careful with memory."
            )
        case Reason.DEMOTED:
            return translate("Plan", "It failed before, so Snug now runs it more carefully.")
        case Reason.LOAD_ANYWAY:
            return translate("Plan", "You asked to load it although memory may not suffice.")
        case Reason.NOT_ESTIMATED:
            return translate("Plan", "How much memory it needs is not known.")
        case Reason.TOO_BIG:
            return translate("Plan", "It needs more memory than is free.")
        case _:
            assert_never(reason)


# --- memory ------------------------------------------------------------------------------------


def needed_and_free(plan: Plan) -> tuple[int, int]:
    """Bytes, of the pool that decides, else of all."""
    if plan.needed_bytes:
        return plan.needed_bytes, plan.free_bytes
    return (
        sum(pool.use.total_bytes for pool in plan.memory),
        sum(pool.budget_bytes for pool in plan.memory),
    )


def share(plan: Plan) -> float:
    """How much of the slot the piece takes; above 1 exactly if it is too big."""
    needed, free = needed_and_free(plan)
    part = needed / free if free > 0 else 2.0
    return max(part, 1.01) if plan.verdict is Verdict.TOO_BIG else min(part, 1.0)


def slot_label(plan: Plan) -> str:
    """ "Needs 4 of 9 GB", "Needs 13 GB, 9 free"; "" where nothing is known."""
    needed, free = needed_and_free(plan)
    if plan.verdict is Verdict.UNKNOWN or needed <= 0:
        return ""
    if min(needed, free) < _GB:
        return _small_label(plan)
    words = (
        translate("Fit", "Needs {a} GB, {b} free")
        if plan.verdict is Verdict.TOO_BIG
        else translate("Fit", "Needs {a} of {b} GB")
    )
    return words.format(a=_up(needed), b=_down(free))


def _small_label(plan: Plan) -> str:
    """ "Needs 220 MB of 15 GB": each size with its own unit."""
    words = (
        translate("Fit", "Needs {a}, {b} free")
        if plan.verdict is Verdict.TOO_BIG
        else translate("Fit", "Needs {a} of {b}")
    )
    needed, free = sizes(plan)
    return words.format(a=needed, b=free)


def sizes(plan: Plan) -> tuple[str, str]:
    """Needed and free, as "6.3 GB", "300 MB" or, of what is free, "almost nothing"."""
    needed, free = needed_and_free(plan)
    needed_mb = math.ceil(needed / _MB / _MB_STEP) * _MB_STEP
    whole = needed_mb >= _GB // _MB
    return f"{_up(needed)} GB" if whole else f"{needed_mb} MB", _free(free)


def _free(free_bytes: int) -> str:
    if free_bytes >= _GB:
        return f"{_down(free_bytes)} GB"
    free_mb = free_bytes // _MB // _MB_STEP * _MB_STEP
    if free_mb < _NEARLY_NOTHING_MB:
        return translate("Plan", "almost nothing")
    return f"{free_mb} MB"


def _up(size_bytes: int) -> str:
    size = size_bytes / _GB
    if size >= _MOST_EXACT_GB:
        return str(math.ceil(size))
    return _plain(math.ceil(size * 10 - _ROUNDING) / 10)


def _down(size_bytes: int) -> str:
    size = size_bytes / _GB
    if size >= _MOST_EXACT_GB:
        return str(math.floor(size))
    return _plain(math.floor(size * 10 + _ROUNDING) / 10)


def _plain(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def short_name(model: str) -> str:
    """A name that leaves room for what is said of it."""
    return model if len(model) <= _LONGEST_NAME else model[: _LONGEST_NAME - 1].rstrip() + "…"


def why_too_big(plan: Plan) -> str:
    """Why there is so little, where that is known; else ""."""
    told = (Reason.MEMORY_LIMITED, Reason.MEMORY_LOW_NOW)
    reason = next((reason for reason in told if reason in plan.reasons), None)
    return reason_words(reason) if reason else ""


# --- what it can do ----------------------------------------------------------------------------


def pages(context_length: int) -> int:
    """About how many pages of conversation that is, at least one."""
    exact = context_length / TOKENS_PER_PAGE
    step = 10 if exact >= 100 else 1
    return max(1, round(exact / step) * step)


def memory_words(context_length: int) -> str:
    count = pages(context_length)
    if count == 1:
        return translate("Plan", "Remembers about one page of the conversation")
    return translate("Plan", "Remembers about {n} pages of the conversation").format(n=count)


def speed_words(plan: Plan) -> str:
    """How fast it writes, compared with a reader; "" where that is not known."""
    speed = plan.predicted_tokens_per_s
    if plan.verdict is Verdict.TOO_BIG:
        return ""  # it may run all the same, but how fast is not known
    if Reason.SLOWER_THAN_READING in plan.reasons or plan.verdict is Verdict.FITS_SLOWLY:
        return translate("Plan", "Writes more slowly than people read")
    if speed is None:
        return ""
    if speed < 2 * READING_TOKENS_PER_S:
        return translate("Plan", "Writes about as fast as people read")
    return translate("Plan", "Writes faster than people read")
