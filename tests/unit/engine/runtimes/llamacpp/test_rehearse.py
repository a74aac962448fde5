"""The numbers a rehearsal looks at: logits, and this process's memory."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import EngineStopped
from engine.hardware.resident import parse_peak, read_resident
from engine.runtimes.llamacpp.rehearse import choice, likeliest

FINITE = st.floats(width=32, allow_nan=False, allow_infinity=False)


@given(st.lists(FINITE, min_size=1))
def test_the_likeliest_token_is_the_first_of_the_largest(logits: list[float]) -> None:
    token = likeliest(logits)
    assert logits[token] == max(logits)
    assert logits[token] not in logits[:token]


@given(st.lists(FINITE), st.lists(FINITE))
def test_one_logit_that_is_no_number_is_found(before: list[float], after: list[float]) -> None:
    with pytest.raises(EngineStopped):
        likeliest([*before, math.nan, *after])
    with pytest.raises(EngineStopped):
        likeliest([*before, math.inf, *after])


def test_tokens_may_be_ruled_out_but_not_all() -> None:
    assert likeliest([-math.inf, 1.0, -math.inf]) == 1
    with pytest.raises(EngineStopped):
        likeliest([-math.inf, -math.inf])


def test_the_peak_is_read_from_the_status_of_a_process() -> None:
    assert parse_peak("Name:\tpython3\nVmPeak:\t  900 kB\nVmHWM:\t   12345 kB\n") == 12345 * 1024
    assert parse_peak("Name:\tpython3\n") == 0


def test_memory_that_is_touched_is_resident() -> None:
    before = read_resident()
    block = bytearray(b"x") * (64 << 20)
    after = read_resident()
    assert after.total_bytes - before.total_bytes > 48 << 20
    assert after.anonymous_bytes + after.file_bytes == after.total_bytes
    assert after.peak_bytes >= after.total_bytes
    assert len(block) == 64 << 20


@given(st.lists(FINITE, min_size=2))
def test_a_margin_is_the_distance_to_the_next_best(logits: list[float]) -> None:
    token, margin = choice(logits)
    first, second = sorted(logits, reverse=True)[:2]
    assert logits[token] == first
    assert margin == min(first - second, 1000.0)


def test_a_token_that_is_alone_has_a_finite_margin() -> None:
    assert choice([1.0]) == choice([1.0, -math.inf]) == (0, 1000.0)
