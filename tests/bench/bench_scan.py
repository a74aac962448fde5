"""How long a look at 30 models with vocabularies of 262,144 tokens takes, cold and warm, and how
long it keeps other threads (the window's) from running.

`pytest tests/bench/bench_scan.py -s` prints it. It never fails on time.
"""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from engine.models.library.scan import Place, ScanCache, scan
from engine.types.cancel import CancelToken
from engine.types.library import InstalledModel, Owner
from tests.large_library import MODELS, write_library

pytestmark = pytest.mark.serial
TICK_S = 0.005
Result = TypeVar("Result")


class Ticker:
    """A thread that wants to run every 5 ms, as a window's does; `worst_ms` is how late it was."""

    def __init__(self) -> None:
        self.late_ms: list[float] = []
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._tick)

    def _tick(self) -> None:
        while not self._end.is_set():
            start = time.perf_counter()
            time.sleep(TICK_S)
            self.late_ms.append((time.perf_counter() - start - TICK_S) * 1000)

    def __enter__(self) -> "Ticker":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    @property
    def summary(self) -> str:
        late = sorted(self.late_ms)
        middle, high = (late[len(late) * share // 100] for share in (50, 99))
        return f"late by {middle:.1f} (median), {high:.1f} (p99), {late[-1]:.1f} ms (worst)"


def timed(work: Callable[[], Result]) -> tuple[Result, float]:
    start = time.perf_counter()
    result = work()
    return result, (time.perf_counter() - start) * 1000


def test_thirty_models_cold_and_warm(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    library, file = tmp_path / "library", tmp_path / "cache.json"
    places = write_library(library)

    def look() -> tuple[InstalledModel, ...]:
        cache = ScanCache(file)  # reads its file anew, as after a start
        found = scan([Place(library, Owner.SNUG)], cache, CancelToken())
        cache.save()
        return found

    cold, cold_ms = timed(look)
    warm_times = [timed(look) for _ in range(10)]
    file.unlink()
    with Ticker() as ticker:
        again, again_ms = timed(look)
    assert [len(models) for models in (cold, again, *(found for found, _ in warm_times))] == [
        MODELS
    ] * 12
    warm_ms = [ms for _, ms in warm_times]
    with capsys.disabled():
        print(
            f"\n{places} models of 262,144 tokens: cold {cold_ms:.0f} ms, "
            f"warm {min(warm_ms):.1f} to {max(warm_ms):.1f} ms"
            f"\nbeside a thread that ticks every 5 ms: {again_ms:.0f} ms; {ticker.summary}",
            end="",
        )
