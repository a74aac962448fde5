"""The access key of a person's account at the website that models come from. GUI thread.

It is shown to nobody: the field hides it, and it goes nowhere but to whoever keeps it.
"""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QLineEdit, QWidget

from ui.theme.dialog import Dialog, words
from ui.theme.fonts import Role
from ui.theme.link import LinkButton
from ui.theme.theme import Theme

translate = QCoreApplication.translate


class TokenDialog(Dialog):
    """`open_page` leads to where a person makes one."""

    def __init__(
        self,
        theme: Theme,
        parent: QWidget,
        open_page: Callable[[], object],
        keep: Callable[[str], None],
        *,
        refused: bool,
    ) -> None:
        super().__init__(theme, "tokenDialog", parent)
        title = translate("Token", "This model needs an access key")
        self.setWindowTitle(title)
        self.add_words(title, Role.TITLE)
        if refused:
            said = translate("Token", "The website does not accept the key that Snug has.")
            self._column.addWidget(words(theme, said, Role.CONTROL, theme.colours.bad))
        self.add_words(
            translate(
                "Token",
                "Its makers want to know who asks. On the website, make an access token that may"
                " read, copy it, and put it in here.",
            ),
            Role.CONTROL,
        )
        page = translate("Token", "Where to get it…")
        link = LinkButton(theme, "tokenPage", page, Role.SECOND)
        link.clicked.connect(lambda _on=False: open_page())
        self._column.addWidget(link, 0, Qt.AlignmentFlag.AlignLeading)
        label = translate("Token", "Access key")
        self.field = _field(theme, label)
        named = words(theme, label, Role.CELL_HEAD)
        named.setBuddy(self.field)
        self._column.addWidget(named)
        self._column.addWidget(self.field)
        kept = translate("Token", "Snug keeps it in this computer's keychain, if there is one.")
        self._column.addWidget(words(theme, kept, Role.SECOND, theme.colours.text2))
        cancel = self.add_button("tokenCancel", translate("Token", "Cancel"), "secondary")
        self._go = self.add_button("tokenKeep", translate("Token", "Go on"), "primary")
        self._keep = keep
        cancel.clicked.connect(self.reject)
        self._go.clicked.connect(self._take)
        self.field.returnPressed.connect(self._take)
        self.field.textChanged.connect(lambda text: self._go.setEnabled(bool(text.strip())))
        self._go.setEnabled(False)
        self.finish(self.field)

    def _take(self) -> None:
        text = self.field.text().strip()
        if text:
            self.field.clear()
            self.accept()
            self._keep(text)


def _field(theme: Theme, label: str) -> QLineEdit:
    made = QLineEdit()
    made.setObjectName("tokenField")
    made.setAccessibleName(label)
    made.setEchoMode(QLineEdit.EchoMode.Password)
    made.setMaxLength(500)
    made.setFont(theme.font(Role.CONTROL))
    made.setMinimumHeight(theme.px(36))
    return made


def kept_words(*, for_good: bool) -> str:
    """Said once it is kept, as it is."""
    if for_good:
        return translate("Token", "The key is kept in this computer's keychain.")
    return translate("Token", "The key is kept only until Snug closes.")
