"""The reading column in a window: what stands there, near the end and in very long chats."""

import time
from itertools import pairwise

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from engine.types.chat import Role
from tests.unit.ui.chat.turns import HARD, turn
from tests.unit.ui.chat.view_probe import (
    TABLE,
    canvas,
    distance_to_end,
    long_chat,
    read_at,
    settle,
    shown_text,
)
from ui.chat.blocks import BlockWidget
from ui.chat.bubble import Bubble
from ui.chat.codeblock import CodeBlock
from ui.chat.markdown import parse
from ui.chat.view import ConversationView


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


def test_failed_turn_of_another_role_is_shown(view: ConversationView) -> None:
    view.show_turns([turn(0, "be kind", role=Role.SYSTEM)])
    assert shown_text(view) == "be kind"
