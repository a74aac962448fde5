"""The reading column in a window: an answer that grows, goes on, ends or goes away."""

import time

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from app.conversations.values import TurnState
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
    settle,
    shown_text,
    stream,
)
from ui.chat.blocks import BlockWidget, TextBlock
from ui.chat.codeblock import CodeBlock
from ui.chat.lamp import LampDot
from ui.chat.markdown import parse
from ui.chat.plain import linear
from ui.chat.tableblock import TableBlock
from ui.chat.view import ConversationView


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
        assert on_screen(view) == picture(view)
    view.end_turn(turn(1, source))
    settle(qtbot, view)
    qtbot.waitUntil(lambda: all(w._lexing is None for w in view.findChildren(CodeBlock)))
    grown = picture(view)
    assert on_screen(view) == grown
    view.show_turns([turn(0, "?"), turn(1, source)])
    settle(qtbot, view)
    qtbot.waitUntil(lambda: not any(w._timer.isActive() for w in view.findChildren(CodeBlock)))
    assert grown == picture(view)


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
