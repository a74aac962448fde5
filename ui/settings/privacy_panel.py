"""What leaves this computer: the switch that closes the door, and the list of every connection.

It decides nothing. GUI thread.
"""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QWidget

from app.connection_log import SHOWN
from ui import messages
from ui.models.row_parts import IconTextButton
from ui.plan_words import joined
from ui.settings.forms import Trouble
from ui.settings.ledger_rows import LedgerRows
from ui.settings.ledger_view import LedgerList
from ui.settings.parts import Card, Panel, Words, boxed
from ui.theme.buttons import RING
from ui.theme.direction import margins
from ui.theme.fonts import Role
from ui.theme.switch import Switch
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_LOOK_EVERY_MS = 2000


class PrivacyPanel(Panel):
    """`looked`: it is in sight, and what is true now should be shown."""

    offline_wished = Signal(bool)
    save_wished = Signal(Path)
    saved = Signal(Path)
    looked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "privacyPanel")
        never = translate(
            "Settings",
            "Everything happens on this computer. Snug connects to another one only when you ask:"
            " to find or download a model, to look for a newer one, or to have a question answered"
            " there. It sends no statistics and no reports, does not look for updates of itself,"
            " and connects to nothing before you ask.",
        )
        self.column.addSpacing(12)
        self.column.addWidget(Words(theme, never, Role.CONTROL, "text2"))
        self.offline = Switch(
            theme,
            "settingsOffline",
            translate("Elsewhere", "Stay offline"),
            translate("Elsewhere", "Snug connects to no other computer while this is on."),
        )
        self.column.addSpacing(20)
        self.add_card("offlineCard", [boxed(self.offline)])
        self._add_head()
        self.trouble = Trouble(theme, "ledgerTrouble")
        self.column.addWidget(self.trouble)
        nothing = translate("Settings", "Snug has not connected to anything.")
        self.nothing = Words(theme, nothing, Role.CONTROL, "text2")
        self.nothing.setObjectName("ledgerEmpty")
        self.nothing.hide()
        self.list = LedgerList(theme)
        self.card = Card(theme, "ledgerCard", [self.list])
        self.card.hide()
        kept = translate("Settings", "The file that you save has older ones too.")
        self._kept = Words(theme, kept, Role.CAPTION, "text3")
        self._kept.hide()
        self.column.addWidget(self.nothing)
        self.column.addWidget(self.card)
        self.column.addSpacing(8)
        self.column.addWidget(self._kept)
        self._clock = QTimer(self)
        self._clock.setInterval(_LOOK_EVERY_MS)
        self._clock.timeout.connect(self.looked)
        self.offline.clicked.connect(self.offline_wished)
        self.save.clicked.connect(self._ask_where)

    def _add_head(self) -> None:
        title = translate("Settings", "Every connection Snug has made")
        words = Words(self.theme, title, Role.HEADING)
        text = translate("Settings", "Save as file…")
        self.save = IconTextButton(self.theme, "ledgerSave", "download", text, "secondary")
        self.save.hide()
        head = QWidget()
        line = QHBoxLayout(head)
        line.setContentsMargins(margins(0, 20, 0, 8 - RING))
        line.addWidget(words, 1)
        line.addWidget(self.save)
        self.column.addWidget(head)

    def _ask_where(self) -> None:
        title = translate("Settings", "Where should the list be saved?")
        kinds = translate("Settings", "Table (*.csv)")
        name = translate("Settings", "Connections of Snug") + ".csv"
        chosen, _ = QFileDialog.getSaveFileName(self.window(), title, name, kinds)
        if chosen:
            self.trouble.say("")
            self.save_wished.emit(Path(chosen))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.looked.emit()
        self._clock.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._clock.stop()

    # --- PrivacyView ---------------------------------------------------------------------------

    def show_offline(self, *, offline: bool) -> None:
        self.offline.setChecked(offline)

    def show_ledger(self, rows: LedgerRows) -> None:
        self.list.show_rows(rows)
        there = bool(rows.rows)
        self.nothing.setVisible(not there)
        self.card.setVisible(there)
        self._kept.setVisible(len(rows.rows) >= SHOWN)
        self.save.setVisible(there)

    def say_saved(self, target: Path) -> None:
        self.saved.emit(target)

    def refuse(self, error: Exception) -> None:
        said = messages.of_error(error)
        self.trouble.say(joined(said.title, said.sentence))
