"""How fast, how often and with how many connections: with a clock that the test turns."""

import pytest

from engine.errors import (
    EngineError,
    NotOnHub,
    ServerBusy,
    ServerFailed,
    ServerSilent,
    ServerUnreachable,
)
from engine.models.download.drip import LEAST_BYTES_PER_S, Drip
from engine.models.download.meter import Meter
from engine.models.download.retries import Pace, Retries
from engine.models.download.tempo import Tempo
from engine.models.download.throttle import Throttle
from engine.types.downloads import DownloadState, DownloadStatus, FetchLimits
from tests.system.fetching import wanted_from

MB = 1_000_000


class Clock:
    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


# --- tries ----------------------------------------------------------------------------------------


def failure() -> EngineError:
    return ServerFailed("http://x")


def test_it_waits_longer_each_time() -> None:
    retries = Retries(Pace(), lambda: 1.0)
    assert [retries.delay_s(failure()) for _ in range(9)] == [1, 2, 4, 8, 16, 32, 60, 60, 60]


def test_at_least_ten_tries_and_not_for_ever() -> None:
    retries = Retries(Pace(), lambda: 1.0)
    for _ in range(11):
        retries.delay_s(failure())
    with pytest.raises(ServerFailed):
        retries.delay_s(failure())


def test_progress_begins_the_count_anew() -> None:
    retries = Retries(Pace(tries=3), lambda: 1.0)
    for _ in range(20):
        assert retries.delay_s(failure()) == 1
        assert retries.delay_s(failure()) == 2
        retries.progressed()


def test_what_can_not_pass_is_told_at_once() -> None:
    with pytest.raises(NotOnHub):
        Retries(Pace(), lambda: 1.0).delay_s(NotOnHub("http://x"))


def test_a_network_that_is_gone_is_waited_for() -> None:
    retries = Retries(Pace(tries=3), lambda: 1.0)
    retries.answered()
    assert [retries.delay_s(ServerUnreachable("http://x")) for _ in range(50)][-1] == 60
    never = Retries(Pace(tries=1), lambda: 1.0)
    with pytest.raises(ServerUnreachable):
        never.delay_s(ServerUnreachable("http://x"))


def test_jitter_and_what_the_server_asks_for() -> None:
    assert Retries(Pace(), lambda: 0.75).delay_s(failure()) == 0.75
    busy = ServerBusy("http://x", retry_after_s=90)
    assert Retries(Pace(), lambda: 1.25).delay_s(busy) == 90
    assert Retries(Pace(), lambda: 1.0).delay_s(ServerBusy("http://x", retry_after_s=1e9)) == 3600


# --- the limit ------------------------------------------------------------------------------------


def fetch(throttle: Throttle, clock: Clock, count_bytes: int) -> float:
    """How long that many bytes take with a server that is infinitely fast."""
    began_s = clock.now_s
    while count_bytes > 0:
        portion = throttle.portion_bytes(count_bytes)
        wait_s = throttle.spend(portion)
        while wait_s > 0:
            clock.now_s += wait_s
            wait_s = throttle.spend(0)
        count_bytes -= portion
    return clock.now_s - began_s


@pytest.mark.parametrize("limit", [50_000, MB, 100 * MB])
def test_it_keeps_to_the_limit(limit: int) -> None:
    clock = Clock()
    throttle = Throttle(clock)
    throttle.limit_bytes_per_s = limit
    assert fetch(throttle, clock, 10 * limit) == pytest.approx(10, rel=0.05)


def test_a_new_limit_counts_at_once() -> None:
    clock = Clock()
    throttle = Throttle(clock)
    assert fetch(throttle, clock, 1000 * MB) == 0
    throttle.limit_bytes_per_s = MB
    assert fetch(throttle, clock, 10 * MB) == pytest.approx(10, rel=0.05)
    throttle.limit_bytes_per_s = 10 * MB
    assert fetch(throttle, clock, 10 * MB) == pytest.approx(1, abs=0.25)
    throttle.limit_bytes_per_s = 0
    assert fetch(throttle, clock, 1000 * MB) == 0


def test_what_was_not_used_is_not_saved_up() -> None:
    clock = Clock()
    throttle = Throttle(clock)
    throttle.limit_bytes_per_s = MB
    clock.now_s += 3600
    assert fetch(throttle, clock, 10 * MB) > 9


