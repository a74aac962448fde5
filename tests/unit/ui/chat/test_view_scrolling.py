"""The reading column in a window: it follows the end, or stays where the person put it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.unit.ui.chat.turns import HARD, turn, writing
from tests.unit.ui.chat.view_probe import (
    PARAGRAPH,
    TABLE,
    canvas,
    distance_to_end,
    long_chat,
    named,
    on_screen,
    picture,
    read_at,
    settle,
    stream,
    wheel,
)
from ui.chat.view import ConversationView


def test_scrolling_by_moving_the_picture_leaves_nothing_stale(
    qtbot: QtBot, view: ConversationView
) -> None:
    view.show_turns([turn(0, "?"), turn(1, HARD), turn(2, PARAGRAPH), turn(3, HARD)])
    for notches in (2, 1, -1, 3, 5, -2):
        wheel(view, notches)
        settle(qtbot, view)
        assert on_screen(view) == picture(view)


def test_untouched_run_ends_exactly_at_the_bottom(qtbot: QtBot, view: ConversationView) -> None:
    view.show_turns([turn(0, "?"), writing(1)])
    stream(view, (PARAGRAPH + "\n\n") * 10 + TABLE[:900])
    assert distance_to_end(view) == 0
    view.resize(760, 420)
    settle(qtbot, view)
    assert distance_to_end(view) == 0
    view.end_turn(turn(1, (PARAGRAPH + "\n\n") * 10 + TABLE[:900]))
    settle(qtbot, view)
    assert view.following
    assert distance_to_end(view) == 0


def test_scrolled_up_it_stays_where_the_person_put_it(qtbot: QtBot, view: ConversationView) -> None:
    view.show_turns([turn(0, "?"), writing(1)])
    source = "".join(f"Line number {i} of the answer.\n\n" for i in range(300))
    half = len(source) // 2
    stream(view, source[:half])
    wheel(view, 3)
    assert not view.following
    text, offset = read_at(view, 200)
    assert text
    stream(view, source[half:])
    assert read_at(view, 200) == (text, offset)
    view.resize(936, 480)
    settle(qtbot, view)
    assert read_at(view, 200) == (text, offset)
    view.resize(700, 480)
    settle(qtbot, view)
    after, moved = read_at(view, 200)
    assert abs(int(after.split()[2]) - int(text.split()[2])) <= 1
    assert abs(moved - offset) <= 40


def test_following_comes_back_at_the_bottom(qtbot: QtBot, view: ConversationView) -> None:
    view.show_turns([turn(0, "?"), writing(1, (PARAGRAPH + "\n\n") * 10)])
    with qtbot.waitSignal(view.following_changed) as changed:
        wheel(view, 3)
    assert changed.args == [False]
    assert named(view, "goToNewest")
    with qtbot.waitSignal(view.following_changed) as changed:
        wheel(view, -40)
    assert changed.args == [True]
    assert not named(view, "goToNewest")
    stream(view, PARAGRAPH)
    assert distance_to_end(view) == 0


def test_go_to_the_newest(qtbot: QtBot, view: ConversationView) -> None:
    view.show_turns(long_chat())
    wheel(view, 20)
    (button,) = named(view, "goToNewest")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert view.following
    assert distance_to_end(view) == 0


def test_the_persons_own_message_brings_the_end_into_view(view: ConversationView) -> None:
    view.show_turns(long_chat())
    wheel(view, 20)
    view.add_turn(turn(30, "And now?"))
    assert view.following
    view.add_turn(writing(31))
    assert distance_to_end(view) == 0


def test_measuring_what_is_above_does_not_move_the_text(
    qtbot: QtBot, view: ConversationView
) -> None:
    view.show_turns([turn(i, HARD if i % 2 else "?") for i in range(40)])
    bar = canvas(view).verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    QApplication.processEvents()
    before = read_at(view, 300)
    settle(qtbot, view)
    assert read_at(view, 300) == before
