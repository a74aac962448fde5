"""Where models are kept and where they come from. It decides nothing. GUI thread."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QWidget

from app.settings import DOWNLOAD_LIMIT_KB
from ui.models.row_parts import Bar
from ui.settings.controls import PickButton
from ui.settings.details_part import DetailsPart
from ui.settings.forms import Entry, Form, Trouble
from ui.settings.parts import Panel, SettingRow, Words, boxed
from ui.settings.sources_values import Field, Kept, Place, Sources
from ui.settings.sources_words import (
    place_words,
    refusal_words,
    shown_place,
    speed_words,
    token_words,
)
from ui.theme.buttons import TextButton
from ui.theme.fonts import Role
from ui.theme.switch import Switch
from ui.theme.theme import Theme

translate = QCoreApplication.translate


def button(theme: Theme, name: str, text: str) -> TextButton:
    made = TextButton(theme, name, text, "secondary")
    made.setAccessibleName(text)
    return made


class Moving(QWidget):
    """How far the library has moved."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.bar = Bar(theme, "movingBar")
        self._words = Words(theme, "", Role.SECOND, "text2")
        self._words.setWordWrap(False)
        self._words.setSizePolicy(*(self.sizePolicy().Policy.Fixed,) * 2)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 4, 4)
        line.setSpacing(12)
        line.addWidget(self.bar, 1)
        line.addWidget(self._words)
        self.hide()

    def show_part(self, part: float | None) -> None:
        if part is None:
            self.bar.reset()
            self.hide()
            return
        said = translate("Settings", "Moving your models… {n}%").format(n=int(part * 100))
        self.bar.show_part(part, "accent")
        self.bar.setAccessibleName(said)
        self._words.say(said)
        self.show()


