"""What people read about a plan: plain sentences."""

import re

import pytest

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
    (Offer(file_bytes=int(6.3 * GB)), "A model file of up to about 6.3 GB would fit."),
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
