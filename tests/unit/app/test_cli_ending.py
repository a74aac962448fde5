"""Signals that ask a command to end become one exception, and nothing disturbs what follows."""

import os
import signal
import sys

import pytest

from app import cli
from app.cli import ending
from app.cli.ending import ToldToEnd, told_to_end, undisturbed
from app.cli.words import ended_by

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
ALL = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
ASKING = ALL[:2]


def send(*numbers: signal.Signals) -> None:
    for number in numbers:
        os.kill(os.getpid(), number)


@pytest.fixture(autouse=True)
def _handlers_are_given_back() -> object:
    before = [signal.getsignal(number) for number in ALL]
    yield
    assert [signal.getsignal(number) for number in ALL] == before


@pytest.mark.parametrize("number", ASKING)
def test_it_is_raised_once_and_the_end_is_not_disturbed(number: signal.Signals) -> None:
    closed = []

    def work() -> None:
        try:
            send(number)
        finally:
            send(*ALL, *ALL)
            closed.append(True)

    with pytest.raises(ToldToEnd) as told, told_to_end():
        work()
    assert (told.value.number, closed) == (number, [True])


@pytest.mark.parametrize("number", ALL)
def test_a_command_ends_with_the_code_of_its_signal(
    number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli, "_run", lambda *_: send(number))
    assert cli.main(["doctor"]) == ended_by(number) == 128 + number


def test_closing_is_not_disturbed_by_an_impatient_person() -> None:
    with told_to_end():
        with undisturbed():
            send(*ALL)
        with pytest.raises(KeyboardInterrupt):
            send(signal.SIGINT)
        with pytest.raises(ToldToEnd):
            send(signal.SIGTERM)


def test_what_nohup_ignores_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with told_to_end():
            send(signal.SIGHUP)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_system_without_hangup_has_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ending, "_ASKING", ("SIGTERM", "SIGNOTHERE"))
    with pytest.raises(ToldToEnd), told_to_end():
        send(signal.SIGTERM)
