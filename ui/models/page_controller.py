"""The presenter of the Models page: brings its three parts together and hears what happens.

No Qt here; GUI thread. It asks no network by itself.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from app.events import (
    DownloadChanged,
    DownloadRemoved,
    Event,
    LibraryChanged,
    ModelChosen,
    ModelFailed,
    ModelReady,
    ModelUnloaded,
)
from app.memory import MemoryNow, memory_now
from app.shop import Judged
from engine.errors import Cancelled, DoesNotFit
from engine.types.library import InstalledModel
from engine.types.plans import Plan
from ui.models.latest import Latest
from ui.models.page_fetch import Downloads, FetchList
from ui.models.page_library import Library, LibraryParts, LibraryShelf
from ui.models.page_shop import Shop, ShopParts, ShopWindow
from ui.models.page_values import Asker, Errand, PageView


@dataclass(frozen=True, slots=True, kw_only=True)
class PageParts:
    """What the page needs of the program. `in_order` does what a person wants, one piece after the
    other, `looking` so what has to be found out to show it, and `errand` all at the same time.
    `offline`: nothing may leave this computer; `loaded` is the plan of what is in memory."""

    errand: Errand
    in_order: Errand
    looking: Errand
    call: Callable[[Callable[[], None]], None]
    library: Library
    downloads: Downloads
    shop: Shop
    offline: Callable[[], bool]
    prepare: Callable[[], None]
    loaded: Callable[[], Plan | None]
    memory: Callable[[Plan | None], MemoryNow] = memory_now


class ModelsController:
    """See the module."""

    def __init__(
        self,
        parts: PageParts,
        view: PageView,
        asker: Asker,
        token_told: Callable[[bool], None],
    ) -> None:
        self._parts = parts
        self._view = view
        self._wanted = ""
        """Title of what is to be used as soon as it is in the library."""
        self._memory = Latest(parts.looking, lambda _error: None)
        self.fetch = FetchList(parts.in_order, parts.downloads, view, asker)
        self.shelf = LibraryShelf(
            LibraryParts(
                errand=parts.errand,
                looking=parts.looking,
                library=parts.library,
                view=view,
                call=parts.call,
                purpose=self._purpose,
                prepare=parts.prepare,
            )
        )
        self.shop = ShopWindow(
            ShopParts(
                errand=parts.errand,
                looking=parts.looking,
                shop=parts.shop,
                view=view,
                asker=asker,
                start=self.fetch.start,
                offline=parts.offline,
                token_told=token_told,
            )
        )
        self.fetch.keep_token = self.shop.keep_token
        self.fetch.token_page = self.shop.token_page
        self.fetch.changed = self._here_changed
        self.shelf.changed = self._here_changed
        self.shop.changed = self._catalogue_known

    def begin(self) -> None:
        """Show what is known at once, then what has to be looked for."""
        self.shelf.show()
        self.fetch.refresh()
        self.shop.show()
        self.refresh()

    def refresh(self) -> None:
        """The person looks at the page: what is true now."""
        self._weigh_memory()
        self.shop.refresh()
        self.shelf.refresh(rescan=True)

    def handle(self, event: Event) -> None:
        match event:
            case DownloadChanged(status=status):
                self.fetch.happened(status)
            case DownloadRemoved(id=download_id):
                self.fetch.gone(download_id)
            case LibraryChanged():
                self.shelf.refresh()
            case ModelChosen():
                self.shelf.choice_changed()
            case ModelReady() | ModelUnloaded() | ModelFailed():
                self._weigh_memory()
                self.shelf.weigh()
                self._tell_of(event)
            case _:
                pass

    def _tell_of(self, event: Event) -> None:
        """The chat tells it too, but is not in sight. What does not fit is asked about."""
        failed = event.error if isinstance(event, ModelFailed) else None
        asked = isinstance(failed, DoesNotFit | Cancelled)
        if isinstance(event, ModelFailed) and not asked and self._view.in_sight:
            self._view.tell(event.error, event.name)

    def _weigh_memory(self) -> None:
        loaded, read = self._parts.loaded(), self._parts.memory
        self._memory.start(lambda _: read(loaded), self._view.show_memory)

    # --- what is here already ------------------------------------------------------------------

    def _catalogue_known(self) -> None:
        self.shelf.show()
        self._here_changed()

    def _here_changed(self) -> None:
        self._use_wanted()
        installed = {self._name_of(model) for model in self.shelf.models}
        fetched = {status.title for status in self.fetch.statuses}
        self.shop.set_here(frozenset(installed | fetched))

    def _name_of(self, model: InstalledModel) -> str:
        known = self._known(model)
        return known.entry.name if known is not None else model.name

    def _purpose(self, model: InstalledModel) -> str:
        known = self._known(model)
        return str(known.entry.purpose) if known is not None else ""

    def _known(self, model: InstalledModel) -> Judged | None:
        """What the catalogue says of it."""
        judged: Iterable[Judged] = self.shop.judged
        origin = model.manifest.origin if model.manifest is not None else None
        for one in judged:
            repos = {one.entry.repo, one.entry.modelscope} - {""}
            if model.name == one.entry.name or (origin is not None and origin.repo in repos):
                return one
        return None

    @property
    def folder(self) -> Path:
        """Where the library is."""
        return self._parts.library.folder

    def use_downloaded(self, download_id: str) -> bool:
        """Answer with what was fetched; if nobody has looked into the library since, once that is
        done. False for one that is not known."""
        status = self.fetch.get(download_id)
        if status is None:
            return False
        self._wanted = status.title
        self.shelf.refresh()
        return True

    def _use_wanted(self) -> None:
        found = [model for model in self.shelf.models if self._is_of(model, self._wanted)]
        if self._wanted and found:
            self._wanted = ""
            self.shelf.use(found[-1].id)

    def _is_of(self, model: InstalledModel, title: str) -> bool:
        manifest = model.manifest
        named = {model.name, self._name_of(model), manifest.name if manifest else ""}
        return model.usable and title in named

    def close(self) -> None:
        """The window closes."""
        self._memory.cancel()
        self.shelf.close()
        self.shop.close()
