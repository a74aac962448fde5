"""What the tests of whole downloads share: servers that are good and not, and what is wanted."""

import threading
from collections.abc import Callable
from pathlib import Path

from engine.errors import (
    Cancelled,
    EngineError,
)
from engine.models.download.download import Download
from engine.models.download.retries import Pace
from engine.models.download.surroundings import Surroundings
from engine.net.door import Door
from engine.net.requests import Request
from engine.types.cancel import CancelToken
from engine.types.connections import Purpose
from engine.types.downloads import (
    DownloadStatus,
    FetchLimits,
    Wanted,
    WantedFile,
)
from engine.types.hub import Hub, HubKind
from tests.servers.odd import Line, Odd
from tests.servers.plain_file import bytes_of, hash_of

SIZE = 3_000_000
KIND = "application/octet-stream"
EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
QUICK = Surroundings(pace=Pace(first_s=0.01, last_s=0.05, tries=4), stall_s=0.5)
PATIENT = Surroundings(pace=Pace(first_s=600, last_s=600), jitter=lambda: 1.0)


def sized(path: str) -> int:
    """The server's files have their size in their name."""
    return int(path.rpartition("/")[2].partition(".")[0])


def good(line: Line) -> None:
    size = sized(line.asked.path)
    if size == 0 and "range" not in line.asked.headers:
        line.say(200, b"", KIND)
        return
    first, _, last = line.asked.headers.get("range", "=0-").partition("=")[2].partition("-")
    start, end = int(first), int(last) + 1 if last else size
    if start >= size and "range" in line.asked.headers:
        line.say(416, b"", KIND, Content_Range=f"bytes */{size}")
        return
    line.head(
        206, KIND, Content_Length=str(end - start),
        Content_Range=f"bytes {start}-{end - 1}/{size}", ETag='"one"',
    )  # fmt: skip
    line.send(bytes_of(start, end))


def half(line: Line) -> None:
    """Half of what is asked for, and silence."""
    size = sized(line.asked.path)
    start = int(line.asked.headers["range"].partition("=")[2].partition("-")[0])
    line.head(
        206, KIND, Content_Length=str(size - start), ETag='"one"',
        Content_Range=f"bytes {start}-{size - 1}/{size}",
    )  # fmt: skip
    line.send(bytes_of(start, (start + size) // 2))
    line.hang()


def silent(line: Line) -> None:
    line.hang()


def file_of(size: int, *, told: bool = True, name: str = "") -> WantedFile:
    return WantedFile(
        path=f"{size}.gguf",
        name=name or f"{size}.gguf",
        size_bytes=size if told else None,
        sha256=hash_of(size) if told else "",
    )


class World:
    """What is downloaded from where, and what became of it."""

    def __init__(self, address: str, folder: Path, *files: WantedFile) -> None:
        self.wanted = Wanted(
            id="1",
            title="A model",
            hub=Hub(kind=HubKind.HUGGING_FACE, address=address),
            repo="maker/model",
            revision="abc",
            licence="mit",
            files=files or (file_of(SIZE),),
            folder=folder,
            quantization="Q4_K_M",
        )
        self.statuses: list[DownloadStatus] = []
        self.cancel = CancelToken()
        self.offline = False
        self.limits = FetchLimits(reserve_bytes=0)
        self.door = Door(lambda: self.offline)
        self.on_status: Callable[[DownloadStatus], None] = lambda _: None
        self.download: Download | None = None

    def run(self, around: Surroundings = QUICK) -> EngineError | None:
        self.download = Download(
            self.wanted,
            self.door,
            lambda file: Request(
                purpose=Purpose.DOWNLOAD, address=self.wanted.hub.address, path=f"/{file.path}"
            ),
            lambda: self.limits,
            self._deliver,
            around=around,
        )
        try:
            self.download.run(self.cancel)
        except EngineError as error:
            return error
        return None

    def _deliver(self, status: DownloadStatus) -> None:
        self.statuses.append(status)
        self.on_status(status)

    @property
    def names(self) -> set[str]:
        folder = self.wanted.folder
        return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}

    @property
    def shown(self) -> list[int]:
        return [status.done_bytes for status in self.statuses]

    def pause_when(self, ready: Callable[[DownloadStatus], bool]) -> None:
        """As a person does, from another thread."""

        def look(status: DownloadStatus) -> None:
            if ready(status):
                threading.Thread(target=self.cancel.cancel).start()

        self.on_status = look


def half_of(odd: Odd, folder: Path) -> World:
    """A download that was paused in the middle."""
    world = World(odd.address, folder)
    world.pause_when(lambda status: status.done_bytes >= SIZE // 2)
    assert isinstance(world.run(), Cancelled)
    return world


def with_etag(etag: str) -> Callable[[Line], None]:
    """The good server with another version of the file."""

    def script(line: Line) -> None:
        size = sized(line.asked.path)
        start = int(line.asked.headers["range"].partition("=")[2].partition("-")[0])
        line.head(
            206, KIND, Content_Length=str(size - start), ETag=etag,
            Content_Range=f"bytes {start}-{size - 1}/{size}",
        )  # fmt: skip
        line.send(bytes_of(start + 1, size + 1))

    return script
