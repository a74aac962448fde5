"""What a person does on the Models page: buttons and menus of rows, and the questions in between.

It connects the page with its presenter; decisions are the presenter's. GUI thread.
"""

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication

from app.shop import Choice, Judged
from engine.types.plans import Plan
from ui.models import asks
from ui.models.around import Around
from ui.models.choice_dialog import ChoiceDialog
from ui.models.download_row import DownloadRow
from ui.models.installed_row import InstalledRow
from ui.models.model_hands import ModelHands, show_folder
from ui.models.page import ModelsPage
from ui.models.page_controller import ModelsController
from ui.models.page_values import Fetching, Listed, OnOffer, Working
from ui.models.page_words import wants_token
from ui.models.row_group import AnyRow
from ui.models.shop_row import Hit, HitRow, ShopRow, plan_of
from ui.models.token_dialog import TokenDialog, kept_words
from ui.models.why_dialog import TooBig, WhyDialog
from ui.models.work_row import WorkRow
from ui.theme.theme import Theme

translate = QCoreApplication.translate


class PageHands:
    """An `Asker`, and the wishes of every row."""

    def __init__(self, theme: Theme, around: Around) -> None:
        self._theme = theme
        self._around = around
        self._was_seen = False
        self.models = ModelHands(theme, around, self.look_into)
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
        row.menu_wished.connect(self.models.show_menu)
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
        self.models.attach(page, controller)
        page.add.clicked.connect(self.models.show_add_menu)
        page.notice.details_wished.connect(self._around.show_details)
        page.discover.chosen.connect(controller.shop.choose)
        page.discover.search_wished.connect(controller.shop.search)
        page.came_into_sight.connect(self._refresh)
        page.foot.show_folder.clicked.connect(lambda: show_folder(self._library_folder))
        page.foot.move_folder.clicked.connect(self.models.move_library)
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

    # --- bringing ------------------------------------------------------------------------------

    def bring(self, paths: Sequence[Path], quiet: Collection[Path] = ()) -> None:
        """Look at what was handed over, and ask how to add it; see `ModelHands.bring`."""
        self.models.bring(paths, quiet)
