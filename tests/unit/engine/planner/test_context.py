"""Context lengths by memory, and the lengths that are tried."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.planner.context import below, processor_tier, steps, tier, wanted
from tests.machines import GIB


@pytest.mark.parametrize(
    ("gib", "tokens"),
    [(0, 4096), (5.9, 4096), (6, 8192), (10, 16384), (20, 32768), (39, 32768), (400, 65536)],
)
def test_more_memory_allows_more(gib: float, tokens: int) -> None:
    assert tier(int(gib * GIB)) == tokens
    assert processor_tier(int(gib * GIB)) == min(tokens, 8192)


@pytest.mark.parametrize(
    ("trained", "most", "lengths"),
    [
        (131072, 65536, (65536, 32768, 16384, 8192, 4096, 2048)),
        (131072, 8192, (8192, 4096, 2048)),
        (40960, 65536, (40960, 32768, 16384, 8192, 4096, 2048)),
        (5000, 4096, (4096, 2048)),
        (2049, 65536, (2049, 2048)),
        (2048, 65536, (2048,)),
        (512, 65536, (512,)),
        (None, 65536, (4096, 2048)),
    ],
)
def test_what_is_tried(trained: int | None, most: int, lengths: tuple[int, ...]) -> None:
    assert steps(trained, most) == lengths


@given(st.one_of(st.none(), st.integers(1, 2**31)), st.integers(0, 2**31))
def test_never_nothing_and_never_more_than_trained(trained: int | None, most: int) -> None:
    lengths = steps(trained, most)
    assert lengths
    assert list(lengths) == sorted(set(lengths), reverse=True)
    assert all(length <= (trained or 4096) for length in lengths)


def test_offers_are_shorter_and_of_some_use() -> None:
    assert below(8192) == (4096, 2048)
    assert below(2048) == ()
    assert below(1 << 24)[0] == 1 << 23


@pytest.mark.parametrize(
    ("trained", "on_device", "length"),
    [(131072, True, 65536), (131072, False, 8192), (40960, True, 40960), (None, True, 4096)],
)
def test_what_is_wanted_where_memory_is_no_matter(
    trained: int | None, on_device: bool, length: int
) -> None:
    assert wanted(trained, on_device=on_device) == length
