"""The presenter of the Models page over services made by hand, and a view that only remembers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from app.memory import MemoryNow
from app.shop import Choice
from tests.unit.ui.models.errands import Errands
from tests.unit.ui.models.stock import MEMORY, FakeDownloads, FakeLibrary, FakeShop
from ui.models.page_controller import ModelsController, PageParts
from ui.models.page_values import Chip, Fetching, Listed, OnOffer, Search, Working


@dataclass(slots=True)
class Seen:
    """What the page shows now. A `PageView` and an `Asker`."""

    memory: MemoryNow | None = None
    own: Sequence[Listed] = ()
    others: Sequence[Listed] = ()
    downloads: Sequence[Fetching] = ()
    work: list[Sequence[Working]] = field(default_factory=list)
    offers: Sequence[OnOffer] | None = None
    search: Search = field(default_factory=Search)
    revealed: list[str] = field(default_factory=list)
    ready: list[str] = field(default_factory=list)
    told: list[Exception] = field(default_factory=list)
    asked: list[tuple[str, object]] = field(default_factory=list)
    answer: Callable[..., None] | None = None
    """Of the last question."""

    @property
    def in_sight(self) -> bool:
        return True

    def show_memory(self, memory: MemoryNow) -> None:
        self.memory = memory

    def show_library(self, own: Sequence[Listed], others: Sequence[Listed]) -> None:
        self.own, self.others = own, others

    def show_downloads(self, downloads: Sequence[Fetching]) -> None:
        self.downloads = downloads

    def show_work(self, work: Sequence[Working]) -> None:
        self.work.append(work)

    def show_offers(self, offers: Sequence[OnOffer] | None, _chip: Chip) -> None:
        self.offers = offers

    def show_search(self, search: Search) -> None:
        self.search = search

    def reveal(self, model_id: str) -> None:
        self.revealed.append(model_id)

    def say(self, _icon: str, words: str) -> None:
        self.ready.append(words)

    def say_ready(self, name: str) -> None:
        self.ready.append(name)

    def tell(self, error: Exception, _name: str = "") -> None:
        self.told.append(error)

    def metered(self, size_bytes: int, go: Callable[[], None]) -> None:
        self._ask("metered", size_bytes, go)

    def too_big(self, title: str, _choice: Choice, go: Callable[[], None]) -> None:
        self._ask("too_big", title, go)

    def token(self, refused: bool, page: str, keep: Callable[[str], None]) -> None:
        self._ask("token refused" if refused else "token", page, keep)

    def licence(self, page: str, again: Callable[[], None]) -> None:
        self._ask("licence", page, again)

    def _ask(self, kind: str, what: object, answer: Callable[..., None]) -> None:
        self.asked.append((kind, what))
        self.answer = answer


@dataclass(slots=True)
class PageWorld:
    library: FakeLibrary = field(default_factory=FakeLibrary)
    downloads: FakeDownloads = field(default_factory=FakeDownloads)
    shop: FakeShop = field(default_factory=FakeShop)
    seen: Seen = field(default_factory=Seen)
    errands: Errands = field(default_factory=Errands)
    offline: bool = False
    prepared: int = 0
    kept: list[bool] = field(default_factory=list)

    def start(self) -> ModelsController:
        made = ModelsController(self.parts(), self.seen, self.seen, self.kept.append)
        made.begin()
        self.errands.run()
        return made

    def parts(self) -> PageParts:
        return PageParts(
            errand=self.errands,
            in_order=self.errands,
            looking=self.errands,
            call=lambda then: then(),
            library=self.library,
            downloads=self.downloads,
            shop=self.shop,
            offline=lambda: self.offline,
            prepare=self._prepare,
            loaded=lambda: None,
            memory=lambda _plan: MEMORY,
        )

    def _prepare(self) -> None:
        self.prepared += 1
