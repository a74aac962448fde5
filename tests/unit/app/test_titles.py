"""Titles out of a person's first words."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.conversations.titles import TITLE_WIDTH, title_from

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=200)


def columns(text: str) -> int:
    return sum(
        0
        if unicodedata.category(c) in {"Mn", "Me"} or c in "\u200c\u200d"
        else 2
        if unicodedata.east_asian_width(c) in {"W", "F"}
        else 1
        for c in text
    )


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("What is the capital of France?", "What is the capital of France?"),
        ("  one\n\n two\tthree\r\n", "one two three"),
        ("# Heading\n- *item* one", "Heading item one"),
        ("> quoted **bold** and `code`", "quoted bold and code"),
        ('"In quotes"', "In quotes"),
        ("「引用」", "引用"),
        ("[a link](https://example.org/x) here", "a link here"),
        ("![picture](x.png) of a cat", "picture of a cat"),
        ("```python\nprint(1)\n```", "print(1)"),
        ("1. first\n2. second", "first second"),
        ("snake_case and 2*3*4 stay", "snake_case and 2*3*4 stay"),
        ("a\x00b\x1b[31mc\u202ed", "a b [31mcd"),
        ("half \ud800 pair", "half pair"),
        ("???", "???"),
        ("***", "***"),
        ("", "New chat"),
        (" \n\t\u200b", "New chat"),
        ("x" * 100, "x" * 47 + "…"),
        (
            "Please write a long letter to my grandmother about the summer",
            "Please write a long letter to my grandmother…",
        ),
        (
            "请帮我写一封很长很长的信给我住在乡下的外婆讲讲今年夏天的事情",
            "请帮我写一封很长很长的信给我住在乡下的外婆讲讲…"[:23] + "…",
        ),
    ],
)
def test_first_words(text: str, title: str) -> None:
    assert title_from(text, fallback="New chat") == title


def test_letters_are_not_parted_from_their_marks() -> None:
    title = title_from("e\u0301" * 60, fallback="-")
    assert title == "e\u0301" * 47 + "…"
    family = "👩\u200d👩\u200d👧"
    assert title_from(family * 20, fallback="-").removesuffix("…").replace(family, "") == ""


def test_a_long_paste_is_not_read_to_its_end() -> None:
    class Text(str):
        __slots__ = ()

        def __iter__(self):  # type: ignore[no-untyped-def]
            raise AssertionError

    assert title_from(Text("word " * 400_000), fallback="-").startswith("word word")


@settings(max_examples=300)
@given(ANY_TEXT, st.sampled_from(["", "# ", "**", "中文", "👩\u200d👧"]))
def test_any_text_gives_a_short_line(text: str, before: str) -> None:
    title = title_from(before + text, fallback="fallback")
    assert title
    assert columns(title) <= TITLE_WIDTH
    assert title == title.strip()
    assert all(c.isprintable() or c in "\u200c\u200d" for c in title)
    assert title.encode()
