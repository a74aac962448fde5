"""What the Models page shows, as values. No Qt here."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol, TypeVar

from app.memory import MemoryNow
from app.shop import Choice, Judged
from engine.errors import EngineError
from engine.types.cancel import CancelToken
from engine.types.downloads import DownloadStatus
from engine.types.hub import HubHit
from engine.types.library import InstalledModel
from engine.types.plans import Plan

T = TypeVar("T")


class Errand(Protocol):
    """Does work that may take long on a thread of its own; `done` or `failed` come on the GUI
    thread, unless the window was closed. The token ends the work."""

    def __call__(
        self,
        work: Callable[[CancelToken], T],
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
    ) -> CancelToken: ...


class Chip(StrEnum):
    """The ways to look at the catalogue. All but HERE are classes of it, by the same value."""

    HERE = "here"
    WRITING = "general"
    STUDYING = "studying"
    LANGUAGES = "languages"
    PICTURES = "vision"
    CODING = "coding"


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A model on this computer as its row shows it. `purpose` is that of the catalogue, "" for
    one that is not in it. `plan` is None while nobody knows."""

    model: InstalledModel
    plan: Plan | None = None
    chosen: bool = False
    purpose: str = ""

    @property
    def id(self) -> str:
        return self.model.id


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetching:
    """A download as its row shows it; `waits_for` names what comes before one that waits."""

    status: DownloadStatus
    waits_for: str = ""

    @property
    def id(self) -> str:
        return self.status.id


@dataclass(frozen=True, slots=True, kw_only=True)
class OnOffer:
    """A model of the catalogue. `looking`: its files are looked at because a person wants it;
    `error` says why that failed. `choice` is what was found, once it was looked at."""

    judged: Judged
    looking: bool = False
    error: EngineError | None = None
    choice: Choice | None = None

    @property
    def id(self) -> str:
        return self.judged.entry.id


class Task(StrEnum):
    """Work on files that takes long."""

    LOOKING = "looking"
    COPYING = "copying"
    CHECKING = "checking"
    EXPORTING = "exporting"
    MOVING = "moving"
    UPDATES = "updates"


@dataclass(frozen=True, slots=True, kw_only=True)
class Working:
    """Work under way: `fraction` is None where its length is not known."""

    id: str
    task: Task
    name: str
    fraction: float | None = None


class Phase(StrEnum):
    """How a search for models is doing."""

    NONE = "none"
    ASKING = "asking"
    FOUND = "found"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    text: str = ""
    phase: Phase = Phase.NONE
    hits: tuple[HubHit, ...] = ()
    error: Exception | None = None


class PageView(Protocol):
    """What the presenter asks of the page."""

    @property
    def in_sight(self) -> bool:
        """A person looks at it."""

    def show_memory(self, memory: MemoryNow) -> None: ...
    def show_library(self, own: Sequence[Listed], others: Sequence[Listed]) -> None: ...
    def show_downloads(self, downloads: Sequence[Fetching]) -> None: ...
    def show_work(self, work: Sequence[Working]) -> None: ...
    def show_offers(self, offers: Sequence[OnOffer] | None, chip: Chip) -> None: ...
    def show_search(self, search: Search) -> None: ...
    def reveal(self, model_id: str) -> None:
        """Bring the row of a download into sight."""

    def say(self, icon: str, words: str) -> None: ...
    def say_ready(self, name: str) -> None: ...
    def tell(self, error: Exception, name: str = "") -> None:
        """A failure that no row shows."""


class Asker(Protocol):
    """The questions a person is asked; the answer comes by calling what was passed along."""

    def metered(self, size_bytes: int, go: Callable[[], None]) -> None: ...
    def too_big(self, title: str, choice: Choice, go: Callable[[], None]) -> None: ...
    def token(self, refused: bool, page: str, keep: Callable[[str], None]) -> None: ...
    def licence(self, page: str, again: Callable[[], None]) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Stock:
    """Models on this computer and what is known of each."""

    models: tuple[InstalledModel, ...] = ()
    plans: Mapping[str, Plan] = field(default_factory=dict)
    chosen_id: str | None = None
