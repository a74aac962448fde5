"""The container's services together: one door for all, nothing asked before a person's act, and an
end that leaves what was fetched."""

import time
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from threading import Event as Gate

import pytest

from app.container import Container, build
from app.events import DownloadChanged, Event, LibraryChanged, ModelChosen
from app.models import ModelService
from app.paths import Paths
from app.settings import DOWNLOAD_LIMIT_KB, HUB
from engine.errors import OfflineOnly
from engine.keeper.plain import PlainKeeper
from engine.runtimes.fake import FakeRuntime, Script
from engine.types.cancel import CancelToken
from engine.types.connections import Purpose
from engine.types.downloads import DownloadState, DownloadStatus
from engine.types.library import Owner
from engine.types.remote import RemoteModel
from tests.ggufs import chat
from tests.servers.hub import Held, Hub, Pattern, Repo, hub_server

WAIT_S = 20
GOOD = chat({"general.name": "Good"})
LARGE_BYTES = 24 << 20


@pytest.fixture
def hub() -> Iterator[Hub]:
    repos = [
        Repo(id="maker/good-GGUF", files={"good-Q4_K_M.gguf": Held(GOOD)}),
        Repo(id="maker/large-GGUF", files={"large-Q4_K_M.gguf": Pattern(LARGE_BYTES)}),
    ]
    with hub_server(*repos) as server:
        yield server


class Desk:
    """A container over one home, and the events it tells."""

    def __init__(self, home: Path, hub: Hub) -> None:
        paths = Paths(data=home, log=home / "log")
        self.container: Container = build(paths, make_keeper=self._keeper)
        self.container.settings.set(HUB, hub.address)
        self.events: Queue[Event] = Queue()
        self.container.events.subscribe(self.events.put)

    def _keeper(self, _paths: Paths, _models: ModelService) -> PlainKeeper:
        return PlainKeeper(lambda: FakeRuntime(Script()))

    def fetch(self, repo: str) -> None:
        """Without a look at its header, which is none for noise."""
        shop = self.container.shop
        [choice, *_] = shop.look(repo, CancelToken())
        if choice.refusal is not None:
            choice = type(choice)(offering=choice.offering, repo=choice.repo)
        self.container.downloads.start(shop.wanted(choice))

    def until(self, state: DownloadState, least_bytes: int = 0) -> DownloadStatus:
        while True:
            event = self.events.get(timeout=WAIT_S)
            status = event.status if isinstance(event, DownloadChanged) else None
            if status is not None and status.state is state and status.done_bytes >= least_bytes:
                return status


@pytest.fixture
def desk(snug_home: Path, hub: Hub) -> Iterator[Desk]:
    made = Desk(snug_home, hub)
    yield made
    made.container.close(WAIT_S)


def test_a_start_asks_nobody_and_reads_the_queue(desk: Desk, hub: Hub) -> None:
    desk.container.downloads.begin()
    desk.container.library.models()
    desk.container.shop.judged(CancelToken())
    assert not hub.seen()
    assert desk.container.ledger.read() == ()


def test_fetched_chosen_and_in_memory(desk: Desk) -> None:
    container = desk.container
    container.remote.use(RemoteModel(address="http://nas", model="big"))
    container.library.models()
    desk.fetch("maker/good-GGUF")
    desk.until(DownloadState.DONE)
    [model] = [it for it in container.library.known if it.owner is Owner.SNUG]
    assert model.path.read_bytes() == GOOD
    assert model.manifest is not None
    assert model.manifest.origin is not None
    container.library.use(model.id)
    assert container.models.choose().request.path == model.path
    assert container.remote.current() is None
    told = [desk.events.get_nowait() for _ in range(desk.events.qsize())]
    assert told[-1] == ModelChosen()
    assert {record.purpose for record in container.ledger.read()} == {
        Purpose.LOOK_AT_MODEL,
        Purpose.DOWNLOAD,
    }


def test_the_library_knows_it_before_the_download_is_done(desk: Desk) -> None:
    desk.container.library.models()
    desk.fetch("maker/good-GGUF")
    seen: list[type[Event]] = []
    while True:
        event = desk.events.get(timeout=WAIT_S)
        seen.append(type(event))
        if isinstance(event, DownloadChanged) and event.status.state is DownloadState.DONE:
            break
    assert LibraryChanged in seen


def test_the_switch_ends_a_download_with_its_reason_and_online_goes_on(desk: Desk) -> None:
    container = desk.container
    container.settings.set(DOWNLOAD_LIMIT_KB, 1000)
    desk.fetch("maker/large-GGUF")
    desk.until(DownloadState.RUNNING, least_bytes=1)
    container.remote.set_offline(True)
    failed = desk.until(DownloadState.FAILED)
    assert isinstance(failed.error, OfflineOnly)
    container.remote.set_offline(False)
    container.settings.set(DOWNLOAD_LIMIT_KB, 0)
    container.downloads.resume(failed.id)
    assert desk.until(DownloadState.DONE).done_bytes == LARGE_BYTES


def test_an_end_pauses_and_the_next_session_goes_on(desk: Desk, hub: Hub, snug_home: Path) -> None:
    desk.container.settings.set(DOWNLOAD_LIMIT_KB, 1000)
    desk.fetch("maker/large-GGUF")
    desk.until(DownloadState.RUNNING, least_bytes=2 << 20)
    assert desk.container.close(WAIT_S)
    later = Desk(snug_home, hub)
    try:
        later.container.settings.set(DOWNLOAD_LIMIT_KB, 0)
        hub.forget()
        later.container.downloads.begin()
        paused = later.until(DownloadState.PAUSED)
        assert paused.done_bytes >= 1 << 20
        assert not hub.seen()
        later.container.downloads.resume(paused.id)
        assert later.until(DownloadState.DONE).done_bytes == LARGE_BYTES
        sent_bytes = sum(seen.sent_bytes for seen in hub.seen("cdn"))
        assert sent_bytes < LARGE_BYTES - paused.done_bytes + (1 << 20)
    finally:
        assert later.container.close(WAIT_S)


def test_what_hangs_hangs_together(desk: Desk) -> None:
    held, late_s = Gate(), 2.0
    container = desk.container
    container.errands.start(lambda _: held.wait(WAIT_S), lambda _: None)
    container.worker.submit(lambda: held.wait(WAIT_S), lambda _: None)
    began_s = time.monotonic()
    assert not container.close(late_s)
    assert time.monotonic() - began_s < 1.5 * late_s
    held.set()


def test_closing_ends_errands_too(desk: Desk) -> None:
    done: Queue[object] = Queue()

    def wait(cancel: CancelToken) -> None:
        ended: Queue[None] = Queue()
        cancel.on_cancel(lambda: ended.put(None))
        ended.get(timeout=WAIT_S)

    desk.container.errands.start(wait, done.put)
    assert desk.container.close(WAIT_S)
    assert not done.empty()
