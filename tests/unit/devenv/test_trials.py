"""Trials go on after one failed, and say which."""

import sys
from pathlib import Path

import pytest

from devenv import trials
from devenv.errors import SetupError


def test_a_failed_trial_is_named_and_the_others_still_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    done: list[str] = []

    def fails() -> None:
        trials._show([sys.executable, "-c", "raise SystemExit(3)"], {})

    monkeypatch.setattr(trials, "TRIALS", {"one": fails, "two": lambda: done.append("two")})
    assert trials.run([]) == 1
    assert done == ["two"]
    assert "failed: one" in capsys.readouterr().err
    assert trials.run(["two"]) == 0


def test_an_unknown_trial_is_a_clear_error() -> None:
    with pytest.raises(SetupError, match="no trial is called moon; there are places"):
        trials.run(["moon"])


def test_what_was_never_made_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=r"there is no \*\.deb"):
        trials._made("*.deb", tmp_path)
