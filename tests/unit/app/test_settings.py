"""One table of settings, one file that survives what is done to it."""

import json
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.errors import NotWritable, SettingRejected
from app.settings import (
    LANGUAGE,
    LAST_CONVERSATION,
    OFFLINE,
    REMOTE_ADDRESS,
    REMOTE_ON,
    SETTINGS,
    SIDEBAR_OPEN,
    TEXT_SCALE_PERCENT,
    THEME,
    UNSENT_TEXT,
    WINDOW_GEOMETRY,
    Settings,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=4,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "settings.json"


def test_a_new_person_gets_the_defaults(path: Path) -> None:
    kept = Settings(path)
    assert [kept.get(setting) for setting in SETTINGS] == [
        "system",
        "system",
        100,
        True,
        "",
        "",
        "",
        False,
        False,
        "",
        "",
        False,
        "",
        "",
        "",
        True,
        "",
        "",
        "",
        0,
    ]  # type: ignore[type-var]
    assert kept.moved_aside is None
    assert not path.exists()


def test_every_default_is_allowed_and_every_key_is_used_once() -> None:
    assert all(setting.accepts(setting.default) for setting in SETTINGS)
    assert len({setting.key for setting in SETTINGS}) == len(SETTINGS)


def test_values_last(path: Path) -> None:
    kept = Settings(path)
    kept.set(THEME, "dark")
    kept.set(SIDEBAR_OPEN, False)
    kept.set(TEXT_SCALE_PERCENT, 130)
    kept.set(WINDOW_GEOMETRY, "AdnQywADAAA=")
    again = Settings(path)
    assert again.get(THEME) == "dark"
    assert again.get(SIDEBAR_OPEN) is False
    assert again.get(TEXT_SCALE_PERCENT) == 130
    assert again.get(WINDOW_GEOMETRY) == "AdnQywADAAA="
    assert again.get(LANGUAGE) == "system"
    assert [file.name for file in path.parent.iterdir()] == ["settings.json"]


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        (THEME, "pink"),
        (THEME, None),
        (TEXT_SCALE_PERCENT, 101),
        (TEXT_SCALE_PERCENT, True),
        (TEXT_SCALE_PERCENT, 100.0),
        (SIDEBAR_OPEN, 1),
        (LAST_CONVERSATION, "x" * 10_001),
    ],
)
def test_what_is_not_allowed_is_refused(path: Path, setting: Any, value: object) -> None:
    kept = Settings(path)
    with pytest.raises(SettingRejected) as raised:
        kept.set(setting, value)
    assert (raised.value.key, raised.value.value) == (setting.key, value)
    assert kept.get(setting) == setting.default
    assert not path.exists()


def test_a_bad_value_reads_as_the_default_and_stays_until_it_is_set(path: Path) -> None:
    path.write_text(json.dumps({"theme": "sepia", "sidebar_open": 1, "from_the_future": [1, 2]}))
    kept = Settings(path)
    assert kept.get(THEME) == "system"
    kept.set(SIDEBAR_OPEN, True)
    assert json.loads(path.read_text()) == {
        "theme": "sepia",
        "sidebar_open": True,
        "from_the_future": [1, 2],
    }


@pytest.mark.parametrize(
    "content",
    [b"", b"\0" * 100, b"{", b"[]", b"\xff\xfe", b"[" * 100_000, b" " * (1 << 20) + b"{}"],
    ids=["empty", "zeros", "cut off", "a list", "no text", "deep", "huge"],
)
def test_a_file_that_is_no_settings_is_kept_aside(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    kept = Settings(path, now=lambda: datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))
    assert kept.moved_aside == path.with_name("settings.damaged-20260102T030405000000.json")
    assert kept.moved_aside.read_bytes() == content
    kept.set(THEME, "light")
    assert Settings(path).get(THEME) == "light"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(values=st.dictionaries(st.sampled_from([s.key for s in SETTINGS]), JSON))
def test_any_json_gives_allowed_values(
    tmp_path_factory: pytest.TempPathFactory, values: dict[str, object]
) -> None:
    path = tmp_path_factory.mktemp("any") / "settings.json"
    path.write_text(json.dumps(values))
    kept = Settings(path)
    for setting in SETTINGS:
        found: object = kept.get(setting)  # type: ignore[type-var]
        assert setting.accepts(found)
        if setting.accepts(values.get(setting.key)):
            assert found == values[setting.key]


