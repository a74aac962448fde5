"""What a person does on the Models page: buttons and menus of rows, and the questions in between.

It connects the page with its presenter; decisions are the presenter's. GUI thread.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QPoint, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QWidget

from app.shop import Choice, Judged
from engine.errors import NoBin
from engine.types.library import Brought, InstalledModel, Soundness, Verification
from engine.types.plans import Plan
from ui.models import asks
from ui.models.add_dialog import AddDialog, refused_words
from ui.models.choice_dialog import ChoiceDialog
from ui.models.download_row import DownloadRow, WorkRow
from ui.models.installed_row import InstalledRow
from ui.models.page import ModelsPage
from ui.models.page_controller import ModelsController
from ui.models.page_details import model_details
from ui.models.page_menu import ModelMenu, add_menu
from ui.models.page_values import Fetching, Listed, OnOffer, Working
from ui.models.page_words import soundness_words, wants_token
from ui.models.row_parts import AnyRow
from ui.models.shop_row import Hit, HitRow, ShopRow, plan_of
from ui.models.token_dialog import TokenDialog, kept_words
from ui.models.why_dialog import TooBig, WhyDialog
from ui.theme.theme import Theme

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What the page asks of the window. `open_address` asks before it opens a browser."""

    window: QWidget
    open_address: Callable[[str], object]
    show_details: Callable[[str, str], object]
    say: Callable[[str, str], None]
    announce: Callable[[str], None]
    to_chat: Callable[[], None]


