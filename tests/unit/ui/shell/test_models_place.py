"""The Models page in the whole window, over the real services: opened, fed, and given files."""

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtWidgets import QAbstractButton, QWidget

from app.events import DownloadChanged, DownloadRemoved
from engine.types.downloads import DownloadState
from tests.ggufs import chat
from tests.unit.ui.models import stock
from tests.unit.ui.shell.test_dropping import carrying, drop, enter
from ui.shell.places import CHAT, MODELS

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # the offscreen platform
CLICK = Qt.MouseButton.LeftButton


def button(it, name):
    found = it.window.findChild(QAbstractButton, name)
    assert found is not None, name
    return found


def test_the_page_shows_this_computer_and_asks_nobody(make, qtbot):
    it = make()
    it.bench.desk.go(MODELS)
    page = it.window.places.page
    qtbot.waitUntil(page.machine.isVisible)
    qtbot.waitUntil(lambda: bool(page.offers.rows), timeout=20_000)
    assert not it.container.ledger.read()


def test_who_presses_models_before_snug_is_ready_gets_there(make, qtbot):
    it = make(begin=False)
    it.window.sidebar.wished_early = MODELS  # nobody listened yet
    it.bench.begin()
    assert it.window.places.here == MODELS


def test_what_was_wished_is_remembered_for_who_listens_late(make, qtbot):
    it = make(begin=False)
    assert it.window.sidebar.wished_early == ""
    qtbot.mouseClick(button(it, "openModels"), CLICK)
    assert it.window.sidebar.wished_early == MODELS


def test_while_something_is_fetched_the_chat_says_that_nothing_typed_is_sent(make, qtbot):
    it = make()
    strip = it.window.page.strip
    said = "Downloading a model. Nothing you type is sent."
    running = stock.status("M", DownloadState.RUNNING)
    it.container.events.publish(DownloadChanged(status=running))
    qtbot.waitUntil(lambda: strip._place.text() == said)
    it.container.events.publish(DownloadRemoved(id="m"))
    qtbot.waitUntil(lambda: strip._place.text() != said)


def test_a_file_that_is_dropped_on_the_chat_becomes_a_model(make, qtbot, tmp_path):
    it = make()
    file = tmp_path / "small-Q4_0.gguf"
    file.write_bytes(chat({"general.name": "Small One"}))
    data = carrying(QUrl.fromLocalFile(str(file)).toString())
    assert enter(it.window, data)
    drop(it.window, data)
    qtbot.waitUntil(lambda: it.window.findChild(QWidget, "addDialog") is not None)
    assert it.window.places.here == CHAT
    qtbot.mouseClick(button(it, "addGo"), CLICK)
    library = it.container.library
    qtbot.waitUntil(lambda: any(library.folder.glob("[!.]*/*.gguf")))
    qtbot.waitUntil(lambda: "ready to use" in it.window.page.toast._words.text())
    assert file.exists()
    names = [model.name for model in library.models()]
    assert any("Small" in name for name in names)


def test_the_card_offers_the_models_of_this_computer_and_the_way_to_more(make, qtbot):
    it = make()
    qtbot.waitUntil(it.window.page.header.pill.isVisible)
    it.bench.model.show_card()
    qtbot.mouseClick(button(it, "getMoreModels"), CLICK)
    qtbot.waitUntil(lambda: it.window.places.here == MODELS)
