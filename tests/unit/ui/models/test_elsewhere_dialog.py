"""The dialog for another computer: it asks first, tells plainly, and is used by keyboard alone."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QWidget

from engine.errors import KeyRefused, ServerUnreachable
from tests.unit.ui.servers import NAS
from ui.models.asking import Inquiry
from ui.models.elsewhere_dialog import ElsewhereDialog
from ui.theme.theme import Theme

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")  # the offscreen platform has none

A = NAS.address
FOUND = Inquiry(address=A, answered=True, models=("a", "b", "c"))


@pytest.fixture
def parent(qtbot):
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(720, 520)
    made.show()
    yield made
    made.close()


@pytest.fixture
def make(parent):
    def build(current=None, address=A, *, offline=False, theme=None):
        dialog = ElsewhereDialog(theme or Theme("light"), parent, current, address)
        dialog.show_place(current, offline=offline)
        return dialog

    yield build
    for dialog in parent.findChildren(ElsewhereDialog):
        dialog.close()


def test_it_warns_before_anything_is_sent_and_begins_with_the_address(make, qtbot):
    dialog = make(address="")
    assert dialog._warning.text.startswith("What you write is sent to that computer.")
    qtbot.waitUntil(dialog.address.hasFocus)
    assert not dialog.search.isEnabled()
    assert not dialog.use.isEnabled()
    assert not dialog.here.isVisible()


def test_http_is_told_apart_while_it_is_written(make, qtbot):
    dialog = make(address="")
    qtbot.keyClicks(dialog.address, "http://nas:8080")
    assert "Over http" in dialog._warning.text
    dialog.address.clear()
    qtbot.keyClicks(dialog.address, "https://nas:8080")
    assert "Over http" not in dialog._warning.text


def test_the_key_can_not_be_read_over_a_shoulder(make):
    dialog = make()
    assert dialog.key.echoMode() == QLineEdit.EchoMode.Password
    dialog.show_inquiry(Inquiry(address=A, has_key=True))
    assert dialog.key.placeholderText() == "The key for this address is kept already"
    assert dialog.key.text() == ""


def test_enter_in_either_field_looks_for_models(make, qtbot):
    dialog = make()
    for edit in (dialog.address, dialog.key):
        with qtbot.waitSignal(dialog.find_wished) as wished:
            qtbot.keyClick(edit, Qt.Key.Key_Return)
        assert wished.args == [A, ""]
    assert dialog.isVisible()


def test_looking_can_be_stopped(make, qtbot):
    dialog = make()
    dialog.show_inquiry(Inquiry(address=A, looking=True))
    assert dialog.search.accessibleName() == "Stop looking"
    assert dialog._progress.text() == "Asking that computer…"
    with qtbot.waitSignal(dialog.stop_wished):
        qtbot.mouseClick(dialog.search, Qt.MouseButton.LeftButton)


def test_a_found_model_is_used_by_keyboard_alone(make, qtbot):
    dialog = make()
    dialog.show_inquiry(FOUND)
    qtbot.waitUntil(dialog.found.list.hasFocus)
    assert dialog._progress.text() == "3 models found"
    qtbot.keyClick(dialog.found.list, Qt.Key.Key_Down)
    with qtbot.waitSignal(dialog.use_wished) as wished:
        qtbot.keyClick(dialog.found.list, Qt.Key.Key_Return)
    assert wished.args == ["b"]
    assert not dialog.isVisible()


def test_the_model_in_use_is_the_one_that_is_picked_first(make):
    dialog = make(NAS)
    dialog.show_inquiry(Inquiry(address=A, answered=True, models=("a", NAS.model)))
    assert dialog.found.chosen == NAS.model
    assert f"In use now: {NAS.model}" in dialog._in_use_words.text()


def test_another_address_takes_the_models_away(make, qtbot):
    dialog = make()
    dialog.show_inquiry(FOUND)
    with qtbot.waitSignal(dialog.edited) as edited:
        qtbot.keyClicks(dialog.address, "x")
    assert edited.args == [""]
    dialog.show_inquiry(Inquiry())
    assert not dialog.found.isVisible()
    assert not dialog.use.isEnabled()


def test_a_server_that_does_not_tell_is_given_a_name(make, qtbot):
    dialog = make()
    dialog.show_inquiry(Inquiry(address=A, answered=True))
    assert not dialog.found.list.isVisible()
    assert not dialog.use.isEnabled()
    qtbot.keyClicks(dialog.found.named, "my-model")
    with qtbot.waitSignal(dialog.use_wished) as wished:
        qtbot.keyClick(dialog.found.named, Qt.Key.Key_Return)
    assert wished.args == ["my-model"]


def test_trouble_is_a_sentence_with_its_details_in_a_fold(make, qtbot):
    dialog = make()
    dialog.show_inquiry(Inquiry(address=A, error=ServerUnreachable(A, "Errno 111")))
    assert dialog._trouble.text.startswith("Nothing answers at this address.")
    assert "111" not in dialog._trouble.text
    qtbot.mouseClick(dialog._fold, Qt.MouseButton.LeftButton)
    assert dialog._box.isVisible()
    assert "Errno 111" in dialog._box.toPlainText()
    dialog.show_inquiry(Inquiry(address=A, looking=True))
    assert not dialog._trouble.isVisible()
    assert not dialog._box.isVisible()


def test_a_refused_key_leads_to_its_field(make, qtbot):
    dialog = make()
    dialog.show_inquiry(Inquiry(address=A, error=KeyRefused(A)))
    qtbot.waitUntil(dialog.key.hasFocus)


def test_offline_nothing_can_be_asked_and_the_dialog_says_so(make, qtbot):
    dialog = make(offline=True)
    dialog.show_inquiry(FOUND)
    assert dialog._warning.text.startswith("Snug is set to stay offline")
    assert dialog.offline.isChecked()
    assert not dialog.search.isEnabled()
    assert not dialog.use.isEnabled()
    assert not dialog.found.isVisible()
    with qtbot.waitSignal(dialog.offline_wished) as wished:
        qtbot.mouseClick(dialog.offline, Qt.MouseButton.LeftButton)
    assert wished.args == [False]


def test_one_press_leads_back(make, qtbot):
    dialog = make(NAS)
    with qtbot.waitSignal(dialog.here_wished):
        qtbot.mouseClick(dialog.here, Qt.MouseButton.LeftButton)
    assert not dialog.isVisible()


def test_escape_changes_nothing(make, qtbot):
    dialog = make()
    dialog.show_inquiry(FOUND)
    with qtbot.assertNotEmitted(dialog.use_wished):
        qtbot.keyClick(dialog.found.list, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_tab_goes_through_it_in_the_order_of_the_eye(make, qtbot):
    dialog = make(NAS)
    dialog.show_inquiry(FOUND)
    dialog.here.setFocus()
    seen = []
    for _ in range(7):
        seen.append(dialog.focusWidget().objectName())
        qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
    assert seen == [
        "elsewhereHere",
        "elsewhereAddress",
        "elsewhereKey",
        "elsewhereFind",
        "elsewhereModels",
        "stayOffline",
        "elsewhereClose",
    ]


@pytest.mark.parametrize("scale", [100, 200])
@pytest.mark.parametrize("choice", ["light", "dark", "contrast"])
def test_it_is_never_larger_than_the_window_and_shows_what_was_found(make, parent, choice, scale):
    dialog = make(NAS, theme=Theme(choice, scale))
    dialog.show_inquiry(Inquiry(address=A, answered=True, models=("a long name " * 20,) * 9))
    assert dialog.width() < parent.width()
    assert dialog.height() < parent.height()
    assert not dialog.found.list.visibleRegion().isEmpty()
    assert all(w.accessibleName() for w in dialog.findChildren(QLineEdit))
