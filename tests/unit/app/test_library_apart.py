"""A library beside other people's things: what is theirs stays theirs, and no odd name is lost."""

from pathlib import Path

import pytest

from app.settings import CHOSEN_MODEL
from engine.errors import AlreadyThere
from engine.types.cancel import CancelToken
from engine.types.library import Owner, Way
from tests.unit.app.test_library import ONE, TWO, Desk, desk, home, ignored

__all__ = ["desk", "home"]


def test_a_folder_with_other_things_gets_one_for_the_library(desk: Desk, tmp_path: Path) -> None:
    """What lies there does not become Snug's, to be moved or removed one day."""
    desk.put("one.gguf", ONE)
    disk = tmp_path / "disk"
    (disk / "photos").mkdir(parents=True)
    (disk / "theirs.gguf").write_bytes(TWO)
    for _ in range(2):  # the second time it is there already
        desk.library.move(disk, ignored, CancelToken())
        assert desk.library.folder == disk / "Snug"
    assert desk.own() == {disk / "Snug" / "one.gguf": Owner.SNUG}
    desk.library.move(tmp_path / "next", ignored, CancelToken())
    assert sorted(path.name for path in disk.iterdir()) == ["photos", "theirs.gguf"]


def test_the_choice_follows_a_model_that_has_another_name_now(desk: Desk, tmp_path: Path) -> None:
    one = desk.put("Tiny/m.gguf", ONE)
    desk.library.use(desk.id_of(one))
    other = tmp_path / "new" / "Tiny" / "m.gguf"
    other.parent.mkdir(parents=True)
    other.write_bytes(TWO + TWO)
    desk.library.move(tmp_path / "new", ignored, CancelToken())
    moved = tmp_path / "new" / "Tiny 2" / "m.gguf"
    assert desk.settings.get(CHOSEN_MODEL) == str(moved)
    assert desk.models.choose().request.path == moved


def test_one_that_is_there_keeps_no_other_from_coming(desk: Desk, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    for name, data in (("one", ONE), ("two", TWO)):
        (stick / f"{name}.gguf").write_bytes(data)
    first = desk.library.look_at([stick / "one.gguf"], CancelToken())
    desk.library.add(first, Way.COPY, ignored, CancelToken())
    both = desk.library.look_at([stick], CancelToken())
    [added] = desk.library.add(both, Way.COPY, ignored, CancelToken())
    assert added.path.read_bytes() == TWO
    with pytest.raises(AlreadyThere):
        desk.library.add(both, Way.COPY, ignored, CancelToken())


@pytest.mark.parametrize("name", ["odd\u2028name", "odd\udcff", "odd\rname"])
def test_names_that_are_no_line_of_text(desk: Desk, tmp_path: Path, name: str) -> None:
    mine = tmp_path / name / "one.gguf"
    mine.parent.mkdir()
    mine.write_bytes(ONE)
    brought = desk.library.look_at([mine], CancelToken())
    [added] = desk.library.add(brought, Way.IN_PLACE, ignored, CancelToken())
    desk.usage.answered(mine)
    again = Desk(desk.paths.data)
    assert again.own() == {mine: Owner.PERSON}
    assert again.library.last_used(added.id) is not None


def test_no_empty_folder_is_left(desk: Desk) -> None:
    one = desk.put("publisher/repository/one.gguf", ONE)
    desk.library.remove(desk.id_of(one), to_bin=False)
    assert not one.parent.exists()


def test_when_a_model_answered_is_known_after_a_move(desk: Desk, tmp_path: Path) -> None:
    one = desk.put("one.gguf", ONE)
    desk.usage.answered(one)
    before = desk.library.last_used(desk.id_of(one))
    desk.library.move(tmp_path / "new", ignored, CancelToken())
    assert before is not None
    for now in (desk, Desk(desk.paths.data)):
        moved = now.id_of(tmp_path / "new" / "one.gguf")
        assert now.library.last_used(moved) == before


def test_what_a_killed_copy_took_comes_back(desk: Desk) -> None:
    left = desk.put(".Tiny.snug.part/m.gguf.part", ONE).parent
    desk.library.models()
    assert not left.exists()
