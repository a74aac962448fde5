"""The stamp decides whether setup is skipped: a wrong yes starts a broken program."""

from pathlib import Path

import pytest

from devenv import stamp
from devenv.stamp import Stamp


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with locks, a project file and a finished setup for `run`."""
    (tmp_path / "locks").mkdir()
    (tmp_path / "locks" / "run.lock").write_text("a==1\n")
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    (tmp_path / "model.gguf").write_bytes(b"12345")
    for name in ("python", "snug"):
        (tmp_path / name).touch()
    monkeypatch.setattr(stamp, "ROOT", tmp_path)
    monkeypatch.setattr(stamp, "LOCKS", tmp_path / "locks")
    monkeypatch.setattr(stamp, "STAMP", tmp_path / "stamp.json")
    monkeypatch.setattr(stamp, "program", lambda name: tmp_path / name)
    finish(tmp_path)
    return tmp_path


def finish(checkout: Path, level: str = "run") -> None:
    stamp.write(
        Stamp(
            environment=stamp.environment_key(),
            project=stamp.project_key(),
            level=level,
            models={str(checkout / "model.gguf"): 5},
        )
    )


def test_a_finished_setup_is_skipped(checkout: Path) -> None:
    assert stamp.is_fresh("run")


def test_test_asks_for_more_than_run_but_covers_it(checkout: Path) -> None:
    assert not stamp.is_fresh("test")
    finish(checkout, "test")
    assert stamp.is_fresh("test")
    assert stamp.is_fresh("run")


@pytest.mark.parametrize("gone", ["python", "snug", "model.gguf", "stamp.json"])
def test_a_missing_piece_is_noticed(checkout: Path, gone: str) -> None:
    (checkout / gone).unlink()
    assert not stamp.is_fresh("run")


@pytest.mark.parametrize("changed", ["locks/run.lock", "pyproject.toml", "model.gguf"])
def test_a_change_is_noticed(checkout: Path, changed: str) -> None:
    (checkout / changed).write_text("something else")
    assert not stamp.is_fresh("run")


def test_another_processor_is_noticed(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stamp.machine, "platform_name", lambda: "linux-other")
    assert not stamp.is_fresh("run")


@pytest.mark.parametrize("text", ["", "{", "[]", '{"level": "run"}'])
def test_a_damaged_stamp_is_no_stamp(checkout: Path, text: str) -> None:
    (checkout / "stamp.json").write_text(text)
    assert stamp.read() is None
