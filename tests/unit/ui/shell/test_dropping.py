"""Files that are dropped on the window, wherever that is."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from ui.models.page_hands import PageHands

COPY = Qt.DropAction.CopyAction
NONE = Qt.KeyboardModifier.NoModifier
LEFT = Qt.MouseButton.LeftButton


def carrying(*addresses):
    data = QMimeData()
    data.setUrls([QUrl(address) for address in addresses])
    return data


def enter(window, data):
    event = QDragEnterEvent(QPoint(5, 5), COPY, data, LEFT, NONE)
    QApplication.sendEvent(window, event)
    return event.isAccepted()


def drop(window, data):
    event = QDropEvent(QPointF(5, 5), COPY, data, LEFT, NONE)
    QApplication.sendEvent(window, event)


@pytest.fixture
def brought(monkeypatch):
    found = []
    monkeypatch.setattr(PageHands, "bring", lambda _self, paths, _quiet: found.append(paths))
    return found


def test_the_edge_says_so_and_a_drop_brings_the_files(quiet, brought, tmp_path, qtbot):
    window = quiet.window
    data = carrying(QUrl.fromLocalFile(str(tmp_path)).toString())
    assert enter(window, data)
    edge = window.findChild(QWidget, "dropEdge")
    assert edge.isVisible()
    assert edge.size() == window.size()
    assert edge.accessibleName() == "Drop to add"
    drop(window, data)
    assert not edge.isVisible()
    qtbot.waitUntil(lambda: brought == [(Path(tmp_path),)])


def test_what_is_taken_away_again_leaves_no_edge(quiet, tmp_path):
    window = quiet.window
    enter(window, carrying(QUrl.fromLocalFile(str(tmp_path)).toString()))
    QApplication.sendEvent(window, QDragLeaveEvent())
    assert not window.findChild(QWidget, "dropEdge").isVisible()


def test_links_and_texts_are_no_files(quiet, brought):
    assert not enter(quiet.window, carrying("https://example.org/a.gguf"))
    drop(quiet.window, carrying("https://example.org/a.gguf"))
    assert not brought


def test_no_field_takes_a_file_for_a_text(quiet):
    fields = quiet.window.findChildren(QLineEdit)
    assert fields
    assert not any(field.acceptDrops() for field in fields)
