"""The window over a real container with a scripted model: what a person does and sees."""

from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QWidget

from app import settings
from engine.errors import EngineStopped
from engine.runtimes.fake import Script
from tests.unit.ui.shell import world
from ui.error_words import Action
from ui.shell import dialogs
from ui.shell.frame import WIDE_FROM

ANSWER = "Paris is the capital of France."
CTRL = Qt.KeyboardModifier.ControlModifier
CTRL_SHIFT = CTRL | Qt.KeyboardModifier.ShiftModifier


def ask(it, qtbot, text="What is the capital of France?"):
    qtbot.keyClicks(it.window.page.composer.field, text)
    qtbot.keyClick(it.window.page.composer.field, Qt.Key.Key_Return)


def answered(it):
    return not it.bench.conversation.busy and it.bench.conversation.last_answer() != ""


def slow(pieces=400):
    return Script(pieces=("word ",) * pieces, pause_s=0.01)


def test_the_starters_stay_whole_with_the_largest_text_in_the_smallest_window(make, qtbot):
    it = make()
    it.window.theme.set_scale(200)
    it.window.resize(it.window.minimumSize())
    starters = it.window.page.welcome.starters
    qtbot.waitUntil(lambda: starters[0].height() == starters[0].sizeHint().height())
    tops = [starter.y() for starter in starters]
    assert all(low - high >= starters[0].height() for high, low in pairwise(tops))
    starters[-2].setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(starters[-2], Qt.Key.Key_Tab)
    middle = starters[-1].rect().center()
    qtbot.waitUntil(lambda: starters[-1].visibleRegion().contains(middle))


def test_a_first_question_is_answered_and_listed(make, qtbot):
    it = make()
    assert it.window.page.shows_welcome
    ask(it, qtbot)
    qtbot.waitUntil(lambda: answered(it))
    assert it.bench.conversation.last_answer() == ANSWER
    assert not it.window.page.shows_welcome
    assert it.window.sidebar.model.rowCount() == 2
    assert it.window.page.header.title.title != ""
    assert it.window.page.composer.draft.empty
    assert it.window.windowTitle().endswith("Snug")


def test_the_model_pill_says_the_models_name(make, qtbot):
    it = make()
    pill = it.window.page.header.pill
    qtbot.waitUntil(lambda: pill.accessibleName() == f"Model: {world.NAME}")
    assert pill.isVisible()


def test_escape_stops_and_keeps_the_text(make, qtbot):
    it = make(slow())
    ask(it, qtbot)
    qtbot.waitUntil(lambda: it.bench.conversation.last_answer() != "")
    assert it.window.page.strip.hint == "Writing… press Esc to stop"
    qtbot.keyClick(it.window, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not it.bench.conversation.busy)
    assert it.bench.conversation.last_answer().startswith("word")
    assert it.window.page.composer.send.isVisible()


def test_a_message_written_meanwhile_waits_in_the_field(make, qtbot):
    it = make(slow())
    ask(it, qtbot)
    qtbot.waitUntil(lambda: it.bench.conversation.last_answer() != "")
    ask(it, qtbot, "And Spain?")
    assert it.window.page.composer.draft.typed == "And Spain?"
    assert it.window.page.strip.hint == "Wait, or press Esc to stop"


def test_each_chat_keeps_its_own_draft(make, qtbot):
    it = make(titles=[("A", 0), ("B", 0)])
    field = it.window.page.composer.field
    it.bench.desk.open_chat(it.ids[0])
    qtbot.keyClicks(field, "for a")
    it.bench.desk.open_chat(it.ids[1])
    assert field.toPlainText() == ""
    it.bench.desk.new_chat()
    qtbot.keyClicks(field, "new")
    it.bench.desk.open_chat(it.ids[0])
    assert field.toPlainText() == "for a"
    it.bench.desk.new_chat()
    assert field.toPlainText() == "new"


