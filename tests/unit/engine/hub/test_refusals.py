"""What a hub says when it refuses, as kinds of trouble that people can do something about."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import (
    EngineError,
    FileChanged,
    LicenceNotAccepted,
    NotOnHub,
    ProxyRefused,
    ServerBusy,
    ServerFailed,
    ServerIncomprehensible,
    TokenMissing,
    TokenRefused,
)
from engine.hub.refusals import refusal, refuse_page, storage_refusal

HUB, PAGE = "https://hub.example", "https://hub.example/maker/model"
SECRET = "hf_averysecrettoken"  # noqa: S105

CASES: list[tuple[int, dict[str, str], bool, type[EngineError]]] = [
    (401, {}, False, TokenMissing),
    (401, {}, True, TokenRefused),
    (401, {"X-Error-Code": "GatedRepo"}, False, TokenMissing),
    (401, {"X-Error-Code": "GatedRepo"}, True, TokenRefused),
    (403, {"X-Error-Code": "GatedRepo"}, True, LicenceNotAccepted),
    (403, {}, True, LicenceNotAccepted),
    (403, {}, False, LicenceNotAccepted),
    (403, {"X-Error-Code": "GatedRepo", "Content-Type": "text/html"}, True, LicenceNotAccepted),
    (403, {"Content-Type": "text/html; charset=utf-8"}, True, ServerIncomprehensible),
    (403, {"X-Error-Message": "Access to this resource is disabled."}, True, NotOnHub),
    (401, {"X-Error-Code": "RepoNotFound"}, False, NotOnHub),
    (404, {"X-Error-Code": "EntryNotFound"}, True, NotOnHub),
    (404, {"x-error-code": "RevisionNotFound"}, True, NotOnHub),
    (401, {"X-Error-Message": "Invalid credentials in Authorization header"}, True, TokenRefused),
    (404, {}, True, NotOnHub),
    (410, {}, True, NotOnHub),
    (451, {}, True, NotOnHub),
    (407, {}, True, ProxyRefused),
    (416, {}, True, FileChanged),
    (429, {}, True, ServerBusy),
    (500, {}, True, ServerFailed),
    (503, {"Content-Type": "text/html"}, True, ServerFailed),
    (511, {}, True, ServerIncomprehensible),
    (400, {}, True, ServerIncomprehensible),
    (304, {}, True, ServerIncomprehensible),
]


@pytest.mark.parametrize(("status", "headers", "has_token", "kind"), CASES)
def test_kinds(
    status: int, headers: dict[str, str], has_token: bool, kind: type[EngineError]
) -> None:
    assert type(refusal(status, headers, HUB, PAGE, has_token)) is kind


def test_the_page_of_a_licence_is_told() -> None:
    error = refusal(403, {"X-Error-Code": "GatedRepo"}, HUB, PAGE, has_token=True)
    assert isinstance(error, LicenceNotAccepted)
    assert error.page == PAGE


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "17"}, 17.0),
        ({"Retry-After": "0"}, 0.0),
        ({"Retry-After": "999999999"}, 86400.0),
        ({"Retry-After": "-5"}, None),
        ({"Retry-After": "soon"}, None),
        (
            {
                "Retry-After": "Wed, 21 Oct 2026 07:28:30 GMT",
                "Date": "Wed, 21 Oct 2026 07:28:00 GMT",
            },
            30.0,
        ),
        ({"Retry-After": "Wed, 21 Oct 2026 07:28:30 GMT"}, None),
        ({"RateLimit": '"api";r=0;t=42'}, 42.0),
        ({}, None),
    ],
)
def test_how_long_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    error = refusal(429, headers, HUB, PAGE, has_token=False)
    assert isinstance(error, ServerBusy)
    assert error.retry_after_s == seconds


def test_a_store_elsewhere_has_no_licences() -> None:
    for status in (401, 403, 404):
        assert type(storage_refusal(status, {}, HUB)) is ServerFailed
    assert type(storage_refusal(429, {}, HUB)) is ServerBusy
    assert type(storage_refusal(416, {}, HUB)) is FileChanged


def test_a_web_page_is_no_answer() -> None:
    with pytest.raises(ServerIncomprehensible):
        refuse_page({"Content-Type": "text/html; charset=utf-8"}, HUB)
    refuse_page({"Content-Type": "application/json"}, HUB)
    refuse_page({}, HUB)


@given(
    st.integers(100, 599),
    st.dictionaries(
        st.sampled_from(["X-Error-Code", "X-Error-Message", "Retry-After", "Date", "RateLimit"]),
        st.text(max_size=30) | st.just(SECRET),
    ),
    st.booleans(),
)
def test_any_answer_is_an_error_without_the_servers_words(
    status: int, headers: dict[str, str], has_token: bool
) -> None:
    error = refusal(status, headers, HUB, PAGE, has_token)
    assert isinstance(error, EngineError)
    assert SECRET not in f"{error} {error!r} {vars(error)}"
