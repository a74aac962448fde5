"""Colours by label only, line by line."""

import pytest

from ui.chat.highlight import LONGEST, lexer_for, pieces_by_line, pieces_of_line, plain_label


def test_pieces_fit_their_lines() -> None:
    text = 'def f(x):  # why\n    return """a\nb""" + 1\n'
    found = dict(pieces_by_line("py", text))
    lines = text.split("\n")
    kinds = {(lines[n][a:b], kind) for n, pieces in found.items() for a, b, kind in pieces}
    assert {("def", "key"), ("f", "fn"), ("# why", "com"), ("1", "num")} <= kinds
    assert ("b", "str") in kinds  # a string goes on over the line


def test_a_called_name_is_coloured() -> None:
    assert (4, 8, "fn") in pieces_of_line("python", "plt.plot(x)")


@pytest.mark.parametrize("label", ["", "nonsense", "py thon", "../x"])
def test_an_unknown_label_has_no_colours(label: str) -> None:
    assert lexer_for(label) is None
    assert list(pieces_by_line(label, "x = 1")) == []


def test_huge_code_is_left_alone() -> None:
    assert list(pieces_by_line("py", "x = 1\n" * LONGEST)) == []


def test_labels_are_plain() -> None:
    assert [plain_label(x) for x in ("py", "JS", "text", "recipe")] == [
        "Python",
        "JavaScript",
        "Text",
        "recipe",
    ]
