"""The models that another computer has, to choose one; or a field for its name where it does not
tell. GUI thread."""

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QLabel, QListWidget, QVBoxLayout, QWidget

from ui.models.elsewhere_parts import field, label
from ui.theme.dialog import words
from ui.theme.fonts import Role
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_ROWS = 5


class FoundModels(QWidget):
    """Hidden until a server has answered."""

    changed = Signal()
    """Another one is chosen, or none."""
    taken = Signal()
    """The chosen one is to be used."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._models: tuple[str, ...] = ()
        self.list = _list(theme)
        text = translate("Elsewhere", "Name of the model there")
        self.named = field(theme, "elsewhereNamed", text)
        said = translate("Elsewhere", "That computer does not say which models it has.")
        note = words(theme, said, Role.SECOND, theme.colours.text2)
        self._naming: list[QLabel | QWidget] = [note, label(theme, text, self.named), self.named]
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for widget in (self.list, *self._naming):
            column.addWidget(widget)
        self.list.currentItemChanged.connect(lambda *_: self.changed.emit())
        self.list.itemActivated.connect(lambda _: self.taken.emit())
        self.named.textEdited.connect(lambda _: self.changed.emit())
        self.named.returnPressed.connect(self.taken)
        self._show_naming(naming=False)
        self.hide()

    def _show_naming(self, *, naming: bool) -> None:
        self.list.setVisible(not naming)
        for widget in self._naming:
            widget.setVisible(naming)

    @property
    def chosen(self) -> str:
        """ "" for none."""
        if self.isHidden():
            return ""
        item = self.list.currentItem()
        if self._models:
            return item.text() if item is not None else ""
        return self.named.text().strip()

    def show_models(self, models: tuple[str, ...], preferred: str) -> None:
        """Empty: the server does not tell."""
        self._models = models
        self._show_naming(naming=not models)
        self.list.clear()
        self.list.addItems(list(models))
        for row, model in enumerate(models):
            self.list.item(row).setToolTip(model)
        self.show()
        if models:
            rows = min(_ROWS, len(models))
            self.list.setFixedHeight(rows * self.list.sizeHintForRow(0) + 10)
            self.list.setCurrentRow(models.index(preferred) if preferred in models else 0)
        elif preferred and not self.named.text():
            self.named.setText(preferred)

    def take_focus(self) -> None:
        target = self.list if self._models else self.named
        target.setFocus(Qt.FocusReason.OtherFocusReason)


def _list(theme: Theme) -> QListWidget:
    made = QListWidget()
    made.setObjectName("elsewhereModels")
    made.setAccessibleName(translate("Elsewhere", "Models found"))
    made.setFont(theme.font(Role.CONTROL))
    made.setTextElideMode(Qt.TextElideMode.ElideMiddle)
    made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    made.setTabKeyNavigation(False)
    made.setUniformItemSizes(True)
    return made
