"""The measurement itself, really run. How fast is printed by benchmarks, never asserted."""

import json
import time
from math import isfinite

import pytest

from engine.hardware.cpu import read_cpu
from engine.hardware.resident import read_resident
from engine.planner.estimate.repacking import repacked_types
from engine.runtimes.llamacpp import kernels
from engine.runtimes.llamacpp.graphs import Graph, Processor
from engine.runtimes.llamacpp.kernels import KV_TYPES, WEIGHT_TYPES, measure_speed, speed_role


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Enough to be correct, too little to be true: tests share the machine."""
    monkeypatch.setattr(kernels, "_MEMORY_BYTES", 17 << 20)
    monkeypatch.setattr(kernels, "_WALL_S", 0.0)


def test_every_kernel_is_measured() -> None:
    speed = measure_speed(1)
    assert tuple(name for name, _ in speed.bytes_per_s) == WEIGHT_TYPES
    assert tuple(name for name, _, _ in speed.attention_s) == tuple(KV_TYPES)
    assert speed.threads == 1
    rates = [rate for _, rate in (*speed.bytes_per_s, *speed.repacked_bytes_per_s)]
    assert all(isfinite(rate) and rate > 0 for rate in rates)
    assert speed.overhead_s > 0
    assert speed.row_s >= 0
    assert all(fixed + element > 0 for _, fixed, element in speed.attention_s)


def test_repacked_are_exactly_the_types_that_the_planner_counts_twice() -> None:
    measured = {name for name, _ in measure_speed(1).repacked_bytes_per_s}
    assert measured == repacked_types(read_cpu()) & set(kernels.REPACKED_TYPES)


@pytest.mark.parametrize("argument", [{"threads": 2}, {}, {"threads": 0}, {"threads": "many"}])
def test_the_role_speaks_json(argument: dict[str, object]) -> None:
    answer = json.loads(json.dumps(speed_role(argument)))
    assert answer["threads"] == (2 if argument == {"threads": 2} else 1)
    assert {name for name, _ in answer["bytes_per_s"]} == set(WEIGHT_TYPES)


def test_measuring_again_and_again_keeps_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "_MEMORY_BYTES", 40 << 20)  # the C library gives so much back
    for _ in range(3):
        measure_speed(1)
    before = read_resident().total_bytes
    for _ in range(4):
        measure_speed(1)
    # Kept each time, it would be 160 MB; other tests' threads may end meanwhile.
    assert read_resident().total_bytes - before < 80 << 20


def test_a_tensor_never_reaches_past_its_memory() -> None:
    processor = Processor(1)
    memory = processor.memory(1 << 20)
    graph = Graph(processor)
    with pytest.raises(ValueError, match="past the end"):
        memory.lay(graph.tensor("F32", 1024, 256), 4096)
    graph.close()
    memory.close()
    processor.close()


def test_slow_rows_never_explain_more_than_half_of_a_measurement() -> None:
    processor = Processor(1)
    memory = processor.memory(kernels._matrix_bytes("Q8_0"))
    bench = kernels._multiplying(processor, memory, "Q8_0")
    assert bench is not None
    assert kernels._plain_rate("Q8_0", bench, 1.0, row_s=1.0) == 2 * bench.amount
    assert kernels._plain_rate("Q8_0", bench, 1.0, row_s=0.0) == bench.amount
    assert kernels._plain_rate("F16", bench, 1.0, row_s=1.0) == bench.amount
    bench.graph.close()
    memory.close()
    processor.close()


def test_it_says_how_much_of_the_processor_others_had() -> None:
    speed = measure_speed(2)
    assert 0.0 <= speed.others_share <= 1.0


def test_our_own_work_is_not_that_of_others() -> None:
    others = kernels._Others()
    until = time.process_time() + 0.2
    while time.process_time() < until:
        pass
    everybody, ours, whole = (
        now - then for now, then in zip(others._now(), others._began, strict=True)
    )
    assert 0 < ours < whole
    assert others.share() <= max(everybody, 0.0) / whole
