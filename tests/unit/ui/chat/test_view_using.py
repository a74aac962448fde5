"""The reading column in a window: buttons, links, selecting, keys, the menu."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.conversations.values import TurnState
from tests.unit.ui.chat.turns import turn, writing
from tests.unit.ui.chat.view_probe import canvas, named, shown_text
from ui.chat.blocks import TextBlock
from ui.chat.buttons import Button
from ui.chat.codeblock import CodeBlock
from ui.chat.view import ConversationView
from ui.theme.theme import Theme


@pytest.mark.parametrize(
    ("button", "signal"),
    [
        ("copyAnswer", "copy_requested"),
        ("tryAgain", "retry_requested"),
        ("continueAnswer", "continue_requested"),
    ],
)
def test_buttons_of_the_last_answer(
    qtbot: QtBot, view: ConversationView, button: str, signal: str
) -> None:
    view.show_turns([turn(0, "?"), turn(1, "Yes", state=TurnState.STOPPED)])
    (found,) = named(view, button)
    assert found.accessibleName()
    with qtbot.waitSignal(getattr(view, signal)) as sent:
        qtbot.mouseClick(found, Qt.MouseButton.LeftButton)
    assert sent.args == ["t1"]


def test_buttons_elsewhere_show_on_focus(qtbot: QtBot, view: ConversationView) -> None:
    view.show_turns([turn(0, "?"), turn(1, "Yes"), turn(2, "?"), turn(3, "No")])
    assert len(named(view, "copyAnswer")) == 1
    assert not named(view, "editMessage")
    canvas(view).stock.shown_turn(canvas(view).column.entries[2]).setFocus()
    (edit,) = named(view, "editMessage")
    with qtbot.waitSignal(view.edit_requested) as sent:
        qtbot.mouseClick(edit, Qt.MouseButton.LeftButton)
    assert sent.args == ["t2"]


def test_only_the_newest_answer_can_go_on_or_be_tried_again(view: ConversationView) -> None:
    view.show_turns([
        turn(0, "?"), turn(1, "Yes", state=TurnState.STOPPED), turn(2, "?"), turn(3, "No"),
    ])  # fmt: skip
    canvas(view).stock.shown_turn(canvas(view).column.entries[1]).setFocus()
    assert len(named(view, "copyAnswer")) == 2
    assert len(named(view, "answerNote")) == 1
    assert not named(view, "continueAnswer")
    (again,) = named(view, "tryAgain")
    assert again.parentWidget().objectName() == "turn-3"


@pytest.mark.parametrize(
    ("text", "state", "note", "button"),
    [
        ("So", TurnState.FAILED, "This answer is not finished.", "Continue"),
        ("", TurnState.FAILED, "There is no answer to this yet.", "Try again"),
        (" \n", TurnState.COMPLETE, "There is no answer to this yet.", "Try again"),
        ("", TurnState.STOPPED, "You stopped this answer.", "Try again"),
    ],
)
def test_an_answer_that_failed_or_is_empty_says_so(
    view: ConversationView, text: str, state: TurnState, note: str, button: str
) -> None:
    view.show_turns([turn(0, "?"), turn(1, text, state=state)])
    (said,) = named(view, "answerNote")
    (more,) = named(view, "continueAnswer")
    assert (said.text(), more.accessibleName()) == (note, button)
    assert bool(named(view, "copyAnswer")) == bool(text.strip())


def test_no_buttons_while_writing(view: ConversationView) -> None:
    view.show_turns([turn(0, "?"), writing(1, "So")])
    assert not named(view, "copyAnswer")
    view.end_turn(turn(1, "So", state=TurnState.FAILED))
    assert named(view, "copyAnswer")
    assert shown_text(view) == "So"


def test_copy_code(qtbot: QtBot, view: ConversationView) -> None:
    view.show_turns([turn(0, "?"), turn(1, "```py\na = 1\n\nb = 2\n```")])
    (button,) = named(view, "copyCode")
    assert isinstance(button, Button)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "a = 1\n\nb = 2"
    assert button.text() == "Copied"
    qtbot.waitUntil(lambda: button.text() == "Copy", timeout=3000)


def test_link_asks_before_it_opens(qtbot: QtBot, view: ConversationView) -> None:
    view.show_turns([turn(0, "?"), turn(1, "[here](https://example.org/a) it is")])
    (block,) = view.findChildren(TextBlock)
    at = (block._run.rects(0, 4)[0].center() + block._origin()).toPoint()
    with qtbot.waitSignal(view.link_activated) as sent:
        qtbot.mouseClick(block, Qt.MouseButton.LeftButton, pos=at)
    assert sent.args == ["https://example.org/a"]


def test_dragging_selects_over_blocks_and_turns(qtbot: QtBot, view: ConversationView) -> None:
    view.show_turns([turn(0, "Question"), turn(1, "First one.\n\n- item\n\n```\ncode line\n```")])
    port = canvas(view).viewport()
    first = view.findChildren(TextBlock)[0]
    begin = first.mapTo(port, QPoint(16, first.lead + 13))
    (code,) = view.findChildren(CodeBlock)
    end = code.mapTo(port, QPoint(code.width() - 20, code.height() - 8))
    _drag(qtbot, port, begin, end)
    assert view._selection.text() == "First one.\n• item\n\ncode line"
    first.window().activateWindow()
    turn_widget = canvas(view).stock.shown_turn(canvas(view).column.entries[1])
    turn_widget.setFocus()
    qtbot.keyClick(turn_widget, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "First one.\n• item\n\ncode line"


def test_select_the_message_by_keyboard(qtbot: QtBot, view: ConversationView) -> None:
    view.show_turns([turn(0, "?"), turn(1, "| a | b |\n|---|---|\n| 🪜1 | 2 |\n\nend")])
    widget = canvas(view).stock.shown_turn(canvas(view).column.entries[1])
    widget.setFocus()
    qtbot.keyClick(widget, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert view._selection.text() == "a\tb\n🪜1\t2\n\nend"
    qtbot.keyClick(widget, Qt.Key.Key_Escape)
    assert view._selection.text() == ""
    for _ in range(2):
        qtbot.keyClick(widget, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert view._selection.text() == "a\t"


def test_one_stop_for_the_keyboard(qtbot: QtBot, theme: Theme) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    before, view, after = QLineEdit(), ConversationView(theme), QLineEdit()
    layout = QVBoxLayout(window)
    layout.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)
    for widget in (before, view, after):
        layout.addWidget(widget)
    window.resize(900, 700)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    view.show_turns([turn(0, "?"), turn(1, "[a](http://x.org) [b](http://y.org)"), turn(2, "ok")])
    before.setFocus()
    names = []

    def press(key: Qt.Key) -> None:
        qtbot.keyClick(QApplication.focusWidget(), key)
        names.append(QApplication.focusWidget().objectName())

    press(Qt.Key.Key_Tab)
    press(Qt.Key.Key_Up)
    press(Qt.Key.Key_Return)
    with qtbot.waitSignal(view.link_activated) as sent:
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert sent.args == ["http://x.org"]
    press(Qt.Key.Key_Tab)
    press(Qt.Key.Key_Tab)
    press(Qt.Key.Key_Escape)
    assert names == ["turn-2", "turn-1", "", "", "copyAnswer", "turn-1"]
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    assert after.hasFocus()
    qtbot.keyClick(after, Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)
    assert before.hasFocus()


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_menu_of_the_right_button(qtbot: QtBot, view: ConversationView) -> None:
    view.show_turns([turn(0, "?"), turn(1, "Some text")])
    view._menu(canvas(view).column.entries[1], view.mapToGlobal(QPoint(100, 100)))
    (menu,) = view.findChildren(QMenu)
    copy, select = menu.actions()
    assert not copy.isEnabled()
    select.trigger()
    assert view._selection.text() == "Some text"
    menu.close()


def _drag(qtbot: QtBot, port: QWidget, begin: QPoint, end: QPoint) -> None:
    start, stop = port.childAt(begin), port.childAt(end)
    assert start is not None
    assert stop is not None
    qtbot.mousePress(start, Qt.MouseButton.LeftButton, pos=start.mapFrom(port, begin))
    for at in (begin + QPoint(30, 5), end):
        qtbot.mouseMove(start, start.mapFrom(port, at))
    qtbot.mouseRelease(start, Qt.MouseButton.LeftButton, pos=start.mapFrom(port, end))
