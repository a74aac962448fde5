"""Lets another computer answer, and this one again: what the card, the strip and the dialog wish.

GUI thread. The keychain and the network are asked on a worker of their own, so that a slow server
keeps no chat from being stored; whatever leads elsewhere is marked before it can be used.
"""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from app.jobs import SerialWorker
from engine.types.remote import RemoteModel
from ui.bridge import Bridge
from ui.messages import Message, Tone
from ui.models.asking import Asking, Chosen, Inquiry, Servers, T
from ui.models.elsewhere import server_of
from ui.models.elsewhere_dialog import ElsewhereDialog
from ui.shell.page import Page
from ui.theme.theme import Theme

translate = QCoreApplication.translate


class Elsewhere:
    """`moved` hears where answers come from, at the start and whenever that changes; `leave` gives
    up what is being loaded for the place before; `prepare` is called on the bridge's worker once
    another one is in use."""

    def __init__(
        self, theme: Theme, page: Page, window: QWidget, servers: Servers, bridge: Bridge
    ) -> None:
        self._theme = theme
        self._page = page
        self._window = window
        self._servers = servers
        self._bridge = bridge
        self._worker: SerialWorker | None = None
        self._asking = Asking(servers, self._run, self._show_inquiry)
        self._dialog: ElsewhereDialog | None = None
        self._going: RemoteModel | None = None
        """Chosen just now, and not yet in use."""
        self.last_address: Callable[[], str] = lambda: ""
        self.moved: Callable[[RemoteModel | None], None]
        self.leave: Callable[[], None]
        self.prepare: Callable[[], None]
        self.fail: Callable[[Exception], None]

    def begin(self) -> None:
        """Mark what was chosen when Snug was open last."""
        self._mark()

    @property
    def place(self) -> RemoteModel | None:
        """Where the next answer comes from, None for this computer."""
        return self._going or self._servers.current()

    def end(self) -> None:
        """The window closes; whoever still waits for a server no longer does."""
        self._asking.cancel()
        if self._worker is not None:
            self._worker.close(0)
            self._worker = None

    # --- the dialog ----------------------------------------------------------------------------

    def open(self) -> None:
        if self._dialog is not None:
            return
        current = self._servers.current()
        address = current.address if current else self.last_address()
        dialog = ElsewhereDialog(self._theme, self._window, current, address)
        dialog.edited.connect(self._asking.begin_with)
        dialog.key_edited.connect(self._asking.forget)
        dialog.find_wished.connect(self._asking.find)
        dialog.stop_wished.connect(self._asking.cancel)
        dialog.use_wished.connect(self._use)
        dialog.here_wished.connect(self.come_back)
        dialog.offline_wished.connect(self.set_offline)
        dialog.finished.connect(self._closed)
        self._dialog = dialog
        dialog.show_place(current, offline=self._servers.offline)
        self._asking.begin_with("")
        self._asking.begin_with(address)

    def _closed(self) -> None:
        self._dialog = None
        self._asking.cancel()

    def _show_inquiry(self, now: Inquiry) -> None:
        if self._dialog is not None:
            self._dialog.show_inquiry(now)

    # --- there and back ------------------------------------------------------------------------

    def _use(self, model: str) -> None:
        chosen = self._asking.chosen(model)
        if chosen is None:
            return
        self._going = chosen.model
        self._mark()
        keep = partial(self._servers.keep_key, chosen.model.address, chosen.key)
        if chosen.key:
            self._run(keep, partial(self._key_kept, chosen), self._failed)
        else:
            self._go(chosen.model)

    def _key_kept(self, chosen: Chosen, for_good: bool) -> None:
        if not for_good:
            self._page.banner.put("key", _of_session_key())
        self._go(chosen.model)

    def _go(self, model: RemoteModel) -> None:
        def change() -> None:
            self.leave()
            self._servers.use(model)
            self.prepare()

        self._bridge.run(change, lambda _: self._settle(), self._failed)

    def come_back(self) -> None:
        """Answer on this computer again."""

        def change() -> None:
            self.leave()
            self._servers.stop()
            self.prepare()

        self._bridge.run(change, lambda _: self._settle(), self._failed)
        self._page.composer.field.setFocus()

    def set_offline(self, offline: bool) -> None:
        """Close the door, or open it again, for everything in Snug."""

        def change() -> None:
            self._servers.set_offline(offline)
            if offline and self._servers.current() is not None:
                self._servers.stop()  # the model here answers instead of an error
                self.prepare()

        self._bridge.run(change, lambda _: self._settle(), self._failed)

    def _failed(self, error: Exception) -> None:
        self._settle()
        self.fail(error)

    def _settle(self) -> None:
        """What is true now, whatever was expected."""
        self._going = None
        self._mark()
        if self._dialog is not None:
            self._dialog.show_place(self._servers.current(), offline=self._servers.offline)

    def _mark(self) -> None:
        place = self.place
        server = server_of(place.address) if place else ""
        self._page.strip.show_place(server, offline=self._servers.offline)
        self.moved(place)

    def _run(
        self,
        work: Callable[[], T],
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
    ) -> None:
        if self._worker is None:
            self._worker = SerialWorker("snug-remote")
        self._bridge.run_on(self._worker, work, done, failed)


def _of_session_key() -> Message:
    return Message(
        title=translate("Elsewhere", "The key is kept only until Snug is closed."),
        sentence=translate(
            "Elsewhere", "This computer has no keychain that Snug can use, so write it again then."
        ),
        tone=Tone.INFO,
    )
