"""Shows how the model is doing: the pill, the loading line, its details, and what memory allows.

GUI thread. It shows and asks; what a person wants then goes to the desk.
"""

from pathlib import Path
from typing import Protocol, assert_never

from PySide6.QtWidgets import QApplication, QWidget

from app.events import (
    Event,
    MemoryRanLow,
    MemoryRecovered,
    ModelFailed,
    ModelLoadCancelled,
    ModelLoading,
    ModelReady,
    ModelUnloaded,
    StorageFailed,
)
from engine.errors import DoesNotFit
from engine.types.models import LoadSpec
from ui import messages
from ui.models.card import ModelCard
from ui.models.memory_full import Choice, MemoryFullDialog, Way
from ui.models.now import ModelNow, Phase, after
from ui.shell.page import Page
from ui.theme.theme import Theme


class Wishes(Protocol):
    """What is asked of the desk."""

    def prepare_model(self, *, by_person: bool = False, anyway: bool = False) -> None: ...
    def use_model(self, path: Path | None, context_length: int | None = None) -> None: ...


class ModelState:
    """Takes the events that belong to no conversation."""

    def __init__(self, theme: Theme, page: Page, window: QWidget) -> None:
        self._theme = theme
        self._page = page
        self._window = window
        self._now = ModelNow()
        self._card: ModelCard | None = None
        self._told: LoadSpec | None = None
        """The load whose notice was shown: once is enough."""
        self._too_big: DoesNotFit | None = None
        """The failure that was told last; a reply fails with the same one as its load."""
        self._wishes: Wishes

    def attach(self, wishes: Wishes) -> None:
        self._wishes = wishes

    @property
    def now(self) -> ModelNow:
        return self._now

    @property
    def loading(self) -> bool:
        return self._now.phase is Phase.LOADING

    # --- what happens --------------------------------------------------------------------------

    def handle(self, event: Event) -> None:
        self._show(after(self._now, event))
        match event:
            case ModelLoading() | ModelLoadCancelled():
                self._too_big = None  # another try may fail in the same way, and is told anew
                self._page.banner.drop("model")
            case ModelReady(info=info):
                self._page.banner.drop("model")
                if info.spec != self._told:
                    self._told = info.spec
                    self._tell("notice", event)
            case ModelFailed(error=DoesNotFit() as error):
                self.tell_too_big(error)
            case ModelFailed() | ModelUnloaded():
                self._tell("model", event)
            case MemoryRanLow() | MemoryRecovered():
                self._tell("memory", event)
            case StorageFailed():
                self._tell("storage", event)
            case _:
                pass

    def _show(self, now: ModelNow) -> None:
        if now == self._now:
            return
        self._now = now
        self._page.header.show_model(now)
        self._page.loading.show_now(now)
        if self._card is not None:
            self._card.show_now(now)

    def _tell(self, key: str, event: Event) -> None:
        message = messages.of_event(event, self._now.name)
        if message is None:
            self._page.banner.drop(key)
        else:
            self._page.banner.put(key, message)

    # --- the model's details -------------------------------------------------------------------

    def show_card(self) -> None:
        if self._card is not None or not self._now.name:
            return
        card = ModelCard(self._theme, self._now, self._window)
        card.start_wished.connect(self._start)
        card.finished.connect(self._card_closed)
        self._card = card

    def _card_closed(self) -> None:
        self._card = None

    def _start(self) -> None:
        if isinstance(self._now.error, DoesNotFit):
            self._ask(self._now.error)
        else:
            self._wishes.prepare_model(by_person=True)

    # --- too little memory ---------------------------------------------------------------------

    def tell_too_big(self, error: DoesNotFit) -> None:
        """Ask what to do, once for each failure and never over something else that is open; the
        notice under the header leads back to the question."""
        if error is self._too_big:
            return
        self._too_big = error
        self._page.banner.put("model", messages.of_error(error, self._now.name))
        if QApplication.activeModalWidget() is None and QApplication.activePopupWidget() is None:
            self._ask(error)

    def make_room(self) -> None:
        """Ask again about the last failure."""
        if self._too_big is not None:
            self._ask(self._too_big)

    def _ask(self, error: DoesNotFit) -> None:
        if not self._window.isVisible():
            return
        name = self._now.name or error.path.stem
        MemoryFullDialog(self._theme, error, name, self._window, self._chosen)

    def _chosen(self, choice: Choice) -> None:
        self._too_big = None
        self._page.banner.drop("model")
        match choice.way:
            case Way.OTHER_MODEL:
                self._wishes.use_model(choice.path)
            case Way.SHORTER_MEMORY:
                self._wishes.use_model(choice.path, choice.context_length)
            case Way.TRY_AGAIN:
                self._wishes.prepare_model(by_person=True)
            case Way.ANYWAY:
                self._wishes.prepare_model(by_person=True, anyway=True)
            case _:
                assert_never(choice.way)
