"""Long texts are cut where nobody minds, and the same way while they grow."""

from hypothesis import given
from hypothesis import strategies as st

from ui.chat.pieces import cuts, split_said
from ui.chat.plain import cut_units, units


@given(st.text(alphabet="ab \n🪜字", max_size=400), st.integers(4, 40))
def test_pieces_make_the_whole(text: str, size: int) -> None:
    parts = [text[a:b] for a, b in cuts(text, size)]
    assert "".join(parts) == text
    assert all(len(part) <= size for part in parts)


@given(st.text(alphabet="ab \n", max_size=300), st.text(alphabet="ab \n", max_size=100))
def test_growing_keeps_all_but_the_last_piece(text: str, more: str) -> None:
    assert cuts(text + more, 20)[: len(cuts(text, 20)) - 1] == cuts(text, 20)[:-1]


def test_two_megabytes_in_one_line() -> None:
    pieces = split_said("x" * 2_000_000)
    assert len(pieces) > 500
    assert sum(len(piece.text.text) for piece in pieces) == 2_000_000
    assert [piece.last for piece in pieces].count(True) == 1


def test_said_is_literal() -> None:
    (piece,) = split_said("# x **y** <b>")
    assert piece.text.text == "# x **y** <b>"
    assert piece.text.spans == ()


@given(st.text(alphabet="a字🪜", max_size=30), st.integers(0, 30), st.integers(0, 30))
def test_units_are_utf_16(text: str, a: int, b: int) -> None:
    a, b = sorted((min(a, len(text)), min(b, len(text))))
    assert cut_units(text, units(text[:a]), units(text[:b])) == text[a:b]
