"""Markdown in any bits gives the blocks of the whole text, at every moment."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.ui.chat.turns import HARD
from ui.chat.markdown import parse
from ui.chat.nodes import Block, Code, Table
from ui.chat.stream import MarkdownStream

BITS = st.sampled_from(
    ["# h", "#", "para", "a | b", "--- | ---", "|---|", "| 1 | `x | y` |", "```py", "```", "~~~",
     "- a", "- ", "-", "* b", "1. x", "2. y", "10) z", "0. k", "    code", "  - n", "   c", "> q",
     ">", "===", "---", "***", "\n", "\n\n", "\n", "\r\n", "\r", "\t", "**b**", "`c`", "\\|", "|",
     "[x](http://a.b)", "https://x.y/z(1)", "[ ] t", "[^1]: n", "<br>", " ", "  ", "。",
     "שלום", "🪜"]
)  # fmt: skip


def streamed(source: str, cuts: set[int]) -> list[Block]:
    """Feeds `source` cut at `cuts`, checking the blocks after each part."""
    stream, blocks, before = MarkdownStream(), list[Block](), 0
    for cut in sorted({c for c in cuts if c < len(source)} | {len(source)}):
        first, new = stream.feed(source[before:cut])
        blocks[first:] = new
        assert tuple(blocks) == stream.blocks
        if not source[:cut].endswith("\r"):
            assert stream.blocks == parse(source[:cut]), source[:cut]
        before = cut
    first, new = stream.finish()
    blocks[first:] = new
    assert stream.has_read(source)
    return blocks


@settings(max_examples=400, deadline=None)
@given(st.lists(BITS, max_size=25), st.sets(st.integers(0, 300), max_size=12))
def test_any_split_of_any_markdown(parts: list[str], cuts: set[int]) -> None:
    source = "".join(parts)
    assert tuple(streamed(source, cuts)) == parse(source)


@pytest.mark.parametrize(
    "source",
    [
        "```py\\|\n|---|",
        "```py\\|\n|---|\n| x |\n",
        "```py\\|\ncode\n|---|\nmore\n```\nend",
        "  ~~~ a|b\n  code\n  |---|\n  ~~~\n",
        "````a|b\n```\n|---|\n````\n",
    ],
)
def test_the_label_of_a_fence_may_look_like_the_head_of_a_table(source: str) -> None:
    assert tuple(streamed(source, set(range(len(source))))) == parse(source)


@settings(max_examples=30, deadline=None)
@given(st.sets(st.integers(0, len(HARD))))
def test_any_split_of_the_hard_page(cuts: set[int]) -> None:
    assert tuple(streamed(HARD, cuts)) == parse(HARD)


def test_every_character_of_the_hard_page() -> None:
    assert tuple(streamed(HARD, set(range(len(HARD))))) == parse(HARD)


def test_growing_table_keeps_its_rows() -> None:
    stream = MarkdownStream()
    stream.feed("| a | b |\n|---|---|\n" + "| x | y |\n" * 50)
    (before,) = stream.blocks
    first, (after,) = stream.feed("| x | z |\n")
    assert isinstance(before, Table)
    assert isinstance(after, Table)
    assert first == 0
    assert len(after.rows) == 51
    assert all(a is b for a, b in zip(before.rows, after.rows, strict=False))


def test_open_code_is_code_until_it_closes() -> None:
    stream = MarkdownStream()
    for line in ("```py\n", "a = 1\n", "``", "`\n", "text"):
        stream.feed(line)
    assert stream.blocks[0] == Code(label="py", text="a = 1\n")
    assert len(stream.blocks) == 2


def test_finished_blocks_are_not_read_again() -> None:
    stream = MarkdownStream()
    stream.feed("one\n\ntwo\n\nthree\n\n")
    first, new = stream.feed("four")
    assert (first, len(new)) == (2, 2)
