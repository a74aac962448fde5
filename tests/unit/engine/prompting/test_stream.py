"""Text shown while a reply streams equals the text of the whole reply."""

from itertools import pairwise
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.prompting.stream import StopFilter, Utf8Stream

Text = TypeVar("Text", str, bytes)


def cut(whole: Text, places: list[int]) -> list[Text]:
    edges = [0, *sorted(place % (len(whole) + 1) for place in places), len(whole)]
    return [whole[start:end] for start, end in pairwise(edges)]


def decode(pieces: list[bytes]) -> list[str]:
    stream = Utf8Stream()
    return [*map(stream.push, pieces), stream.flush()]


def filtered(pieces: list[str], stop: tuple[str, ...]) -> tuple[str, bool]:
    stream = StopFilter(stop)
    shown = "".join(stream.push(piece)[0] for piece in pieces)
    rest, stopped = stream.flush()
    return shown + rest, stopped


def whole_text(text: str, stop: tuple[str, ...]) -> tuple[str, bool]:
    starts = [text.find(sequence) for sequence in stop if sequence and sequence in text]
    return (text[: min(starts)], True) if starts else (text, False)


PLACES = st.lists(st.integers(0, 200), max_size=12)


@given(st.binary(max_size=60) | st.text(max_size=30).map(str.encode), PLACES)
def test_any_bytes_cut_anywhere_decode_like_the_whole(data: bytes, places: list[int]) -> None:
    assert "".join(decode(cut(data, places))) == data.decode("utf-8", "replace")


@given(st.text(max_size=30), PLACES)
def test_no_piece_of_a_valid_text_shows_half_a_character(text: str, places: list[int]) -> None:
    seen = ""
    for piece in decode(cut(text.encode(), places)):
        seen += piece
        assert text.startswith(seen)
    assert seen == text


def test_a_character_in_single_bytes_appears_with_its_last() -> None:
    assert decode([bytes([byte]) for byte in "👋".encode()]) == ["", "", "", "👋", ""]


def test_a_dangling_rest_becomes_one_replacement_character() -> None:
    assert decode([b"ok", "👋".encode()[:3]]) == ["ok", "", "�"]


@given(
    st.text(alphabet="ab<\n", max_size=40),
    st.lists(st.text(alphabet="ab<\n", max_size=5), max_size=4).map(tuple),
    PLACES,
)
def test_stopping_does_not_depend_on_how_text_is_cut(
    text: str, stop: tuple[str, ...], places: list[int]
) -> None:
    assert filtered(cut(text, places), stop) == whole_text(text, stop)


@given(
    st.text(alphabet="abc", max_size=30),
    st.lists(st.text(alphabet="abc", min_size=1, max_size=4), min_size=1, max_size=3).map(tuple),
)
def test_only_a_possible_stop_sequence_is_held_back(text: str, stop: tuple[str, ...]) -> None:
    stream = StopFilter(stop)
    shown = ""
    for end, character in enumerate(text, 1):
        safe, stopped = stream.push(character)
        shown += safe
        if stopped:
            return
        held = text[len(shown) : end]
        assert held == "" or any(s.startswith(held) and s != held for s in stop)


@pytest.mark.parametrize(
    ("pieces", "stop", "expected"),
    [
        (["Hello <|im", "_end|> more"], ("<|im_end|>",), ("Hello ", True)),
        (["a <|im", "_x"], ("<|im_end|>",), ("a <|im_x", False)),
        (["one\nUs", "er: two"], ("\nUser:",), ("one", True)),
        (["ab", "x"], ("abc", "b"), ("a", True)),
        (["ab", "c"], ("abc", "b"), ("", True)),
        (["ab"], ("abc", "b"), ("a", True)),
        (["aab"], ("aa", "aab"), ("", True)),
        (["text"], ("", ""), ("text", False)),
        (["text"], (), ("text", False)),
    ],
)
def test_stop_sequences(pieces: list[str], stop: tuple[str, ...], expected: object) -> None:
    assert filtered(pieces, stop) == expected


def test_nothing_follows_a_stop_sequence() -> None:
    stream = StopFilter(("END",))
    assert stream.push("xEND") == ("x", True)
    assert stream.push("more") == ("", True)
    assert stream.flush() == ("", True)
