"""The queue of downloads where others have a say: another Snug, and listeners on other threads."""

from pathlib import Path
from queue import Queue
from threading import Thread

from app.download_queue import DownloadQueue
from app.downloads import DownloadService
from app.events import DownloadChanged, DownloadRemoved, Event
from engine.errors import EngineError, FolderBusy
from engine.types.downloads import DownloadState, DownloadStatus
from tests.unit.app.fetchers import WAIT_S, ScriptedFetching, wanted

A = wanted("a")
S = DownloadState


class Snug:
    """One program over the file of all."""

    def __init__(self, folder: Path) -> None:
        self.queue = DownloadQueue(folder / "downloads.json")
        self.fetching = ScriptedFetching()
        self.events: Queue[Event] = Queue()
        self.service = DownloadService(self.queue, self.fetching, self.events.put)

    def until(self, state: DownloadState) -> DownloadStatus:
        while True:
            event = self.events.get(timeout=WAIT_S)
            if isinstance(event, DownloadChanged) and event.status.state is state:
                return event.status

    def kept(self) -> list[tuple[str, EngineError | None]]:
        return [(it.wanted.id, it.error) for it in self.queue.read()]


def busy() -> FolderBusy:
    return FolderBusy(Path("models/a"), "another program downloads it")


def test_what_another_snug_fetches_does_not_fail_for_it(tmp_path: Path) -> None:
    first, second = Snug(tmp_path), Snug(tmp_path)
    first.service.start(A)
    first.fetching.next()
    second.service.begin()
    second.service.resume("a")
    second.fetching.next().end(busy())
    assert isinstance(second.until(S.FAILED).error, FolderBusy)
    assert first.kept() == [("a", None)]
    assert first.service.close(WAIT_S)
    assert second.service.close(WAIT_S)


def test_what_another_snug_fetches_is_not_given_up_here(tmp_path: Path) -> None:
    first, second = Snug(tmp_path), Snug(tmp_path)
    first.service.start(A)
    first.fetching.next()
    second.service.begin()
    second.fetching.keeps = busy()
    second.service.cancel("a")
    assert isinstance(second.until(S.FAILED).error, FolderBusy)
    assert first.kept() == [("a", None)]
    assert first.service.close(WAIT_S)
    second.fetching.keeps = None
    second.service.cancel("a")  # now that nobody fetches it
    assert second.service.statuses() == ()
    assert first.kept() == []
    assert second.service.close(WAIT_S)


def test_nothing_is_told_of_one_that_is_off_the_list(tmp_path: Path) -> None:
    told: list[Event] = []
    others: list[Thread] = []

    def publish(event: Event) -> None:
        if isinstance(event, DownloadChanged) and not others:  # someone gives it up just now
            others.append(Thread(target=service.cancel, args=("a",)))
            others[0].start()
            others[0].join(0.3)
        told.append(event)

    queue = DownloadQueue(tmp_path / "downloads.json")
    service = DownloadService(queue, ScriptedFetching(), publish)
    with_one = Snug(tmp_path)
    with_one.service.start(A)
    assert with_one.service.close(WAIT_S)
    service.begin()
    others[0].join(WAIT_S)
    assert [type(event) for event in told][-1] is DownloadRemoved
    assert len(told) == 2
