"""The page of an empty chat: the mark, a question, and four ways to begin."""

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from ui.shell.sidebar import Mark
from ui.theme.buttons import CardButton
from ui.theme.fonts import Role
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_WIDEST = 600
_TWO_COLUMNS_FROM = 420


class Welcome(QWidget):
    """`started` carries the words that a starter puts into the composer."""

    started = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName("welcome")
        self._question = QLabel(translate("Welcome", "What can I help with?"))
        self._question.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._question.setWordWrap(True)
        self._grid = QGridLayout()
        self._grid.setSpacing(4)
        self._starters = [self._starter(n, *words) for n, words in enumerate(_starters())]
        self._lay_out()
        self._arrange(columns=2)
        theme.changed.connect(self._restyle)
        self._restyle()

    @property
    def starters(self) -> list[QWidget]:
        return list(self._starters)

    def _starter(self, number: int, icon_name: str, label: str, words: str) -> CardButton:
        button = CardButton(self._theme, f"starter-{number}", icon_name, label, 44)
        button.clicked.connect(lambda: self.started.emit(words))
        return button

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 24, 0, 24)
        column.addStretch(2)
        column.addWidget(Mark(48), 0, Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(16)
        column.addWidget(self._question)
        column.addSpacing(20)
        column.addLayout(self._grid)
        column.addStretch(3)

    def _arrange(self, columns: int) -> None:
        for number, button in enumerate(self._starters):
            self._grid.addWidget(button, number // columns, number % columns)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        spare = max(0, (self.width() - _WIDEST) // 2)
        self._grid.setContentsMargins(spare, 0, spare, 0)
        self._arrange(2 if self.width() >= self._theme.px(_TWO_COLUMNS_FROM) else 1)

    def _restyle(self) -> None:
        self._question.setFont(self._theme.font(Role.PAGE_TITLE))


def _starters() -> list[tuple[str, str, str]]:
    """Icon, label, and the words that go into the composer."""
    return [
        (
            "pencil",
            translate("Welcome", "Write a letter"),
            translate("Welcome", "Help me write a letter. It is about: "),
        ),
        (
            "book-open",
            translate("Welcome", "Explain a text"),
            translate("Welcome", "Explain this text in plain words: "),
        ),
        (
            "lightbulb",
            translate("Welcome", "Collect ideas"),
            translate("Welcome", "Give me five ideas for: "),
        ),
        (
            "languages",
            translate("Welcome", "Translate"),
            translate("Welcome", "Translate this into English: "),
        ),
    ]
