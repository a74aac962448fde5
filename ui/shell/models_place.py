"""The Models page in the window: made when somebody first needs it, and fed with what happens.

GUI thread. Nothing of the page is imported before; services are asked on threads of their own.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app import settings
from app.container import Container
from app.events import DownloadChanged, DownloadRemoved, Event, ModelReady, ModelUnloaded
from app.jobs import SerialWorker
from engine.types.cancel import CancelToken
from engine.types.downloads import DownloadState
from engine.types.library import InstalledModel
from engine.types.plans import Plan
from ui.bridge import Bridge, T
from ui.models.pickable import pickable
from ui.models.picking import Pickable
from ui.shell import dialogs, speech
from ui.shell.places import MODELS
from ui.shell.window import Window

if TYPE_CHECKING:
    from ui.models.around import Around
    from ui.models.page_controller import ModelsController, PageParts
    from ui.models.page_hands import PageHands

_FETCHING = (DownloadState.RUNNING, DownloadState.CHECKING)


class ModelsPlace:
    """`prepare` gets the chosen model ready, `to_chat` shows the chat."""

    def __init__(
        self,
        window: Window,
        container: Container,
        bridge: Bridge,
        prepare: Callable[[], None],
        to_chat: Callable[[], None],
    ) -> None:
        self._window = window
        self._container = container
        self._bridge = bridge
        self._prepare = prepare
        self._to_chat = to_chat
        self._workers: dict[str, SerialWorker] = {}
        self._loaded: Plan | None = None
        self._fetching: set[str] = set()
        self._hands: PageHands | None = None
        window.places.add(MODELS, self._make)
        self.look_first: Callable[[Sequence[Path]], None] = self.bring
        """Where files go that are chosen on the page: there may be other things than models."""

    def begin(self) -> None:
        """Read what was downloaded last time, and have the services ready; not on this thread."""
        made = self._container

        def warm() -> None:
            made.downloads.begin()
            assert made.library  # noqa: S101 - made here, so that the page need not wait
            assert made.shop  # noqa: S101
            from ui.models import page_hands  # noqa: F401, PLC0415 - so that it is there at once

        self._run_in_order(lambda _: warm(), lambda _: None, lambda _: None)

    # --- the page ------------------------------------------------------------------------------

    def _make(self) -> QWidget:
        from ui.models.page import ModelsPage  # noqa: PLC0415 - not before somebody goes there
        from ui.models.page_controller import ModelsController  # noqa: PLC0415
        from ui.models.page_hands import PageHands  # noqa: PLC0415

        around, theme = self._around(), self._window.theme
        hands = PageHands(theme, around)
        page = ModelsPage(theme, hands.make_row, around.announce, around.say)
        hands.page = page
        hands.controller = ModelsController(self._parts(), page, hands, hands.token_told)
        hands.connect_page()
        self._hands = hands
        hands.controller.begin()
        return page

    def _around(self) -> "Around":
        from ui.models.around import Around  # noqa: PLC0415 - see above

        window, theme = self._window, self._window.theme
        return Around(
            window=window,
            open_address=lambda address: dialogs.ask_to_open(theme, address, window),
            show_details=lambda title, exact: dialogs.show_details(theme, title, exact, window),
            say=window.page.toast.say,
            announce=lambda words: speech.announce(window, words),
            to_chat=self._to_chat,
            bring=self.look_first,
        )

    def _parts(self) -> "PageParts":
        from ui.models.page_controller import PageParts  # noqa: PLC0415 - see above

        made, kept = self._container, self._container.settings
        return PageParts(
            errand=self._run_errand,
            in_order=self._run_in_order,
            looking=self._run_looking,
            call=self._bridge.call,
            library=made.library,
            downloads=made.downloads,
            shop=made.shop,
            offline=lambda: kept.get(settings.OFFLINE),
            prepare=self._prepare,
            loaded=lambda: self._loaded,
        )

    def _run_errand(
        self,
        work: Callable[[CancelToken], T],
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
    ) -> CancelToken:
        return self._bridge.errand(self._container.errands, work, done, failed)

    def _run_in_order(
        self,
        work: Callable[[CancelToken], T],
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
    ) -> CancelToken:
        return self._run_on("snug-models", work, done, failed)

    def _run_looking(
        self,
        work: Callable[[CancelToken], T],
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
    ) -> CancelToken:
        return self._run_on("snug-models-look", work, done, failed)

    def _run_on(
        self,
        name: str,
        work: Callable[[CancelToken], T],
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
    ) -> CancelToken:
        token = CancelToken()
        if name not in self._workers:
            self._workers[name] = SerialWorker(name)
        self._bridge.run_on(self._workers[name], lambda: work(token), done, failed)
        return token

    @property
    def _controller(self) -> "ModelsController | None":
        return self._hands.controller if self._hands is not None else None

    # --- what happens --------------------------------------------------------------------------

    def handle(self, event: Event) -> None:
        match event:
            case ModelReady(info=info):
                self._loaded = info.plan
            case ModelUnloaded():
                self._loaded = None
            case DownloadChanged(status=status):
                self._mark(status.id, fetching=status.state in _FETCHING)
            case DownloadRemoved(id=download_id):
                self._mark(download_id, fetching=False)
        if self._controller is not None:
            self._controller.handle(event)

    def _mark(self, download_id: str, *, fetching: bool) -> None:
        if fetching:
            self._fetching.add(download_id)
        else:
            self._fetching.discard(download_id)
        self._window.page.strip.show_downloading(downloading=bool(self._fetching))

    def list_models(self, tell: Callable[[Sequence[Pickable]], None]) -> None:
        """The models of this computer that can answer: at once, then again with how they fit."""
        library = self._container.library

        def show(models: tuple[InstalledModel, ...], plans: Mapping[str, Plan]) -> None:
            tell(pickable(models, plans, library.chosen_id))

        def found(models: tuple[InstalledModel, ...]) -> None:
            show(models, {})
            usable = [model for model in models if model.usable]
            self._run_looking(
                lambda cancel: library.verdicts(usable, cancel),
                lambda plans: show(models, plans),
                lambda _: None,
            )

        self._run_looking(lambda _: library.models(), found, lambda _: None)

    def bring(self, paths: Sequence[Path], quiet: Collection[Path] = ()) -> None:
        """Models that a person hands over. In `quiet` folders there need not be any."""
        self._window.places.make(MODELS)
        if self._hands is not None:
            self._hands.bring(paths, quiet)

    def use(self, model_id: str) -> None:
        """Answer with a model of this computer from now on."""
        self._window.places.make(MODELS)
        if self._controller is not None:
            self._controller.shelf.use(model_id)

    def end(self) -> None:
        """The window closes."""
        if self._controller is not None:
            self._controller.close()
        for worker in self._workers.values():
            worker.close(0)
        self._workers.clear()