# --- connections ----------------------------------------------------------------------------------


class Line:
    """A server that gives each connection so much, and the line so much in all."""

    def __init__(self, each: float, line: float, limits: FetchLimits | None = None) -> None:
        self.each, self.line = each, line
        self.limits = limits or FetchLimits(connections=8)
        self.tempo = Tempo(0)
        self.now_s = self.fetched = 0.0
        self.seen: list[int] = []

    def run(self, seconds: float, left_bytes: int = 1 << 40) -> int:
        for _ in range(int(seconds * 5)):
            self.now_s += 0.2
            self.fetched += min(self.each * self.tempo.connections, self.line) * 0.2
            self.tempo.measure(self.now_s, int(self.fetched), left_bytes, self.limits)
            self.seen.append(self.tempo.connections)
        return self.tempo.connections


def test_a_server_that_is_fast_is_asked_once() -> None:
    assert Line(50 * MB, 100 * MB).run(60) == 1


def test_one_that_is_slow_per_connection_is_asked_more_often() -> None:
    line = Line(10 * MB, 1000 * MB)
    assert line.run(30) == 8
    assert Line(10 * MB, 1000 * MB, FetchLimits(connections=3)).run(30) == 3


def test_a_slow_line_is_not_made_faster_by_more() -> None:
    line = Line(10 * MB, 10 * MB)
    assert line.run(30) == 1
    assert max(line.seen) == 2
    assert line.seen.count(2) < 30


def test_more_are_kept_only_as_long_as_they_help() -> None:
    line = Line(10 * MB, 20 * MB)
    assert line.run(40) == 2
    assert max(line.seen) == 4


def test_the_persons_limit_is_no_reason_for_more() -> None:
    assert Line(MB, MB, FetchLimits(bytes_per_s=MB)).run(30) == 1


def test_neither_is_a_small_rest() -> None:
    assert Line(MB, 100 * MB).run(30, left_bytes=10 << 20) == 1


def test_a_refused_one_is_not_asked_for_again_soon() -> None:
    line = Line(10 * MB, 1000 * MB)
    line.run(4)
    line.tempo.refused(line.now_s)
    assert line.run(30) == 1
    assert line.run(60) > 1


# --- drips ----------------------------------------------------------------------------------------


def test_a_drip_is_silence() -> None:
    clock = Clock()
    drip = Drip(clock, 30)
    for _ in range(29):
        clock.now_s += 1
        drip.saw(1, "http://x")
    clock.now_s += 1
    with pytest.raises(ServerSilent):
        drip.saw(1, "http://x")


def test_slow_is_no_drip() -> None:
    clock = Clock()
    drip = Drip(clock, 30)
    for _ in range(1000):
        clock.now_s += 1
        drip.saw(LEAST_BYTES_PER_S, "http://x")
    clock.now_s += 1000
    drip.begin()
    drip.saw(1, "http://x")


# --- what is shown --------------------------------------------------------------------------------


def test_what_is_shown_never_falls(tmp_path: object) -> None:
    from pathlib import Path

    shown: list[DownloadStatus] = []
    clock = Clock()
    meter = Meter(wanted_from("http://x", Path("m"), 1000, ""), shown.append, clock)
    meter.enter(400)
    for done in (100, 300, 500, 0, 600):
        clock.now_s += 1
        meter.fetched(done)
        meter.show(DownloadState.RUNNING, done)
    assert [status.done_bytes for status in shown] == [400, 400, 500, 500, 600]
    assert {status.total_bytes for status in shown} == {1000}


def test_speed_and_what_is_left() -> None:
    from pathlib import Path

    shown: list[DownloadStatus] = []
    clock = Clock()
    meter = Meter(wanted_from("http://x", Path("m"), 100 * MB, ""), shown.append, clock)
    for second in range(11):
        meter.fetched(second * MB)
        meter.show(DownloadState.RUNNING, second * MB)
        clock.now_s += 1
    assert shown[0].bytes_per_s is None
    assert shown[-1].bytes_per_s == pytest.approx(MB)
    assert shown[-1].left_s == pytest.approx(90)
    meter.pause()
    meter.show(DownloadState.RUNNING, 11 * MB, failure(), 5.0)
    assert shown[-1].bytes_per_s is None
    assert shown[-1].retry_s == 5.0
