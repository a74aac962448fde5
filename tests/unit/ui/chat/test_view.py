"""The reading column in a window: scrolling, growing, selecting, keys, styles."""

import time
from collections.abc import Iterator
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QImage, QWheelEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.conversations.values import Turn, TurnState
from engine.types.chat import Role
from tests.unit.ui.chat.turns import HARD, turn, writing
from ui.chat.blocks import BlockWidget, TextBlock
from ui.chat.bubble import Bubble
from ui.chat.buttons import Button
from ui.chat.codeblock import CodeBlock
from ui.chat.lamp import LampDot
from ui.chat.markdown import parse
from ui.chat.plain import linear
from ui.chat.tableblock import TableBlock
from ui.chat.view import ConversationView
from ui.theme.theme import Theme

TABLE = "| Name | Amount |\n|---|---|\n" + "".join(f"| Item {i} | £{i} |\n" for i in range(200))
PARAGRAPH = "The quick brown fox jumps over the lazy dog and sleeps. " * 8


@pytest.fixture
def theme() -> Theme:
    return Theme("light")


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> Iterator[ConversationView]:
    made = ConversationView(theme)
    qtbot.addWidget(made)
    made.resize(936, 600)
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.hide()


def canvas(view: ConversationView):
    return view._canvas


def settle(qtbot: QtBot, view: ConversationView) -> None:
    """Until the idle work is done and all text that has come is shown."""
    qtbot.waitUntil(lambda: not canvas(view)._idle.isActive() and not view._pending)


def shown_text(view: ConversationView, index: int = -1) -> str:
    entry = canvas(view).column.entries[index]
    return "\n".join(linear(row.block) for row in entry.rows or ())


def named(view: ConversationView, name: str) -> list[QWidget]:
    return [w for w in view.findChildren(QWidget, name) if w.isVisible()]


def distance_to_end(view: ConversationView) -> int:
    bar = canvas(view).verticalScrollBar()
    return bar.maximum() - bar.value()


