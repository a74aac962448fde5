"""Sizes in words: never a contradiction between a need, what is free, and the verdict."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.types.plans import Verdict
from tests.unit.ui.models import stock
from ui.size_words import slot_label, space, space_number

GB = 2**30


@pytest.mark.parametrize(
    ("needed", "free", "label"),
    [(4.0, 9.0, "Needs 4 of 9 GB"), (18.2, 18.9, "Needs 18.2 of 18.9 GB")],
)
def test_what_fits_never_seems_to_need_more_than_there_is(needed, free, label):
    assert slot_label(stock.plan(Verdict.FITS, needed, free)) == label


@given(st.integers(GB, 200 * GB), st.integers(0, 20 * GB))
def test_the_numbers_agree_with_the_verdict(needed, more):
    plan = stock.plan(Verdict.FITS_SLOWLY, needed / GB, (needed + more) / GB)
    words = slot_label(plan).split()
    assert float(words[1]) <= float(words[3])


@pytest.mark.parametrize(
    ("size_bytes", "words"),
    [(3_300_000_000, "3.3 GB"), (98_000_000, "98 MB"), (999_000_000, "1.0 GB"), (0, "0 MB")],
)
def test_space_is_counted_as_files_are(size_bytes, words):
    assert space(size_bytes) == words


def test_a_part_has_the_unit_of_the_whole():
    assert space_number(200_000_000, 3_300_000_000) == "0.2"
