"""What people read about a plan: plain sentences."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.cli import plan_words
from engine.types.plans import Layout, Offer, Plan, PoolUse, Reason, Use, Verdict

JARGON = re.compile(
    r"vram|kv|layer|token|offload|context|ubatch|quanti|bandwidth|gpu|ram\b", re.IGNORECASE
)


def plan(
    verdict: Verdict, *reasons: Reason, needed: int = 0, free: int = 0, rate: float | None = 9.0
) -> Plan:
    return Plan(
        verdict=verdict,
        backend="cpu",
        devices=(),
        layout=Layout(context_length=4096),
        gpu_layers=0,
        layers=33,
        memory=(PoolUse(pool="ram", use=Use(weights_bytes=needed), budget_bytes=free),),
        predicted_tokens_per_s=rate,
        reasons=reasons,
        needed_bytes=needed,
        free_bytes=free,
    )


GB = 1 << 30
BIG = {"needed": 19 * GB, "free": 11 * GB}
SENTENCES = [
    (plan(Verdict.FITS), "Runs well on this computer. It remembers about 10 pages"),
    (plan(Verdict.FITS_SLOWLY, Reason.PARTLY_ON_DEVICE), "part of it must use normal memory"),
    (plan(Verdict.FITS_SLOWLY, Reason.EXPERTS_IN_RAM), "part of it must use normal memory"),
    (plan(Verdict.FITS_SLOWLY, Reason.SLOWER_THAN_READING), "writes slower than you read"),
    (plan(Verdict.FITS_SLOWLY, Reason.DEVICE_TOO_SMALL), "too big for the graphics card"),
    (plan(Verdict.UNKNOWN), "says too little"),
    (
        plan(Verdict.TOO_BIG, Reason.TOO_BIG, **BIG),
        "Too big for this computer (needs about 19 GB, about 11 GB can be used).",
    ),
    (plan(Verdict.TOO_BIG, Reason.MEMORY_LOW_NOW, **BIG), "Close some programs"),
    (
        plan(Verdict.TOO_BIG, Reason.SLOWER_THAN_READING, needed=1, free=2, rate=0.4),
        "Too slow on this computer",
    ),
    (plan(Verdict.TOO_BIG, needed=1, free=2), "can not run on this computer in the way"),
]
OFFERS = [
    (Offer(context_length=8192), "It fits if it remembers less: about 20 pages."),
    (Offer(model="Small 1B", verdict=Verdict.FITS), "A smaller model that fits: Small 1B."),
    (Offer(model="Mid", verdict=Verdict.FITS_SLOWLY), "A smaller model that fits, slowly: Mid."),
    (Offer(file_bytes=int(6.39 * GB)), "A model file of up to about 6.3 GB would run well."),
    (Offer(file_bytes=int(42.9 * GB)), "A model file of up to about 42 GB would run well."),
    (Offer(), "No model fits now."),
]


@pytest.mark.parametrize(("made", "words"), SENTENCES)
def test_a_plan_is_told_without_jargon(made: Plan, words: str) -> None:
    text = plan_words.explanation(made)
    assert words in text
    assert text.endswith(".")
    assert not JARGON.search(text)


@pytest.mark.parametrize(("offer", "words"), OFFERS)
def test_an_offer_is_a_sentence(offer: Offer, words: str) -> None:
    assert plan_words.offered(offer) == words
    assert not JARGON.search(words)


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 MB"),
        (int(280.4 * (1 << 20)), "280 MB"),
        (int(6.34 * GB), "6.3 GB"),
        (int(19.6 * GB), "20 GB"),
    ],
)
def test_sizes_read_as_systems_count_memory(count: int, text: str) -> None:
    assert plan_words.size(count) == text


@pytest.mark.parametrize(
    ("tokens", "text"), [(1, "1 page"), (512, "1 page"), (2048, "5 pages"), (65536, "164 pages")]
)
def test_a_context_reads_as_pages(tokens: int, text: str) -> None:
    assert plan_words.pages(tokens) == text


@pytest.mark.parametrize(
    ("needed", "free", "told"),
    [
        (19.04, 18.97, ("19.1 GB", "18.9 GB")),
        (18.2, 11.9, ("19 GB", "11 GB")),
        (4.42, 4.38, ("4.42 GB", "4.37 GB")),
        (4.42, 3.38, ("4.5 GB", "3.3 GB")),
    ],
)
def test_what_is_needed_is_seen_to_be_more(
    needed: float, free: float, told: tuple[str, str]
) -> None:
    made = plan(Verdict.TOO_BIG, needed=int(needed * GB), free=int(free * GB))
    assert plan_words.needed_and_free(made) == told
    assert f"needs about {told[0]}, about {told[1]} can" in plan_words.explanation(made)


@given(st.integers(0, 1 << 40), st.integers(1, 1 << 40))
def test_sizes_never_look_alike_where_memory_is_short(free: int, more: int) -> None:
    made = plan(Verdict.TOO_BIG, needed=free + more, free=free)
    needed_words, free_words = plan_words.needed_and_free(made)
    assert needed_words != free_words


@pytest.mark.parametrize(
    "reasons",
    [(), (Reason.PARTLY_ON_DEVICE,), (Reason.EXPERTS_IN_RAM,), (Reason.DEVICE_TOO_SMALL,)],
)
def test_only_what_is_slower_than_reading_is_called_slow(reasons: tuple[Reason, ...]) -> None:
    fits = plan(Verdict.FITS, *reasons, rate=24.0)
    nearly = plan(Verdict.FITS_SLOWLY, *reasons, rate=6.0)
    slow = plan(Verdict.FITS_SLOWLY, *reasons, Reason.SLOWER_THAN_READING, rate=3.0)
    said = [plan_words.explanation(made) for made in (fits, nearly, slow)]
    assert ["slowly" in words for words in said] == [False, False, True]


def test_no_more_is_promised_than_the_model_was_made_for() -> None:
    long = replace(
        plan(Verdict.FITS, Reason.CONTEXT_BEYOND_TRAINING),
        layout=Layout(context_length=131072),
        trained_length=40960,
    )
    text = plan_words.explanation(long)
    assert "about 102 pages" in text
    assert "may turn out wrong" in text
    assert "328" not in text
    assert not JARGON.search(text)
