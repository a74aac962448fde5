"""How the tests download: from the loopback hub, by way of the real door, with short patience, and
with eyes on everything that must hold whatever the hub does."""

import hashlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Timer

from engine.errors import Cancelled, EngineError
from engine.hub.hub import HubClient
from engine.hub.refusals import refusal
from engine.models.download.download import Download, progress_of
from engine.models.download.retries import Pace
from engine.models.download.surroundings import Surroundings
from engine.net.door import Door
from engine.net.requests import Patience
from engine.types.cancel import CancelToken
from engine.types.connections import Connection
from engine.types.downloads import DownloadStatus, FetchLimits, Wanted, WantedFile
from engine.types.hub import Hub, HubKind
from tests.servers.hub import Hub as Server
from tests.servers.hub import Pattern, Repo

MODEL = Pattern((2 << 20) + 137, seed=7)
NAME = "model-Q4_K_M.gguf"
REPO = Repo(id="maker/Model-GGUF", files={NAME: MODEL})
TOKEN = "hf_good"  # noqa: S105 - made up
TOKENS = {TOKEN: frozenset[str]()}
PATIENCE = Patience(connect_s=1, first_s=0.3, silence_s=0.3, whole_s=1)
AROUND = Surroundings(
    stall_s=0.3, pace=Pace(first_s=0.01, last_s=0.05, tries=2), jitter=lambda: 1.0
)
WATCH_S = 12.0
LIMITS = FetchLimits(reserve_bytes=1 << 20)


@dataclass(slots=True, kw_only=True)
class Try:
    """What became of one run of a download."""

    error: EngineError | None = None
    took_s: float = 0.0
    statuses: list[DownloadStatus] = field(default_factory=list)

    @property
    def outcome(self) -> str:
        return "done" if self.error is None else type(self.error).__name__


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """A server, and the folder of a model that is wanted from it."""

    server: Server
    wanted: Wanted
    ledger: list[Connection] = field(default_factory=list)
    token: str | None = TOKEN
    around: Surroundings = AROUND

    @property
    def final(self) -> Path:
        return self.wanted.folder / NAME

    def run(
        self,
        cancel: CancelToken | None = None,
        seen: Callable[[DownloadStatus], None] = lambda _: None,
    ) -> Try:
        """Run it to its end, whatever that is. What it waits for longer than a test is its end
        too; what hangs is cancelled."""
        found = Try()
        token = cancel or CancelToken()
        watchdog = Timer(WATCH_S, token.cancel)

        def deliver(status: DownloadStatus) -> None:
            found.statuses.append(status)
            seen(status)
            if cancel is None and (status.retry_s or 0) > WATCH_S:
                token.cancel()

        door = Door(lambda: False, self.ledger.append, patience=PATIENCE)
        client = HubClient(door, lambda: self.wanted.hub, lambda: self.token)
        repo = _Place(hub=self.wanted.hub, id=self.wanted.repo, revision=self.wanted.revision)
        download = Download(
            self.wanted,
            door,
            lambda file: client.file_request(repo, file.path),
            lambda: LIMITS,
            deliver,
            around=replace(self.around, refusal=self._refusal),
        )
        begun = time.monotonic()
        watchdog.start()
        try:
            download.run(token)
        except EngineError as error:
            waits = cancel is None and found.statuses and found.statuses[-1].retry_s
            found.error = found.statuses[-1].error if waits else error
        finally:
            watchdog.cancel()
            watchdog.join()
        found.took_s = time.monotonic() - begun
        return found

    def stubborn(self) -> "Bench":
        """The same, and it tries very often."""
        pace = replace(self.around.pace, tries=40)
        return replace(self, around=replace(self.around, pace=pace))

    def patient(self) -> "Bench":
        """The same, as it is on anybody's computer."""
        return replace(self, around=Surroundings())

    def begin(self, share: float = 0.35) -> None:
        """Fetch about so much of it, and stop as a person does."""
        self.server.use("silent always")
        cancel = CancelToken()

        def look(status: DownloadStatus) -> None:
            if status.done_bytes >= share * MODEL.size_bytes:
                cancel.cancel()

        found = self.run(cancel, look)
        assert isinstance(found.error, Cancelled), found
        self.server.use("")
        self.server.forget()
        self.ledger.clear()

    def _refusal(self, status: int, headers: Mapping[str, str], address: str) -> EngineError:
        page = f"{self.server.address}/{REPO.id}"
        return refusal(status, headers, address, page, has_token=self.token is not None)

    @property
    def has_part(self) -> bool:
        """Whether what was fetched is kept for the next time."""
        return progress_of(self.wanted)[0] > 0 and any(self.wanted.folder.glob("*.part"))

    def is_right(self, sha256: str = MODEL.sha256) -> bool:
        """The file is there, and is the one. Nothing else is."""
        names = {path.name for path in self.wanted.folder.iterdir()}
        return names == {NAME, "snug-model.json"} and _hash(self.final) == sha256

    def nameless(self) -> "Bench":
        """The same, by someone who has no token."""
        return replace(self, token=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    hub: Hub
    id: str
    revision: str


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def bench(server: Server, folder: Path, *, told: bool = True) -> Bench:
    """`told`: size and hash are known beforehand, as of most models."""
    size, sha256 = (MODEL.size_bytes, MODEL.sha256) if told else (None, "")
    wanted = Wanted(
        id="1",
        title="Model",
        hub=Hub(kind=HubKind.HUGGING_FACE, address=server.address),
        repo=REPO.id,
        revision=REPO.revision,
        licence="apache-2.0",
        files=(WantedFile(path=NAME, name=NAME, size_bytes=size, sha256=sha256),),
        folder=folder / "model",
    )
    return Bench(server=server, wanted=wanted)
