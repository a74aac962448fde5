"""What a person brought, and how it becomes one of Snug's models: copied, or used where it is.

The dialog only asks. GUI thread.
"""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from engine.types.library import Brought, Trouble, Way
from ui.models.page_words import trouble_words
from ui.size_words import space
from ui.theme.choices import Radio
from ui.theme.dialog import Dialog, words
from ui.theme.fonts import Role
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_MOST_NAMED = 6


def title_words(brought: Brought) -> str:
    if len(brought.models) == 1:
        return translate("Add", "Add {model}?").format(model=brought.models[0].name)
    return translate("Add", "Add {n} models?").format(n=len(brought.models))


def refused_words(path: Path, trouble: Trouble) -> str:
    """Why one is passed over."""
    if trouble is Trouble.DAMAGED:
        why = translate("Add", "This file is not a model that Snug can use.")
    else:
        why = trouble_words(trouble, 2)
    return translate("Add", "{file}: {why}").format(file=path.name, why=why)


def nothing_words(brought: Brought) -> str:
    """Why nothing of it can be added."""
    if len(brought.refused) == 1:
        path, trouble = brought.refused[0]
        if trouble is not Trouble.DAMAGED:
            return refused_words(path, trouble)
        return translate("Add", "{file} is not a model that Snug can use.").format(file=path.name)
    return translate("Add", "There is no model here that Snug can use.")


class AddDialog(Dialog):
    """On a stick there is only copying: it will be taken away."""

    def __init__(
        self, theme: Theme, brought: Brought, parent: QWidget, add: Callable[[Way], None]
    ) -> None:
        super().__init__(theme, "addDialog", parent)
        title = title_words(brought)
        self.setWindowTitle(title)
        self.add_words(title, Role.TITLE)
        self._name(brought)
        copy = translate("Add", "Copy into Snug's folder ({size})")
        size = space(brought.size_bytes)
        self._copy = Radio(theme, "addCopy", copy.format(size=size))
        self._there = Radio(theme, "addInPlace", translate("Add", "Use where it is"))
        self._column.addWidget(self._copy)
        self._column.addWidget(self._there)
        note = (
            translate("Add", "It lies on a disk that can be taken away, so Snug needs a copy.")
            if brought.removable
            else translate("Add", "Used where it is, it must not be moved or deleted.")
        )
        self._column.addWidget(words(theme, note, Role.SECOND, theme.colours.text2))
        self._there.setVisible(not brought.removable)
        self._copy.setChecked(True)
        cancel = self.add_button("addCancel", translate("Add", "Cancel"), "secondary")
        go = self.add_button("addGo", translate("Add", "Add"), "primary")
        self._default = go
        cancel.clicked.connect(self.reject)
        go.clicked.connect(self.accept)
        self.accepted.connect(lambda: add(self.way))
        self.finish(go)

    @property
    def way(self) -> Way:
        return Way.COPY if self._copy.isChecked() else Way.IN_PLACE

    def _name(self, brought: Brought) -> None:
        if len(brought.models) > 1:
            named = [model.name for model in brought.models[:_MOST_NAMED]]
            more = len(brought.models) - len(named)
            if more > 0:
                named.append(translate("Add", "and {n} more").format(n=more))
            self.add_words("\n".join(named), Role.CONTROL)
        said = [refused_words(path, trouble) for path, trouble in brought.refused[:_MOST_NAMED]]
        if said:
            self._column.addWidget(
                words(self._theme, "\n".join(said), Role.SECOND, self._theme.colours.text2)
            )
