"""A failing step ends with its own last words, and two setups never run at once."""

import sys
from pathlib import Path

import pytest

from devenv import commands, setup_lock
from devenv.errors import SetupError

SCRIPT = "print('[1/2]'); print('[2/2]'); print('the reason'); raise SystemExit(3)"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (commands, setup_lock):
        monkeypatch.setattr(module, "cache", lambda: tmp_path)


def test_a_failure_shows_the_end_of_its_log(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=r"Trying it failed[\s\S]*the reason"):
        commands.run([sys.executable, "-c", SCRIPT], "Trying it")
    assert "the reason" in (tmp_path / "logs" / "trying-it.log").read_text()


def test_steps_are_logged_too(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="the reason"):
        commands.run_with_steps([sys.executable, "-c", SCRIPT], "Long work", env={})
    assert "[2/2]" in (tmp_path / "logs" / "long-work.log").read_text()


def test_a_missing_program_has_no_output() -> None:
    assert commands.output(["no-such-program-of-ours"]) == ""


@pytest.mark.skipif(sys.platform == "win32", reason="the system's lock is the process's there")
def test_a_second_setup_has_to_wait(tmp_path: Path) -> None:
    with setup_lock.only_one(), (tmp_path / "setup.lock").open("r+b") as second:
        assert not setup_lock._lock(second.fileno(), wait=False)
    with (tmp_path / "setup.lock").open("r+b") as third:
        assert setup_lock._lock(third.fileno(), wait=False)
