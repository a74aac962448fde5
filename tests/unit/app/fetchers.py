"""A stand-in for what fetches models: it waits for the test, and keeps what it was told."""

from pathlib import Path
from queue import Queue
from threading import Event

from app.download_items import Deliver
from engine.errors import Cancelled, EngineError
from engine.types.cancel import CancelToken
from engine.types.downloads import DownloadState, DownloadStatus, Wanted, WantedFile
from engine.types.hub import Hub, HubKind

WAIT_S = 10
HUB = Hub(kind=HubKind.HUGGING_FACE, address="https://hub.test")


def wanted(name: str, folder: Path = Path("models")) -> Wanted:
    file = WantedFile(path=f"{name}.gguf", name=f"{name}.gguf", size_bytes=100)
    return Wanted(
        id=name,
        title=name.upper(),
        hub=HUB,
        repo=f"maker/{name}",
        revision="1" * 40,
        licence="mit",
        files=(file,),
        folder=folder / name,
    )


class ScriptedFetcher:
    """Runs until the test says how it ends."""

    def __init__(self, wanted: Wanted, deliver: Deliver) -> None:
        self.wanted = wanted
        self.nudged = Event()
        self._deliver = deliver
        self._end: Queue[EngineError | None] = Queue()

    def run(self, cancel: CancelToken) -> None:
        cancel.on_cancel(lambda: self._end.put(Cancelled()))
        if (error := self._end.get(timeout=WAIT_S)) is not None:
            raise error

    def nudge(self) -> None:
        self.nudged.set()

    def report(
        self,
        done_bytes: int,
        state: DownloadState = DownloadState.RUNNING,
        error: EngineError | None = None,
    ) -> None:
        self._deliver(
            DownloadStatus(
                id=self.wanted.id,
                title="as the fetcher calls it",
                state=state,
                done_bytes=done_bytes,
                total_bytes=100,
                bytes_per_s=5.0,
                error=error,
            )
        )

    def end(self, error: EngineError | None = None) -> None:
        self._end.put(error)


class ScriptedFetching:
    """`running` gives each fetcher when it has begun; `progress_bytes` is what lies on the disk."""

    def __init__(self) -> None:
        self.running: Queue[ScriptedFetcher] = Queue()
        self.discarded: list[str] = []
        self.progress_bytes: dict[str, int] = {}
        self.refuses: EngineError | None = None
        self.keeps: EngineError | None = None
        """Why nothing can be discarded."""

    def fetcher(self, wanted: Wanted, deliver: Deliver) -> ScriptedFetcher:
        made = ScriptedFetcher(wanted, deliver)
        self.running.put(made)
        return made

    def next(self) -> ScriptedFetcher:
        return self.running.get(timeout=WAIT_S)

    def progress(self, wanted: Wanted) -> tuple[int, int]:
        return self.progress_bytes.get(wanted.id, 0), 100

    def check_room(self, wanted: Wanted) -> None:
        if self.refuses is not None:
            raise self.refuses

    def discard(self, wanted: Wanted) -> None:
        if self.keeps is not None:
            raise self.keeps
        self.discarded.append(wanted.id)
        self.progress_bytes.pop(wanted.id, None)
