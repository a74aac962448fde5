"""Settings by keyboard alone: what really went out is listed, and once the switch says so nothing
goes out any more, also from another program with the same data."""

import gc
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.ledger import Ledger
from engine.errors import OfflineOnly
from engine.types.cancel import CancelToken
from engine.types.connections import Purpose
from tests.servers.odd import Line, Odd, odd_server
from tests.unit.ui.settings import room
from tests.unit.ui.settings.room import Room
from ui.settings.groups import Group
from ui.settings.ledger_rows import Record
from ui.settings.privacy_panel import PrivacyPanel

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = [sys.executable, "-c", "import sys; from ui.main import main; sys.exit(main())"]
NOT_ALLOWED = 7


def empty(line: Line) -> None:
    line.say(200, b"[]")


@pytest.fixture
def hub() -> Iterator[Odd]:
    with odd_server(empty, path="") as server:
        yield server


@pytest.fixture
def it(hub: Odd, snug_home: Path, qtbot: QtBot) -> Iterator[Room]:
    (snug_home / "settings.json").write_text(json.dumps({"hub": hub.address}))
    gc.disable()  # as the program does: widgets are collected on this thread only
    made = room.build(snug_home)
    made.window.show()
    qtbot.waitUntil(made.window.isActiveWindow)
    yield made
    made.close()
    made.window.deleteLater()
    QApplication.sendPostedEvents()
    QApplication.processEvents()
    gc.collect()
    gc.enable()


def press(qtbot: QtBot, key: Qt.Key, modifier: Qt.KeyboardModifier | None = None) -> None:
    """Whatever has the keyboard gets it."""
    focused = QApplication.focusWidget()
    assert focused is not None, "nothing has the keyboard"
    qtbot.keyClick(focused, key, modifier or Qt.KeyboardModifier.NoModifier)


def tab_to(qtbot: QtBot, name: str) -> None:
    for _ in range(20):
        press(qtbot, Qt.Key.Key_Tab)
        focused = QApplication.focusWidget()
        if focused is not None and focused.objectName() == name:
            return
    pytest.fail(f"Tab does not lead to {name}")


def privacy(it: Room) -> PrivacyPanel:
    panel = it.page.panel(Group.PRIVACY)
    assert isinstance(panel, PrivacyPanel)
    return panel


def listed(it: Room) -> list[tuple[Purpose, str, int]]:
    model = privacy(it).list.rows
    found = (model.row_at(model.index(number)) for number in range(model.rowCount()))
    return [
        (row.connection.purpose, row.connection.host, row.connection.port)
        for row in found
        if isinstance(row, Record)
    ]


def search_elsewhere() -> "subprocess.CompletedProcess[str]":
    """The command line, with the same data, as a program of its own."""
    return subprocess.run(
        [*PROGRAM, "models", "search", "tiny"],
        cwd=ROOT,
        env={**os.environ},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_privacy_by_keyboard_alone(it: Room, hub: Odd, qtbot: QtBot) -> None:
    port = hub.port
    press(qtbot, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    tab_to(qtbot, "settingsGroups:privacy")
    press(qtbot, Qt.Key.Key_Space)
    qtbot.waitUntil(privacy(it).nothing.isVisible)  # nothing before a person's act

    it.container.shop.search("tiny", CancelToken())
    there = (Purpose.SEARCH, "127.0.0.1", port)
    qtbot.waitUntil(lambda: listed(it) == [there], timeout=5000)
    assert search_elsewhere().returncode == 0
    qtbot.waitUntil(lambda: listed(it) == [there, there], timeout=5000)

    tab_to(qtbot, "settingsOffline")
    press(qtbot, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: it.container.remote.offline)
    asked = len(hub.asked)
    with pytest.raises(OfflineOnly):
        it.container.shop.search("tiny", CancelToken())
    assert search_elsewhere().returncode == NOT_ALLOWED
    assert len(hub.asked) == asked

    tab_to(qtbot, "ledger")
    press(qtbot, Qt.Key.Key_End)
    said = privacy(it).list.currentIndex().data()
    assert "Searched for models, 127.0.0.1" in said
    assert len(Ledger(it.container.paths.ledger).read()) == len(listed(it))
    press(qtbot, Qt.Key.Key_Escape)
    assert it.window.page.composer.field.hasFocus()
