"""The Models page: what this computer has, the person's models, those of other programs, Discover.

It shows what the presenter says; what a person wishes goes to `PageHands`. GUI thread.
"""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app.memory import MemoryNow
from engine.errors import AlreadyThere, OfflineOnly
from engine.types.downloads import DownloadState
from ui import messages
from ui.models.discover import Discover
from ui.models.hub_words import of_hub_error
from ui.models.machine_card import MachineCard
from ui.models.page_foot import LibraryFoot
from ui.models.page_notice import PageNotice
from ui.models.page_parts import Heading, Section, focus_in_order
from ui.models.page_values import Chip, Fetching, Listed, OnOffer, Phase, Search, Working
from ui.models.row_group import AnyRow, Room, RowGroup
from ui.models.row_parts import IconTextButton
from ui.models.shop_row import Hit
from ui.theme.buttons import RING
from ui.theme.direction import margins
from ui.theme.fonts import Role
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_COLUMN = 840
_MARGIN = 48
_NARROW_MARGIN = 24
_NARROW_BELOW = 760
_WIDE_FROM = 720
_NARROW_FROM = 420


class ModelsPage(QWidget):
    """`make` makes the row of a value, with its wishes connected."""

    came_into_sight = Signal()

    def __init__(
        self,
        theme: Theme,
        make: Callable[[Any], AnyRow],
        announce: Callable[[str], None],
        toast: Callable[[str, str], None],
    ) -> None:
        super().__init__()
        self._theme = theme
        self._announce = announce
        self._toast = toast
        self._own: Sequence[Listed] = ()
        self._fetching: Sequence[Fetching] = ()
        self._work: Sequence[Working] = ()
        self.setObjectName("modelsPage")
        title = translate("Models", "Models")
        self.setAccessibleName(title)
        self._title = Heading(theme, title, Role.PAGE_TITLE)
        add = translate("Models", "Add from a file…")
        self.add = IconTextButton(theme, "addModel", "folder-open", add, "secondary")
        self.notice = PageNotice(theme, announce)
        self.machine = MachineCard(theme)
        self.yours = RowGroup(theme, "yourModels", make)
        looking = translate("Models", "Looking for your models…")
        self.looking = Heading(theme, looking, Role.SECOND)
        self.looking.setObjectName("lookingForModels")
        self.others = RowGroup(theme, "otherModels", make)
        self.offers = RowGroup(theme, "offers", make)
        self.hits = RowGroup(theme, "hits", make)
        discover = Heading(theme, translate("Models", "Discover"), Role.HEADING)
        self.discover = Discover(theme, discover)
        self.foot = LibraryFoot(theme)
        self._body = QWidget()
        self._column = QVBoxLayout(self._body)
        self._room = QScrollArea()
        self._lay_out()
        theme.changed.connect(self._restyle)
        self._restyle()

    def _lay_out(self) -> None:
        room = self._room
        room.setObjectName("modelsRoom")
        room.setFrameShape(QFrame.Shape.NoFrame)
        room.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        room.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        room.setWidgetResizable(True)
        room.setWidget(self._body)
        room.viewport().setAutoFillBackground(False)
        self._body.setAutoFillBackground(False)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(room)
        head = QHBoxLayout()
        head.setContentsMargins(margins(RING, 0, 0, 0))
        head.addWidget(self._title, 1)
        head.addWidget(self.add)
        yours = Heading(self._theme, translate("Models", "Your models"), Role.HEADING)
        of_others = translate("Models", "Models of other programs")
        self._other_section = Section(
            Heading(self._theme, of_others, Role.HEADING), [self.others], gap=12
        )
        column = self._column
        column.setSpacing(0)
        column.addLayout(head)
        column.addSpacing(12)
        column.addWidget(self.notice)
        column.addWidget(Section(None, [self.machine], gap=0, above=0))
        column.addWidget(Section(yours, [self.looking, self.yours], gap=12))
        column.addWidget(self._other_section)
        column.addWidget(Section(self.discover, [self.offers, self.hits], gap=8, above=20))
        column.addWidget(self.foot)
        column.addStretch(1)
        self._other_section.hide()
        self.setFocusProxy(self.add)

    # --- PageView ------------------------------------------------------------------------------

    @property
    def in_sight(self) -> bool:
        return self.isVisible()

    def show_memory(self, memory: MemoryNow) -> None:
        self.machine.show_memory(memory)

    def show_library(self, own: Sequence[Listed], others: Sequence[Listed]) -> None:
        self._own = own
        self.looking.hide()
        self._show_yours()
        if self.others.show_values(others):
            self._other_section.setVisible(bool(others))
            self._order_focus()

    def show_downloads(self, downloads: Sequence[Fetching]) -> None:
        self._fetching = downloads
        self._show_yours()

    def show_work(self, work: Sequence[Working]) -> None:
        self._work = work
        self._show_yours()

    def _show_yours(self) -> None:
        """A model that has just come is shown once: by the row that says that it is ready."""
        ready = {
            one.status.title for one in self._fetching if one.status.state is DownloadState.DONE
        }
        own = [one for one in self._own if one.model.name not in ready]
        if self.yours.show_values([*self._work, *own, *self._fetching]):
            self._order_focus()

    def show_offers(self, offers: Sequence[OnOffer] | None, chip: Chip) -> None:
        for button in self.discover.chips:
            button.setChecked(button.chip is chip)
        if self.hits.isVisible() or self.discover.searching:
            self.offers.show_values(offers or ())
            self.offers.hide()
            return
        known = offers is not None
        changed = self.offers.show_values(offers or ())
        if not known:
            self.discover.say(translate("Discover", "Looking what fits this computer…"))
        else:
            self.discover.say("" if offers else translate("Discover", "You have all of these."))
        if changed:
            self._order_focus()

    def show_search(self, search: Search) -> None:
        searching = search.phase is not Phase.NONE
        self.discover.show_searching(searching=searching)
        self.hits.show_values([Hit(hit=hit) for hit in search.hits])
        self.offers.setVisible(not searching and bool(self.offers.rows))
        self.discover.say(_search_words(search), bad=search.phase is Phase.FAILED)
        if searching and search.phase is not Phase.ASKING:
            self._announce(_search_words(search))
        self._order_focus()

    def reveal(self, model_id: str) -> None:
        wanted = next((one for one in self._fetching if one.id == model_id), None)
        row = self.yours.row(wanted) if wanted is not None else None
        if row is not None:
            self._column.activate()
            self._room.ensureWidgetVisible(row, 0, 24)

    def say(self, icon: str, words: str) -> None:
        self._toast(icon, words)

    def say_ready(self, name: str) -> None:
        self._toast(
            "circle-check", translate("Models", "{model} is ready to use.").format(model=name)
        )

    def tell(self, error: Exception, name: str = "") -> None:
        message = messages.of_error(error, name)
        said = of_hub_error(error)
        if isinstance(error, AlreadyThere):
            self._toast("info", said)  # nothing is wrong
            return
        self.notice.say(f"{name}: {said}" if name else said, message.details)
        self._room.ensureWidgetVisible(self.notice)

    # --- the room it has -----------------------------------------------------------------------

    def _order_focus(self) -> None:
        """Tab goes as the page is read."""
        parts = (self.notice, self.yours, self.others, self.discover, self.offers, self.hits)
        focus_in_order([self.add, *parts, self.foot])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.came_into_sight.emit()

    def changeEvent(self, event: QEvent) -> None:
        """Back from another program, in which files may have been moved or deleted."""
        super().changeEvent(event)
        back = event.type() == QEvent.Type.ActivationChange and self.isActiveWindow()
        if back and self.isVisible():
            self.came_into_sight.emit()

    def _arrange(self) -> None:
        least = _MARGIN if self.width() >= _NARROW_BELOW else _NARROW_MARGIN
        margin = max(least, (self.width() - _COLUMN) // 2)
        self._column.setContentsMargins(margin - RING, 24, margin - RING, 32)
        room = self.width() - 2 * margin
        fitting = room_for(room * 100 // self._theme.scale_percent)
        for group in (self.yours, self.others, self.offers, self.hits):
            group.set_room(fitting)
        self.machine.set_narrow(narrow=fitting is not Room.WIDE)

    def _restyle(self) -> None:
        self.discover.restyle()
        self._arrange()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.colours.window)
        painter.end()


def room_for(width: int) -> Room:
    """What a column of `width` is, as at a text size of 100 percent."""
    if width >= _WIDE_FROM:
        return Room.WIDE
    return Room.NARROW if width >= _NARROW_FROM else Room.TIGHT


def _search_words(search: Search) -> str:
    """What is said of a search, "" where there is none."""
    match search.phase:
        case Phase.ASKING:
            return translate("Discover", "Asking the website with the models…")
        case Phase.FAILED if search.error is None:
            return of_hub_error(OfflineOnly("the switch"))
        case Phase.FAILED if search.error is not None:
            return of_hub_error(search.error)
        case Phase.FOUND if not search.hits:
            return translate("Discover", "Nothing was found for “{text}”.").format(text=search.text)
        case Phase.FOUND:
            return _found_words(len(search.hits))
        case _:
            return ""


def _found_words(count: int) -> str:
    if count == 1:
        return translate("Discover", "One place has something like it.")
    return translate("Discover", "{n} places have something like it.").format(n=count)
