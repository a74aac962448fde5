"""The fit badge and the fit slot: what is painted, in every theme, from either side."""

import pytest
from PySide6.QtCore import Qt

from engine.types.plans import Verdict
from ui.plan_words import fit_look
from ui.theme.fit import SLOT_WIDTH, FitBadge, FitSlot, badge_size
from ui.theme.theme import Theme

THEMES = ["light", "dark", "contrast"]


@pytest.fixture
def make(qtbot):
    def made(kind, theme):
        widget = kind(theme, "piece")
        qtbot.addWidget(widget)
        widget.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        return widget

    return made


def row(widget, y):
    image = widget.grab().toImage()
    return [image.pixelColor(x, y).rgb() for x in range(image.width())]


@pytest.mark.parametrize("choice", THEMES)
def test_a_piece_that_fits_stays_inside(make, choice):
    theme = Theme(choice)
    slot = make(FitSlot, theme)
    slot.show_share(0.5, "good", "Needs 4 of 9 GB")
    line = row(slot, 8)
    fill, empty = theme.colours.good_fill.rgb(), theme.colours.slot.rgb()
    assert line[SLOT_WIDTH // 4] == fill
    assert line[3 * SLOT_WIDTH // 4] == empty
    assert fill not in line[SLOT_WIDTH:]
    assert slot.accessibleName() == "Needs 4 of 9 GB"


@pytest.mark.parametrize("choice", THEMES)
def test_a_piece_that_is_too_big_runs_past_a_tick(make, choice):
    theme = Theme(choice)
    slot = make(FitSlot, theme)
    slot.show_share(6.3 / 5.1, "bad", "Needs 6.3 GB, 5.1 free")
    assert theme.colours.bad_fill.rgb() in row(slot, 8)[SLOT_WIDTH + 2 :]
    assert row(slot, 1)[SLOT_WIDTH - 1] == theme.colours.text.rgb()


@pytest.mark.parametrize(
    ("share", "width"), [(1.001, 110), (1.1, 114.4), (1.5, 124), (9.0, 124), (1.0, 102), (0.0, 10)]
)
def test_the_overrun_is_seen_and_bounded(make, share, width):
    slot = make(FitSlot, Theme("light"))
    slot.show_share(share, "bad", "")
    assert slot.piece_width == pytest.approx(width)


def test_the_slot_is_mirrored_where_reading_is(make):
    theme = Theme("light")
    slot = make(FitSlot, theme)
    slot.show_share(0.3, "good", "")
    slot.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    mirrored = row(slot, 8)[::-1]
    assert mirrored[20] == theme.colours.good_fill.rgb()
    assert mirrored[60] == theme.colours.slot.rgb()


@pytest.mark.parametrize("choice", THEMES)
@pytest.mark.parametrize("verdict", [Verdict.FITS, Verdict.FITS_SLOWLY, Verdict.TOO_BIG])
def test_the_badge_shows_its_colours(make, choice, verdict):
    theme = Theme(choice)
    badge = make(FitBadge, theme)
    look = fit_look(verdict)
    badge.show_look(look)
    badge.resize(badge.sizeHint())
    assert badge.height() == 22
    assert badge.accessibleName() == look.words
    seen = {rgb for y in range(4, 18) for rgb in row(badge, y)}
    assert getattr(theme.colours, f"{look.tone}_soft").rgb() in seen
    assert getattr(theme.colours, look.tone).rgb() in seen


def test_without_a_verdict_there_is_no_badge(make):
    badge = make(FitBadge, Theme("light"))
    badge.show_look(fit_look(Verdict.FITS))
    badge.show_look(None)
    assert not badge.isVisible()
    assert badge.sizeHint().isEmpty()


def test_the_icon_alone_is_narrower_and_grows_with_the_text(qapp):
    look = fit_look(Verdict.FITS_SLOWLY)
    small, large = Theme("light"), Theme("light", 200)
    assert badge_size(small, look, words=False).width() < badge_size(small, look).width() / 2
    assert badge_size(large, look).height() == 44
