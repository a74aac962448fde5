"""What a frozen program's self-test says is understood, and its world is not ours."""

import json
import os
from pathlib import Path

import pytest

from devenv.errors import SetupError
from freeze import metadata, selftest, times


def said(**health):
    checks = [{"name": name, "health": state, "detail": "d"} for name, state in health.items()]
    return json.dumps({"ok": True, "checks": checks})


def test_only_what_is_bad_counts():
    text = said(engine="good", keyring="missing", answer="bad")
    assert selftest.verdict(text, with_model=True) == ["answer: d"]
    assert selftest.verdict(text, with_model=False) == []


def test_no_answer_is_bad():
    assert selftest.verdict("", with_model=True)
    assert selftest.verdict('{"error": {}}', with_model=True)


def test_nothing_of_ours_gets_in():
    ours = {"PATH": "/bin", "PYTHONPATH": "/src", "LD_LIBRARY_PATH": "/x", "QT_QPA_PLATFORM": "xcb"}
    own = dict.fromkeys(("HOME", "USERPROFILE", "TEMP", "TMP", "SNUG_HOME"), "/a/home")
    assert selftest.environment(ours, "/a/home") == {"PATH": "/bin", **own}


def program(folder: Path, text: str) -> Path:
    path = folder / "snug"
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.mark.skipif(os.name == "nt", reason="the stand-in is a shell script")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("echo '{\"checks\": []}'; exit 139", "ended with 139"),
        ("echo; exit 1", "no answer"),
        ("exec sleep 20", "said nothing for"),
    ],
)
def test_a_program_that_ends_badly_is_not_well(tmp_path, monkeypatch, text, told):
    monkeypatch.setattr(selftest, "_WITHIN_S", 2.0)
    with pytest.raises(SetupError, match=told):
        selftest.run_selftest(program(tmp_path, text))


@pytest.mark.skipif(os.name == "nt", reason="the stand-in is a shell script")
def test_a_program_may_be_named_from_here(tmp_path, monkeypatch):
    """The self-test runs in a folder of its own."""
    program(tmp_path, "echo '{\"checks\": []}'")
    monkeypatch.chdir(tmp_path)
    selftest.run_selftest(Path("snug"))


def test_a_program_that_is_not_there_is_told(tmp_path):
    with pytest.raises(SetupError, match="does not start"):
        selftest.run_selftest(tmp_path / "snug")


def test_the_time_of_the_sources_can_be_said(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "12345")
    assert times.of_sources() == 12345


def test_snugs_own_metadata_names_no_place(tmp_path):
    (tmp_path / "snug-0.0.1.dist-info").mkdir()
    folder = metadata.write(tmp_path)
    assert [*tmp_path.iterdir()] == [folder], "of one version"
    text = (folder / "METADATA").read_text()
    assert f"Version: {metadata.project()['version']}" in text
    assert [path.name for path in folder.iterdir()] == ["METADATA"]
