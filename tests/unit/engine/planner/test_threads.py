"""Threads of the processor's part."""

from dataclasses import replace

import pytest

from engine.planner.threads import threads_for
from tests.machines import machine


@pytest.mark.parametrize(
    ("performance", "usable", "threads"),
    [(2, 2, 2), (4, 4, 4), (5, 8, 5), (6, 6, 5), (8, 16, 7), (8, 2, 2), (64, 64, 16), (0, 1, 1)],
)
def test_fast_cores_without_one_for_the_window(performance: int, usable: int, threads: int) -> None:
    cpu = replace(machine(cores=4).cpu, performance_cores=performance, usable_cores=usable)
    assert threads_for(cpu) == threads
    assert threads_for(cpu, all_on_device=True) == min(threads, 4)