class PageHands:
    """An `Asker`, and the wishes of every row."""

    def __init__(self, theme: Theme, around: Around) -> None:
        self._theme = theme
        self._around = around
        self._was_seen = False
        self._menu = ModelMenu(theme, around.window)
        self.page: ModelsPage
        self.controller: ModelsController

    # --- rows ----------------------------------------------------------------------------------

    def make_row(self, value: Any) -> AnyRow:
        """The row of `value`, with its wishes connected."""
        match value:
            case Listed():
                return self._installed(InstalledRow(self._theme, value))
            case Fetching():
                return self._download(DownloadRow(self._theme, value))
            case OnOffer():
                return self._offer(ShopRow(self._theme, value))
            case Hit():
                hit = HitRow(self._theme, value)
                hit.look_wished.connect(self.look_into)
                return hit
            case Working():
                work = WorkRow(self._theme, value)
                work.cancel_wished.connect(self.controller.shelf.cancel_work)
                return work
        raise TypeError(value)

    def _installed(self, row: InstalledRow) -> InstalledRow:
        row.use_wished.connect(self.controller.shelf.use)
        row.why_wished.connect(self._why_installed)
        row.menu_wished.connect(self._show_menu)
        return row

    def _download(self, row: DownloadRow) -> DownloadRow:
        fetch = self.controller.fetch
        row.pause_wished.connect(fetch.pause)
        row.resume_wished.connect(fetch.go_on)
        row.cancel_wished.connect(self._cancel_download)
        row.token_wished.connect(self._enter_token)
        row.licence_wished.connect(fetch.accept_licence)
        row.use_wished.connect(self._use_downloaded)
        row.put_away_wished.connect(fetch.put_away)
        row.first_wished.connect(fetch.move_up)
        row.details_wished.connect(self._around.show_details)
        return row

    def _offer(self, row: ShopRow) -> ShopRow:
        row.get_wished.connect(self.controller.shop.get)
        row.stop_wished.connect(self.controller.shop.stop)
        row.why_wished.connect(self._why_offered)
        return row

    def connect_page(self) -> None:
        """What the page wishes beside its rows."""
        page, controller = self.page, self.controller
        page.add.clicked.connect(self._show_add_menu)
        page.notice.details_wished.connect(self._around.show_details)
        page.discover.chosen.connect(controller.shop.choose)
        page.discover.search_wished.connect(controller.shop.search)
        page.came_into_sight.connect(self._refresh)
        page.foot.show_folder.clicked.connect(lambda: self._show_folder(self._library_folder))
        page.foot.move_folder.clicked.connect(self._move_library)
        page.foot.show_place(self._library_folder)

    def _refresh(self) -> None:
        """Whenever the page comes into sight, but for the first time: then it has just begun."""
        if self._was_seen:
            self.page.foot.show_place(self._library_folder)
            self.controller.refresh()
        self._was_seen = True

    @property
    def _library_folder(self) -> Path:
        return self.controller.folder

    # --- Asker ---------------------------------------------------------------------------------

    def metered(self, size_bytes: int, go: Callable[[], None]) -> None:
        asks.ask_metered(self._theme, size_bytes, self._around.window, go)

    def too_big(self, title: str, choice: Choice, go: Callable[[], None]) -> None:
        if choice.plan is not None:
            entry_id = choice.entry.id if choice.entry is not None else ""
            self._why(title, choice.plan, entry_id, go)

    def token(self, refused: bool, page: str, keep: Callable[[str], None]) -> None:
        window, open_address = self._around.window, self._around.open_address
        TokenDialog(self._theme, window, lambda: open_address(page), keep, refused=refused)

    def token_told(self, for_good: bool) -> None:
        """Where the key is kept now, as it is."""
        self._around.say("key-round", kept_words(for_good=for_good))

    def licence(self, page: str, again: Callable[[], None]) -> None:
        open_address = self._around.open_address
        asks.ask_licence(self._theme, self._around.window, lambda: open_address(page), again)

    def _why(self, name: str, plan: Plan, entry_id: str, go: Callable[[], None] | None) -> None:
        other: Judged | None = self.controller.shop.best_other(entry_id)
        too_big = TooBig(name=name, plan=plan, other=other)
        get = self.controller.shop.get
        WhyDialog(self._theme, too_big, self._around.window, get, go)

    def _why_installed(self, model_id: str) -> None:
        listed = self.controller.shelf.get(model_id)
        if listed is not None and listed.plan is not None:
            self._why(listed.model.name, listed.plan, "", None)

    def _why_offered(self, entry_id: str) -> None:
        shop = self.controller.shop
        judged = next((one for one in shop.judged if one.entry.id == entry_id), None)
        if judged is not None:
            name = judged.entry.name
            self._why(name, plan_of(judged), entry_id, lambda: shop.get(entry_id))

    # --- downloads -----------------------------------------------------------------------------

    def _cancel_download(self, download_id: str) -> None:
        status = self.controller.fetch.get(download_id)
        if status is not None:
            cancel = self.controller.fetch.cancel
            window = self._around.window
            asks.ask_to_drop(self._theme, status, window, lambda: cancel(download_id))

    def _enter_token(self, download_id: str) -> None:
        status = self.controller.fetch.get(download_id)
        if status is not None and wants_token(status):
            self.controller.fetch.enter_token(download_id)

    def _use_downloaded(self, download_id: str) -> None:
        """Use it, and go where it is talked to."""
        if self.controller.use_downloaded(download_id):
            self.controller.fetch.put_away(download_id)
            self._around.to_chat()

    # --- the hub -------------------------------------------------------------------------------

    def look_into(self, repo: str) -> None:
        """What models a place at the hub has, in a dialog."""
        shop = self.controller.shop
        dialog = ChoiceDialog(self._theme, repo, self._around.window, self._take)
        alive = [True]

        def failed(error: Exception) -> None:
            if not alive[0]:
                return
            if shop.ask_for(error, lambda: self.look_into(repo)):
                dialog.reject()
            else:
                dialog.fail(error)

        def show(choices: Sequence[Choice]) -> None:
            if alive[0]:
                dialog.show_choices(choices)

        token = shop.look(repo, show, failed)

        def closed() -> None:
            alive[0] = False
            token.cancel()

        dialog.finished.connect(closed)

    def _take(self, choice: Choice) -> None:
        """What its own file says, before anything is fetched."""
        shop = self.controller.shop
        if choice.exact and choice.plan is not None:
            shop.take(choice)
        else:
            shop.exactly(choice)

    # --- one of the person's models ------------------------------------------------------------

    def _show_menu(self, model_id: str, place: QPoint) -> None:
        listed = self.controller.shelf.get(model_id)
        if listed is None:
            return
        shelf, model = self.controller.shelf, listed.model
        self._menu.show(
            model,
            place,
            {
                "details": lambda: self._around.show_details(model.name, model_details(listed)),
                "check": lambda: shelf.verify(model.id, model.name, self._checked(model)),
                "folder": lambda: self._show_folder(model.path.parent),
                "export": lambda: self._export(model),
                "update": lambda: shelf.look_for_update(model.id, model.name, self._news(model)),
                "remove": lambda: self._remove(model),
            },
        )

    def _checked(self, model: InstalledModel) -> Callable[[Verification], None]:
        def tell(found: Verification) -> None:
            damaged = found.soundness is Soundness.DAMAGED
            said = soundness_words(found.soundness, model.name)
            if damaged:
                self.page.notice.say(said, "\n".join(found.bad))
            else:
                self._around.say("circle-check", said)

        return tell

    def _news(self, model: InstalledModel) -> Callable[[bool | None], None]:
        def tell(newer: bool | None) -> None:
            if newer is None:
                words = translate("Models", "Nobody can tell whether {model} has a newer version.")
            elif newer:
                words = translate("Models", "There is a newer version of {model}.")
            else:
                words = translate("Models", "{model} is up to date.")
            self._around.say("info", words.format(model=model.name))
            origin = model.manifest.origin if model.manifest is not None else None
            if newer and origin is not None:
                self.look_into(origin.repo)

        return tell

    def _remove(self, model: InstalledModel) -> None:
        shelf, window = self.controller.shelf, self._around.window
        freed = shelf.space_of(model.id)

        def failed(error: Exception) -> None:
            if isinstance(error, NoBin):
                go = self._for_good(model)
                asks.ask_for_good(self._theme, model, freed, window, go)
            else:
                shelf.failed(error, model.name)

        asks.ask_to_remove(
            self._theme, model, freed, window, lambda: shelf.remove(model.id, failed)
        )

    def _for_good(self, model: InstalledModel) -> Callable[[], None]:
        shelf = self.controller.shelf
        return lambda: shelf.remove(
            model.id, lambda error: shelf.failed(error, model.name), to_bin=False
        )

    def _export(self, model: InstalledModel) -> None:
        folder = self._ask_folder(translate("Models", "Where should the folder be made?"))
        if folder is not None:

            def done(made: Path) -> None:
                said = translate("Models", "{model} is in the folder “{folder}”.")
                words = said.format(model=model.name, folder=made.name)
                self._around.say("folder-open", words)

            self.controller.shelf.export(model.id, model.name, folder, done)

    def _show_folder(self, folder: Path) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    def _move_library(self) -> None:
        folder = self._ask_folder(translate("Models", "Where should your models be kept?"))
        if folder is not None:
            self.controller.shelf.move(
                folder, lambda: self.page.foot.show_place(self._library_folder)
            )

    def _ask_folder(self, title: str) -> Path | None:
        chosen = QFileDialog.getExistingDirectory(self._around.window, title)
        return Path(chosen) if chosen else None

    # --- bringing ------------------------------------------------------------------------------

    def _show_add_menu(self) -> None:
        below = self.page.add.mapToGlobal(QPoint(0, self.page.add.height()))
        add_menu(self._theme, self._around.window, below, self._add_files, self._add_folder)

    def _add_files(self) -> None:
        title = translate("Models", "Which file is the model?")
        kinds = translate("Models", "Models (*.gguf);;All files (*)")
        chosen, _ = QFileDialog.getOpenFileNames(self._around.window, title, "", kinds)
        if chosen:
            self.bring([Path(one) for one in chosen])

    def _add_folder(self) -> None:
        folder = self._ask_folder(translate("Models", "Which folder has the models?"))
        if folder is not None:
            self.bring([folder])

    def bring(self, paths: Sequence[Path]) -> None:
        """Look at what was chosen or dropped, and ask how to add it."""
        self.controller.shelf.look_at(paths, self._brought)

    def _brought(self, brought: Brought) -> None:
        if brought.models:
            add = self.controller.shelf.add
            AddDialog(self._theme, brought, self._around.window, lambda way: add(brought, way))
            return
        said = translate("Add", "This file is not a model that Snug can use.")
        named = [refused_words(path, trouble) for path, trouble in brought.refused]
        self._around.say("circle-alert", said)
        self.page.notice.say(said, "\n".join(named))