def test_writing_in_one_chat_shows_in_the_list_and_not_in_another(make, qtbot):
    it = make(slow(), titles=[("Other", 1)])
    ask(it, qtbot)
    qtbot.waitUntil(lambda: it.bench.conversation.last_answer() != "")
    it.bench.desk.open_chat(it.ids[0])
    qtbot.waitUntil(lambda: it.bench.conversation.last_message() is not None)
    assert it.bench.conversation.last_answer() == ""
    assert not it.bench.conversation.busy
    rows = [it.window.sidebar.model.row_at(it.window.sidebar.model.index(n)) for n in range(4)]
    assert [row.is_writing for row in rows if row] == [True, False]


def test_deleting_with_undo_brings_it_back_open(make, qtbot):
    it = make(titles=[("Keep me", 0)])
    it.bench.desk.open_chat(it.ids[0])
    view = it.window.sidebar.list
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Down)
    qtbot.keyClick(view, Qt.Key.Key_Delete)
    undo = it.window.findChild(QAbstractButton, "toastUndo")
    qtbot.waitUntil(undo.isVisible)
    qtbot.waitUntil(lambda: it.window.page.shows_welcome)
    assert it.window.sidebar.model.rowCount() == 0
    qtbot.mouseClick(undo, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: it.bench.conversation.shown == it.ids[0])
    assert it.window.page.header.title.title == "Keep me"


def test_renaming_in_place(make, qtbot):
    it = make(titles=[("Old", 0)])
    view = it.window.sidebar.list
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Down)
    qtbot.keyClick(view, Qt.Key.Key_F2)
    field = view.findChild(QLineEdit, "renameChat")
    assert field.accessibleName() == "Chat title"
    field.selectAll()
    qtbot.keyClicks(field, "New ")
    it.bench.chats.mark_writing(frozenset(it.ids))  # the list changes meanwhile
    qtbot.keyClicks(field, "name")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    model = it.window.sidebar.model
    qtbot.waitUntil(lambda: model.data(model.index_of(it.ids[0])) == "New name")
    assert it.bench.conversation.shown is None


def test_renaming_in_the_header_and_leaving_it(make, qtbot):
    it = make(titles=[("Old", 0)])
    it.bench.desk.open_chat(it.ids[0])
    header = it.window.page.header
    qtbot.keyClick(it.window, Qt.Key.Key_F2)
    header.field.setText("Dropped")
    qtbot.keyClick(header.field, Qt.Key.Key_Escape)
    assert header.title.isVisible()
    assert header.title.title == "Old"
    qtbot.keyClick(it.window, Qt.Key.Key_F2)
    header.field.setText("Kept")
    qtbot.keyClick(header.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: header.title.title == "Kept")


def test_search_narrows_the_list(make, qtbot):
    it = make(titles=[("Tea", 0), ("Soup", 0)])
    qtbot.keyClick(it.window, Qt.Key.Key_K, CTRL)
    search = it.window.sidebar.search
    qtbot.keyClicks(search, "soup")
    qtbot.waitUntil(lambda: it.window.sidebar.model.rowCount() == 2)
    qtbot.keyClicks(search, "zzz")
    qtbot.waitUntil(lambda: it.window.findChild(QWidget, "nothingFound").isVisible())
    qtbot.keyClick(search, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: it.window.sidebar.model.rowCount() == 3)
    qtbot.keyClicks(search, "zzz")
    qtbot.waitUntil(lambda: it.window.sidebar.model.rowCount() == 0)
    qtbot.keyClick(it.window, Qt.Key.Key_N, CTRL)  # a new chat is not hidden by a search
    assert it.window.sidebar.model.rowCount() == 3


def test_a_changed_message_waits_as_a_draft_when_another_chat_is_opened(make, qtbot):
    it = make(titles=[("A", 0), ("B", 0)])
    field = it.window.page.composer.field
    it.bench.desk.open_chat(it.ids[0])
    qtbot.waitUntil(lambda: it.bench.conversation.last_message() is not None)
    qtbot.keyClick(field, Qt.Key.Key_Up)
    it.bench.desk.open_chat(it.ids[1])
    qtbot.waitUntil(lambda: it.bench.conversation.last_message() is not None)
    assert field.toPlainText() == ""
    qtbot.keyClick(field, Qt.Key.Key_Up)
    qtbot.keyClicks(field, " now")
    it.bench.desk.open_chat(it.ids[0])
    assert (field.toPlainText(), it.bench.stage.editing) == ("", False)
    it.bench.desk.open_chat(it.ids[1])
    assert field.toPlainText() == "Please help me with this: B now"


