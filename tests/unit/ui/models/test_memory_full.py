"""Too little memory ends as a question, with the better answer chosen and the safe one at hand."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

from engine.errors import DoesNotFit
from engine.types.plans import Offer, Reason
from tests.unit.ui import plans
from ui.messages import of_error
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

    def opened(offer=None, theme=None, plan=None, name="Qwen3 8B", **how):
        error = DoesNotFit(Path("m"), plan) if plan else plans.does_not_fit(offer)
        theme = theme or Theme("light")
        return MemoryFullDialog(theme, error, name, parent, opened.chosen.append, **how)

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
    assert "It needs 6.3 GB and 5.1 GB is free. Other programs hold much" in said
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


def limited(offer=None):
    """Where a limit from outside is what counts."""
    reasons = (Reason.TOO_BIG, Reason.MEMORY_LIMITED)
    return replace(plans.too_big(offer), reasons=reasons)


def test_within_a_limit_closing_programs_is_not_chosen_for_the_person(ask, qtbot):
    dialog = ask(plan=limited())
    again = dialog.findChild(Radio, "memoryAgain")
    go = dialog.findChild(QAbstractButton, "memoryContinue")
    assert not again.isChecked()
    assert not go.isEnabled()
    press(qtbot, dialog, "memoryFold")
    press(qtbot, dialog, "memoryAnyway")
    assert go.isEnabled()
    press(qtbot, dialog, "memoryFold")
    assert not go.isEnabled()
    press(qtbot, dialog, "memoryAgain")
    press(qtbot, dialog, "memoryContinue")
    assert ask.chosen == [Choice(way=Way.TRY_AGAIN)]


def test_within_a_limit_a_model_that_fits_is_chosen_all_the_same(ask):
    dialog = ask(plan=limited(plans.other_model()))
    assert radios(dialog)[0].isChecked()
    assert dialog.findChild(QAbstractButton, "memoryContinue").isEnabled()


def test_enter_on_an_answer_continues_with_it(ask, qtbot):
    dialog = ask(plans.other_model())
    again = dialog.findChild(Radio, "memoryAgain")
    again.setFocus()
    qtbot.keyClick(again, Qt.Key.Key_Return)
    assert ask.chosen == [Choice(way=Way.TRY_AGAIN)]


def test_what_opens_by_itself_is_deaf_at_first(ask, qtbot, monkeypatch):
    monkeypatch.setattr("ui.theme.dialog._DEAF_MS", 40)
    dialog = ask(plans.other_model(), unasked=True)
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Escape):
        qtbot.keyClick(dialog.focusWidget(), key)
        qtbot.keyClick(dialog, key)
    assert dialog.isVisible()

    def closed():
        qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Escape)
        return not dialog.isVisible()

    qtbot.waitUntil(closed)
    assert ask.chosen == []


def test_a_long_name_is_cut_in_title_and_answers(ask):
    offer = replace(plans.other_model(), model="Gemma " * 20)
    dialog = ask(offer, name="Qwen " * 20)
    assert len(dialog.windowTitle()) < 70
    assert len(radios(dialog)[0].text()) < 60


def test_arrows_never_lead_out_of_sight(ask, qtbot):
    dialog = ask(plans.other_model(), Theme("light", 200))
    first, second = radios(dialog)
    first.setFocus()
    qtbot.waitUntil(first.hasFocus)
    dialog._room.verticalScrollBar().setValue(0)
    qtbot.keyClick(first, Qt.Key.Key_Down)
    qtbot.waitUntil(second.hasFocus)
    seen = second.visibleRegion().boundingRect()
    assert seen.height() == second.height()


def test_what_unfolds_stays_on_the_screen(ask, qtbot):
    dialog = ask(plans.other_model())
    screen = dialog.screen().availableGeometry()
    dialog.move(dialog.x(), screen.bottom() - dialog.height())
    press(qtbot, dialog, "memoryFold")
    assert dialog.geometry().bottom() <= screen.bottom()
    assert dialog.geometry().top() >= screen.top()


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


def test_a_model_that_is_only_too_slow_is_not_said_to_need_memory(ask):
    crawling = replace(plans.too_big(), needed_bytes=1, free_bytes=2)
    dialog = ask(plan=crawling, name="Mistral")
    assert dialog.windowTitle() == "Mistral is too slow for this computer"
    assert dialog.findChild(FitSlot) is None
    error = DoesNotFit(Path("m"), crawling)
    assert of_error(error, "Mistral").title == "Mistral is too slow for this computer."
