"""A plan in plain words: how a model fits, why, how much it remembers, and how fast it writes.

Exhaustive over verdicts and reasons. No jargon here; numbers and codes are in `plan_details.py`.
"""

from dataclasses import replace
from typing import assert_never

from PySide6.QtCore import QCoreApplication

from engine.types.plans import READING_TOKENS_PER_S, TOKENS_A_PAGE, Plan, Reason, Verdict
from ui.size_words import sizes
from ui.theme.fit import FitLook, Tone

translate = QCoreApplication.translate

_LONGEST_NAME = 40

MOST_TELLING: tuple[Reason, ...] = (
    Reason.DEMOTED,
    Reason.LOAD_ANYWAY,
    Reason.MEMORY_LOW_NOW,
    Reason.DEVICE_FAILED,
    Reason.MEMORY_LIMITED,
    Reason.CONTEXT_BEYOND_TRAINING,
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
_OF_NO_DEVICE = frozenset(
    (
        Reason.NO_DEVICE,
        Reason.DEVICE_TOO_SMALL,
        Reason.DEVICE_DENIED,
        Reason.DEVICE_FAILED,
        Reason.DEVICE_SLOWER,
        Reason.SOFTWARE_RENDERER,
    )
)
"""They tell why no graphics card is used: never where one is, by another way."""
LEFT_OUT = (
    Reason.DEVICE_FAILED,
    Reason.DEVICE_DENIED,
    Reason.SOFTWARE_RENDERER,
    Reason.DEVICE_SLOWER,
    Reason.DEVICE_TOO_SMALL,
)
"""Why a graphics card that is there does nothing, the most telling first."""
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


def plan_look(plan: Plan) -> FitLook | None:
    """The badge of `plan`: what memory suffices for is never called too big."""
    look = fit_look(plan.verdict)
    if look is None or not plan.only_too_slow:
        return look
    return replace(look, icon="turtle", words=translate("Fit", "Too slow"))


def tone(verdict: Verdict) -> Tone:
    """The colour of the slot."""
    look = fit_look(verdict)
    return look.tone if look else "warn"


def explanation(plan: Plan) -> str:
    """The verdict, and the reason that tells most."""
    told = set(plan.reasons) - (_OF_NO_DEVICE if plan.devices else frozenset())
    reason = next((reason for reason in MOST_TELLING if reason in told), None)
    said = verdict_words(plan)
    return said if reason is None else joined(said, reason_words(reason))


def why_no_device(plan: Plan) -> str:
    """Why no graphics card is used and what can be done about it; "" where there is nothing to
    say. A reason that `explanation` tells already is not told again."""
    reason = next((reason for reason in LEFT_OUT if reason in plan.reasons), None)
    if plan.devices or reason is None:
        return ""
    why = reason_words(reason)
    help_ = device_advice(reason)
    if why in explanation(plan):
        return help_
    return joined(why, help_) if help_ else why


def device_advice(reason: Reason) -> str:
    """What a person can do about a graphics card that is left out; "" where nothing need be."""
    match reason:
        case Reason.DEVICE_FAILED:
            return translate(
                "Plan",
                "Newer software for the graphics card, its driver, can help. Snug then tries it"
                " again by itself.",
            )
        case Reason.DEVICE_DENIED:
            return translate(
                "Plan", "Newer software for it, its driver, can help if its maker has one."
            )
        case Reason.SOFTWARE_RENDERER:
            return translate(
                "Plan",
                "If this computer does have a graphics card, install the driver that its maker"
                " offers.",
            )
        case Reason.DEVICE_TOO_SMALL:
            return translate("Plan", "A smaller model could use it.")
        case _:
            return ""


def joined(first: str, second: str) -> str:
    """Two sentences, one after the other, as the language writes them."""
    return translate("Plan", "{first} {second}").format(first=first, second=second)


def verdict_words(plan: Plan) -> str:
    match plan.verdict:
        case Verdict.FITS:
            return translate("Plan", "It fits into memory and runs well here.")
        case Verdict.FITS_SLOWLY if Reason.SLOWER_THAN_READING in plan.reasons:
            return translate(
                "Plan", "It fits into memory, but writes more slowly than people read."
            )
        case Verdict.FITS_SLOWLY:
            return translate("Plan", "It fits into memory, but is not fast here.")
        case Verdict.TOO_BIG if plan.only_too_slow:
            return translate("Plan", "It would write less than a word a second here.")
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
        case Reason.CONTEXT_BEYOND_TRAINING:
            return translate(
                "Plan", "It was not made to remember so much: long conversations may go wrong."
            )
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


def short_name(model: str) -> str:
    """A name that leaves room for what is said of it."""
    return model if len(model) <= _LONGEST_NAME else model[: _LONGEST_NAME - 1].rstrip() + "…"


def why_words(name: str, plan: Plan) -> str:
    """What the button that leads to the reason is called."""
    words = (
        translate("Models", "Why is {name} too slow?")
        if plan.only_too_slow
        else translate("Models", "Why is {name} too big?")
    )
    return words.format(name=name)


def why_too_big(plan: Plan) -> str:
    """Why there is so little, where that is known; else ""."""
    told = (Reason.MEMORY_LIMITED, Reason.MEMORY_LOW_NOW)
    reason = next((reason for reason in told if reason in plan.reasons), None)
    return reason_words(reason) if reason else ""


# --- what it can do ----------------------------------------------------------------------------


def pages(context_length: int) -> int:
    """About how many pages of conversation that is, at least one."""
    exact = context_length / TOKENS_A_PAGE
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
    if Reason.SLOWER_THAN_READING in plan.reasons:
        return translate("Plan", "Writes more slowly than people read")
    if speed is None:
        return ""
    if speed < 2 * READING_TOKENS_PER_S or plan.verdict is Verdict.FITS_SLOWLY:
        return translate("Plan", "Writes about as fast as people read")
    return translate("Plan", "Writes faster than people read")