def test_subscribers_hear_of_changes_only(path: Path) -> None:
    kept, heard = Settings(path), list[str]()
    unsubscribe = kept.subscribe(heard.append)
    kept.set(THEME, "dark")
    kept.set(THEME, "dark")
    kept.set(LANGUAGE, "zh_CN")
    unsubscribe()
    kept.set(THEME, "light")
    assert heard == ["theme", "language"]


def test_a_value_that_can_not_be_written_holds_until_the_end(tmp_path: Path) -> None:
    blocked = tmp_path / "folder"
    blocked.write_text("in the way")
    kept, heard = Settings(blocked / "settings.json"), list[str]()
    kept.subscribe(heard.append)
    with pytest.raises(NotWritable):
        kept.set(THEME, "dark")
    assert (kept.get(THEME), heard) == ("dark", ["theme"])
    blocked.unlink()
    kept.set(THEME, "dark")  # the same value again: now it can be written
    assert Settings(blocked / "settings.json").get(THEME) == "dark"


def test_a_failed_write_leaves_the_old_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Settings(path)
    kept.set(THEME, "dark")
    before = path.read_bytes()

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(Exception, match="No space left") as raised:
        kept.set(THEME, "light")
    assert getattr(raised.value, "code", "") == "disk_full"
    assert [file.read_bytes() for file in path.parent.iterdir()] == [before]


def test_threads_do_not_lose_each_other_s_values(path: Path) -> None:
    kept = Settings(path)
    jobs = [
        threading.Thread(target=kept.set, args=arguments)
        for arguments in ((THEME, "dark"), (LANGUAGE, "en"), (TEXT_SCALE_PERCENT, 85))
    ]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    assert json.loads(path.read_text()) == {
        "theme": "dark",
        "language": "en",
        "text_scale_percent": 85,
    }


# --- several programs -----------------------------------------------------------------------------


def test_a_program_changes_only_what_it_sets(path: Path) -> None:
    window, other = Settings(path), Settings(path)
    other.set(OFFLINE, True)
    other.change((REMOTE_ON, True), (REMOTE_ADDRESS, "http://nas/v1"))
    heard: list[str] = []
    window.subscribe(heard.append)
    window.set(WINDOW_GEOMETRY, "AdnQ")
    last = Settings(path)
    assert last.now(OFFLINE, REMOTE_ON, REMOTE_ADDRESS, WINDOW_GEOMETRY) == (
        True,
        True,
        "http://nas/v1",
        "AdnQ",
    )
    assert set(heard) == {"offline", "remote_on", "remote_address", "window_geometry"}


def test_what_another_program_set_is_seen_at_once(path: Path) -> None:
    window, other = Settings(path), Settings(path)
    for offline in (True, False, True):
        other.set(OFFLINE, offline)
        assert window.now(OFFLINE) == (offline,)
    path.write_bytes(b"{")  # by somebody else, and not for long
    assert window.now(OFFLINE) == (True,)
    path.unlink()
    assert window.now(OFFLINE) == (True,)


def test_several_are_changed_together_or_not_at_all(path: Path) -> None:
    kept = Settings(path)
    with pytest.raises(SettingRejected):
        kept.change((REMOTE_ADDRESS, "http://nas/v1"), (THEME, "pink"))
    assert kept.get(REMOTE_ADDRESS) == ""
    assert not path.exists()


def test_programs_do_not_lose_each_other_s_values(path: Path) -> None:
    jobs = [
        threading.Thread(target=lambda setting=setting: Settings(path).set(setting, "x"))
        for setting in (LAST_CONVERSATION, UNSENT_TEXT, WINDOW_GEOMETRY, REMOTE_ADDRESS)
    ]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    assert len(json.loads(path.read_text())) == len(jobs)
    assert [file.name for file in path.parent.iterdir()] == ["settings.json"]


def test_what_could_not_be_written_holds_although_another_program_wrote(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Settings(path)
    with monkeypatch.context() as patch:
        patch.setattr("app.settings._write", lambda path, _: NotWritable(path))
        with pytest.raises(NotWritable):
            kept.set(OFFLINE, True)
    Settings(path).set(THEME, "dark")
    assert kept.now(OFFLINE, THEME) == (True, "dark")
    kept.set(LANGUAGE, "en")
    assert Settings(path).get(OFFLINE)
