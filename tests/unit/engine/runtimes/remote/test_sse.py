"""Events out of bytes: any bytes, any cuts."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.runtimes.remote.sse import LIMIT_BYTES, EventStream, EventTooLong, ServerEvent

PIECES = st.sampled_from(
    [b"data: a", b"data:b", b"data", b"event: error", b":", b": ping", b"\n", b"\r", b"\r\n",
     b"\n\n", b"id: 1", "data: é中🙂".encode(), b"\xff", b"\xef\xbb\xbf", b"data: [DONE]", b" "]
)  # fmt: skip
BYTES = st.lists(PIECES | st.binary(max_size=3), max_size=30).map(b"".join)


def events_of(*chunks: bytes) -> list[ServerEvent]:
    stream = EventStream()
    found = [event for chunk in chunks for event in stream.push(chunk)]
    return found + stream.flush()


def data_of(*chunks: bytes) -> list[str]:
    return [event.data for event in events_of(*chunks)]


@given(BYTES, st.lists(st.integers(0, 60), max_size=8))
def test_the_cuts_make_no_difference(whole: bytes, cuts: list[int]) -> None:
    places = sorted({0, len(whole), *(min(cut, len(whole)) for cut in cuts)})
    chunks = [whole[a:b] for a, b in pairwise(places)]
    assert events_of(*chunks) == events_of(whole)
    assert events_of(*(whole[i : i + 1] for i in range(len(whole)))) == events_of(whole)


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_every_end_of_a_line_is_one(end: bytes) -> None:
    assert data_of(end.join([b"data: a", b"data: b", b"", b": ping", b"", b"data: c", b""])) == [
        "a\nb",
        "c",
    ]


def test_only_one_space_belongs_to_the_colon() -> None:
    assert data_of(b"data:  a\n\ndata:b\n\ndata\n\n") == [" a", "b", ""]


def test_comments_and_unknown_fields_say_nothing_and_names_are_kept() -> None:
    (event,) = events_of(b": ping\n\nid: 7\nretry: 3\nevent: error\ndata: x\n\nevent: lost\n\n")
    assert event == ServerEvent(data="x", name="error")


def test_a_mark_of_the_byte_order_is_passed_over_at_the_start_alone() -> None:
    assert data_of(b"\xef\xbb", b"\xbfdata: a\n\n") == ["a"]
    assert data_of(b"\n\xef\xbb\xbfdata: a\n\n") == []


def test_the_last_event_needs_no_empty_line() -> None:
    assert data_of(b"data: a\n\ndata: b") == ["a", "b"]


def test_a_line_without_end_is_given_up() -> None:
    with pytest.raises(EventTooLong):
        events_of(*[b"data: " + b"x" * 994] * (LIMIT_BYTES // 1000 + 2))


def test_an_event_of_many_lines_is_given_up_too() -> None:
    with pytest.raises(EventTooLong):
        events_of(*[b"data: " + b"x" * 1000 + b"\n"] * (LIMIT_BYTES // 1000 + 2))


def test_a_long_line_in_small_pieces_is_read_in_linear_time() -> None:
    stream = EventStream()
    for _ in range(100_000):
        stream.push(b"xxxxx")
    assert stream.push(b"\ndata: a\n\n") == [ServerEvent(data="a")]
