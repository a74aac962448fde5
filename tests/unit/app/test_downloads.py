"""The queue of downloads: order, pausing, going on, giving up, and what outlives the program."""

from collections.abc import Iterator
from pathlib import Path
from queue import Empty, Queue

import pytest

from app.download_queue import DownloadQueue
from app.downloads import DownloadService
from app.events import DownloadChanged, DownloadRemoved, Event
from engine.errors import NoSpace, OfflineOnly, ServerFailed, ServerUnreachable
from engine.types.downloads import DownloadState, DownloadStatus
from tests.unit.app.fetchers import WAIT_S, ScriptedFetching, wanted

A, B, C = wanted("a"), wanted("b"), wanted("c")
S = DownloadState


class Bench:
    """A service over a file, with the events it tells."""

    def __init__(self, folder: Path) -> None:
        self.queue = DownloadQueue(folder / "downloads.json")
        self.fetching = ScriptedFetching()
        self.events: Queue[Event] = Queue()
        self.arrived: list[str] = []
        self.now_s = 0.0
        self.service = self.another()

    def another(self) -> DownloadService:
        return DownloadService(
            self.queue,
            self.fetching,
            self.events.put,
            lambda it: self.arrived.append(it.id),
            lambda: self.now_s,
        )

    def until(self, state: DownloadState, download_id: str = "a") -> DownloadStatus:
        while True:
            event = self.events.get(timeout=WAIT_S)
            status = event.status if isinstance(event, DownloadChanged) else None
            if status is not None and (status.id, status.state) == (download_id, state):
                return status

    def until_removed(self) -> str:
        while not isinstance(event := self.events.get(timeout=WAIT_S), DownloadRemoved):
            pass
        return event.id

    def told(self) -> list[Event]:
        found: list[Event] = []
        while True:
            try:
                found.append(self.events.get_nowait())
            except Empty:
                return found

    def states(self) -> dict[str, DownloadState]:
        return {status.id: status.state for status in self.service.statuses()}


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    assert made.service.close(WAIT_S)


def test_one_at_a_time_in_order(bench: Bench) -> None:
    for it in (A, B, C):
        bench.service.start(it)
    first = bench.fetching.next()
    assert bench.states() == {"a": S.RUNNING, "b": S.WAITING, "c": S.WAITING}
    bench.service.move_up("c")
    first.end()
    assert bench.until(S.DONE).done_bytes == 100
    assert bench.arrived == ["a"]
    second = bench.fetching.next()
    assert second.wanted == C
    second.end()
    bench.fetching.next().end()
    bench.until(S.DONE, "b")
    assert bench.queue.read() == ()
    bench.service.put_away("a")
    assert bench.until_removed() == "a"
    assert list(bench.states()) == ["c", "b"]


def test_a_pause_holds_and_lets_the_next_one_go(bench: Bench) -> None:
    bench.service.start(A)
    bench.service.start(B)
    bench.fetching.next().report(40)
    bench.service.pause("a")
    paused = bench.until(S.PAUSED)
    assert (paused.done_bytes, paused.bytes_per_s) == (40, None)
    assert bench.fetching.next().wanted == B
    bench.service.pause("b")
    bench.until(S.PAUSED, "b")
    bench.service.resume("a")
    bench.fetching.next().end()
    bench.until(S.DONE)


def test_resume_while_it_is_still_being_paused_is_not_lost(bench: Bench) -> None:
    bench.service.start(A)
    running = bench.fetching.next()
    bench.service.resume("a")
    assert running.nudged.is_set()
    with bench.service._changed:
        item = bench.service._items["a"]
        item.pause()
        item.resume()
    assert bench.fetching.next().wanted == A
    bench.service.cancel("a")
    assert bench.until_removed() == "a"


def test_bytes_never_fall_and_progress_is_told_now_and_then(bench: Bench) -> None:
    bench.service.start(A)
    running = bench.fetching.next()
    bench.until(S.RUNNING)
    bench.told()
    running.report(10)
    bench.now_s = 1.0
    running.report(30)
    running.report(20)
    bench.now_s = 1.1
    running.report(50)
    told = [e.status.done_bytes for e in bench.told() if isinstance(e, DownloadChanged)]
    assert told == [30]
    assert bench.service.statuses()[0].done_bytes == 50
    lost = ServerUnreachable("https://hub.test")
    running.report(20, error=lost)
    [event] = bench.told()
    assert isinstance(event, DownloadChanged)
    assert (event.status.error, event.status.done_bytes) == (lost, 50)
    assert event.status.title == "A"
    running.end()
    bench.until(S.DONE)


