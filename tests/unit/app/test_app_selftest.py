"""What the doctor tries for real: it tells what fails, and never fails itself."""

import socket

import pytest

from app import selftest
from app.health import Health
from app.paths import Paths
from engine.errors import EngineCrashed
from engine.host import InProcessHost
from engine.runtimes.fake import FakeRuntime, Script


@pytest.fixture
def paths(tmp_path):
    return Paths(data=tmp_path / "data", log=tmp_path / "log")


@pytest.fixture
def watch():
    return selftest.SocketWatch().begin()


def test_a_socket_that_was_opened_is_told(watch):
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close()
    check = watch.end()
    assert (check.health, f"family {socket.AF_INET:d}" in check.detail) == (Health.BAD, True)


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="a socket of POSIX")
def test_a_socket_within_the_system_does_not_count(watch):
    socket.socket(socket.AF_UNIX).close()
    assert watch.end().health is Health.GOOD


def test_a_watch_that_ended_hears_nothing(watch):
    watch.end()
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close()
    assert watch.end().health is Health.GOOD


def test_resources_that_are_missing_are_told(tmp_path, monkeypatch):
    assert selftest.check_resources().health is Health.GOOD
    monkeypatch.setattr(selftest, "RESOURCES", tmp_path)
    assert selftest.check_resources().health is Health.BAD


def test_without_a_starter_nothing_answers(paths, monkeypatch):
    monkeypatch.setattr("app.models.find_starter", lambda _paths: None)
    check = selftest.check_answer(paths)
    assert (check.health, "StarterMissing" in check.detail) == (Health.BAD, True)


def _answered_by(script, paths, tmp_path, monkeypatch):
    file = tmp_path / "starter.gguf"
    file.write_bytes(b"GGUF")
    monkeypatch.setattr("app.models.find_starter", lambda _paths: file)
    host = InProcessHost(lambda: FakeRuntime(script))
    monkeypatch.setattr(selftest.fitting, "make_host", lambda in_child: host)
    return selftest.check_answer(paths)


def test_what_was_said_is_told(paths, tmp_path, monkeypatch):
    check = _answered_by(Script(pieces=("The ", "sea.")), paths, tmp_path, monkeypatch)
    assert check.health is Health.GOOD
    assert "The sea." in check.detail


def test_an_engine_that_dies_is_a_finding(paths, monkeypatch):
    def dies(*_arguments, **_named):
        raise EngineCrashed("SIGILL", "probe", "")

    monkeypatch.setattr("engine.keeper.processor.prove_processor", dies)
    assert selftest.check_processor(paths).health is Health.BAD
