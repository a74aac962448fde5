"""Words for a model on another computer: addresses that can not deceive, warnings that hold."""

import pytest

from engine import errors
from engine.types.remote import RemoteModel
from tests.unit.ui.servers import NAS
from ui.models.elsewhere import (
    host_of,
    is_open_way,
    place_look,
    place_sentence,
    place_words,
    server_of,
    trouble_words,
    warning_words,
)


@pytest.mark.parametrize(
    ("address", "server"),
    [
        ("http://nas:8080/v1", "http://nas:8080"),
        (" http://Nas/v1 ", "http://nas"),
        ("https://[::1]:8080/v1", "https://[::1]:8080"),
        ("https://anna:pass@example.org/v1?key=1#x", "https://example.org"),
        ("https://n\u0430s.example/v1", "https://xn--ns-7kc.example"),
        ("nas:8080", "nas:8080"),
        ("", ""),
    ],
)
def test_an_address_is_shown_without_secrets_and_without_letters_that_pose_as_others(
    address, server
):
    assert server_of(address) == server


def test_the_mark_says_where_answers_come_from():
    assert place_words(NAS) == "Answers come from http://nas:8080"
    assert place_look(NAS).words == "nas:8080"
    assert place_look(NAS).tone == "warn"
    assert "What you write is sent there." in place_sentence(NAS)


def test_a_long_host_keeps_its_begin_and_its_end_on_the_pill():
    far = RemoteModel(address="https://inference.department.example.edu:44300/v1", model="m")
    words = place_look(far).words
    assert len(words) <= 22
    assert words.startswith("inference")
    assert words.endswith("edu:44300")
    assert host_of("https://example.org/v1") == "example.org"


@pytest.mark.parametrize(
    ("address", "is_open"),
    [
        ("http://nas:8080/v1", True),
        ("http://192.168.1.20", True),
        ("https://nas", False),
        ("http://127.0.0.1:8080", False),
        ("http://localhost", False),
        ("http://[::1]", False),
        ("nonsense", False),
    ],
)
def test_only_what_travels_unprotected_is_warned_of_as_such(address, is_open):
    assert is_open_way(address) is is_open
    assert ("Over http" in warning_words(address, offline=False)) is is_open


def test_offline_nothing_is_sent_and_so_nothing_is_warned_of():
    assert warning_words("http://nas", offline=True).startswith("Snug is set to stay offline")


REMOTE_ERRORS = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, errors.RemoteError)
]


@pytest.mark.parametrize("kind", REMOTE_ERRORS)
def test_every_trouble_is_a_sentence_without_code_or_number(kind):
    words = trouble_words(kind("http://nas:8080/v1", "HTTP 500"))
    assert words.rstrip().endswith(".")
    assert "500" not in words
    assert kind.code not in words


def test_what_is_not_expected_has_words_too():
    assert trouble_words(OSError("disk")) == "Something went wrong."
