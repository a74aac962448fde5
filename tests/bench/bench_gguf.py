"""How long the header of a 262k vocabulary takes, against plainly reading the same bytes.

`pytest tests/bench/bench_gguf.py -s` prints it. It never fails on time.
"""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.models.gguf import read_header

ROUNDS = 15


def best_ms(work: Callable[[], object]) -> float:
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times) * 1000


@pytest.mark.model
def test_header_of_a_large_vocabulary(
    gemma_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    header = read_header(gemma_model)

    def read_plainly() -> bytes:
        with gemma_model.open("rb", buffering=0) as file:
            return file.read(header.data_offset)

    ours = best_ms(lambda: read_header(gemma_model))
    plain = best_ms(read_plainly)
    with capsys.disabled():
        size = f"{header.data_offset / 1e6:.1f} MB"
        print(f"\nGGUF header, {size}: {ours:.1f} ms, {ours / plain:.1f} x plain reading", end="")
    assert header.skipped["tokenizer.ggml.tokens"].count == 262_144
