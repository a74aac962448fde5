"""Questions of one sentence on the Models page: the safe answer is the one that has the focus.

GUI thread.
"""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from engine.types.downloads import DownloadStatus
from engine.types.library import InstalledModel, Owner
from ui.models.page_words import part_words
from ui.plan_words import short_name
from ui.size_words import space
from ui.theme.dialog import Dialog
from ui.theme.fonts import Role
from ui.theme.theme import Theme

translate = QCoreApplication.translate

WITHOUT_ASKING_BYTES = 500_000_000
"""So much of a download may be thrown away by one click."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """`yes` is the button that does it; `danger`: something is deleted."""

    title: str
    text: str
    yes: str
    no: str = ""
    danger: bool = False


class Ask(Dialog):
    """Title, sentences, "Cancel" or the like, and what is to be done."""

    def __init__(
        self,
        theme: Theme,
        name: str,
        question: Question,
        parent: QWidget,
        go: Callable[[], None],
    ) -> None:
        super().__init__(theme, name, parent)
        self.setWindowTitle(question.title)
        self.add_words(question.title, Role.TITLE)
        if question.text:
            self.add_words(question.text, Role.CONTROL)
        no = question.no or translate("Models", "Cancel")
        cancel = self.add_button(f"{name}Cancel", no, "secondary")
        kind = "danger" if question.danger else "primary"
        do = self.add_button(f"{name}Go", question.yes, kind)
        cancel.clicked.connect(self.reject)
        do.clicked.connect(self.accept)
        self.accepted.connect(go)
        self.finish(cancel)


def ask_to_remove(
    theme: Theme, model: InstalledModel, freed_bytes: int, parent: QWidget, go: Callable[[], None]
) -> Ask:
    """Words 43. What is only used in place leaves the list, and stays on its disk."""
    name = short_name(model.name)
    if model.owner is Owner.PERSON:
        title = translate("Models", "Take {model} off the list?").format(model=name)
        text = translate("Models", "Its file stays where it is. Your chats stay.")
        yes = translate("Models", "Take it off")
        return Ask(theme, "removeDialog", Question(title=title, text=text, yes=yes), parent, go)
    title = translate("Models", "Delete {model}?").format(model=name)
    text = translate(
        "Models",
        "It goes to the bin. You get {a} of space back once you empty it. Your chats stay.",
    ).format(a=space(freed_bytes))
    yes = translate("Models", "Delete")
    return Ask(
        theme, "removeDialog", Question(title=title, text=text, yes=yes, danger=True), parent, go
    )


def ask_for_good(
    theme: Theme, model: InstalledModel, freed_bytes: int, parent: QWidget, go: Callable[[], None]
) -> Ask:
    """There is no bin."""
    title = translate("Models", "Delete {model} for good?").format(model=short_name(model.name))
    text = translate(
        "Models", "This disk has no bin. You get {a} of space back. Your chats stay."
    ).format(a=space(freed_bytes))
    yes = translate("Models", "Delete for good")
    return Ask(
        theme,
        "removeForGoodDialog",
        Question(title=title, text=text, yes=yes, danger=True),
        parent,
        go,
    )


def ask_metered(theme: Theme, size_bytes: int, parent: QWidget, go: Callable[[], None]) -> Ask:
    """Words 28."""
    title = translate("Models", "This connection may cost money.")
    text = translate("Models", "Download {a} now?").format(a=space(size_bytes))
    yes, no = translate("Models", "Download"), translate("Models", "Not now")
    return Ask(theme, "meteredDialog", Question(title=title, text=text, yes=yes, no=no), parent, go)


def ask_to_drop(
    theme: Theme, status: DownloadStatus, parent: QWidget, go: Callable[[], None]
) -> Ask | None:
    """Before much of a download is thrown away; None where little is, and it is done at once."""
    if status.done_bytes <= WITHOUT_ASKING_BYTES:
        go()
        return None
    done, total = part_words(status)
    title = translate("Models", "Cancel {model}?").format(model=short_name(status.title))
    text = translate(
        "Models", "{a} of {b} have arrived and would be deleted. To wait, press Pause instead."
    ).format(a=done, b=total)
    yes, no = translate("Models", "Delete it"), translate("Models", "Keep it")
    return Ask(
        theme,
        "dropDialog",
        Question(title=title, text=text, yes=yes, no=no, danger=True),
        parent,
        go,
    )


def ask_licence(
    theme: Theme,
    parent: QWidget,
    open_page: Callable[[], object],
    again: Callable[[], None],
) -> Dialog:
    """Lead to the page; once it is accepted there, try again."""
    dialog = Dialog(theme, "licenceDialog", parent)
    title = translate("Models", "The makers ask you to accept their licence")
    dialog.setWindowTitle(title)
    dialog.add_words(title, Role.TITLE)
    dialog.add_words(
        translate(
            "Models",
            "Open the page of this model, read the licence and accept it there. Then come back"
            " and try again.",
        ),
        Role.CONTROL,
    )
    cancel = dialog.add_button("licenceCancel", translate("Models", "Cancel"), "secondary")
    retry = dialog.add_button("licenceAgain", translate("Models", "Try again"), "secondary")
    page = dialog.add_button("licenceOpen", translate("Models", "Open the page…"), "primary")
    cancel.clicked.connect(dialog.reject)
    retry.clicked.connect(dialog.accept)
    page.clicked.connect(lambda _on=False: open_page())
    dialog.accepted.connect(again)
    dialog.finish(page)
    return dialog