def wheel(view: ConversationView, notches: int) -> None:
    at = QPointF(400, 300)
    port = canvas(view).viewport()
    event = QWheelEvent(
        at, port.mapToGlobal(at), QPoint(), QPoint(0, 120 * notches), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(port, event)


def read_at(view: ConversationView, y: int) -> tuple[str, int]:
    """The block at `y` of the window, and how far down in it that is."""
    for _, row in canvas(view).stock.live_rows():
        top = row.widget.mapTo(canvas(view).viewport(), QPoint(0, 0)).y()
        if top <= y < top + row.widget.height():
            return linear(row.block), y - top
    return "", 0


def stream(view: ConversationView, text: str, size: int = 40) -> None:
    for start in range(0, len(text), size):
        view.grow("t1", text[start : start + size])
        view._flush()
        QApplication.processEvents()


def long_chat(count: int = 30) -> list[Turn]:
    return [turn(i, f"{i}: " + PARAGRAPH) for i in range(count)]


# --- showing --------------------------------------------------------------------------------------


def test_the_persons_words_stay_literal(view: ConversationView) -> None:
    view.show_turns([turn(0, "# x **y** <b>z</b> [a](http://x.org)\n- q")])
    assert shown_text(view) == "# x **y** <b>z</b> [a](http://x.org)\n- q"
    (row,) = canvas(view).column.entries[0].rows
    assert isinstance(row.widget, Bubble)


def test_hard_page_is_shown_whole(view: ConversationView) -> None:
    view.resize(936, 1600)
    view.show_turns([turn(0, "?"), turn(1, HARD)])
    entry = canvas(view).column.entries[1]
    assert [row.block for row in entry.rows] == list(parse(HARD))
    assert not view.grab().toImage().isNull()


def test_opens_at_the_end(view: ConversationView) -> None:
    view.show_turns(long_chat())
    assert view.following
    assert distance_to_end(view) == 0
    assert canvas(view).verticalScrollBar().maximum() > 1000


def test_only_blocks_near_the_window_exist(qtbot: QtBot, view: ConversationView) -> None:
    view.show_turns(long_chat(400))
    settle(qtbot, view)
    parsed = [e for e in canvas(view).column.entries if e.rows is not None]
    assert len(parsed) < 30
    assert len(view.findChildren(BlockWidget)) < 60


def test_scrolling_through_shows_every_turn_in_order(qtbot: QtBot, view: ConversationView) -> None:
    view.show_turns(long_chat(30))
    bar, seen = canvas(view).verticalScrollBar(), []
    bar.setValue(0)
    while True:
        for _ in range(3):
            QApplication.processEvents()
        for entry, row in canvas(view).stock.live_rows():
            if row.widget.visibleRegion().isEmpty() is False and entry.index not in seen:
                seen.append(entry.index)
        if bar.value() == bar.maximum():
            break
        bar.setValue(bar.value() + 400)
    assert seen == sorted(seen) == list(range(30))
    assert len(view.findChildren(BlockWidget)) < 60


def test_blocks_do_not_overlap(qtbot: QtBot, view: ConversationView) -> None:
    view.show_turns([turn(0, "?"), turn(1, HARD), turn(2, "x\n" * 30), turn(3, HARD)])
    settle(qtbot, view)
    port = canvas(view).viewport()
    tops = sorted(
        (row.widget.mapTo(port, QPoint(0, 0)).y(), row.widget.height())
        for _, row in canvas(view).stock.live_rows()
    )
    assert all(a + h <= b for (a, h), (b, _) in pairwise(tops))


def test_two_thousand_turns_and_two_megabytes(qtbot: QtBot, view: ConversationView) -> None:
    turns = long_chat(2000)
    turns[1998] = turn(1998, "word " * 400_000)
    begin = time.perf_counter()
    view.show_turns(turns)
    QApplication.processEvents()
    assert time.perf_counter() - begin < 1.0
    assert distance_to_end(view) == 0
    big = canvas(view).column.entries[1998]
    canvas(view).scroll_to(canvas(view).column.tops()[1998] + big.height // 2)
    settle(qtbot, view)
    assert len(view.findChildren(BlockWidget)) < 30
    text, _ = read_at(view, 300)
    assert text.startswith("word")
    assert len(text) < 5000


def test_a_hundred_thousand_lines(qtbot: QtBot, view: ConversationView) -> None:
    view.show_turns([turn(0, "line\n" * 100_000), turn(1, "```\n" + "x = 1\n" * 100_000)])
    settle(qtbot, view)
    (code,) = [w for w in view.findChildren(CodeBlock) if w.isVisible()]
    assert code.height() > 2_000_000
    assert len(code._layouts) < 200
    view.copy_requested.connect(lambda _: None)
    canvas(view).scroll_to(0)
    settle(qtbot, view)
    assert read_at(view, 300)[0].startswith("line")


# --- growing --------------------------------------------------------------------------------------


def test_streamed_answer_equals_the_whole(qtbot: QtBot, view: ConversationView) -> None:
    view.show_turns([turn(0, "?"), writing(1)])
    stream(view, HARD, 7)
    entry = canvas(view).column.entries[1]
    assert [row.block for row in entry.rows] == list(parse(HARD))
    before = [row.widget for row in entry.rows]
    view.end_turn(turn(1, HARD))
    assert [row.widget for row in entry.rows] == before  # nothing was made anew at the end


@pytest.mark.parametrize(
    "source", [HARD, TABLE, "```py\n" + "def f(x): return 1\n" * 60, PARAGRAPH]
)
def test_streamed_picture_equals_the_whole(
    qtbot: QtBot, view: ConversationView, source: str
) -> None:
    """Painting only what changed leaves nothing stale."""
    view.show_turns([turn(0, "?"), writing(1)])
    (lamp,) = view.findChildren(LampDot)
    lamp._timer.stop()  # it would breathe between two pictures
    lamp._light = lambda: 1.0  # type: ignore[method-assign]
    for start in range(0, len(source), 400):
        stream(view, source[start : start + 400], 23)
        lamp.update()
        assert _on_screen(view) == _picture(view)
    view.end_turn(turn(1, source))
    settle(qtbot, view)
    qtbot.waitUntil(lambda: all(w._lexing is None for w in view.findChildren(CodeBlock)))
    grown = _picture(view)
    assert _on_screen(view) == grown
    view.show_turns([turn(0, "?"), turn(1, source)])
    settle(qtbot, view)
    qtbot.waitUntil(lambda: not any(w._timer.isActive() for w in view.findChildren(CodeBlock)))
    assert grown == _picture(view)


def _picture(view: ConversationView) -> QImage:
    """The view painted afresh."""
    return view.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def _on_screen(view: ConversationView) -> QImage:
    """What all the partial paintings have left on the screen."""
    QApplication.processEvents()
    shot = view.screen().grabWindow(view.winId(), 0, 0, view.width(), view.height())
    return shot.toImage().convertToFormat(QImage.Format.Format_RGB32)


def test_scrolling_by_moving_the_picture_leaves_nothing_stale(
    qtbot: QtBot, view: ConversationView
) -> None:
    view.show_turns([turn(0, "?"), turn(1, HARD), turn(2, PARAGRAPH), turn(3, HARD)])
    for notches in (2, 1, -1, 3, 5, -2):
        wheel(view, notches)
        settle(qtbot, view)
        assert _on_screen(view) == _picture(view)


def test_grow_is_shown_soon_and_whole(qtbot: QtBot, view: ConversationView) -> None:
    view.show_turns([turn(0, "?"), writing(1)])
    for word in ("Pa", "ris", " is", " it", "."):
        view.grow("t1", word)
    qtbot.waitUntil(lambda: shown_text(view) == "Paris is it.", timeout=1000)


def test_text_still_waiting_is_not_lost_at_the_end(view: ConversationView) -> None:
    view.show_turns([turn(0, "?"), writing(1)])
    view.grow("t1", "one ")
    view.grow("t1", "two")
    view.end_turn(turn(1, "one two"))
    assert shown_text(view) == "one two"


def test_growing_table_paints_only_new_rows(qtbot: QtBot, view: ConversationView) -> None:
    view.show_turns([turn(0, "?"), writing(1, TABLE[: TABLE.index("| Item 9 |")])])
    settle(qtbot, view)
    (table,) = view.findChildren(TableBlock)
    painted: list[int] = []
    original = TableBlock._paint_cell
    try:
        TableBlock._paint_cell = lambda self, p, row, column: (  # type: ignore[method-assign]
            painted.append(row),
            original(self, p, row, column),
        )[1]
        stream(view, "| Item 9 | £9 |\n", 40)
    finally:
        TableBlock._paint_cell = original  # type: ignore[method-assign]
    assert table.isVisible()
    assert painted
    assert min(painted) >= 9


def test_growing_code_keeps_its_widget(view: ConversationView) -> None:
    view.show_turns([turn(0, "?"), writing(1, "```py\na = 1\nb = 2\n")])
    (code,) = view.findChildren(CodeBlock)
    stream(view, "c = 3\nd = 4\n")
    assert view.findChildren(CodeBlock) == [code]
    assert linear(code.block) == "a = 1\nb = 2\nc = 3\nd = 4"


def test_lamp_burns_while_writing_only(view: ConversationView) -> None:
    view.show_turns([turn(0, "?"), writing(1, "Hello")])
    (lamp,) = view.findChildren(LampDot)
    (text,) = view.findChildren(TextBlock)
    assert lamp.isVisible()
    assert lamp.x() > text.x() + 16
    view.end_turn(turn(1, "Hello"))
    assert not lamp.isVisible()


def test_an_answer_can_go_on(view: ConversationView) -> None:
    view.show_turns([turn(0, "?"), turn(1, "One", state=TurnState.CUT)])
    assert named(view, "continueAnswer")
    view.grow("t1", " two")
    assert shown_text(view) == "One two"
    assert not named(view, "continueAnswer")


def test_grow_of_a_turn_that_is_gone_is_ignored(view: ConversationView) -> None:
    view.show_turns([turn(0, "?"), writing(1)])
    view.remove_from(1)
    view.grow("t1", "late")
    view.end_turn(turn(1, "late"))
    assert len(canvas(view).column.entries) == 1


def test_remove_and_clear(view: ConversationView) -> None:
    view.show_turns(long_chat(6))
    view.remove_from(4)
    assert [e.turn.position for e in canvas(view).column.entries] == [0, 1, 2, 3]
    view.add_turn(turn(4, "again"))
    assert shown_text(view) == "again"
    view.clear()
    assert not view.findChildren(BlockWidget) or not named(view, "turn-0")
    assert canvas(view).column.height == 0


# --- scrolling ------------------------------------------------------------------------------------


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


# --- style ----------------------------------------------------------------------------------------


def test_theme_and_text_size_restyle_everything(
    qtbot: QtBot, view: ConversationView, theme: Theme
) -> None:
    view.show_turns([turn(0, "?"), turn(1, "Some **text** and `code`\n\n```py\nx = 1\ny = 2\n```")])
    light, height = _picture(view), canvas(view).column.height
    theme.choose("dark")
    dark = _picture(view)
    assert dark.pixelColor(2, 300) == theme.colours.window
    assert dark != light
    theme.set_scale(200)
    assert canvas(view).column.height > height * 1.4
    theme.set_scale(100)
    theme.choose("light")
    settle(qtbot, view)
    assert canvas(view).column.height == height


def test_right_to_left_paragraphs_stand_right(view: ConversationView) -> None:
    view.show_turns([turn(0, "?"), turn(1, "hello\n\n\u05e9\u05dc\u05d5\u05dd")])
    left, right = view.findChildren(TextBlock)
    assert not left.right_to_left()
    assert right.right_to_left()
    assert right._run.rects(0, 4)[0].right() > 700


def test_narrow_window_hides_the_mark_and_keeps_the_text_inside(view: ConversationView) -> None:
    view.resize(420, 400)
    view.show_turns([turn(0, PARAGRAPH), turn(1, PARAGRAPH + "`" + "x" * 300 + "`")])
    assert canvas(view).column_rect().width() == 420 - 48
    for _, row in canvas(view).stock.live_rows():
        assert row.widget.width() <= 420


# --- using ----------------------------------------------------------------------------------------


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


def _drag(qtbot: QtBot, port: QWidget, begin: QPoint, end: QPoint) -> None:
    start, stop = port.childAt(begin), port.childAt(end)
    assert start is not None
    assert stop is not None
    qtbot.mousePress(start, Qt.MouseButton.LeftButton, pos=start.mapFrom(port, begin))
    for at in (begin + QPoint(30, 5), end):
        qtbot.mouseMove(start, start.mapFrom(port, at))
    qtbot.mouseRelease(start, Qt.MouseButton.LeftButton, pos=start.mapFrom(port, end))


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
    press(Qt.Key.Key_Tab)
    press(Qt.Key.Key_Escape)
    assert names == ["turn-2", "turn-1", "", "", "copyAnswer", "tryAgain", "turn-1"]
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    assert after.hasFocus()
    qtbot.keyClick(after, Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)
    assert before.hasFocus()


def test_names_for_a_screen_reader(view: ConversationView) -> None:
    view.resize(936, 1200)
    view.show_turns([turn(0, "Hi\nthere"), turn(1, TABLE[:60] + "\n\n```py\nx = 1\n```\n")])
    names = {w.accessibleName() for w in view.findChildren(QWidget) if w.accessibleName()}
    assert view.accessibleName() == "Conversation"
    assert {"You: Hi there", "Table, 2 rows, 2 columns", "Code, Python", "Copy code"} <= names
    assert {"Copy answer", "Try again", "Edit message", "Copy message"} <= names
    view.show_turns([turn(0, "x" * 100_000)])
    longest = max(len(w.accessibleName()) for w in view.findChildren(QWidget))
    assert longest < 400


def test_the_main_thread_stays_free_while_a_table_streams(
    qtbot: QtBot, view: ConversationView
) -> None:
    """Wrong results fail; how long it took is printed by the bench."""
    view.show_turns([turn(0, "?"), writing(1)])
    late, last = [], [time.perf_counter()]

    def tick() -> None:
        now = time.perf_counter()
        late.append(now - last[0])
        last[0] = now

    timer = QTimer(interval=10)
    timer.timeout.connect(tick)
    timer.start()
    parts = [TABLE[i : i + 60] for i in range(0, len(TABLE), 60)]
    feeder = QTimer(interval=15)
    feeder.timeout.connect(lambda: view.grow("t1", parts.pop(0)) if parts else feeder.stop())
    feeder.start()
    qtbot.waitUntil(lambda: not parts and shown_text(view).endswith("£199"), timeout=20_000)
    timer.stop()
    assert len(late) > 50
    assert distance_to_end(view) == 0
    (block,) = [row.block for row in canvas(view).column.entries[1].rows]
    assert len(block.rows) == 200


def test_failed_turn_of_another_role_is_shown(view: ConversationView) -> None:
    view.show_turns([turn(0, "be kind", role=Role.SYSTEM)])
    assert shown_text(view) == "be kind"


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


def test_spaces_grow_with_the_text_size(view: ConversationView, theme: Theme) -> None:
    view.show_turns([turn(0, "?"), turn(1, "one\n\ntwo")])
    theme.set_scale(200)
    rows = canvas(view).column.entries[1].rows
    assert [row.lead for row in rows] == [0, 24]
    assert [row.height for row in rows] == [52, 76]
