"""What few people need and others can not go without: a proxy, certificates of an office. Folded.

GUI thread.
"""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QVBoxLayout, QWidget

from ui.settings.controls import PickButton
from ui.settings.forms import Entry, Form, Trouble
from ui.settings.parts import TIGHT_BELOW, Card, SettingRow, Words
from ui.settings.sources_values import Kept, Sources, Way
from ui.settings.sources_words import login_words, way_words
from ui.theme.buttons import TextButton
from ui.theme.choices import FoldButton
from ui.theme.fonts import Role
from ui.theme.theme import Theme

translate = QCoreApplication.translate


class DetailsPart(QWidget):
    way_wished = Signal(Way)
    proxy_wished = Signal(str, str, str)
    """Address, name, password."""
    forget_wished = Signal()
    authorities_wished = Signal(object)
    """A `Path`, or None."""
    unfolded = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName("sourcesDetails")
        self.fold = FoldButton(theme, "sourcesFold", translate("Settings", "Details"))
        self.trouble = Trouble(theme, "authoritiesTrouble")
        self._card = Card(theme, "wayCard", [self._way_row(), self._authorities_row()])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.fold, 0, Qt.AlignmentFlag.AlignLeading)
        column.addWidget(self._card)
        self._card.hide()
        self.fold.toggled.connect(self._folded)

    def _button(self, name: str, text: str) -> TextButton:
        made = TextButton(self._theme, name, text, "secondary")
        made.setAccessibleName(text)
        return made

    def _way_row(self) -> QWidget:
        label = translate("Settings", "Proxy")
        self.way = PickButton(self._theme, "proxy", label, [way_words(way) for way in Way])
        hint = translate("Settings", "Another computer through which Snug reaches all others.")
        self._way = SettingRow(self._theme, label, hint, [self.way])
        entries = [
            Entry(
                name="proxyAddress",
                label=translate("Settings", "Address of the proxy"),
                example="http://name:8080",
            ),
            Entry(name="proxyName", label=translate("Settings", "Name, if it wants one")),
            Entry(
                name="proxyPassword",
                label=translate("Settings", "Password"),
                secret=True,
            ),
        ]
        self.form = Form(self._theme, "proxyForm", entries, translate("Settings", "Use it"))
        self._login = Words(self._theme, "", Role.SECOND, "text2")
        self._login.setObjectName("proxyLogin")
        self.forget = self._button("forgetLogin", translate("Settings", "Forget name and password"))
        self._way.unfold(self.form)
        self._way.unfold(self._login)
        self._way.unfold(self.forget)
        self.form.hide()
        self.way.picked.connect(lambda number: self.way_wished.emit(list(Way)[number]))
        self.form.kept.connect(lambda texts: self.proxy_wished.emit(*texts))
        self.forget.clicked.connect(lambda _on=False: self.forget_wished.emit())
        return self._way

    def _authorities_row(self) -> QWidget:
        label = translate("Settings", "Certificates")
        self.choose = self._button("chooseAuthorities", translate("Settings", "Choose a file…"))
        self.choose.setAccessibleName(translate("Settings", "Choose a file with certificates…"))
        self.drop = self._button("dropAuthorities", translate("Settings", "Use none"))
        self.drop.setAccessibleName(translate("Settings", "Use no file with certificates"))
        self._file = SettingRow(self._theme, label, " ", [self.drop, self.choose])
        self._file.unfold(self.trouble)
        self.choose.clicked.connect(self._ask_file)
        self.drop.clicked.connect(lambda _on=False: self.authorities_wished.emit(None))
        return self._file

    def _ask_file(self) -> None:
        title = translate("Settings", "Which file has the certificates?")
        kinds = translate("Settings", "Certificates (*.pem *.crt *.cer);;All files (*)")
        chosen, _ = QFileDialog.getOpenFileName(self.window(), title, "", kinds)
        if chosen:
            self.authorities_wished.emit(Path(chosen))

    def _folded(self, is_open: bool) -> None:
        self._card.setVisible(is_open)
        if is_open:
            self.unfolded.emit()

    def set_room(self, width: int) -> None:
        self._card.set_tight(tight=width < TIGHT_BELOW)

    def show_sources(self, now: Sources) -> None:
        proxy = now.way is Way.PROXY
        appears = proxy and self.form.isHidden()
        self.way.show_choice(list(Way).index(now.way))
        self.form.setVisible(proxy)
        if appears:
            self.form.fields[0].setText("" if now.editing_proxy else now.proxy)
        if appears and now.editing_proxy:
            self.form.fields[0].setFocus()
            self.unfolded.emit()
        kept = now.login in (Kept.THERE, Kept.FOR_GOOD, Kept.SESSION)
        self._login.say(login_words(now.login) if proxy or kept else "")
        self.forget.setVisible(kept)
        self._file.hint.say(
            now.authorities
            or translate(
                "Settings",
                "Snug trusts what this computer trusts. Some offices want a file of their own too.",
            )
        )
        self.drop.setVisible(bool(now.authorities))

    def clear_login(self) -> None:
        """The name and the password are kept; they are shown no more."""
        for edit in self.form.fields[1:]:
            edit.clear()