class SourcesPanel(Panel):
    move_wished = Signal(Path)
    stop_wished = Signal()
    others_wished = Signal(bool)
    place_wished = Signal(Place)
    address_wished = Signal(str)
    token_wished = Signal(str)
    limit_wished = Signal(int)
    unfolded = Signal(QWidget)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "sourcesPanel")
        self._said: dict[Field, Trouble] = {}
        self._forms: dict[Field, Form] = {}
        self._kept_in = Path()
        self.add_label(translate("Settings", "On this computer"))
        self.add_card("keepingCard", [self._folder_row(), self._others_row()])
        self.add_label(translate("Settings", "Downloads"))
        self.add_card("fetchingCard", [self._place_row(), self._token_row(), self._speed_row()])
        self.details = DetailsPart(theme)
        self._said[Field.AUTHORITIES] = self.details.trouble
        self._forms[Field.PROXY] = self.details.form
        self.column.addSpacing(12)
        self.column.addWidget(self.details)
        self.details.unfolded.connect(lambda: self.unfolded.emit(self.details))
        self.setEnabled(False)

    # --- the rows ------------------------------------------------------------------------------

    def _trouble(self, field: Field) -> Trouble:
        made = self._said[field] = Trouble(self.theme, f"{field.name.lower()}Trouble")
        return made

    def _folder_row(self) -> QWidget:
        self.move_button = button(self.theme, "moveLibrary", translate("Settings", "Move…"))
        self.stop = button(self.theme, "stopMoving", translate("Settings", "Stop"))
        self.move_button.setAccessibleName(translate("Settings", "Move your models…"))
        self.stop.setAccessibleName(translate("Settings", "Stop moving your models"))
        self.stop.hide()
        label = translate("Settings", "Where your models are kept")
        controls = [self.move_button, self.stop]
        self._folder = SettingRow(self.theme, label, " ", controls)
        self.moving = Moving(self.theme)
        self._folder.unfold(self.moving)
        self._folder.unfold(self._trouble(Field.FOLDER))
        self.move_button.clicked.connect(self._ask_where)
        self.stop.clicked.connect(lambda _on=False: self.stop_wished.emit())
        return self._folder

    def _others_row(self) -> QWidget:
        self.others = Switch(
            self.theme,
            "otherPrograms",
            translate("Settings", "Use models of other programs"),
            translate(
                "Settings",
                "Those of Ollama, LM Studio, Jan, GPT4All and Hugging Face. Snug never changes or"
                " copies them.",
            ),
        )
        self.others.clicked.connect(self.others_wished)
        return boxed(self.others, self._trouble(Field.OTHERS))

    def _place_row(self) -> QWidget:
        label = translate("Settings", "Where models come from")
        named = [place_words(place) for place in Place]
        self.place = PickButton(self.theme, "modelsFrom", label, named)
        hint = translate("Settings", "The website that Snug searches and downloads from.")
        self._place = SettingRow(self.theme, label, hint, [self.place])
        entry = Entry(
            name="hubAddress",
            label=translate("Settings", "Address of the website"),
            example="https://name.example",
        )
        use = translate("Settings", "Use it")
        self.address = Form(self.theme, "hubForm", [entry], use)
        self._forms[Field.ADDRESS] = self.address
        self._place.unfold(self.address)
        self.place.picked.connect(lambda number: self.place_wished.emit(list(Place)[number]))
        self.address.kept.connect(lambda texts: self.address_wished.emit(texts[0]))
        self.address.hide()
        return self._place

    def _token_row(self) -> QWidget:
        self.enter = button(self.theme, "enterToken", translate("Settings", "Enter a key…"))
        self.forget = button(self.theme, "forgetToken", translate("Settings", "Forget"))
        self.forget.setAccessibleName(translate("Settings", "Forget the key"))
        label = translate("Settings", "Access key")
        self._token = SettingRow(self.theme, label, " ", [self.forget, self.enter])
        entry = Entry(name="hubToken", label=label, secret=True, shown=False)
        keep = translate("Settings", "Keep it")
        self.token = Form(self.theme, "tokenForm", [entry], keep)
        self._forms[Field.TOKEN] = self.token
        self._token.unfold(self.token)
        self.token.hide()
        self.enter.clicked.connect(self._unfold_token)
        self.forget.clicked.connect(lambda _on=False: self.token_wished.emit(""))
        self.token.kept.connect(self._keep_token)
        return self._token

    def _speed_row(self) -> QWidget:
        label = translate("Settings", "Download speed")
        named = [speed_words(limit) for limit in DOWNLOAD_LIMIT_KB.choices]
        self.speed = PickButton(self.theme, "downloadSpeed", label, named)
        hint = translate("Settings", "A limit leaves room for others who share the connection.")
        row = SettingRow(self.theme, label, hint, [self.speed])
        row.unfold(self._trouble(Field.SPEED))
        self.speed.picked.connect(
            lambda number: self.limit_wished.emit(DOWNLOAD_LIMIT_KB.choices[number])
        )
        return row

    def _ask_where(self) -> None:
        title = translate("Models", "Where should your models be kept?")
        chosen = QFileDialog.getExistingDirectory(self.window(), title, str(self._kept_in))
        if chosen:
            self.move_wished.emit(Path(chosen))

    def _unfold_token(self) -> None:
        self.token.show()
        self.token.fields[0].setFocus()
        self.unfolded.emit(self._token)

    def _keep_token(self, texts: list[str]) -> None:
        if texts[0].strip():
            self.token_wished.emit(texts[0])

    def set_room(self, width: int) -> None:
        super().set_room(width)
        self.details.set_room(width)

    # --- SourcesView ---------------------------------------------------------------------------

    def show_sources(self, now: Sources) -> None:
        self.setEnabled(True)
        self._kept_in = now.folder
        self._folder.hint.say(str(now.folder))
        self.moving.show_part(now.moved)
        self.move_button.setVisible(now.moved is None)
        self.stop.setVisible(now.moved is not None)
        self.others.setChecked(now.others)
        self.speed.show_choice(DOWNLOAD_LIMIT_KB.choices.index(now.limit_kb))
        self._show_place(now)
        self._show_token(now)
        self.details.show_sources(now)

    def _show_place(self, now: Sources) -> None:
        other = now.place is Place.OTHER
        appears = other and self.address.isHidden()
        self.place.show_choice(list(Place).index(now.place), shown_place(now))
        self.address.setVisible(other)
        if appears:
            self.address.fields[0].setText("" if now.editing_hub else now.hub.address)
        if appears and now.editing_hub:
            self.address.fields[0].setFocus()
            self.unfolded.emit(self._place)

    def _show_token(self, now: Sources) -> None:
        self._token.hint.say(token_words(now))
        kept = now.token in (Kept.THERE, Kept.FOR_GOOD, Kept.SESSION)
        self.forget.setVisible(kept)
        enter = (
            translate("Settings", "Enter another…")
            if kept
            else translate("Settings", "Enter a key…")
        )
        self.enter.setText(enter)
        self.enter.setAccessibleName(enter)
        self.enter.updateGeometry()

    def refuse(self, field: Field, error: Exception) -> None:
        self._say(field, refusal_words(field, error))

    def accept(self, field: Field) -> None:
        self._say(field, "")
        if field is Field.TOKEN:
            self.token.fields[0].clear()
            self.token.hide()
        if field is Field.PROXY:
            self.details.clear_login()

    def _say(self, field: Field, why: str) -> None:
        if field in self._forms:
            self._forms[field].refuse(why)
        else:
            self._said[field].say(why)
