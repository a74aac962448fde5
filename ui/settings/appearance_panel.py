"""How Snug looks: theme tiles, text size, language. It decides nothing. GUI thread."""

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.settings import LANGUAGE, TEXT_SCALE_PERCENT
from ui.settings.controls import PickButton, StepSlider
from ui.settings.parts import Panel, SettingRow, Words
from ui.settings.tiles import ThemeTile, Tiles
from ui.theme.fonts import Role
from ui.theme.theme import Theme

translate = QCoreApplication.translate


def _language_words(choice: str) -> str:
    """Each in its own language, so that whoever needs it can read it."""
    named = {"en": "English", "zh_CN": "简体中文"}
    return named.get(choice, translate("Settings", "Match system"))


class SizePicker(QWidget):
    """A small A, the slider, a large A, and the number."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        label = translate("Settings", "Text size")
        self.slider = StepSlider(theme, "textSize", label, TEXT_SCALE_PERCENT.choices)
        self._percent = Words(theme, "", Role.CONTROL, "text2")
        self._percent.setWordWrap(False)
        self._percent.setSizePolicy(*(self.sizePolicy().Policy.Fixed,) * 2)
        self._percent.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._small, self._large = _Letter(theme, 12), _Letter(theme, 22)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 4, 0)
        line.setSpacing(4)
        for part in (self._small, self.slider, self._large, self._percent):
            line.addWidget(part, 0, Qt.AlignmentFlag.AlignVCenter)
        self.slider.valueChanged.connect(self._say)
        theme.changed.connect(self._restyle)
        self._restyle()

    def show_scale(self, percent: int) -> None:
        self.slider.setValue(percent)
        self._say(percent)

    def _say(self, percent: int) -> None:
        said = translate("Settings", "{n}%").format(n=percent)
        self._percent.say(said)
        self.slider.setAccessibleDescription(said)

    def _restyle(self) -> None:
        width = self._theme.metrics(Role.CONTROL).horizontalAdvance("200%")
        self._percent.setFixedWidth(round(width) + 6)


class _Letter(QWidget):
    """A small and a large A at the ends of the slider: pictures, which nobody has to hear."""

    def __init__(self, theme: Theme, px: int) -> None:
        super().__init__()
        self._theme = theme
        self._px = px
        theme.changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        self.setFixedSize(self._theme.px(self._px), self._theme.px(self._px + 8))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        font = self._theme.font(Role.CONTROL)
        font.setPixelSize(self._theme.px(self._px))
        painter.setFont(font)
        painter.setPen(self._theme.colours.text2)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, "A")
        painter.end()


class AppearancePanel(Panel):
    theme_wished = Signal(str)
    scale_wished = Signal(int)
    language_wished = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "appearancePanel")
        of_theme = translate("Settings", "Theme")
        self.add_label(of_theme)
        self.tiles = Tiles(theme, of_theme, _tiles(theme))
        self.column.addWidget(self.tiles)
        self.sizes = SizePicker(theme)
        language = translate("Settings", "Language")
        named = [_language_words(choice) for choice in LANGUAGE.choices]
        self.language = PickButton(theme, "language", language, named)
        self._later = Words(theme, "", Role.SECOND, "info")
        self._later.setObjectName("languageLater")
        key = QKeySequence("Ctrl++").toString(QKeySequence.SequenceFormat.NativeText).rstrip("+")
        keys = translate("Settings", "Also {key} and + or −").format(key=key)  # noqa: RUF001 - minus
        size_row = SettingRow(theme, translate("Settings", "Text size"), keys, [self.sizes])
        language_row = SettingRow(
            theme,
            language,
            translate("Settings", "For menus and messages. You can chat in any language."),
            [self.language],
        )
        language_row.unfold(self._later)
        self.add_label(translate("Settings", "Reading"))
        self.add_card("readingCard", [size_row, language_row])
        self._connect()

    def _connect(self) -> None:
        for tile in self.tiles.tiles:
            tile.toggled.connect(lambda on, tile=tile: self._wish(tile, on=on))
        self.sizes.slider.chosen.connect(self.scale_wished)
        self.language.picked.connect(self._pick_language)

    def _wish(self, tile: ThemeTile, *, on: bool) -> None:
        if on:
            self.theme_wished.emit(tile.choice)

    def _pick_language(self, number: int) -> None:
        self.language_wished.emit(LANGUAGE.choices[number])

    # --- AppearanceView ------------------------------------------------------------------------

    def show_theme(self, choice: str) -> None:
        for tile in self.tiles.tiles:
            if tile.choice == choice:
                tile.blockSignals(True)
                tile.setChecked(True)
                tile.blockSignals(False)
            tile.update()

    def show_scale(self, percent: int) -> None:
        self.sizes.show_scale(percent)

    def show_language(self, choice: str, *, later: bool) -> None:
        self.language.show_choice(LANGUAGE.choices.index(choice))
        said = translate("Settings", "This takes effect the next time Snug starts.")
        self._later.say(said if later else "")


def _tiles(theme: Theme) -> list[ThemeTile]:
    return [
        ThemeTile(theme, "system", translate("Settings", "Match system"), ("light", "dark")),
        ThemeTile(theme, "light", translate("Settings", "Light"), ("light",)),
        ThemeTile(theme, "dark", translate("Settings", "Dark"), ("dark",)),
        ThemeTile(theme, "contrast", translate("Settings", "High contrast"), ("hc",)),
    ]
