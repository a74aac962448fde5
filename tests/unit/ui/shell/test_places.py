"""The chat, and the pages beside it."""

import subprocess
import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tests.unit.ui.shell.test_window import CTRL_SHIFT
from ui.shell.places import CHAT, MODELS, SETTINGS
from ui.theme.buttons import TextButton


class Somewhere(QWidget):
    """A page with one button."""

    def __init__(self, theme):
        super().__init__()
        self.button = TextButton(theme, "somewhere", "Go", "primary")
        self.setFocusProxy(self.button)
        QVBoxLayout(self).addWidget(self.button)


@pytest.fixture
def pages():
    return []


@pytest.fixture
def it(make, pages):
    made = make(titles=[("A", 0), ("B", 0)])

    def factory():
        pages.append(Somewhere(made.theme))
        return pages[-1]

    made.window.places.add(MODELS, factory)
    return made


def row_of(it, name):
    return it.window.sidebar.foot.rows[name]


def test_the_models_row_leads_to_a_page_that_is_made_once(it, pages, qtbot):
    assert not pages
    for _ in range(2):
        qtbot.mouseClick(row_of(it, MODELS), Qt.MouseButton.LeftButton)
    assert len(pages) == 1
    assert pages[0].isVisible()
    assert pages[0].button.hasFocus()
    assert not it.window.page.isVisible()
    assert row_of(it, MODELS).isChecked()


def test_escape_leads_back_to_what_was_written(it, qtbot):
    qtbot.keyClicks(it.window.page.composer.field, "half")
    qtbot.keyClick(it.window, Qt.Key.Key_D, CTRL_SHIFT)
    assert it.window.places.here == MODELS
    qtbot.keyClick(it.window, Qt.Key.Key_Escape)
    assert it.window.places.here == CHAT
    assert it.window.page.composer.field.hasFocus()
    assert it.window.page.composer.draft.typed == "half"
    assert not row_of(it, MODELS).isChecked()


def open_rows(it):
    model = it.window.sidebar.model
    rows = [model.row_at(model.index(n)) for n in range(model.rowCount())]
    return [row.is_open for row in rows if hasattr(row, "is_open")]


def test_a_chat_in_the_list_leads_back_and_none_is_marked_meanwhile(it, qtbot):
    it.bench.desk.open_chat(it.ids[0])
    qtbot.waitUntil(lambda: any(open_rows(it)))
    it.bench.desk.go(MODELS)
    assert not any(open_rows(it))
    it.bench.desk.open_chat(it.ids[0])
    assert it.window.places.here == CHAT
    assert any(open_rows(it))


def test_with_the_sidebar_hidden_its_button_stands_above_the_page(it, qtbot):
    it.bench.desk.go(MODELS)
    it.window.resize(720, 600)
    bar = it.window.places.bar
    qtbot.waitUntil(bar.isVisible)
    qtbot.mouseClick(bar.show_sidebar, Qt.MouseButton.LeftButton)
    assert it.window.frame.overlay_open
    qtbot.keyClick(it.window, Qt.Key.Key_Escape)
    assert it.window.places.here == MODELS
    qtbot.mouseClick(bar.back, Qt.MouseButton.LeftButton)
    assert it.window.places.here == CHAT


def test_a_deleted_chat_can_be_brought_back_from_there(it, qtbot):
    it.bench.desk.go(MODELS)
    it.bench.chats.delete(it.ids[0])
    toast = it.window.page.toast
    qtbot.waitUntil(toast.isVisible)
    assert it.window.places.rect().contains(toast.geometry())
    qtbot.mouseClick(toast.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: it.window.sidebar.model.rowCount() == 3)


def test_settings_have_a_way_once_there_is_such_a_page(it, qtbot):
    it.window.sidebar.show_settings()
    assert row_of(it, SETTINGS).isVisible()
    with qtbot.waitSignal(it.window.sidebar.settings_wished):
        qtbot.mouseClick(row_of(it, SETTINGS), Qt.MouseButton.LeftButton)


def test_nowhere_is_no_place(it):
    assert not it.window.places.go("nowhere")
    assert it.window.places.here == CHAT


def test_nothing_of_a_page_is_imported_before_the_first_painting():
    code = (
        "import sys; import ui.shell.window;"
        "bad = [n for n in sys.modules if n.startswith('ui.models.page')"
        " or n.startswith('ui.settings')]; sys.exit(1 if bad else 0)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
