"""The sampler: the same settings mean what they mean to llama.cpp."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import EngineStopped
from engine.runtimes.onnx.objects import Logits
from engine.runtimes.onnx.sampling import Sampler, candidates, penalised
from engine.types.generation import Sampling

GREEDY = Sampling(temperature=0.0, repeat_penalty=1.0)
OPEN = Sampling(top_k=0, top_p=1.0, min_p=0.0, repeat_penalty=1.0, temperature=1.0, seed=1)


def of(*values: float) -> Logits:
    return np.array(values, dtype=np.float32)


def drawn(logits: Logits, sampling: Sampling, count: int) -> list[int]:
    sampler = Sampler(lambda: logits, sampling)
    return [sampler.sample() for _ in range(count)]


def test_greedy_takes_the_likeliest() -> None:
    assert drawn(of(1, 5, 2), GREEDY, 3) == [1, 1, 1]


def test_a_penalty_for_what_was_just_said_moves_on() -> None:
    sampling = Sampling(temperature=0.0, repeat_penalty=2.0, repeat_window_tokens=1)
    assert drawn(of(4, 5, -9), sampling, 4) == [1, 0, 1, 0]


def test_the_penalty_lowers_either_sign() -> None:
    assert penalised(of(4, -4, 4), {0, 1}, 2.0).tolist() == [2, -8, 4]


def test_a_seed_repeats_and_another_one_does_not() -> None:
    logits = of(*np.linspace(0, 1, 50))
    first, again = (drawn(logits, OPEN, 20) for _ in range(2))
    assert first == again
    other = Sampling(top_k=0, top_p=1.0, min_p=0.0, temperature=1.0, seed=2)
    assert drawn(logits, other, 20) != first


def test_shares_follow_the_logits() -> None:
    counts = Counter(drawn(of(0.0, np.log(3.0)), OPEN, 4000))
    assert counts[1] / 4000 == pytest.approx(0.75, abs=0.03)


def test_each_step_leaves_what_it_should() -> None:
    shares = np.log(np.array([0.5, 0.3, 0.15, 0.05], dtype=np.float32))
    keep_all = {"top_k": 0, "top_p": 1.0, "min_p": 0.0}
    assert candidates(shares, Sampling(**keep_all)).tolist() == [0, 1, 2, 3]
    assert candidates(shares, Sampling(**keep_all | {"top_k": 2})).tolist() == [0, 1]
    assert candidates(shares, Sampling(**keep_all | {"top_p": 0.7})).tolist() == [0, 1]
    assert candidates(shares, Sampling(**keep_all | {"min_p": 0.2})).tolist() == [0, 1, 2]


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_no_number_is_an_error_of_the_engine(bad: float) -> None:
    logits = of(bad, bad) if bad == -np.inf else of(1, bad)
    with pytest.raises(EngineStopped):
        drawn(logits, GREEDY, 1)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.floats(-50, 50, width=32), min_size=1, max_size=60),
    st.integers(-1, 70),
    st.floats(0, 1),
    st.floats(0, 1),
)
def test_some_token_is_always_left_and_the_likeliest_is_among_them(
    values: list[float], top_k: int, top_p: float, min_p: float
) -> None:
    logits = of(*values)
    left = candidates(logits, Sampling(top_k=top_k, top_p=top_p, min_p=min_p))
    assert len(left) >= 1
    assert logits[left[0]] == logits.max()
    assert len(set(left.tolist())) == len(left)
    assert top_k <= 0 or len(left) <= top_k
