"""Which model is recommended: of the catalogue, and of a repository."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.recommending import in_order, recommended
from app.shop_values import Choice, Judged
from app.supply import CATALOGUE
from engine.errors import ModelTooNew
from engine.models.catalogue import ModelClass, read_catalogue
from engine.types.hub import Hub, HubFile, HubKind, HubRepo, Offering
from engine.types.models import ModelFormat
from engine.types.plans import Verdict
from tests.unit.app.plans import plan

ENTRIES = read_catalogue(CATALOGUE)
HUB = Hub(kind=HubKind.HUGGING_FACE, address="https://hub.test")
REPO = HubRepo(hub=HUB, id="a/b", revision="1", gated=False, licence="", files=())


def judged(number: int, verdict: Verdict, size_bytes: int = 1) -> Judged:
    return Judged(
        entry=ENTRIES[number],
        verdict=verdict,
        needed_bytes=size_bytes,
        free_bytes=100,
        tokens_per_s=None,
        size_bytes=size_bytes,
    )


def choice(name: str, verdict: Verdict | None = None) -> Choice:
    file = HubFile(path=f"{name}.gguf", size_bytes=1)
    offering = Offering(name=name, quantization=name, format=ModelFormat.GGUF, files=(file,))
    return Choice(offering=offering, repo=REPO, plan=None if verdict is None else plan(verdict))


@given(st.lists(st.sampled_from(list(Verdict)), min_size=len(ENTRIES), max_size=len(ENTRIES)))
def test_the_best_for_everything_that_fits(verdicts: list[Verdict]) -> None:
    made = recommended([judged(number, verdict) for number, verdict in enumerate(verdicts)])
    assert [one.entry for one in made] == list(ENTRIES)
    marked = [one for one in made if one.recommended]
    general = [one for one in made if ModelClass.GENERAL in one.entry.classes]
    for verdict in (Verdict.FITS, Verdict.FITS_SLOWLY):
        if fitting := [one for one in general if one.verdict is verdict]:
            assert len(marked) == 1
            assert marked[0] in fitting
            assert marked[0].entry.rank == max(one.entry.rank for one in fitting)
            return
    assert not marked


@pytest.mark.parametrize(("size_bytes", "is_best"), [(85, True), (86, False)])
def test_what_fills_memory_is_not_recommended_where_less_runs_well(
    size_bytes: int, is_best: bool
) -> None:
    general = [n for n, entry in enumerate(ENTRIES) if ModelClass.GENERAL in entry.classes]
    by_rank = sorted(general, key=lambda number: ENTRIES[number].rank, reverse=True)
    best, second, slow = by_rank[1], by_rank[2], by_rank[0]
    found = recommended(
        [
            judged(slow, Verdict.FITS_SLOWLY),
            judged(best, Verdict.FITS, size_bytes),
            judged(second, Verdict.FITS),
        ]
    )
    assert [one.recommended for one in found] == [False, is_best, not is_best]
    alone = recommended([judged(slow, Verdict.FITS_SLOWLY), judged(best, Verdict.FITS, 99)])
    assert [one.recommended for one in alone] == [False, True]


def test_the_first_of_a_repository_that_runs_well_comes_first() -> None:
    found = in_order([choice("a", Verdict.TOO_BIG), choice("b", Verdict.FITS_SLOWLY),
                      choice("c", Verdict.FITS), choice("d", Verdict.FITS)])  # fmt: skip
    assert [(it.title, it.recommended) for it in found] == [
        ("c", True),
        ("a", False),
        ("b", False),
        ("d", False),
    ]
    again = in_order([replace(found[0], plan=plan(Verdict.TOO_BIG)), *found[1:]])
    assert [it.title for it in again] == ["d", "c", "a", "b"]


def test_what_can_not_be_used_or_told_is_not_recommended() -> None:
    fits = choice("a", Verdict.FITS)
    missing = replace(fits, offering=replace(fits.offering, missing=("b.gguf",)))
    refused = replace(fits, refusal=ModelTooNew(Path("a.gguf")))
    found = in_order([missing, refused, choice("c"), choice("d", Verdict.UNKNOWN)])
    assert not any(it.recommended for it in found)
    assert in_order([]) == ()


@pytest.mark.parametrize(("one", "other"), [*product(Verdict, Verdict)])
def test_never_one_that_is_too_big(one: Verdict, other: Verdict) -> None:
    for it in in_order([choice("a", one), choice("b", other)]):
        assert not it.recommended or it.plan is None or it.plan.verdict is not Verdict.TOO_BIG
