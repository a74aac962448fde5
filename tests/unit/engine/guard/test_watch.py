"""The alarm rises at once and falls slowly; the watch outlives a bad reading."""

from queue import Queue

from engine.guard.pressure import Level
from engine.guard.watch import Alarm, MemoryWatch
from engine.types.hardware import Memory

WAIT_S = 10
ENOUGH, LOW, FULL = Level.ENOUGH, Level.LOW, Level.FULL


def told(readings: list[tuple[float, Level]]) -> list[Level]:
    alarm = Alarm()
    return [alarm.level for now_s, level in readings if alarm.take(level, now_s)]


def test_low_is_told_once() -> None:
    assert told([(0, ENOUGH), (1, LOW), (2, LOW), (3, LOW)]) == [LOW]


def test_one_full_reading_is_not_yet_full() -> None:
    assert told([(0, FULL), (1, ENOUGH)]) == [LOW]


def test_full_is_told_until_something_was_let_go() -> None:
    assert told([(0, FULL), (1, FULL), (2, FULL)]) == [LOW, FULL, FULL]


def test_enough_counts_only_after_a_calm_minute() -> None:
    calm = [(float(second), ENOUGH) for second in range(2, 60)]
    assert told([(0, LOW), *calm]) == [LOW]
    assert told([(0, LOW), *calm, (70, ENOUGH)]) == [LOW, ENOUGH]
    assert told([(0, LOW), (10, ENOUGH), (50, LOW), (80, ENOUGH)]) == [LOW]


def test_after_full_it_can_become_full_again_at_once() -> None:
    readings = [(0, FULL), (1, FULL), (2, ENOUGH), (3, FULL), (4, FULL)]
    assert told(readings) == [LOW, FULL, FULL]


class Readings:
    """Memory that a test sets."""

    def __init__(self) -> None:
        self.available_bytes = 8 << 30

    def __call__(self) -> Memory:
        if self.available_bytes < 0:
            raise OSError("no reading")
        return Memory(total_bytes=16 << 30, available_bytes=self.available_bytes)


def test_the_watch_tells_levels_and_ticks_also_after_a_bad_reading() -> None:
    readings = Readings()
    levels: Queue[Level] = Queue()
    ticks: Queue[None] = Queue()
    watch = MemoryWatch(
        read=readings,
        tell=levels.put,
        tick=lambda: ticks.put(None),
        clock=lambda: 0.0,
        period_s=0.01,
    )
    ticks.get(timeout=WAIT_S)
    readings.available_bytes = -1
    readings.available_bytes = 1 << 20
    assert levels.get(timeout=WAIT_S) is LOW
    assert levels.get(timeout=WAIT_S) is FULL
    assert watch.close(WAIT_S)
