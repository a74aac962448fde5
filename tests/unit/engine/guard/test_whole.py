"""A small file is the old one or the new one, and nothing is left beside it."""

import os
from pathlib import Path

import pytest

from engine.guard.whole import replace_file


@pytest.mark.parametrize("lasting", [False, True])
def test_the_new_content_is_there_whole_and_alone(tmp_path: Path, lasting: bool) -> None:
    path = tmp_path / "\u62a5\u544a.json"
    path.write_bytes(b"old")
    replace_file(path, b"new", lasting=lasting)
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failure_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "no space")

    path = tmp_path / "kept.json"
    path.write_bytes(b"old")
    monkeypatch.setattr(*((os, "fsync") if step == "fsync" else (Path, "replace")), fail)
    with pytest.raises(OSError, match="no space"):
        replace_file(path, b"new", lasting=True)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
