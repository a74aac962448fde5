"""Shows how the model is doing: the pill, the loading line, its details, and what memory allows.

GUI thread. It shows and asks; what a person wants then goes to the desk.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Protocol, assert_never

from PySide6.QtWidgets import QWidget

from app.events import (
    DeviceGotSlower,
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
from engine.errors import DoesNotFit, EngineError, OutOfMemory
from engine.types.models import LoadSpec
from engine.types.remote import RemoteModel
from ui import messages
from ui.models.card import ModelCard
from ui.models.failures import same_failure
from ui.models.memory_full import Choice, MemoryFullDialog, Way
from ui.models.now import ModelNow, Phase, after, concerns, moved, placed
from ui.models.picking import Pickable
from ui.shell.page import Page
from ui.shell.still_hands import StillHands
from ui.theme.theme import Theme


class Wishes(Protocol):
    """What is asked of the desk."""

    def prepare_model(self, *, by_person: bool = False, anyway: bool = False) -> None: ...
    def use_model(self, path: Path | None, context_length: int | None = None) -> None: ...
    def answer_failed(self, error: EngineError) -> None: ...


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
        """The failure that was told last; the notice leads to it."""
        self._asked: DoesNotFit | None = None
        """The failure that was asked about; a reply fails with the same one as its load."""
        self._by_person = False
        """Somebody waits for the model, so that a question may open by itself."""
        self._hands = StillHands(page.composer.field, window)
        self._wishes: Wishes
        self.place: Callable[[], RemoteModel | None] = lambda: None
        """Where the next answer comes from, None for this computer."""
        self.elsewhere_wished: Callable[[], None] = lambda: None
        self.here_wished: Callable[[], None] = lambda: None
        self.use_wished: Callable[[str], None] = lambda _id: None
        self.more_wished: Callable[[], None] = lambda: None
        self.list_models: Callable[[Callable[[Sequence[Pickable]], None]], None] = lambda _: None
        """Tells what models there are to choose from, now and when more is known."""

    def attach(self, wishes: Wishes) -> None:
        self._wishes = wishes

    @property
    def now(self) -> ModelNow:
        return self._now

    @property
    def loading(self) -> bool:
        return self._now.phase is Phase.LOADING

    def person_asked(self) -> None:
        """A person wants the model now, by a button or by a question."""
        self._by_person = True
        self._asked = None
        self._hands.mark()

    # --- what happens --------------------------------------------------------------------------

    def handle(self, event: Event) -> None:
        before, place = self._now, self.place()
        if not concerns(event, place):
            return
        self._show(placed(after(before, event), place))
        match event:
            case ModelLoading() | ModelLoadCancelled():
                for key in ("model", "device"):
                    self._page.banner.drop(key)
            case ModelReady(info=info):
                self._forget()
                if info.spec != self._told:
                    self._told = info.spec
                    self._tell("notice", event)
            case ModelFailed(error=DoesNotFit() as error):
                self.tell_too_big(error)
            case ModelUnloaded() if self._is_told(before.error):
                pass
            case _:
                self._tell_of(event)

    def moved(self, chosen: RemoteModel | None) -> None:
        """Answers come from elsewhere now, or from here again."""
        now = self._now
        same = (now.remote.model if now.remote else "") == (chosen.model if chosen else "")
        if not same:
            self._page.banner.drop("model")
        self._show(replace(now, remote=chosen) if same else moved(chosen))

    def _is_told(self, error: EngineError | None) -> bool:
        """A reply that ended because memory ran out has told of it, if it is on the page."""
        return isinstance(error, OutOfMemory) and self._page.banner.holds("trouble")

    def _tell_of(self, event: Event) -> None:
        match event:
            case ModelFailed() | ModelUnloaded():
                self._tell("model", event)
            case MemoryRanLow() | MemoryRecovered():
                self._tell("memory", event)
            case DeviceGotSlower():
                self._tell("device", event)
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
        if self._card is not None or not self._now.known:
            return
        card = ModelCard(self._theme, self._now, self._window)
        card.start_wished.connect(self._start)
        card.elsewhere_wished.connect(self.elsewhere_wished)
        card.here_wished.connect(self.here_wished)
        card.use_wished.connect(self.use_wished)
        card.more_wished.connect(self.more_wished)
        card.finished.connect(self._card_closed)
        self._card = card
        self.list_models(self._show_models)

    def _show_models(self, models: Sequence[Pickable]) -> None:
        if self._card is not None:
            self._card.show_models(models)

    def _card_closed(self) -> None:
        self._card = None

    def _start(self) -> None:
        if isinstance(self._now.error, DoesNotFit):
            self._ask(self._now.error)
        else:
            self.start_again()

    def start_again(self) -> None:
        """Load the model anew, and answer the question that it failed at."""
        error = self._now.error
        self._wishes.prepare_model(by_person=True)
        if error is not None:
            self._wishes.answer_failed(error)

    # --- too little memory ---------------------------------------------------------------------

    def tell_too_big(self, error: DoesNotFit) -> None:
        """Say so under the header. Where a person waits for the model, ask what to do too: once
        for each failure, never over something else that is open, never under typing hands."""
        self._too_big = error
        self._page.banner.put("model", messages.of_error(error, self._name_of(error)))
        if self._by_person and not same_failure(error, self._asked):
            self._asked = error
            self._hands.wait(lambda: self._ask_if_still_so(error))

    def make_room(self) -> None:
        """Ask about the last failure."""
        if self._too_big is not None:
            self._ask(self._too_big)

    def _name_of(self, error: DoesNotFit) -> str:
        return self._now.name or error.path.stem

    def _ask_if_still_so(self, error: DoesNotFit) -> None:
        if same_failure(error, self._too_big) and not self.loading:
            self._ask(error, unasked=True)

    def _ask(self, error: DoesNotFit, *, unasked: bool = False) -> None:
        if not self._window.isVisible():
            return
        name = self._name_of(error)
        chosen = partial(self._chosen, error)
        MemoryFullDialog(self._theme, error, name, self._window, chosen, unasked=unasked)

    def _forget(self) -> None:
        self._too_big = self._asked = None
        self._by_person = False
        self._hands.drop()
        self._page.banner.drop("model")

    def _chosen(self, error: DoesNotFit, choice: Choice) -> None:
        self._forget()
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
        self._wishes.answer_failed(error)
