"""Radios wrap, exclude each other, and keep their badge in sight."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from engine.types.plans import Verdict
from ui.plan_words import fit_look
from ui.theme.choices import FoldButton, Radio
from ui.theme.theme import Theme

LOOK = fit_look(Verdict.FITS)


@pytest.fixture
def make(qtbot):
    def made(theme=None, text="Use this instead", fit=None):
        radio = Radio(theme or Theme("light"), "choice", text, fit)
        qtbot.addWidget(radio)
        return radio

    return made


def test_only_one_of_several_is_chosen(qtbot):
    theme = Theme("light")
    box = QWidget()
    qtbot.addWidget(box)
    column = QVBoxLayout(box)
    radios = [Radio(theme, f"choice{n}", f"Choice {n}") for n in range(3)]
    for radio in radios:
        column.addWidget(radio)
    radios[0].setChecked(True)
    qtbot.mouseClick(radios[2], Qt.MouseButton.LeftButton)
    assert [radio.isChecked() for radio in radios] == [False, False, True]


def test_long_words_take_more_lines_and_a_badge_goes_below(make):
    radio = make(text="Use this instead " * 4, fit=LOOK)
    wide, narrow = radio.heightForWidth(900), radio.heightForWidth(240)
    assert narrow > 2 * wide
    short = make(fit=LOOK)
    assert short.heightForWidth(170) > short.heightForWidth(400)


def test_it_is_tall_enough_to_hit(make):
    assert make().sizeHint().height() >= 24


def test_the_badge_is_part_of_its_name(make):
    assert make(fit=LOOK).accessibleName() == "Use this instead, Runs well"


@pytest.mark.parametrize("direction", Qt.LayoutDirection)
@pytest.mark.parametrize("choice", ["light", "dark", "contrast"])
def test_the_chosen_circle_stands_where_the_line_begins(make, choice, direction):
    theme = Theme(choice)
    radio = make(theme, fit=LOOK)
    radio.setLayoutDirection(direction)
    radio.setChecked(True)
    radio.resize(400, 30)
    image = radio.grab().toImage()
    lead = [image.pixelColor(x, 15).rgb() for x in range(40)]
    trail = [image.pixelColor(x, 15).rgb() for x in range(360, 400)]
    if direction is Qt.LayoutDirection.RightToLeft:
        lead, trail = trail, lead
    assert theme.colours.accent.rgb() in lead
    assert theme.colours.accent.rgb() not in trail


def test_a_fold_opens_and_closes(qtbot):
    fold = FoldButton(Theme("light"), "fold", "Details")
    qtbot.addWidget(fold)
    closed = fold.grab().toImage()
    qtbot.mouseClick(fold, Qt.MouseButton.LeftButton)
    assert fold.isChecked()
    assert fold.grab().toImage() != closed
    fold.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    fold.setChecked(False)
    assert fold.grab().toImage() != closed
