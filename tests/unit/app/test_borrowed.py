"""A place for one start: what is there is seen, nothing of it is changed, nothing is left."""

import os
import sqlite3
import stat

import pytest

from app.borrowed import borrowed
from app.packs import approved_packs
from app.paths import Paths
from engine.errors import PackRefused
from engine.packs.alone import alone
from engine.types.packs import PackProblem


@pytest.fixture
def theirs(tmp_path, monkeypatch):
    """A folder with a chat, settings and a model, and a place for what is borrowed."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    paths = Paths(data=tmp_path / "data", log=tmp_path / "state")
    paths.models.mkdir(parents=True)
    (paths.models / "mine.gguf").write_bytes(b"GGUF")
    paths.settings.write_text('{"theme": "dark"}', encoding="utf-8")
    return paths


def _said(paths):
    with sqlite3.connect(paths.database) as database:
        return database.execute("SELECT text FROM said").fetchall()


def test_chats_settings_and_models_are_there_and_stay_as_they_are(theirs):
    open_elsewhere = sqlite3.connect(theirs.database)
    open_elsewhere.execute("PRAGMA journal_mode=WAL")
    open_elsewhere.execute("CREATE TABLE said (text)")
    open_elsewhere.execute("INSERT INTO said VALUES ('only in the journal yet')")
    open_elsewhere.commit()
    with borrowed(theirs) as place:
        assert _said(place) == [("only in the journal yet",)]
        assert place.settings.read_text(encoding="utf-8") == '{"theme": "dark"}'
        assert (place.models / "mine.gguf").read_bytes() == b"GGUF"
        place.settings.write_text("{}", encoding="utf-8")
        with sqlite3.connect(place.database) as database:
            database.execute("DELETE FROM said")
    open_elsewhere.close()
    assert _said(theirs) == [("only in the journal yet",)]
    assert theirs.settings.read_text(encoding="utf-8") == '{"theme": "dark"}'


def test_nothing_is_left_and_models_are_not_followed(theirs, tmp_path):
    with borrowed(theirs) as place:
        place.ensure()
        place.log_file.write_text("a log", encoding="utf-8")
    assert list((tmp_path / "tmp").iterdir()) == []
    assert (theirs.models / "mine.gguf").exists()


@pytest.mark.skipif(os.name != "posix", reason="Windows wants a right for links")
@pytest.mark.parametrize("there", [False, True])
def test_packs_are_those_of_the_person_and_none_can_be_added_for_nothing(theirs, there):
    """A pack is used from the next start on, which would know nothing of it."""
    if there:
        (theirs.packs / "build").mkdir(parents=True)
    with borrowed(theirs) as place:
        assert place.packs.is_dir() is there
        if not there:
            with pytest.raises(PackRefused) as refused, alone(place.packs, place.packs / "a.pack"):
                pass
            assert refused.value.problem == PackProblem.NOT_WRITABLE
        assert approved_packs(place) == ()
    assert theirs.packs.exists() is there


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
def test_nobody_else_can_read_it(theirs):
    with borrowed(theirs) as place:
        assert stat.S_IMODE(place.data.stat().st_mode) == 0o700


def test_a_home_with_nothing_in_it_will_do(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    nowhere = tmp_path / "none"
    with borrowed(Paths(data=nowhere, log=nowhere)) as place:
        assert [path.name for path in place.data.iterdir() if path.exists()] == []


def test_without_any_place_it_says_so(theirs, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(theirs.data / "none"))
    with pytest.raises(OSError, match="none"), borrowed(theirs):
        pass
