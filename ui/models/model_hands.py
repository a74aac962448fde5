"""What a person does with one model, with the whole library, and with models that they bring.

GUI thread; decisions are the presenter's.
"""

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QPoint, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog

from engine.errors import NoBin
from engine.types.library import Brought, InstalledModel, Soundness, Verification
from ui.models import asks
from ui.models.add_dialog import AddDialog, nothing_words, refused_words
from ui.models.around import Around
from ui.models.page import ModelsPage
from ui.models.page_controller import ModelsController
from ui.models.page_details import model_details
from ui.models.page_menu import ModelMenu, add_menu
from ui.models.page_words import soundness_words
from ui.theme.theme import Theme

translate = QCoreApplication.translate


def show_folder(folder: Path) -> None:
    """In the system's own way."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


class ModelHands:
    """`look_into` shows what a place at the hub has."""

    def __init__(self, theme: Theme, around: Around, look_into: Callable[[str], None]) -> None:
        self._theme = theme
        self._around = around
        self._look_into = look_into
        self._menu = ModelMenu(theme, around.window)
        self.page: ModelsPage
        self.controller: ModelsController

    def attach(self, page: ModelsPage, controller: ModelsController) -> None:
        self.page, self.controller = page, controller

    # --- one of the person's models ------------------------------------------------------------

    def show_menu(self, model_id: str, place: QPoint) -> None:
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
                "folder": lambda: show_folder(model.path.parent),
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
                self._look_into(origin.repo)

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

    def move_library(self) -> None:
        folder = self._ask_folder(translate("Models", "Where should your models be kept?"))
        if folder is not None:
            self.controller.shelf.move(
                folder, lambda: self.page.foot.show_place(self.controller.folder)
            )

    def _ask_folder(self, title: str) -> Path | None:
        chosen = QFileDialog.getExistingDirectory(self._around.window, title)
        return Path(chosen) if chosen else None

    # --- bringing ------------------------------------------------------------------------------

    def show_add_menu(self) -> None:
        below = self.page.add.mapToGlobal(QPoint(0, self.page.add.height()))
        add_menu(self._theme, self._around.window, below, self._add_files, self._add_folder)

    def _add_files(self) -> None:
        title = translate("Models", "Which file should be added?")
        kinds = translate("Models", "Models and packs (*.gguf *.pack);;All files (*)")
        chosen, _ = QFileDialog.getOpenFileNames(self._around.window, title, "", kinds)
        if chosen:
            self._around.bring([Path(one) for one in chosen])

    def _add_folder(self) -> None:
        folder = self._ask_folder(translate("Models", "Which folder has the models?"))
        if folder is not None:
            self._around.bring([folder])

    def bring(self, paths: Sequence[Path], quiet: Collection[Path] = ()) -> None:
        """Look at what was chosen or dropped, and ask how to add it. `quiet` folders held other
        things: nothing is said where they have no model."""
        silent = {Path(os.path.abspath(path)) for path in quiet}  # noqa: PTH100 - as in `look_at`

        def brought(found: Brought) -> None:
            heard = tuple(one for one in found.refused if one[0] not in silent)
            if found.models or heard or not silent:
                self._brought(replace(found, refused=heard))

        self.controller.shelf.look_at(paths, brought)

    def _brought(self, brought: Brought) -> None:
        if brought.models:
            add = self.controller.shelf.add
            AddDialog(self._theme, brought, self._around.window, lambda way: add(brought, way))
            return
        said = nothing_words(brought)
        named = [refused_words(path, trouble) for path, trouble in brought.refused]
        self._around.say("circle-alert", said)
        self.page.notice.say(said, "\n".join(named))
