"""What a frozen program's self-test says is understood, and its world is not ours."""

import json

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
    assert selftest.environment(ours, "/a/home") == {
        "PATH": "/bin",
        "HOME": "/a/home",
        "SNUG_HOME": "/a/home",
    }


def test_the_time_of_the_sources_can_be_said(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "12345")
    assert times.of_sources() == 12345


def test_snugs_own_metadata_names_no_place(tmp_path):
    folder = metadata.write(tmp_path)
    text = (folder / "METADATA").read_text()
    assert f"Version: {metadata.project()['version']}" in text
    assert [path.name for path in folder.iterdir()] == ["METADATA"]
