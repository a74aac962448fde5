"""A window over the real container, whose model alone is scripted, with its Settings page open."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from PySide6.QtWidgets import QApplication, QWidget

from app import container
from app.container import Container
from app.paths import Paths
from engine.keeper.plain import PlainKeeper
from engine.runtimes.fake import FakeRuntime, Script
from engine.types.connections import Connection, Purpose
from ui.settings.groups import Group
from ui.settings.page import SettingsPage
from ui.shell.places import SETTINGS
from ui.shell.window import Window
from ui.shell.workbench import Workbench
from ui.theme.theme import Theme

NOW = datetime(2026, 11, 30, 9, 30, tzinfo=UTC)
_OUTCOMES = ("done", "done", "cancelled", "done", "server_unreachable", "done", "offline_only")


def connection(number: int = 0, **changes: object) -> Connection:
    """The `number`th before `NOW`, each seven minutes apart."""
    purposes = list(Purpose)
    given: dict[str, object] = {
        "at": NOW - timedelta(minutes=7 * number),
        "purpose": purposes[number % len(purposes)],
        "scheme": "https",
        "host": "huggingface.co" if number % 3 else "cdn-lfs.huggingface.co",
        "port": 443,
        "bytes_sent": 700 * (number % 4),
        "bytes_received": 4_321 * number**2,
        "outcome": _OUTCOMES[number % len(_OUTCOMES)],
        "duration_s": 0.2,
    }
    return Connection(**{**given, **changes})  # type: ignore[arg-type]


def connections(count: int) -> Sequence[Connection]:
    """The oldest first, as a ledger has them."""
    return [connection(number) for number in reversed(range(count))]


@dataclass(slots=True)
class Room:
    container: Container
    window: Window
    bench: Workbench
    open: bool = True

    @property
    def theme(self) -> Theme:
        return self.window.theme

    @property
    def page(self) -> SettingsPage:
        hands = self.bench.settings.hands
        assert hands is not None
        return hands.page

    def show(self, group: Group) -> QWidget:
        """Go to the group; returns its panel."""
        self.bench.desk.go(SETTINGS)
        self.page.show_group(group)
        panel = self.page.panel(group)
        assert panel is not None
        QApplication.processEvents()  # it is laid out
        assert QApplication.activeWindow() is self.window, "something else came up"
        return panel

    def close(self) -> None:
        """As the program does at its end."""
        if self.open:
            self.open = False
            self.window.close()
            self.container.close(3.0)
            self.bench.bridge.close()


def build(folder: Path, theme: Theme | None = None) -> Room:
    paths = Paths(data=folder, log=folder / "log")
    paths.ensure()
    runtime = FakeRuntime(Script())
    made = container.build(paths, make_keeper=lambda _paths, _models: PlainKeeper(lambda: runtime))
    window = Window(theme or Theme("light"), made.settings)
    return Room(made, window, Workbench(window, made))
