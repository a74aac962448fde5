"""About Snug: what it is, what it is made of, and every licence to read."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QAbstractButton, QLabel, QPlainTextEdit, QWidget

from app import about
from app.about import About, Part
from ui.settings.about import AboutPresenter
from ui.settings.groups import Group
from ui.settings.parts_list import part_words
from ui.theme.theme import Theme

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # the offscreen platform
CLICK = Qt.MouseButton.LeftButton
LONG = "You may, and you may not.\n" * 40_000


@pytest.fixture
def packaged(tmp_path, monkeypatch):
    """As if Snug had been installed."""
    folder = tmp_path / "licences"
    texts = {"a": "Anybody may.", "b": LONG, "snug": "All may."}
    entries = []
    for name, text in texts.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "LICENSE").write_text(text)
        said = "NOASSERTION" if name == "b" else "MIT OR Apache-2.0"
        files = [f"{name}/LICENSE"]
        entries.append({"name": name, "version": "1.0", "licence": said, "files": files})
    entries.append({"name": "c", "version": "as in b", "licence": "MIT", "files": []})
    (folder / "index.json").write_text(json.dumps(entries))
    monkeypatch.setattr(about, "program_folder", lambda: tmp_path)
    return folder


@pytest.fixture
def panel(packaged, it, qtbot):
    made = it.show(Group.ABOUT)
    qtbot.waitUntil(made.card.isVisible)
    return made


def button(parent, name):
    found = parent.findChild(QAbstractButton, name)
    assert found is not None, name
    return found


def dialog(it, qtbot, text):
    """The licence that is shown, once `text` is in it."""
    qtbot.waitUntil(lambda: it.window.findChild(QWidget, "licenceText") is not None)
    made = it.window.findChild(QWidget, "licenceText")
    box = made.findChild(QPlainTextEdit, "licenceBox")
    qtbot.waitUntil(lambda: text in box.toPlainText(), timeout=20_000)
    return made, box


def words(widget):
    return [label.text() for label in widget.findChildren(QLabel) if label.isVisible()]


def test_it_says_what_this_is_and_which_one(panel):
    said = words(panel)
    assert f"Snug {about.version('snug')}" in said
    assert "A private assistant that fits your computer." in said
    assert "Free software, under the licence MIT or Apache-2.0." in said


def test_all_parts_are_listed_and_spoken(panel):
    rows = [panel.list.parts.index(n).data() for n in range(panel.list.parts.rowCount())]
    assert rows == ["a 1.0, MIT or Apache-2.0", "b 1.0, see its text", "c, MIT"]
    assert panel.list.accessibleName() == "Made of"


def test_a_click_shows_the_licence_of_what_was_clicked(panel, it, qtbot):
    row = panel.list.visualRect(panel.list.parts.index(0))
    before = it.page.room.verticalScrollBar().value()
    qtbot.mouseClick(panel.list.viewport(), CLICK, pos=row.center())
    shown, box = dialog(it, qtbot, "Anybody may.")
    assert words(shown)[:2] == ["a 1.0", "Licence: MIT or Apache-2.0"]
    assert box.isReadOnly()
    assert box.accessibleName() == "Text of the licence"
    assert it.page.room.verticalScrollBar().value() == before
    qtbot.mouseClick(button(shown, "licenceClose"), CLICK)
    qtbot.waitUntil(lambda: it.window.findChild(QWidget, "licenceText") is None)
    assert it.window.focusWidget() is panel.list


def test_by_keyboard_alone(panel, it, qtbot):
    panel.list.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(panel.list, Qt.Key.Key_Down)
    qtbot.keyClick(panel.list, Qt.Key.Key_Up)
    qtbot.keyClick(panel.list, Qt.Key.Key_Return)
    shown, _box = dialog(it, qtbot, "Anybody may.")
    qtbot.keyClick(shown, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: it.window.findChild(QWidget, "licenceText") is None)
    qtbot.keyClick(panel.list, Qt.Key.Key_End)
    qtbot.keyClick(panel.list, Qt.Key.Key_Space)
    shown, _box = dialog(it, qtbot, "The text is not here.")
    qtbot.keyClick(shown, Qt.Key.Key_Escape)


def test_a_text_of_a_megabyte_comes_whole_and_is_read_from_its_top(panel, it, qtbot):
    row = panel.list.visualRect(panel.list.parts.index(1))
    qtbot.mouseClick(panel.list.viewport(), CLICK, pos=row.center())
    _shown, box = dialog(it, qtbot, "You may")
    qtbot.waitUntil(lambda: box.document().characterCount() >= len(LONG), timeout=20_000)
    assert box.verticalScrollBar().value() == 0
    assert box.toPlainText() == LONG.strip("\n")


def test_the_own_licence_and_the_folder(panel, it, qtbot, packaged, monkeypatch):
    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    qtbot.mouseClick(button(panel, "aboutFolder"), CLICK)
    assert [url.toLocalFile() for url in opened] == [str(packaged)]
    qtbot.mouseClick(button(panel, "aboutLicence"), CLICK)
    shown, _box = dialog(it, qtbot, "All may.")
    assert words(shown)[0].startswith("Snug ")


def test_the_sources_of_qt_are_asked_about_before_anything_is_opened(panel, it, qtbot, monkeypatch):
    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    qtbot.mouseClick(button(panel, "aboutQtSources"), CLICK)
    asked = it.window.findChild(QWidget, "linkDialog")
    address = asked.findChild(QPlainTextEdit, "linkAddress")
    assert address.toPlainText() == "https://download.qt.io/official_releases/"
    qtbot.mouseClick(button(asked, "linkCancel"), CLICK)
    assert opened == []
    assert not it.container.ledger.read()


def test_a_checkout_says_that_it_is_one(it, qtbot):
    panel = it.show(Group.ABOUT)
    qtbot.waitUntil(panel.card.isVisible, timeout=20_000)
    assert not button(panel, "aboutFolder").isVisible()
    assert any("runs from its source" in text for text in words(panel))
    assert panel.list.parts.rowCount() > 10


@pytest.mark.parametrize("scale", [100, 200])
def test_rows_and_texts_fit_the_smallest_window(packaged, make, qtbot, scale):
    it = make(size=(720, 520), theme=Theme("light", scale))
    panel = it.show(Group.ABOUT)
    qtbot.waitUntil(panel.card.isVisible)
    panel.list.wished.emit(panel.list.parts.part_at(panel.list.parts.index(0)))
    shown, box = dialog(it, qtbot, "Anybody may.")
    assert shown.width() <= 720
    assert shown.height() <= 520
    assert box.height() >= 3 * box.fontMetrics().height()
    corner = box.mapTo(shown, QPoint(0, box.height()))
    assert corner.y() <= button(shown, "licenceClose").y()


class View:
    def __init__(self):
        self.shown, self.texts, self.errors = [], [], []

    def show_about(self, found):
        self.shown.append(found)

    def show_text(self, part, text):
        self.texts.append((part.name, text))

    def refuse(self, error):
        self.errors.append(error)


def test_it_is_read_once_and_again_only_after_a_failure():
    view, waiting = View(), []
    made = AboutPresenter(
        lambda work, done, failed: waiting.append((done, failed)), about.read, str, view
    )
    made.look()
    made.look()
    assert len(waiting) == 1
    waiting.pop()[1](OSError())
    assert len(view.errors) == 1
    made.look()
    waiting.pop()[0](About(itself=Part(name="Snug"), parts=()))
    made.look()
    assert waiting == []


def test_a_text_that_comes_late_is_not_heard():
    view, waiting = View(), []
    made = AboutPresenter(
        lambda work, done, failed: waiting.append((done, failed)), about.read, str, view
    )
    made.open(Part(name="a"))
    made.open(Part(name="b"))
    for done, _failed in waiting:
        done("text")
    assert view.texts == [("b", "text")]
    made.leave_text()
    waiting[1][0]("text")
    assert len(view.texts) == 1


def test_the_words_of_a_part():
    assert part_words(Part(name="x", licence="MIT AND ISC")) == "x, MIT and ISC"
    assert part_words(Part(name="x", version="2", files=(Path("a"),))) == "x 2, see its text"