def test_up_edits_the_last_message_and_escape_leaves_it(make, qtbot):
    it = make()
    ask(it, qtbot, "First")
    qtbot.waitUntil(lambda: answered(it))
    field = it.window.page.composer.field
    qtbot.keyClick(field, Qt.Key.Key_Up)
    assert field.toPlainText() == "First"
    qtbot.keyClick(it.window, Qt.Key.Key_Escape)
    assert field.toPlainText() == ""
    qtbot.keyClick(field, Qt.Key.Key_Up)
    qtbot.keyClicks(field, " better")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: it.bench.conversation.last_message().text == "First better")
    qtbot.waitUntil(lambda: answered(it))
    assert field.toPlainText() == ""


def test_keys_copy_the_answer_and_ask_again(make, qtbot):
    it = make()
    ask(it, qtbot)
    qtbot.waitUntil(lambda: answered(it))
    first = it.bench.conversation._turns[-1].id
    qtbot.keyClick(it.window, Qt.Key.Key_C, CTRL_SHIFT)
    assert QGuiApplication.clipboard().text() == ANSWER
    qtbot.keyClick(it.window, Qt.Key.Key_R, CTRL)
    qtbot.waitUntil(lambda: answered(it) and it.bench.conversation._turns[-1].id != first)


def test_a_failed_answer_says_so_and_can_be_started_again(make, qtbot):
    it = make(Script(fail_after_pieces=2, error=EngineStopped("why")))
    ask(it, qtbot)
    banner = it.window.page.banner
    qtbot.waitUntil(banner.isVisible)
    assert banner.message.action is Action.START_AGAIN
    assert banner.accessibleName() == "The model stopped. Your text is safe."
    action = it.window.findChild(QAbstractButton, "bannerAction")
    assert action.accessibleName() == "Start again"
    qtbot.mouseClick(action, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: banner.isVisible() and not it.bench.conversation.busy)
    assert it.window.page.composer.field.hasFocus()


def test_starters_fill_the_field_and_send_nothing(make, qtbot):
    it = make()
    for number in range(4):
        starter = it.window.findChild(QAbstractButton, f"starter-{number}")
        assert starter.accessibleName()
        it.window.page.composer.clear()
        qtbot.mouseClick(starter, Qt.MouseButton.LeftButton)
        assert it.window.page.composer.draft.typed.strip()
    assert it.bench.conversation.shown is None


def test_the_sidebar_goes_and_comes_with_the_width(make, qtbot):
    it = make(titles=[("A", 0)])
    window, sidebar = it.window, it.window.sidebar
    window.resize(WIDE_FROM, 600)
    qtbot.waitUntil(sidebar.isVisible)
    window.resize(WIDE_FROM - 1, 600)
    qtbot.waitUntil(lambda: not sidebar.isVisible())
    assert window.page.header.show_sidebar.isVisible()
    qtbot.mouseClick(window.page.header.show_sidebar, Qt.MouseButton.LeftButton)
    assert sidebar.isVisible()
    assert window.frame.overlay_open
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not sidebar.isVisible()
    window.resize(1200, 600)
    qtbot.waitUntil(sidebar.isVisible)
    qtbot.keyClick(window, Qt.Key.Key_B, CTRL)
    assert not sidebar.isVisible()


def test_f6_goes_through_the_regions_and_comes_back(make, qtbot):
    it = make(titles=[("A", 0)])
    it.bench.desk.open_chat(it.ids[0])
    qtbot.waitUntil(lambda: it.window.page.transcript is not None)
    it.window.activateWindow()
    composer = it.window.page.composer.field
    composer.setFocus()
    seen = []
    for _ in range(4):
        qtbot.keyClick(it.window, Qt.Key.Key_F6)
        seen.append(QApplication.focusWidget())
    assert it.window.sidebar.isAncestorOf(seen[0])
    assert it.window.page.header.isAncestorOf(seen[1])
    assert it.window.page.content.isAncestorOf(seen[2]) or seen[2] is it.window.page.content
    assert seen[3] is composer


