"""Asking another computer for its models: what counts, what is dropped, and with which key."""

import pytest

from engine.errors import ServerUnreachable
from tests.unit.ui.chat.controller_bench import Later
from tests.unit.ui.servers import FakeServers
from ui.models.asking import Asking

A = "http://nas:8080/v1"
B = "http://den:8080/v1"


@pytest.fixture
def servers():
    return FakeServers()


@pytest.fixture
def run():
    return Later()


@pytest.fixture
def seen():
    return []


@pytest.fixture
def asking(servers, run, seen):
    return Asking(servers, run, seen.append)


def test_nothing_is_asked_of_a_server_before_a_person_wishes_it(asking, servers, run):
    asking.begin_with(A)
    run.all()
    assert servers.asked == []


def test_the_models_that_are_found_can_be_chosen_with_the_key_that_found_them(asking, servers, run):
    asking.find(f"  {A} ", " secret ")
    assert asking.now.looking
    run.all()
    assert servers.asked == [(A, "secret")]
    assert asking.now.models == ("qwen3-32b", "gemma-3-27b")
    chosen = asking.chosen("gemma-3-27b")
    assert (chosen.model.address, chosen.model.model, chosen.key) == (A, "gemma-3-27b", "secret")
    assert asking.chosen("another") is None


def test_without_a_key_the_one_that_is_kept_is_left_to_the_service(asking, servers, run):
    servers.keys[A] = "secret"
    asking.find(A, "")
    run.all()
    assert asking.now.has_key
    assert servers.asked == [(A, None)]
    assert asking.chosen("qwen3-32b").key == ""


def test_an_error_is_shown_and_gone_with_the_next_try(asking, servers, run):
    servers.found = ServerUnreachable(A)
    asking.find(A, "")
    run.all()
    assert isinstance(asking.now.error, ServerUnreachable)
    servers.found = ("qwen3-32b",)
    asking.find(A, "")
    assert asking.now.error is None
    run.all()
    assert asking.now.models == ("qwen3-32b",)


def test_a_cancelled_answer_comes_too_late(asking, run):
    asking.find(A, "")
    run.waiting.pop(0)  # the keychain
    deliver = run.work()
    asking.cancel()
    deliver()
    assert not asking.now.looking
    assert asking.now.models == ()


def test_what_one_server_has_is_never_chosen_at_another(asking, run):
    asking.find(A, "")
    run.all()
    asking.begin_with(B)
    assert asking.now.models == ()
    assert asking.chosen("qwen3-32b") is None


def test_a_slow_answer_of_one_server_is_not_taken_for_the_other_s(asking, run):
    asking.find(A, "")
    run.waiting.pop(0)
    late = run.work()
    asking.begin_with(B)
    late()
    assert asking.now.address == B
    assert asking.now.models == ()


def test_with_another_key_it_is_asked_anew(asking, run):
    asking.find(A, "secret")
    run.all()
    asking.forget()
    assert asking.chosen("qwen3-32b") is None


def test_it_asks_once_at_a_time(asking, servers, run):
    asking.find(A, "")
    asking.find(A, "")
    run.all()
    assert len(servers.asked) == 1


def test_a_server_that_does_not_tell_takes_any_name(asking, servers, run):
    servers.found = ()
    assert asking.chosen("mine") is None
    asking.find(A, "")
    run.all()
    assert asking.now.answered
    assert asking.chosen(" mine ").model.model == "mine"
    assert asking.chosen(" ") is None
