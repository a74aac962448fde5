"""How the header shares its width between the title and the model pill."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.types.plans import Verdict
from tests.unit.ui import plans
from ui.chat.header import Header, pill_room
from ui.models.now import ModelNow, Phase
from ui.theme.lamp import Breath
from ui.theme.theme import Theme

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")  # the offscreen platform has none

READY = ModelNow(
    name="Gemma 3 12B", phase=Phase.READY, info=plans.loaded(plans.plan(Verdict.FITS_SLOWLY))
)


@pytest.fixture
def header(qtbot):
    theme = Theme("light")
    made = Header(theme, Breath(theme))
    qtbot.addWidget(made)
    made.add_pill()
    made.show_model(READY)
    made.show()
    return made


def arranged(header, width, title):
    header.set_narrow(narrow=width < 920)
    header.show_title(title)
    header.resize(width, header.height())
    header.layout().activate()
    return header.pill


@given(st.integers(320, 2400), st.integers(0, 300), st.integers(0, 5000))
def test_a_title_never_takes_more_than_its_share(width, around, title):
    room = pill_room(width, around, title)
    assert room >= width - around - 0.45 * width - 1
    assert room <= width - around


def test_a_short_title_leaves_the_words_even_in_the_smallest_window(header):
    assert arranged(header, 720, "Reminder about the ladder").badge_words


def test_in_a_narrow_window_the_badge_keeps_its_icon_only(header):
    pill = arranged(header, 560, "A title that is long enough to need all of its share")
    assert not pill.badge_words
    assert pill.fit is not None
    assert pill.geometry().right() <= header.width()


def test_wide_there_is_room_for_everything(header):
    title = "A title that is long enough to need all of its share of the line and far more"
    assert arranged(header, 936, title).badge_words


def test_title_and_pill_never_overlap(header):
    for width in range(420, 1300, 40):
        pill = arranged(header, width, "A rather long title of a chat about ladders")
        title = header.title.mapTo(header, header.title.rect().topRight()).x()
        assert title < pill.geometry().left() + 4
        assert pill.geometry().right() < header.width()
