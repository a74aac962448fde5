"""The Settings page in the window: how one comes there, goes on, and comes back."""

import subprocess
import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractSlider, QLineEdit, QListView, QWidget

from tests.unit.ui.settings.room import connections
from ui.settings.groups import Group
from ui.shell.places import CHAT, SETTINGS
from ui.theme.theme import Theme


def nav_rows(it):
    return it.bench.settings._nav.groups.rows


def press_settings(it, qtbot):
    qtbot.keyClick(it.window, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    assert it.window.places.here == SETTINGS


def test_the_groups_stand_where_the_chats_were_until_escape(it, qtbot):
    press_settings(it, qtbot)
    sidebar = it.window.sidebar
    assert not sidebar.list.isVisible()
    assert not sidebar.new_chat.isVisible()
    assert nav_rows(it)[Group.APPEARANCE].isVisible()
    qtbot.keyClick(it.window, Qt.Key.Key_Escape)
    assert it.window.places.here == CHAT
    assert sidebar.list.isVisible()
    assert sidebar.search.isVisible()
    assert not nav_rows(it)[Group.APPEARANCE].isVisible()
    assert it.window.page.composer.field.hasFocus()


def test_back_to_chats_is_a_row(it, qtbot):
    press_settings(it, qtbot)
    qtbot.mouseClick(it.bench.settings._nav.back, Qt.MouseButton.LeftButton)
    assert it.window.places.here == CHAT


def test_searching_chats_leads_back_to_where_they_are(it, qtbot):
    press_settings(it, qtbot)
    qtbot.keyClick(it.window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    assert it.window.places.here == CHAT
    assert it.window.sidebar.search.hasFocus()


def test_the_keyboard_begins_at_the_group_and_goes_to_its_first_control(it, qtbot):
    press_settings(it, qtbot)
    rows = nav_rows(it)
    assert rows[Group.APPEARANCE].hasFocus()
    qtbot.keyClick(rows[Group.APPEARANCE], Qt.Key.Key_Tab)
    qtbot.keyClick(rows[Group.MODELS], Qt.Key.Key_Tab)
    qtbot.keyClick(rows[Group.PRIVACY], Qt.Key.Key_Space)
    assert it.page.group is Group.PRIVACY
    qtbot.keyClick(rows[Group.PRIVACY], Qt.Key.Key_Tab)
    qtbot.keyClick(rows[Group.ABOUT], Qt.Key.Key_Tab)
    assert it.page.panel(Group.PRIVACY).offline.hasFocus()


@pytest.mark.parametrize("group", Group)
def test_tab_leaves_the_groups_whichever_is_shown(it, qtbot, group):
    press_settings(it, qtbot)
    it.page.show_group(group)
    last = nav_rows(it)[Group.ABOUT]
    last.setFocus()
    qtbot.keyClick(last, Qt.Key.Key_Tab)
    focused = it.window.focusWidget()
    assert it.page.panel(group).isAncestorOf(focused) or group is Group.MODELS


def test_without_the_sidebar_the_groups_stand_above_the_page(make, qtbot):
    it = make(size=(720, 520))
    press_settings(it, qtbot)
    assert it.page.tabs.isVisible()
    assert not it.page.pick.isVisible()
    qtbot.mouseClick(it.page.tabs.rows[Group.PRIVACY], Qt.MouseButton.LeftButton)
    assert it.page.group is Group.PRIVACY
    it.window.resize(1200, 800)
    qtbot.waitUntil(lambda: not it.page.tabs.isVisible())
    assert nav_rows(it)[Group.PRIVACY].isChecked()


@pytest.mark.usefixtures("menus")
def test_with_large_words_the_groups_are_a_menu(make, qtbot):
    it = make(size=(720, 520), theme=Theme("light", 200))
    press_settings(it, qtbot)
    assert it.page.pick.isVisible()
    qtbot.keyClick(it.page.pick, Qt.Key.Key_Down)
    it.page.pick.menu.actions()[2].trigger()
    assert it.page.group is Group.PRIVACY


@pytest.mark.parametrize("scale", [100, 200])
@pytest.mark.parametrize("group", Group)
def test_nothing_is_wider_than_the_smallest_window(make, qtbot, scale, group):
    it = make(size=(720, 520), theme=Theme("light", scale))
    panel = it.show(group)
    if group is Group.MODELS:
        qtbot.waitUntil(panel.isEnabled)
        panel.details.fold.setChecked(True)
    qtbot.wait(0)
    assert it.window.width() == 720
    room = it.page.room.viewport()
    for widget in shown_controls(panel):
        left = widget.mapTo(room, widget.rect().topLeft()).x()
        assert left >= 0, widget.objectName()
        assert left + widget.width() <= room.width(), widget.objectName()


def shown_controls(panel):
    kinds = (QAbstractButton, QLineEdit, QAbstractSlider, QListView)
    found = [w for w in panel.findChildren(QWidget) if isinstance(w, kinds) and w.isVisible()]
    return [w for w in found if not w.objectName().startswith("qt_")]


@pytest.mark.parametrize("group", Group)
def test_everything_has_a_name_and_a_place_in_the_order_of_tab(it, qtbot, group):
    for one in connections(3):
        it.container.ledger.write(one)
    panel = it.show(group)
    if group is Group.MODELS:
        qtbot.waitUntil(panel.isEnabled)
        panel.details.fold.setChecked(True)
        panel.show_sources(it.bench.settings.hands.sources.now)
    if group is Group.PRIVACY:
        qtbot.waitUntil(panel.list.isVisible)
        it.page.aim()
    wanted = {w for w in shown_controls(panel) if w.focusPolicy() & Qt.FocusPolicy.TabFocus}
    assert wanted
    for widget in wanted:
        assert widget.accessibleName(), widget
        assert widget.objectName(), widget
    reached, now = set(), next(iter(nav_rows(it).values()))
    for _ in range(400):
        now = now.nextInFocusChain()
        reached.add(now)
    assert wanted <= reached


def test_nothing_of_it_is_imported_before_somebody_goes_there():
    code = (
        "import sys; import ui.shell.workbench;"
        "sys.exit(any(n.startswith('ui.settings') or n == 'ssl' for n in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
