"""The theme in force. It follows the system at once, unless the person chose one. GUI thread."""

from typing import Literal

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QGuiApplication
from PySide6.QtWidgets import QApplication, QStyle

from ui.theme import fonts
from ui.theme.colours import Colours, colours

Choice = Literal["system", "light", "dark", "contrast"]


class Theme(QObject):
    """Colours and fonts for every widget; `changed` says that both must be read again."""

    changed = Signal()

    def __init__(
        self, choice: Choice = "system", scale_percent: int = 100, *, chinese: bool = False
    ) -> None:
        super().__init__()
        self._choice: Choice = choice
        self.scale_percent = scale_percent
        self.chinese = chinese
        self._hints = QGuiApplication.styleHints()
        self._hints.colorSchemeChanged.connect(self._system_changed)
        self._wishes = self._hints.accessibility()
        self._wishes.contrastPreferenceChanged.connect(self._system_changed)

    @property
    def name(self) -> str:
        """Key of the theme in the token table: "light", "dark" or "hc"."""
        if self._choice == "contrast":
            return "hc"
        if self._choice != "system":
            return self._choice
        if self._wishes.contrastPreference() == Qt.ContrastPreference.HighContrast:
            return "hc"
        return "dark" if self._hints.colorScheme() == Qt.ColorScheme.Dark else "light"

    @property
    def colours(self) -> Colours:
        return colours(self.name)

    @property
    def high_contrast(self) -> bool:
        return self.name == "hc"

    @property
    def still(self) -> bool:
        """The person's system asks for less movement: its styles animate nothing."""
        animation_ms = QStyle.StyleHint.SH_Widget_Animation_Duration
        return QApplication.style().styleHint(animation_ms) == 0

    def font(self, role: fonts.Role) -> QFont:
        return fonts.font(role, self.scale_percent, chinese=self.chinese)

    def metrics(self, role: fonts.Role) -> QFontMetricsF:
        return QFontMetricsF(self.font(role))

    def line_height(self, role: fonts.Role) -> int:
        return fonts.line_height(role, self.scale_percent)

    def px(self, pixels: float) -> int:
        """A length that grows with the text size."""
        return round(pixels * self.scale_percent / 100)

    def choose(self, choice: Choice) -> None:
        self._choice = choice
        self.changed.emit()

    def set_scale(self, percent: int) -> None:
        self.scale_percent = percent
        self.changed.emit()

    def _system_changed(self) -> None:
        if self._choice == "system":
            self.changed.emit()
