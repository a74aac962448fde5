"""Appearance: what is chosen holds at once and for the next start."""

import pytest
from PySide6.QtCore import QPoint, Qt

from app.errors import NotWritable
from app.settings import LANGUAGE, TEXT_SCALE_PERCENT, THEME
from ui.settings.appearance import AppearancePresenter
from ui.settings.groups import Group


@pytest.fixture
def panel(it):
    return it.show(Group.APPEARANCE)


def tile(panel, choice):
    return next(one for one in panel.tiles.tiles if one.choice == choice)


def test_a_theme_holds_at_once_and_is_kept(it, panel, qtbot):
    assert tile(panel, "system").isChecked()
    qtbot.mouseClick(tile(panel, "dark"), Qt.MouseButton.LeftButton)
    assert it.theme.name == "dark"
    assert not tile(panel, "system").isChecked()
    qtbot.waitUntil(lambda: it.container.settings.get(THEME) == "dark")


def test_arrows_go_from_theme_to_theme(it, panel, qtbot):
    tile(panel, "system").setFocus()
    qtbot.keyClick(tile(panel, "system"), Qt.Key.Key_Right)
    assert tile(panel, "light").isChecked()
    qtbot.waitUntil(lambda: it.container.settings.get(THEME) == "light")


@pytest.mark.parametrize(
    ("key", "percent"),
    [(Qt.Key.Key_Right, 115), (Qt.Key.Key_Left, 93), (Qt.Key.Key_End, 200), (Qt.Key.Key_Home, 85)],
)
def test_the_text_size_has_steps(it, panel, qtbot, key, percent):
    slider = panel.sizes.slider
    qtbot.keyClick(slider, key)
    assert it.theme.scale_percent == percent
    assert slider.value() == percent
    assert slider.accessibleDescription() == f"{percent}%"
    qtbot.waitUntil(lambda: it.container.settings.get(TEXT_SCALE_PERCENT) == percent)


def test_a_click_on_the_slider_takes_the_nearest_step(it, panel, qtbot):
    slider = panel.sizes.slider
    at = QPoint(round(slider._x(5)) + 3, slider.height() // 2)
    qtbot.mouseClick(slider, Qt.MouseButton.LeftButton, pos=at)
    assert it.theme.scale_percent == 150


def test_the_slider_follows_the_keys_of_the_window(it, panel):
    it.bench.desk.scale(1)
    assert panel.sizes.slider.value() == 115


def test_the_language_says_when_it_takes_effect(it, panel, qtbot):
    later = panel._later
    assert not later.isVisible()
    panel.language.picked.emit(LANGUAGE.choices.index("zh_CN"))
    assert later.isVisible()
    assert "next time" in later.text()
    qtbot.waitUntil(lambda: it.container.settings.get(LANGUAGE) == "zh_CN")
    panel.language.picked.emit(LANGUAGE.choices.index("system"))
    assert not later.isVisible()


@pytest.mark.usefixtures("menus")
def test_the_menu_marks_what_is_chosen(panel, qtbot):
    qtbot.keyClick(panel.language, Qt.Key.Key_Space)
    actions = panel.language.menu.actions()
    assert [action.text() for action in actions] == ["Match system", "English", "简体中文"]
    assert [action.icon().isNull() for action in actions] == [False, True, True]
    assert panel.language.menu.activeAction() is actions[0]


def test_a_choice_that_cannot_be_kept_holds_and_is_told(tmp_path):
    class Look:
        scale_percent = 100
        chosen = ""

        def choose(self, choice):
            self.chosen = choice

    class Kept:
        def get(self, setting):
            return setting.default

        def set(self, *_change):
            raise NotWritable(tmp_path, "read-only")

    def run(work, done, failed):
        try:
            done(work())
        except NotWritable as error:
            failed(error)

    look, told = Look(), []
    AppearancePresenter(run, Kept(), look, None, told.append).choose_theme("dark")
    assert look.chosen == "dark"
    assert isinstance(told[0], NotWritable)


def test_where_lines_begin_at_the_right_the_slider_grows_to_the_left(it, panel, qtbot):
    slider = panel.sizes.slider
    slider.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    qtbot.keyClick(slider, Qt.Key.Key_Left)
    assert it.theme.scale_percent == 115
    qtbot.mouseClick(slider, Qt.MouseButton.LeftButton, pos=QPoint(1, slider.height() // 2))
    assert it.theme.scale_percent == 200