def test_tab_goes_from_the_sidebar_to_the_composer(make, qtbot):
    it = make(titles=[("A", 0)])
    it.bench.desk.open_chat(it.ids[0])
    qtbot.waitUntil(lambda: it.window.page.transcript is not None)
    qtbot.waitUntil(it.window.page.header.pill.isVisible)
    it.bench.stage.show_trouble(EngineStopped("x"))
    it.window.sidebar.toggle.setFocus()
    seen = []
    for _ in range(12):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        seen.append(QApplication.focusWidget().objectName())
    assert seen[:10] == [
        "newChat",
        "searchChats",
        "chatList",
        "openModels",
        "openSettings",
        "bannerDetails",
        "bannerAction",
        "bannerClose",
        "modelPill",
        "chatMenu",
    ]
    assert "composer" in seen[10:]


def test_text_size_steps_and_returns(make, qtbot):
    it = make()
    qtbot.keyClick(it.window, Qt.Key.Key_Plus, CTRL)
    qtbot.keyClick(it.window, Qt.Key.Key_Plus, CTRL)
    assert it.theme.scale_percent == 130
    qtbot.keyClick(it.window, Qt.Key.Key_Minus, CTRL)
    assert it.theme.scale_percent == 115
    qtbot.keyClick(it.window, Qt.Key.Key_0, CTRL)
    assert it.theme.scale_percent == 100


def test_the_next_start_opens_the_last_chat_again(make, qtbot):
    it = make(titles=[("A", 0), ("B", 0)])
    it.bench.desk.open_chat(it.ids[1])
    it.window.resize(780, 600)
    it.close()
    again = make()
    qtbot.waitUntil(lambda: again.bench.conversation.shown == it.ids[1])
    qtbot.waitUntil(lambda: again.window.page.header.title.title == "B")
    assert again.window.size() == it.window.size()
    assert again.container.settings.get(settings.SIDEBAR_OPEN)


def test_a_last_chat_that_is_gone_leaves_an_empty_one(make, qtbot):
    it = make(titles=[("A", 0)], begin=False)
    it.container.settings.set(settings.LAST_CONVERSATION, "gone")
    it.bench.begin()
    qtbot.waitUntil(lambda: it.window.sidebar.model.rowCount() == 2)
    ask(it, qtbot)
    qtbot.waitUntil(lambda: answered(it))


def test_everything_a_person_uses_has_a_name(make, qtbot):
    it = make(titles=[("A", 0)])
    it.bench.desk.open_chat(it.ids[0])
    for button in it.window.findChildren(QAbstractButton):
        if button.isVisible() and not button.objectName().startswith("qt_"):
            assert button.objectName(), button
            assert button.accessibleName(), button.objectName()
    names = {
        "newChat": "New chat",
        "searchChats": "Search chats",
        "chatList": "Chats",
        "chatTitle": "Chat title",
        "composer": "Message",
        "send": "Send",
        "privacy": "Privacy: on this computer",
    }
    for name, spoken in names.items():
        assert it.window.findChild(QWidget, name).accessibleName() == spoken


@pytest.mark.parametrize("choice", ["light", "dark", "contrast"])
def test_every_theme_paints_at_the_smallest_size_and_largest_text(make, qtbot, choice):
    it = make(titles=[("A very long title that does not fit anywhere at all " * 3, 0)])
    it.bench.desk.open_chat(it.ids[0])
    it.theme.choose(choice)
    it.theme.set_scale(200)
    it.window.resize(720, 520)
    it.bench.stage.show_trouble(EngineStopped("x"))
    image = it.window.grab().toImage()
    assert image.pixelColor(2, 300) == it.theme.colours.window
    assert it.window.page.strip.geometry().bottom() <= it.window.page.height()


def test_a_question_does_not_stand_alone_when_the_system_ends_the_window(make):
    it = make()
    question = dialogs.show_details(it.window.theme, "The model stopped.", "-3", it.window)
    assert question.isVisible()
    it.window.close()
    assert not question.isVisible()
