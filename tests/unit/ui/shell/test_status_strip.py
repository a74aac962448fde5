"""The line under the composer says where the words go, at any width."""

import pytest

from ui.shell.status_strip import StatusStrip
from ui.theme.theme import Theme

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")  # the offscreen platform has none

FAR = "https://inference.a-very-long-department-name.research.example.edu:44300"


@pytest.fixture
def make(qtbot):
    def made(width=760, theme=None):
        strip = StatusStrip(theme or Theme("light"))
        qtbot.addWidget(strip)
        strip.resize(width, strip.height())
        strip.show()
        strip.say("Enter to send, Shift+Enter for a new line")
        return strip

    return made


def test_all_is_private_until_another_computer_answers(make):
    strip = make()
    assert strip._place.text() == "Private – on this computer"
    assert not strip.here.isVisible()


def test_another_computer_is_named_in_the_colour_of_a_warning_with_the_way_back(make, qtbot):
    strip = make()
    strip.show_place("http://nas:8080", offline=False)
    assert strip._place.text() == "Answers come from http://nas:8080"
    assert strip._place.accessibleName() == strip._place.text()
    ink = strip._place.palette().color(strip._place.palette().ColorRole.WindowText)
    assert ink == strip._theme.colours.warn
    with qtbot.waitSignal(strip.here_wished):
        strip.here.click()
    strip.show_place("", offline=False)
    assert strip._place.accessibleName() == "Privacy: on this computer"
    assert not strip.here.isVisible()


def test_offline_it_says_that_nobody_is_asked(make):
    strip = make()
    strip.show_place("http://nas:8080", offline=True)
    assert strip._place.text() == "Offline – http://nas:8080 is not asked"


@pytest.mark.parametrize("scale", [100, 200])
@pytest.mark.parametrize("width", [640, 760, 1000])
@pytest.mark.parametrize("server", ["http://nas:8080", FAR])
def test_the_mark_is_whole_or_cut_in_the_middle_and_covers_nothing(make, width, scale, server):
    strip = make(width, Theme("light", scale))
    strip.show_place(server, offline=False)
    strip.grab()
    place, here, hint = (w.geometry() for w in (strip._place, strip.here, strip._hint))
    assert not place.intersects(here)
    assert not place.intersects(hint)
    assert not here.intersects(hint)
    assert here.right() <= strip.width()
    assert place.width() >= strip._place.fontMetrics().horizontalAdvance(strip._place.text())
    assert strip._place.text().startswith(
        ("Answers come from http", "Answers come from n", "Answers come from i")
    )
    assert strip._place.text().endswith(server[-4:])
    assert strip._place.toolTip() == f"Answers come from {server}"


def test_while_something_is_fetched_it_says_that_nothing_typed_is_sent(qtbot):
    strip = StatusStrip(Theme("light"))
    qtbot.addWidget(strip)
    strip.resize(760, 40)
    strip.show_downloading(downloading=True)
    said = "Downloading a model. Nothing you type is sent."
    assert strip._place.text() == strip._place.accessibleName() == said
    strip.show_downloading(downloading=False)
    assert strip._place.text() == "Private – on this computer"
