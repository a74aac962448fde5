"""The column as numbers."""

from hypothesis import given
from hypothesis import strategies as st

from tests.unit.ui.chat.turns import turn
from ui.chat.column import EDGE, TURN_GAP, Column, Guess, Row, lead, same_quotes
from ui.chat.markdown import parse


@given(st.lists(st.integers(1, 500), min_size=1, max_size=30), st.data())
def test_a_point_lies_in_its_turn(heights: list[int], data: st.DataObject) -> None:
    column = Column()
    column.replace([turn(i, "x") for i in range(len(heights))])
    for entry, height in zip(column.entries, heights, strict=True):
        entry.guess = height
        column.touch(entry)
    assert column.height == 2 * EDGE + sum(heights) + TURN_GAP * (len(heights) - 1)
    index = data.draw(st.integers(0, len(heights) - 1))
    inside = data.draw(st.integers(0, heights[index] - 1))
    assert column.index_at(column.tops()[index] + inside) == index


def test_only_what_is_below_a_change_is_counted_again() -> None:
    column = Column()
    column.replace([turn(i, "x") for i in range(4)])
    for entry in column.entries:
        entry.guess = 100
    before = list(column.tops())
    column.entries[2].guess = 150
    column.touch(column.entries[2])
    assert column.tops()[:3] == before[:3]
    assert column.tops()[3] == before[3] + 50


def test_row_at() -> None:
    column = Column()
    column.replace([turn(1, "x")])
    entry = column.entries[0]
    entry.rows = [Row(block) for block in parse("a\n\nb\n\nc")]
    for row in entry.rows:
        row.height = 30
    assert [entry.row_at(y) for y in (-5, 0, 29, 30, 89, 500)] == [0, 0, 0, 1, 2, 2]
    assert entry.height == 90


def test_spaces_between_blocks() -> None:
    blocks = parse("text\n- one\n- two\n\n  more\n\nend\n\n# head\n\n> q")
    spaces = [lead(a, b) for a, b in zip((None, *blocks), blocks, strict=False)]
    assert spaces == [0, 4, 2, 8, 12, 18, 12]


def test_quote_bars_run_through() -> None:
    a, b, c = parse("> one\n>\n> two\n\nthree")
    assert (same_quotes(None, a), same_quotes(a, b), same_quotes(b, c)) == (0, 1, 0)


def test_guesses_grow_with_the_text() -> None:
    guess = Guess(760, 26, 8.0)
    short, long = (Row(parse(text)[0]) for text in ("word", "word " * 500))
    assert guess.row(short) == 26
    assert guess.row(long) > 20 * 26
    column = Column()
    column.replace([turn(0, "a\n" * 100)])
    assert guess.entry(column.entries[0]) > 100 * 26
