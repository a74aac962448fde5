"""Every verdict and reason has plain words, and sizes never contradict a verdict."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.types.plans import Reason, Verdict
from tests.unit.ui import plans
from ui import plan_words, size_words
from ui.plan_words import MOST_TELLING, SAID_BY_VERDICT

JARGON = re.compile(
    r"\b(RAM|VRAM|GPU|tokens?|context|prompt|GGUF|quanti[sz]ed|layers?|inference|server|cache)\b",
    re.IGNORECASE,
)


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_is_a_plain_sentence(reason):
    words = plan_words.reason_words(reason)
    assert words.endswith(".")
    assert not JARGON.search(words)


def test_every_reason_has_its_place_in_the_order_of_telling():
    assert set(MOST_TELLING) | set(SAID_BY_VERDICT) == set(Reason)
    assert len(MOST_TELLING) + len(SAID_BY_VERDICT) == len(Reason)


@pytest.mark.parametrize("verdict", Verdict)
def test_every_verdict_is_a_plain_sentence(verdict):
    words = plan_words.explanation(plans.plan(verdict, reasons=()))
    assert words.endswith(".")
    assert not JARGON.search(words)


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        (Verdict.FITS, "Runs well"),
        (Verdict.FITS_SLOWLY, "Runs slowly"),
        (Verdict.TOO_BIG, "Too big"),
        (Verdict.UNKNOWN, None),
    ],
)
def test_the_badge_says_the_verdict(verdict, words):
    look = plan_words.fit_look(verdict)
    assert (look.words if look else None) == words
    assert plan_words.tone(verdict) == (look.tone if look else "warn")


def test_the_most_telling_reason_is_the_one_that_is_said():
    made = plans.plan(reasons=(Reason.ALL_ON_DEVICE, Reason.CONTEXT_AS_TRAINED, Reason.DEMOTED))
    assert plan_words.reason_words(Reason.DEMOTED) in plan_words.explanation(made)
    assert "graphics" not in plan_words.explanation(made)


def test_what_is_too_big_says_both_sizes():
    assert plan_words.explanation(plans.too_big()) == (
        "This model needs 6.3 GB of memory, and 5.1 GB is free. "
        "Other programs hold much of the memory right now."
    )


@pytest.mark.parametrize(
    ("verdict", "needed", "free", "label"),
    [
        (Verdict.FITS, 4.0, 9.0, "Needs 4 of 9 GB"),
        (Verdict.FITS, 0.21, 15.94, "Needs 220 MB of 15 GB"),
        (Verdict.TOO_BIG, 1.25, 0.5, "Needs 1.3 GB, 510 MB free"),
        (Verdict.TOO_BIG, 0.21, 0.05, "Needs 220 MB, almost nothing free"),
        (Verdict.TOO_BIG, 12.4, 9.0, "Needs 13 GB, 9 free"),
        (Verdict.TOO_BIG, 6.3, 5.1, "Needs 6.3 GB, 5.1 free"),
        (Verdict.TOO_BIG, 5.14, 5.12, "Needs 5.2 GB, 5.1 free"),
        (Verdict.UNKNOWN, 0.0, 9.0, ""),
    ],
)
def test_the_slot_says_what_is_needed_of_what(verdict, needed, free, label):
    assert size_words.slot_label(plans.plan(verdict, needed_gb=needed, free_gb=free)) == label


@pytest.mark.parametrize(
    ("needed_gb", "free_gb", "told"),
    [
        (6.3, 5.1, ("6.3 GB", "5.1 GB")),
        (0.2, 0.15, ("210 MB", "150 MB")),
        (0.2, 0.09, ("210 MB", "almost nothing")),
        (0.2, 0.0, ("210 MB", "almost nothing")),
        (1.0, 0.9999, ("1 GB", "1020 MB")),
        (0.9999, 0.99, ("1 GB", "1010 MB")),
    ],
)
def test_small_sizes_are_never_nought(needed_gb, free_gb, told):
    made = plans.plan(Verdict.TOO_BIG, needed_gb=needed_gb, free_gb=free_gb)
    assert size_words.sizes(made) == told


def test_what_is_too_big_says_why_where_that_is_known():
    assert plan_words.why_too_big(plans.too_big()).startswith("Other programs hold")
    limited = plans.plan(reasons=(Reason.MEMORY_LOW_NOW, Reason.MEMORY_LIMITED))
    assert plan_words.why_too_big(limited).startswith("Snug may use only a part")
    assert plan_words.why_too_big(plans.plan()) == ""


@given(st.sampled_from(Verdict), st.floats(0, 200), st.floats(0, 200))
def test_the_piece_passes_the_end_exactly_if_memory_does_not_suffice(verdict, needed, free):
    plan = plans.plan(verdict, needed_gb=needed, free_gb=free)
    share = size_words.share(plan)
    assert share >= 0
    assert (share > 1) == (verdict is Verdict.TOO_BIG and not plan.only_too_slow)


def test_what_fits_but_is_too_slow_is_never_called_too_big():
    slow = plans.plan(Verdict.TOO_BIG, needed_gb=15, free_gb=18)
    assert size_words.slot_label(slow) == "Needs 15 of 18 GB"
    look = plan_words.plan_look(slow)
    assert (look.words, look.tone) == ("Too slow", "bad")
    assert plan_words.why_words("M", slow) == "Why is M too slow?"
    big = plan_words.plan_look(plans.too_big())
    assert big.words == "Too big"
    assert plan_words.plan_look(plans.plan(Verdict.UNKNOWN)) is None


@given(st.integers(1, 2**31 - 1))
def test_what_is_remembered_is_at_least_a_page(context_length):
    assert plan_words.pages(context_length) >= 1
    assert not JARGON.search(plan_words.memory_words(context_length))


@pytest.mark.parametrize(
    ("context_length", "words"),
    [
        (512, "Remembers about one page of the conversation"),
        (4096, "Remembers about 10 pages of the conversation"),
        (131_072, "Remembers about 330 pages of the conversation"),
    ],
)
def test_memory_is_told_in_pages(context_length, words):
    assert plan_words.memory_words(context_length) == words


@pytest.mark.parametrize(
    ("speed", "reasons", "words"),
    [
        (None, (), ""),
        (4.0, (Reason.SLOWER_THAN_READING,), "Writes more slowly than people read"),
        (7.0, (), "Writes about as fast as people read"),
        (40.0, (), "Writes faster than people read"),
    ],
)
def test_speed_is_told_as_a_reader_feels_it(speed, reasons, words):
    assert plan_words.speed_words(plans.plan(speed=speed, reasons=reasons)) == words


def test_of_what_is_too_big_no_speed_is_promised():
    assert plan_words.speed_words(plans.plan(Verdict.TOO_BIG, speed=90.0)) == ""


def test_speed_never_contradicts_the_verdict():
    slow = plans.plan(Verdict.FITS_SLOWLY, speed=90.0, reasons=())
    assert plan_words.speed_words(slow) == "Writes about as fast as people read"


def test_only_what_is_slower_than_reading_is_called_so():
    nearly = plans.plan(Verdict.FITS_SLOWLY, speed=6.0, reasons=(Reason.PARTLY_ON_DEVICE,))
    assert plan_words.explanation(nearly) == (
        "It fits into memory, but is not fast here. "
        "A part of it runs on the graphics card, the rest on the processor."
    )
    assert plan_words.speed_words(nearly) == "Writes about as fast as people read"
    reasons = (Reason.PARTLY_ON_DEVICE, Reason.SLOWER_THAN_READING)
    slow = plans.plan(Verdict.FITS_SLOWLY, speed=3.0, reasons=reasons)
    assert "more slowly than people read" in plan_words.explanation(slow)


@pytest.mark.parametrize(
    "unused",
    [Reason.DEVICE_FAILED, Reason.DEVICE_DENIED, Reason.DEVICE_SLOWER, Reason.SOFTWARE_RENDERER],
)
def test_a_card_that_is_used_is_not_said_to_be_unused(unused):
    used = plans.plan(reasons=(Reason.ALL_ON_DEVICE, unused))
    assert plan_words.explanation(used).endswith(plan_words.reason_words(Reason.ALL_ON_DEVICE))
    without = plans.plan(reasons=(unused,), devices=())
    assert plan_words.explanation(without).endswith(plan_words.reason_words(unused))


def test_a_memory_beyond_what_the_model_was_made_for_is_told():
    made = plans.plan(reasons=(Reason.ALL_ON_DEVICE, Reason.CONTEXT_BEYOND_TRAINING))
    assert "long conversations may go wrong" in plan_words.explanation(made)


# --- a graphics card that is left out ---


@pytest.mark.parametrize("reason", plan_words.LEFT_OUT)
def test_a_card_that_is_left_out_is_told_once_and_plainly(reason):
    made = plans.plan(reasons=(reason,), devices=())
    told = plan_words.why_no_device(made)
    assert plan_words.reason_words(reason) in plan_words.explanation(made)
    assert plan_words.reason_words(reason) not in told
    assert not JARGON.search(told)


@pytest.mark.parametrize("reason", plan_words.LEFT_OUT)
def test_it_is_told_even_where_another_reason_tells_more(reason):
    made = plans.plan(reasons=(Reason.DEMOTED, reason), devices=())
    assert plan_words.reason_words(reason) not in plan_words.explanation(made)
    assert plan_words.why_no_device(made).startswith(plan_words.reason_words(reason))


@pytest.mark.parametrize(
    "reason", [Reason.DEVICE_FAILED, Reason.DEVICE_DENIED, Reason.SOFTWARE_RENDERER]
)
def test_where_newer_software_can_help_it_is_said(reason):
    assert "driver" in plan_words.device_advice(reason)


def test_where_a_card_works_or_is_not_there_nothing_is_said():
    assert plan_words.why_no_device(plans.plan(reasons=(Reason.DEVICE_FAILED,))) == ""
    assert plan_words.why_no_device(plans.plan(reasons=(Reason.NO_DEVICE,), devices=())) == ""
    assert plan_words.device_advice(Reason.DEVICE_SLOWER) == ""
