"""The loading line: only for loads that last, calm, with words for every stage."""

import pytest
from PySide6.QtCore import Qt

from engine.types.models import LoadStage
from ui.models.now import ModelNow, Phase
from ui.models.progress import LoadingLine, TimeLeft, left_words, seconds_left, stage_words
from ui.theme.lamp import Breath
from ui.theme.theme import Theme

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")  # the offscreen platform has none


def loading(stage=LoadStage.CHECKING, fraction=0.0, name="Gemma 3 4B"):
    return ModelNow(name=name, phase=Phase.LOADING, stage=stage, fraction=fraction)


class World:
    """A line, what it announced, and a clock that is set by hand."""

    def __init__(self):
        self.theme = Theme("light")
        self.breath = Breath(self.theme)
        self.now_s = 100.0
        self.said = []
        self.line = LoadingLine(self.theme, self.breath, self.said.append, lambda: self.now_s)

    @property
    def words(self):
        return self.line.accessibleName()


@pytest.fixture
def world(qtbot):
    made = World()
    qtbot.addWidget(made.line)
    return made


@pytest.fixture
def shown(world, qtbot):
    """One whose load has lasted long enough."""
    world.line.show_now(loading())
    world.line._wait.setInterval(0)
    world.line._wait.start()
    qtbot.waitUntil(world.line.isVisible)
    return world


@pytest.mark.parametrize(
    ("stage", "fraction", "words"),
    [
        (LoadStage.CHECKING, 0.5, "Checking…"),
        (LoadStage.REHEARSING, 0.5, "Trying it out first…"),
        (LoadStage.LOADING, 0.0, "Loading…"),
        (LoadStage.LOADING, 0.4, "Loading… 40%"),
    ],
)
def test_every_stage_has_words(stage, fraction, words):
    assert stage_words(loading(stage, fraction)) == words


@pytest.mark.parametrize(
    ("elapsed_s", "fraction", "left"),
    [(0.5, 0.5, None), (4.0, 0.05, None), (4.0, 0.4, 6), (9.0, 0.9, 1), (9.0, 1.0, 0)],
)
def test_the_rest_is_told_once_it_can_be_known(elapsed_s, fraction, left):
    assert seconds_left(elapsed_s, fraction) == (None if left is None else pytest.approx(left))


@pytest.mark.parametrize(
    ("left_s", "words"),
    [
        (0.0, "about 5 seconds."),
        (5.1, "about 10 seconds."),
        (60.0, "about 60 seconds."),
        (61.0, "about one minute."),
        (100.0, "about 2 minutes."),
        (250.0, "about 4 minutes."),
    ],
)
def test_the_rest_is_told_in_steps_that_can_be_read(left_s, words):
    assert left_words(left_s) == f"Getting {{model}} ready… {words}"


def test_time_left_counts_down_and_is_not_taken_back_for_little():
    left = TimeLeft(0.0)
    left.progressed(10.0, 0.25)
    assert left.at(10.0) == 30.0
    assert left.at(25.0) == 15.0
    left.progressed(25.0, 0.55)  # would be 20 s
    assert left.at(25.0) == 15.0
    left.progressed(30.0, 0.4)  # 45 s: that was far too hopeful
    assert left.at(30.0) == pytest.approx(45.0)
    assert left.at(300.0) == 0.0


def test_a_quick_load_never_shows(world):
    world.line.show_now(loading())
    assert not world.line.isVisible()
    world.line.show_now(ModelNow(name="Gemma 3 4B", phase=Phase.READY))
    assert not world.line._wait.isActive()
    assert world.said == []


def test_a_long_load_shows_and_goes(shown):
    assert shown.words == "Getting Gemma 3 4B ready… Checking…"
    assert shown.said == [shown.words]
    shown.line.show_now(loading(LoadStage.REHEARSING))
    assert shown.words.endswith("Trying it out first…")
    assert len(shown.said) == 1  # a screen reader is not told every step
    shown.line.show_now(ModelNow(name="Gemma 3 4B", phase=Phase.READY))
    assert not shown.line.isVisible()
    assert shown.breath._users == set()


def test_the_time_left_counts_from_the_load_itself(shown):
    shown.now_s += 60  # a long rehearsal
    shown.line.show_now(loading(LoadStage.LOADING, 0.01))
    shown.now_s += 4
    shown.line.show_now(loading(LoadStage.LOADING, 0.4))
    assert shown.words == "Getting Gemma 3 4B ready… about 10 seconds. Loading… 40%"
    shown.now_s += 3
    shown.line._tick.timeout.emit()
    assert "about 5 seconds." in shown.words


def test_it_can_be_cancelled(shown, qtbot):
    assert shown.line.cancel.accessibleName() == "Cancel loading"
    with qtbot.waitSignal(shown.line.cancel_wished):
        qtbot.mouseClick(shown.line.cancel, Qt.MouseButton.LeftButton)


def test_cancelling_shows_at_once_and_only_once(shown):
    shown.line.say_stopping()
    assert shown.words == "Stopping…"
    assert not shown.line.cancel.isEnabled()
    shown.line.show_now(loading(LoadStage.LOADING, 0.5))
    assert shown.words == "Stopping…"
    shown.line.show_now(ModelNow(name="Gemma 3 4B", phase=Phase.NOT_LOADED))
    shown.line.show_now(loading())
    shown.line._appear()
    assert shown.words.startswith("Getting Gemma")
    assert shown.line.cancel.isEnabled()


def test_what_never_stops_is_told_with_what_is_safe(shown, qtbot):
    shown.line._patience._wait.setInterval(10)
    shown.line.say_stopping()
    safe = "The model does not answer. It is safe to close Snug."
    qtbot.waitUntil(lambda: shown.words == safe)
    shown.line.show_now(loading(LoadStage.LOADING, 0.5))
    assert shown.words == safe


def test_without_a_load_there_is_nothing_to_stop(world):
    world.line.say_stopping()
    assert world.line.cancel.isEnabled()
    assert not world.line._patience._wait.isActive()


def test_in_high_contrast_the_bar_has_a_border(qtbot):
    theme = Theme("contrast")
    line = LoadingLine(theme, Breath(theme), [].append)
    qtbot.addWidget(line)
    line.resize(400, 60)
    line.show_now(loading(LoadStage.LOADING, 0.25))
    line.show()
    image = line.grab().toImage()
    c = theme.colours
    assert image.pixelColor(300, image.height() - 1).rgb() == c.border.rgb()
    assert image.pixelColor(300, image.height() - 3).rgb() == c.slot.rgb()
    assert image.pixelColor(50, image.height() - 3).rgb() == c.accent.rgb()


def test_a_name_with_braces_or_tags_is_shown_as_it_is(world, qtbot):
    world.line.show_now(loading(name="{n} <b>8B</b>"))
    world.line._appear()
    assert "{n} <b>8B</b>" in world.words


def test_the_bar_grows_from_where_reading_begins(shown):
    shown.line.resize(400, 60)
    shown.line.show_now(loading(LoadStage.LOADING, 0.25))
    accent = shown.theme.colours.accent.rgb()
    bottom = shown.line.grab().toImage()
    y = bottom.height() - 1
    assert bottom.pixelColor(20, y).rgb() == accent
    assert bottom.pixelColor(300, y).rgb() != accent
    shown.line.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    mirrored = shown.line.grab().toImage()
    assert mirrored.pixelColor(20, y).rgb() != accent
    assert mirrored.pixelColor(380, y).rgb() == accent
