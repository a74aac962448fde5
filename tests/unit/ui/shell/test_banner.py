"""The notice under the header: its buttons, and room for its words."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QWidget

from tests.unit.ui import plans
from ui import messages
from ui.error_words import Action
from ui.shell.banner import Banner
from ui.theme.theme import Theme

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")  # the offscreen platform has none

WORDS = messages.of_error(plans.does_not_fit(), "Mistral Small 3.2 24B Instruct 2506")


@pytest.fixture
def banner(qtbot):
    made = Banner(Theme("light"), [].append)
    qtbot.addWidget(made)
    made.put("model", WORDS)
    made.resize(1000, 60)
    return made


def part(banner, name):
    return banner.findChild(QWidget, name)


def sized(banner, width):
    banner.resize(width, banner.layout().totalHeightForWidth(width))
    banner.layout().activate()
    banner.resize(width, banner.layout().totalHeightForWidth(width))
    banner.layout().activate()


def test_a_wide_notice_has_its_buttons_beside_the_words(banner):
    sized(banner, 1000)
    words, action = part(banner, "bannerText"), part(banner, "bannerAction")
    assert action.x() > words.geometry().right()
    assert action.geometry().intersects(words.geometry().adjusted(0, 0, 1000, 0))


@pytest.mark.parametrize("scale", [100, 200])
def test_a_narrow_one_has_them_below_and_never_cuts_its_words(banner, scale):
    banner._theme.set_scale(scale)
    sized(banner, 480)
    words, action = part(banner, "bannerText"), part(banner, "bannerAction")
    assert action.y() >= words.geometry().bottom()
    assert words.height() >= words.heightForWidth(words.width())
    assert part(banner, "bannerClose").geometry().right() <= banner.width()
    sized(banner, 1600)
    assert action.x() > words.geometry().right()


def test_a_question_keeps_its_notice_and_anything_else_is_done_with(banner, qtbot):
    action = banner.findChild(QAbstractButton, "bannerAction")
    with qtbot.waitSignal(banner.action_wished, check_params_cb=lambda a: a is Action.MAKE_ROOM):
        qtbot.mouseClick(action, Qt.MouseButton.LeftButton)
    assert banner.message == WORDS
    banner.put("model", messages.Message(title="A.", sentence="B.", action=Action.LOAD_AGAIN))
    qtbot.mouseClick(action, Qt.MouseButton.LeftButton)
    assert banner.message is None


def test_putting_it_away_is_told(banner, qtbot):
    with qtbot.waitSignal(banner.closed):
        qtbot.mouseClick(banner.findChild(QWidget, "bannerClose"), Qt.MouseButton.LeftButton)
    assert banner.message is None
