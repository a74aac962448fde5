"""Removing the model that answers: what else a person has chosen stays as it is."""

from pathlib import Path

import pytest

from app.errors import DiskFull
from app.events import ModelChosen
from app.settings import CHOSEN_MODEL
from engine.errors import NoBin
from engine.models.library import removal
from tests.unit.app.test_library import ONE, Desk


@pytest.fixture
def desk(snug_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    return Desk(snug_home)


@pytest.fixture
def chosen(desk: Desk) -> Path:
    path = desk.put("one/one.gguf", ONE)
    desk.library.use(desk.id_of(path))
    desk.events.clear()
    desk.remote_stopped = 0
    return path


def test_another_computer_goes_on_answering(desk: Desk, chosen: Path) -> None:
    desk.library.remove(desk.id_of(chosen), to_bin=False)
    assert not chosen.exists()
    assert desk.remote_stopped == 0
    assert ModelChosen() in desk.events


def test_what_could_not_be_removed_stays_chosen(
    desk: Desk, chosen: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> int:
        raise NoBin(chosen)

    monkeypatch.setattr(removal, "remove", refuse)
    with pytest.raises(NoBin):
        desk.library.remove(desk.id_of(chosen))
    assert desk.library.chosen_id == desk.id_of(chosen)
    assert desk.settings.get(CHOSEN_MODEL) == str(chosen)


def test_a_full_disk_is_no_reason_not_to_make_room(
    desk: Desk, chosen: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise DiskFull(Path("settings.json"))

    monkeypatch.setattr(desk.settings, "change", full)
    assert desk.library.remove(desk.id_of(chosen), to_bin=False) >= len(ONE)
    assert not chosen.exists()
    assert desk.models.choose().name == "SmolLM2 135M"
