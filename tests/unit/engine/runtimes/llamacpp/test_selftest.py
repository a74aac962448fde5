"""What counts as a wrong answer, and the model that is asked."""

import math
from dataclasses import replace
from hashlib import sha256

import pytest

from engine.runtimes.llamacpp.selftest import Walk, error, fault, margin, verdict
from engine.runtimes.llamacpp.tiny_model import tiny_model

RIGHT = [3.0, -1.0, 0.5, 1.0]
TIE = [3.0, 2.99, -1.0, 0.5]
WALK = Walk(rows=(RIGHT, RIGHT), written=(0,))


def test_what_rounds_elsewhere_is_right() -> None:
    row = [value * 1.01 for value in RIGHT]
    assert fault(RIGHT, row) == ""
    assert error(RIGHT, row) == pytest.approx(1e-4)


@pytest.mark.parametrize("broken", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_wrong(broken: float) -> None:
    assert "not numbers" in fault(RIGHT, [*RIGHT[:-1], broken])


@pytest.mark.parametrize("row", [[0.0] * 4, [1.0] * 4, RIGHT[::-1], [v * 2 for v in RIGHT]])
def test_other_logits_are_wrong(row: list[float]) -> None:
    assert "differ by" in fault(RIGHT, row)


def test_another_token_is_wrong_unless_both_were_as_good() -> None:
    assert fault(TIE, [2.98, 3.0, -1.0, 0.5]) == ""
    near = [3.0, 2.6, -1.0, 0.5]
    assert margin(near) > 0.1
    assert "token 1 instead of 0" in fault(near, [2.75, 2.8, -1.0, 0.5])


def test_a_device_that_is_wrong_in_batches_only_is_wrong() -> None:
    other = replace(WALK, rows=(RIGHT, RIGHT[::-1]))
    answer = verdict((WALK, WALK), (WALK, other))
    assert answer["passed"] is False
    assert str(answer["detail"]).startswith("tokens at once, step 1: the logits differ by")


def test_the_largest_error_of_all_is_told() -> None:
    close = replace(WALK, rows=([value * 1.1 for value in RIGHT], RIGHT))
    assert verdict((WALK, WALK), (close, WALK)) == {"passed": True, "detail": "largest error 0.01"}


def test_the_tiny_model_is_the_same_on_every_machine_and_python() -> None:
    made = tiny_model()
    assert sha256(made).hexdigest()[:16] == "c181114a1c6feae5"
    assert len(made) < 2 << 20
    assert tiny_model(1) != made
