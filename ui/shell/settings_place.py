"""The Settings page in the window: made when somebody first goes there, with its groups in the
sidebar in place of the chats while it is shown.

GUI thread. Nothing of the page is imported before; what blocks is done on a worker of its own.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.container import Container
from app.jobs import SerialWorker
from engine.types.cancel import CancelToken
from ui.bridge import Bridge, T
from ui.shell import dialogs
from ui.shell.elsewhere import Elsewhere
from ui.shell.places import SETTINGS
from ui.shell.window import Window

if TYPE_CHECKING:
    from ui.settings.groups import SettingsNav
    from ui.settings.hands import Around, SettingsHands


class SettingsPlace:
    """`to_chat` shows the chat again."""

    def __init__(
        self,
        window: Window,
        container: Container,
        bridge: Bridge,
        elsewhere: Elsewhere,
        to_chat: Callable[[], None],
    ) -> None:
        self._window = window
        self._container = container
        self._bridge = bridge
        self._elsewhere = elsewhere
        self._to_chat = to_chat
        self._worker: SerialWorker | None = None
        self._nav: SettingsNav | None = None
        self.hands: SettingsHands | None = None
        window.places.add(SETTINGS, self._make)
        window.sidebar.show_settings()
        window.places.changed.connect(self._place_changed)
        window.frame.sidebar_changed.connect(self._sidebar_changed)

    def _make(self) -> QWidget:
        from ui.settings.groups import SettingsNav  # noqa: PLC0415 - not before it is needed
        from ui.settings.hands import SettingsHands  # noqa: PLC0415

        window = self._window
        nav = self._nav = SettingsNav(window.theme)
        nav.back.clicked.connect(lambda _on=False: self._to_chat())
        window.sidebar.set_stand_in(nav)
        self.hands = SettingsHands(window.theme, nav, self._container, self._around())
        nav.groups.wished.connect(lambda _name: self._group_taken())
        return self.hands.page

    def _around(self) -> "Around":
        from app.connection_log import ConnectionLog  # noqa: PLC0415 - see above
        from ui.settings.hands import Around  # noqa: PLC0415

        made, window = self._container, self._window
        return Around(
            run=self._run,
            errand=self._run_errand,
            call=self._bridge.call,
            say=self._window.page.toast.say,
            log=ConnectionLog(made.ledger, made.paths.ledger),
            set_offline=self._elsewhere.set_offline,
            offline_moved=self._elsewhere.begin,
            open_address=lambda address: dialogs.ask_to_open(window.theme, address, window),
        )

    # --- where it is shown ---------------------------------------------------------------------

    def _place_changed(self, name: str) -> None:
        here = name == SETTINGS
        if self._nav is not None:
            self._window.sidebar.stand_in(on=here)
        if here and self.hands is not None:
            self.hands.page.show_beside(beside=self._has_sidebar)
            self.hands.refresh()

    @property
    def _has_sidebar(self) -> bool:
        frame = self._window.frame
        return frame.is_wide and not self._window.sidebar.isHidden()

    def _sidebar_changed(self, beside: bool) -> None:
        if self.hands is not None:
            self.hands.page.show_beside(beside=beside)

    def _group_taken(self) -> None:
        self._window.frame.close_overlay()

    # --- what takes long -----------------------------------------------------------------------

    def _run(
        self,
        work: Callable[[], T],
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
    ) -> None:
        if self._worker is None:
            self._worker = SerialWorker("snug-settings")
        self._bridge.run_on(self._worker, work, done, failed)

    def _run_errand(
        self,
        work: Callable[[CancelToken], T],
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
    ) -> CancelToken:
        return self._bridge.errand(self._container.errands, work, done, failed)

    def end(self) -> None:
        """The window closes."""
        if self.hands is not None:
            self.hands.close()
        if self._worker is not None:
            self._worker.close(0)
            self._worker = None
