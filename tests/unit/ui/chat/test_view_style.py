"""The reading column in a window: colours, text size, widths and directions."""

from pytestqt.qtbot import QtBot

from tests.unit.ui.chat.turns import turn
from tests.unit.ui.chat.view_probe import PARAGRAPH, canvas, picture, settle
from ui.chat.blocks import TextBlock
from ui.chat.view import ConversationView
from ui.theme.theme import Theme


def test_theme_and_text_size_restyle_everything(
    qtbot: QtBot, view: ConversationView, theme: Theme
) -> None:
    view.show_turns([turn(0, "?"), turn(1, "Some **text** and `code`\n\n```py\nx = 1\ny = 2\n```")])
    light, height = picture(view), canvas(view).column.height
    theme.choose("dark")
    dark = picture(view)
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


def test_spaces_grow_with_the_text_size(view: ConversationView, theme: Theme) -> None:
    view.show_turns([turn(0, "?"), turn(1, "one\n\ntwo")])
    theme.set_scale(200)
    rows = canvas(view).column.entries[1].rows
    assert [row.lead for row in rows] == [0, 24]
    assert [row.height for row in rows] == [52, 76]
