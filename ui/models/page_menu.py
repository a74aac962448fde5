"""The menus of the Models page, built anew each time. GUI thread."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QCoreApplication, QPoint
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QMenu, QWidget

from engine.types.library import InstalledModel, Owner
from ui.theme.icons import icon
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_REMOVABLE = (Owner.SNUG, Owner.PERSON)


def _add(
    theme: Theme, menu: QMenu, name: str, looks: tuple[str, str], work: Callable[[], object]
) -> None:
    """`looks` are icon and words."""
    pixmap = icon(looks[0], theme.colours.text2, 18, menu.devicePixelRatioF())
    action = menu.addAction(QIcon(pixmap), looks[1])
    action.setObjectName(name)
    action.triggered.connect(lambda _checked=False: work())


def _made(parent: QWidget, name: str) -> QMenu:
    menu = QMenu(parent)
    menu.setObjectName(name)
    menu.setFont(parent.font())
    menu.aboutToHide.connect(menu.deleteLater)
    return menu


class ModelMenu:
    """What can be done with one model. Models of other programs are never changed."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        self._theme = theme
        self._parent = parent

    def show(
        self, model: InstalledModel, place: QPoint, ways: Mapping[str, Callable[[], object]]
    ) -> QMenu:
        menu = _made(self._parent, "modelActions")
        for name, icon_name, words in self._entries(model):
            if name == "remove":
                menu.addSeparator()
            _add(self._theme, menu, f"model-{name}", (icon_name, words), ways[name])
        menu.popup(place)
        return menu

    def _entries(self, model: InstalledModel) -> list[tuple[str, str, str]]:
        entries = [
            ("details", "info", translate("ModelMenu", "Details")),
            ("check", "circle-check", translate("ModelMenu", "Check the file")),
            ("folder", "folder-open", translate("ModelMenu", "Show in folder")),
        ]
        if model.usable:
            take = translate("ModelMenu", "Take it with you…")
            entries.append(("export", "hard-drive", take))
        if model.manifest is not None and model.manifest.origin is not None:
            newer = translate("ModelMenu", "Look for a newer version")
            entries.append(("update", "download", newer))
        if model.owner in _REMOVABLE:
            entries.append(("remove", "trash-2", translate("ModelMenu", "Remove…")))
        return entries


def add_menu(
    theme: Theme,
    parent: QWidget,
    place: QPoint,
    file: Callable[[], None],
    folder: Callable[[], None],
) -> QMenu:
    """A model is a file, several files, or a folder."""
    menu = _made(parent, "addActions")
    _add(theme, menu, "add-file", ("file-text", translate("ModelMenu", "A file…")), file)
    words = translate("ModelMenu", "A folder or a stick…")
    _add(theme, menu, "add-folder", ("folder-open", words), folder)
    menu.popup(place)
    return menu
