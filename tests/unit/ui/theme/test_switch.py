"""The switch says what it is and does, wraps its words, and is thrown by key or pointer."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible

from ui.theme.switch import Switch
from ui.theme.theme import Theme


@pytest.fixture
def make(qtbot):
    def made(theme=None, hint="Nothing connects while this is on."):
        switch = Switch(theme or Theme("light"), "switch", "Stay offline", hint)
        qtbot.addWidget(switch)
        return switch

    return made


def test_it_is_thrown_by_space_and_by_pointer(make, qtbot):
    switch = make()
    qtbot.keyClick(switch, Qt.Key.Key_Space)
    assert switch.isChecked()
    qtbot.mouseClick(switch, Qt.MouseButton.LeftButton)
    assert not switch.isChecked()


def test_a_screen_reader_hears_what_it_is_and_whether_it_is_on(make):
    switch = make()
    switch.setChecked(True)
    spoken = QAccessible.queryAccessibleInterface(switch)
    assert spoken.text(QAccessible.Text.Name) == "Stay offline"
    assert spoken.text(QAccessible.Text.Description).startswith("Nothing connects")
    assert spoken.state().checked
    assert spoken.state().checkable


def test_long_words_take_more_lines(make):
    switch = make(hint="Nothing connects while this is on. " * 4)
    assert switch.heightForWidth(240) > switch.heightForWidth(900)


@pytest.mark.parametrize("choice", ["light", "dark", "contrast"])
@pytest.mark.parametrize("direction", Qt.LayoutDirection)
def test_on_and_off_differ_in_every_theme_and_direction(make, choice, direction):
    theme = Theme(choice, 200)
    switch = make(theme)
    switch.setLayoutDirection(direction)
    switch.resize(switch.sizeHint())
    off = switch.grab().toImage()
    switch.setChecked(True)
    on = switch.grab().toImage()
    seen = {
        on.pixelColor(x, y).rgb()
        for x in range(0, on.width(), 2)
        for y in range(0, on.height(), 2)
        if on.pixelColor(x, y) != off.pixelColor(x, y)
    }
    assert theme.colours.accent.rgb() in seen
