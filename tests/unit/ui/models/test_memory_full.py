"""Too little memory ends as a question, with the better answer chosen and the safe one at hand."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

from engine.types.plans import Offer
from tests.unit.ui import plans
from ui.models.memory_full import Choice, MemoryFullDialog, Way
from ui.theme.choices import Radio
from ui.theme.fit import FitSlot
from ui.theme.theme import Theme

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")  # the offscreen platform has none


@pytest.fixture
def ask(qtbot):
    """Opens the dialog; what is chosen is appended to `ask.chosen`."""
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.resize(720, 520)
    parent.show()

    def opened(offer=None, theme=None):
        error = plans.does_not_fit(offer)
        theme = theme or Theme("light")
        return MemoryFullDialog(theme, error, "Qwen3 8B", parent, opened.chosen.append)

    opened.chosen = []
    opened.parent = parent
    yield opened
    parent.close()


def radios(dialog):
    return [radio for radio in dialog.findChildren(Radio) if radio.isVisible()]


def press(qtbot, dialog, name):
    qtbot.mouseClick(dialog.findChild(QAbstractButton, name), Qt.MouseButton.LeftButton)


def test_it_says_what_is_needed_and_what_is_safe(ask):
    dialog = ask(plans.other_model())
    said = "\n".join(label.text() for label in dialog.findChildren(QLabel))
    assert "Not enough memory for Qwen3 8B" in said
    assert "It needs 6.3 GB and 5.1 GB is free." in said
    assert "Your chat and what you wrote are safe." in said
    assert dialog.findChild(FitSlot).accessibleName() == "Needs 6.3 GB, 5.1 free"


def test_the_offered_model_is_chosen_already(ask, qtbot):
    dialog = ask(plans.other_model())
    names = [(radio.accessibleName(), radio.isChecked()) for radio in radios(dialog)]
    assert names == [
        ("Use Gemma 3 4B instead, Runs well", True),
        ("Close other programs, then try again", False),
    ]
    press(qtbot, dialog, "memoryContinue")
    assert ask.chosen == [Choice(way=Way.OTHER_MODEL, path=plans.FILE)]
    assert not dialog.isVisible()


def test_a_shorter_memory_is_offered_where_it_helps(ask, qtbot):
    dialog = ask(Offer(context_length=2048))
    assert radios(dialog)[0].accessibleName() == "Use a shorter memory (about 5 pages)"
    press(qtbot, dialog, "memoryContinue")
    path = plans.does_not_fit().path
    assert ask.chosen == [Choice(way=Way.SHORTER_MEMORY, path=path, context_length=2048)]


def test_one_page_is_one_page(ask):
    dialog = ask(Offer(context_length=512))
    assert radios(dialog)[0].accessibleName() == "Use a shorter memory (about one page)"


def test_without_an_offer_it_can_be_tried_again(ask, qtbot):
    dialog = ask(None)
    assert [radio.objectName() for radio in radios(dialog)] == ["memoryAgain"]
    press(qtbot, dialog, "memoryContinue")
    assert ask.chosen == [Choice(way=Way.TRY_AGAIN)]


def test_loading_anyway_is_under_details_and_not_chosen_out_of_sight(ask, qtbot):
    dialog = ask(plans.other_model())
    press(qtbot, dialog, "memoryFold")
    anyway = dialog.findChild(Radio, "memoryAnyway")
    assert anyway.isVisible()
    press(qtbot, dialog, "memoryAnyway")
    assert anyway.isChecked()
    press(qtbot, dialog, "memoryFold")
    assert radios(dialog)[0].isChecked()
    assert not anyway.isChecked()


def test_loading_anyway_is_taken_at_its_word(ask, qtbot):
    dialog = ask(plans.other_model())
    press(qtbot, dialog, "memoryFold")
    press(qtbot, dialog, "memoryAnyway")
    press(qtbot, dialog, "memoryContinue")
    assert ask.chosen == [Choice(way=Way.ANYWAY)]


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_a_key_pressed_by_chance_chooses_nothing(ask, qtbot, key):
    dialog = ask(plans.other_model())
    qtbot.keyClick(dialog.focusWidget(), key)
    assert ask.chosen == []
    assert not dialog.isVisible()


def test_arrows_go_from_one_answer_to_the_next(ask, qtbot):
    dialog = ask(plans.other_model())
    first, second = radios(dialog)
    first.setFocus()
    qtbot.waitUntil(first.hasFocus)
    qtbot.keyClick(first, Qt.Key.Key_Down)
    assert (first.isChecked(), second.isChecked()) == (False, True)


def test_the_numbers_are_under_details(ask, qtbot):
    dialog = ask(plans.other_model())
    assert not dialog._box.isVisible()
    press(qtbot, dialog, "memoryFold")
    assert "Reasons: too_big, memory_low_now" in dialog._box.toPlainText()


@pytest.mark.parametrize("choice", ["light", "dark", "contrast"])
def test_it_fits_the_smallest_window_with_the_largest_text(ask, qtbot, choice):
    dialog = ask(plans.other_model(), Theme(choice, 200))
    press(qtbot, dialog, "memoryFold")
    assert dialog.width() < ask.parent.width()
    assert dialog.height() < ask.parent.height()
    room = dialog._room.verticalScrollBar()
    assert room.maximum() > 0
    assert not dialog.grab().isNull()
