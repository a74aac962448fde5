"""Which answers are the bytes that were asked for, and what all the others mean."""

from collections.abc import Mapping

import pytest

from engine.errors import (
    NotOnHub,
    ServerBusy,
    ServerFailed,
    ServerIncomprehensible,
    TokenMissing,
    TokenRefused,
)
from engine.models.download.answers import (
    AddressExpired,
    Heard,
    PartsUnusable,
    RangeRefused,
    judge,
    passing_failure,
    plain_refusal,
)
from engine.net.waits import retry_after_s

HASH = "0123456789abcdef" * 4


def heard(
    status: int, *, moved: bool = False, hop: Mapping[str, str] | None = None, **headers: str
) -> Heard:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    hops = () if hop is None else (hop,)
    return Heard(address="http://x", status=status, headers=named, hops=hops, moved=moved)


def test_a_part() -> None:
    answer = judge(heard(206, content_range="bytes 5-9/100", etag='W/"e"'), 5, 9)
    assert (answer.start, answer.end, answer.total_bytes, answer.etag) == (5, 10, 100, "e")
    assert judge(heard(206, content_range="bytes 5-99/100"), 5, None).end == 100
    assert judge(heard(206, content_range="bytes 5-7/100"), 5, 9).end == 8


@pytest.mark.parametrize(
    "stated",
    [
        "",
        "bytes 5-9/*",
        "bytes */100",
        "bytes 0-9/100",
        "bytes 6-9/100",
        "bytes 5-10/100",
        "bytes 5-4/100",
        "bytes 5-9/9",
        "bytes 5-9/99999999999999999999999",
        "bytes=5-9/100",
        "lines 5-9/100",
        "bytes 5-9/100, 20-30/100",
        "bytes \u0665-9/100",
    ],
)
def test_parts_that_are_others(stated: str) -> None:
    with pytest.raises(PartsUnusable):
        judge(heard(206, content_range=stated), 5, 9)


def test_all_of_it() -> None:
    answer = judge(heard(200, content_length="100"), 5, 9)
    assert (answer.start, answer.end, answer.total_bytes) == (0, 100, 100)
    unknown = judge(heard(200, transfer_encoding="chunked", content_length="7"), 0, None)
    assert (unknown.end, unknown.total_bytes) == (None, None)
    assert judge(heard(200, content_length="-1"), 0, None).total_bytes is None


def test_what_the_hub_said_before_it_led_on() -> None:
    hop = {"x-linked-etag": f'"{HASH.upper()}"', "x-linked-size": "100"}
    answer = judge(heard(200, hop=hop, etag='"cdn"', transfer_encoding="chunked"), 0, None)
    assert (answer.sha256, answer.etag, answer.total_bytes) == (HASH, HASH.upper(), 100)
    with pytest.raises(ServerIncomprehensible):
        judge(heard(200, hop=hop, content_length="99"), 0, None)
    assert judge(heard(200, hop={"x-linked-etag": '"short"'}), 0, None).sha256 == ""


@pytest.mark.parametrize(
    "headers",
    [
        {"content_encoding": "gzip"},
        {"content_encoding": "br"},
        {"content_type": "text/html; charset=utf-8"},
        {"content_type": "Application/XHTML+xml"},
    ],
)
def test_what_is_no_file(headers: dict[str, str]) -> None:
    with pytest.raises(ServerIncomprehensible):
        judge(heard(200, content_length="100", **headers), 0, None)
    with pytest.raises(ServerIncomprehensible):
        judge(heard(206, content_range="bytes 0-9/10", **headers), 0, None)


def test_identity_is_no_encoding() -> None:
    assert judge(heard(200, content_length="1", content_encoding="Identity"), 0, None).end == 1


@pytest.mark.parametrize(
    ("status", "moved", "kind"),
    [
        (429, False, ServerBusy),
        (503, False, ServerBusy),
        (416, False, RangeRefused),
        (416, True, RangeRefused),
        (403, True, AddressExpired),
        (401, True, AddressExpired),
        (404, True, AddressExpired),
        (410, True, AddressExpired),
        (400, True, ServerFailed),
        (408, False, ServerFailed),
        (412, False, ServerFailed),
        (500, False, ServerFailed),
        (511, False, ServerFailed),
    ],
)
def test_what_may_pass(status: int, moved: bool, kind: type[Exception]) -> None:
    assert type(passing_failure(heard(status, moved=moved))) is kind


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 410, 451])
def test_what_the_hub_itself_refuses(status: int) -> None:
    assert passing_failure(heard(status)) is None


def test_refusals_of_a_server_of_which_nothing_is_known() -> None:
    kinds = [type(plain_refusal(status, {}, "http://x")) for status in (401, 403, 404, 418)]
    assert kinds == [TokenMissing, TokenRefused, NotOnHub, ServerIncomprehensible]


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7),
        ({"retry-after": "-7"}, None),
        ({"retry-after": "soon"}, None),
        ({}, None),
        (
            {
                "retry-after": "Wed, 21 Oct 2026 07:28:30 GMT",
                "date": "Wed, 21 Oct 2026 07:28:00 GMT",
            },
            30,
        ),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:30 GMT"}, None),
        (
            {
                "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT",
                "date": "Thu, 22 Oct 2026 07:28:00 GMT",
            },
            0,
        ),
    ],
)  # fmt: skip
def test_how_long_a_server_asks_to_be_left_alone(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert retry_after_s(headers) == seconds