def test_a_failure_stays_with_its_reason_also_in_the_next_session(bench: Bench) -> None:
    bench.service.start(A)
    bench.service.start(B)
    bench.fetching.next().end(OfflineOnly("https://hub.test"))
    assert isinstance(bench.until(S.FAILED).error, OfflineOnly)
    bench.fetching.next().report(30)
    bench.fetching.progress_bytes["b"] = 30
    assert bench.service.close(WAIT_S)
    bench.service = bench.another()
    bench.told()
    bench.service.begin()
    failed, paused = bench.service.statuses()
    assert (failed.state, paused.state, paused.done_bytes) == (S.FAILED, S.PAUSED, 30)
    assert isinstance(failed.error, OfflineOnly)
    assert bench.fetching.running.empty()
    bench.service.resume("a")
    assert bench.until(S.RUNNING).error is None
    bench.fetching.next().end()
    bench.until(S.DONE)


def test_nothing_is_fetched_before_someone_asks(bench: Bench) -> None:
    bench.service.start(A)
    bench.fetching.next()
    assert bench.service.close(WAIT_S)
    bench.service = bench.another()
    bench.service.begin()
    bench.service.begin()
    assert bench.states() == {"a": S.PAUSED}
    assert bench.service.close(0.0)
    assert bench.fetching.running.empty()


def test_giving_up_deletes_what_was_fetched(bench: Bench) -> None:
    bench.service.start(A)
    bench.fetching.next()
    bench.service.start(B)
    bench.service.cancel("b")
    assert bench.until_removed() == "b"
    bench.service.cancel("a")
    bench.service.cancel("a")
    assert bench.until_removed() == "a"
    assert bench.fetching.discarded == ["b", "a"]
    assert bench.queue.read() == ()
    assert bench.service.statuses() == ()


def test_asked_for_again_while_it_is_being_deleted(bench: Bench) -> None:
    bench.service.start(A)
    first = bench.fetching.next()
    first.report(70)
    with bench.service._changed:
        bench.service.cancel("a")
        bench.service._items["a"].resume()
    again = bench.fetching.next()
    assert bench.fetching.discarded == ["a"]
    assert bench.service.statuses()[0].done_bytes == 0
    again.end()
    bench.until(S.DONE)


def test_what_does_not_fit_is_not_begun(bench: Bench) -> None:
    bench.fetching.refuses = NoSpace(Path("models"), 100, 5)
    with pytest.raises(NoSpace):
        bench.service.start(A)
    assert bench.service.statuses() == ()
    assert bench.queue.read() == ()


def test_a_mistake_of_ours_ends_one_download_only(bench: Bench) -> None:
    def broken(*_: object) -> object:
        raise ZeroDivisionError

    good = bench.fetching.fetcher
    bench.fetching.fetcher = broken  # type: ignore[method-assign, assignment]
    bench.service.start(A)
    failed = bench.until(S.FAILED)
    assert failed.error is not None
    assert failed.error.code == "engine_stopped"
    bench.fetching.fetcher = good  # type: ignore[method-assign]
    bench.service.start(B)
    bench.fetching.next().end()
    bench.until(S.DONE, "b")


def test_downloads_follow_a_library_that_moves(bench: Bench, tmp_path: Path) -> None:
    inside, outside = wanted("a", tmp_path / "old"), wanted("b", tmp_path / "other")
    bench.service.start(inside)
    bench.service.start(outside)
    bench.fetching.next()
    with bench.service.held(tmp_path / "old", tmp_path / "new"):
        assert bench.fetching.running.empty()
        assert bench.states()["a"] is S.PAUSED
    assert bench.fetching.next().wanted.folder == tmp_path / "new" / "a"
    folders = [queued.wanted.folder for queued in bench.queue.read()]
    assert folders == [tmp_path / "new" / "a", tmp_path / "other" / "b"]


def test_a_move_that_fails_leaves_them_where_they_are(bench: Bench, tmp_path: Path) -> None:
    bench.service.start(wanted("a", tmp_path / "old"))
    bench.fetching.next()

    def fail() -> None:
        with bench.service.held(tmp_path / "old", tmp_path / "new"):
            raise NoSpace(tmp_path, 1, 0)

    with pytest.raises(NoSpace):
        fail()
    assert bench.fetching.next().wanted.folder == tmp_path / "old" / "a"


def test_several_programs_share_the_file(bench: Bench) -> None:
    bench.service.start(A)
    running = bench.fetching.next()
    DownloadQueue(bench.queue._path).put(bench.queue.read()[0])
    other = bench.another()
    other.begin()
    other.cancel("unknown")
    running.end(ServerFailed("https://hub.test"))
    bench.until(S.FAILED)
    assert isinstance(bench.queue.read()[0].error, ServerFailed)


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"format": 1, "downloads": [7, {}]}', b"\xff"])
def test_a_file_that_makes_no_sense_is_an_empty_queue(bench: Bench, content: bytes) -> None:
    bench.queue._path.write_bytes(content)
    bench.service.begin()
    assert bench.service.statuses() == ()
    bench.service.start(A)
    assert [queued.wanted for queued in bench.queue.read()] == [A]
    bench.fetching.next()
