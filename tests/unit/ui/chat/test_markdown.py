"""Markdown into blocks: readable, nothing lost, nothing loaded."""

import pytest

from tests.unit.ui.chat.turns import HARD
from ui.chat.markdown import parse, split_cells
from ui.chat.nodes import Code, Heading, Mark, Paragraph, Rule, Span, Table, Text
from ui.chat.plain import linear


def only(source: str) -> Text:
    (block,) = parse(source)
    assert isinstance(block, Paragraph | Heading)
    return block.text


def links(source: str) -> list[tuple[str, str]]:
    text = only(source)
    return [(text.text[s.start : s.end], s.href) for s in text.spans if s.href]


def test_hard_page_loses_nothing() -> None:
    text = "\n".join(linear(block) for block in parse(HARD))
    for piece in (
        "three", "four with code", "x = 1  # in a list", "in a list", "| not | a table", "1 | x",
        "a | b", "one\ntwo", "cells | here", "deeper\nlazy line", "<b>raw</b>",
        "<script>alert(1)</script>", "[^1]: the note itself", "indented code", "never closed",
        "![local](file:///etc/passwd)", "[bad](javascript:alert(1))", "[ftp](ftp://x.org)",
    ):  # fmt: skip
        assert piece in text, piece


def test_four_levels_of_lists_keep_their_markers() -> None:
    markers = [[c.marker for c in block.path] for block in parse(HARD)[:4]]
    assert markers == [["1."], ["", "•"], ["", "", "1."], ["", "", "", "◦"]]


def test_code_and_table_in_a_list_stand_in_the_list() -> None:
    kinds = [(type(block), len(block.path)) for block in parse(HARD)[4:6]]
    assert kinds == [(Code, 2), (Table, 1)]


def test_a_rule_is_a_rule() -> None:
    assert parse("***") == (Rule(),)


def test_numbers_go_on_from_the_first() -> None:
    assert [b.path[0].marker for b in parse("7. a\n8. b\n8. c")] == ["7.", "8.", "9."]


def test_tasks_have_boxes() -> None:
    checked = [(b.path[0].checked, linear(b)) for b in parse("- [x] a\n- [ ] b\n- [link] c")]
    assert checked == [(True, "a"), (False, "b"), (None, "[link] c")]


def test_empty_list_item_still_shows() -> None:
    assert [b.path[0].marker for b in parse("- a\n-\n- c")] == ["•", "•", "•"]


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        ("| a | b |", ["a", "b"]),
        ("a | b", ["a", "b"]),
        (r"| a \| b | c |", ["a | b", "c"]),
        ("| `1 | x` | c |", ["`1 | x`", "c"]),
        ("| ``a ` | b`` | c |", ["``a ` | b``", "c"]),
        ("| `open | c |", ["`open", "c"]),
        ("| | b |", ["", "b"]),
    ],
)
def test_cells_split_at_bars_outside_code(line: str, cells: list[str]) -> None:
    assert split_cells(line) == cells


def test_sixty_columns() -> None:
    head = "|" + "|".join(f"c{i}" for i in range(60)) + "|"
    (table,) = parse(f"{head}\n|{'---|' * 60}\n{head}")
    assert isinstance(table, Table)
    assert len(table.head) == len(table.rows[0]) == 60


def test_only_safe_addresses_are_links() -> None:
    assert links("[a](http://x.org) [b](HTTPS://x.org) [c](mailto:a@b.c)") == [
        ("a", "http://x.org"),
        ("b", "HTTPS://x.org"),
        ("c", "mailto:a@b.c"),
    ]
    for bad in (
        "[a](javascript:alert(1))", "[a](file:///etc/passwd)", "[a](ftp://x.org)", "[a](//x.org)",
        "[a](data:text/html,x)", "[a](other.html)", "[a](#there)", "<tel:123>",
        "[a](java\tscript:x)",
        "[a](&#106;avascript:alert(1))", "![a](data:image/png;base64,AAAA)", "![a](qrc:/x.png)",
    ):  # fmt: skip
        assert links(bad) == [], bad
        assert "a" in only(bad).text or "tel" in only(bad).text


def test_bare_addresses_keep_their_brackets_and_file_names_stay_text() -> None:
    assert links("see https://x.org/a_(b), or (https://x.org/c).") == [
        ("https://x.org/a_(b)", "https://x.org/a_(b)"),
        ("https://x.org/c", "https://x.org/c"),
    ]
    assert links("open main.py and readme.md") == []


def test_a_picture_is_its_description_with_a_link() -> None:
    assert links("![a cat](https://x.org/c.png)") == [("a cat", "https://x.org/c.png")]
    assert links("![](https://x.org/c.png)") == [("https://x.org/c.png", "https://x.org/c.png")]


def test_marks_combine() -> None:
    text = only("a ***b*** ~~c `d`~~")
    assert text.text == "a b c d"
    assert [(s.start, s.end, s.marks) for s in text.spans] == [
        (2, 3, Mark.BOLD | Mark.ITALIC),
        (4, 6, Mark.STRIKE),
        (6, 7, Mark.STRIKE | Mark.CODE),
    ]


def test_chinese_bold_needs_no_spaces() -> None:
    text = only("**退房后 15 天内退还。**前提是")
    assert text == Text("退房后 15 天内退还。前提是", (Span(start=0, end=12, marks=Mark.BOLD),))


def test_line_breaks_stay() -> None:
    assert only("a\nb  \nc<br>d<br/>\ne").text == "a\nb\nc\nd\ne"


def test_code_keeps_its_spaces_and_its_label() -> None:
    assert parse("``` Py title=x\n\ta  b\n\n```") == (Code(label="Py", text="\ta  b\n\n"),)


def test_no_html_and_no_entities_in_code() -> None:
    assert only("`<b> &amp;` &amp; <i>").text == "<b> &amp; & <i>"


def test_very_long_paragraph_is_in_pieces_that_join_again() -> None:
    source = "word " * 5000 + "end"
    blocks = parse(source)
    assert len(blocks) > 5
    joined = "".join((b.joint or "") + b.text.text for b in blocks if isinstance(b, Paragraph))
    assert joined == source


def test_deep_nesting_does_not_fail() -> None:
    for source in (
        "> " * 300 + "end",
        "".join("  " * i + "- a\n" for i in range(150)) + "\n\nend",
        "[" * 3000 + "]" * 3000 + "end",
        "*a **b " * 2000 + "end",
    ):
        assert "end" in "".join(linear(block) for block in parse(source))
