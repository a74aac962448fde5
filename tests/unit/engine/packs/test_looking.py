"""A look at a pack before anything is unpacked: who made it, for whom, and the room it wants."""

from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import PackRefused
from engine.types.packs import PackProblem
from tests.forged_packs import contents, importer, made


def test_a_look_tells_what_it_is_and_changes_nothing(tmp_path: Path) -> None:
    pack = made(tmp_path, contents())
    there = tmp_path / "backends"
    wanted = importer(there).look(pack)
    assert (wanted.pack_id, wanted.backend) == ("cuda13", "cuda")
    assert wanted.size_bytes > 50_000
    assert not there.exists()


@pytest.mark.parametrize(
    ("who", "problem"),
    [
        ({"system": "windows"}, PackProblem.OTHER_SYSTEM),
        ({"architecture": "arm64"}, PackProblem.OTHER_PROCESSOR),
    ],
)
def test_what_is_for_others_is_known_by_a_look(
    tmp_path: Path, who: dict[str, object], problem: PackProblem
) -> None:
    with pytest.raises(PackRefused) as refused:
        importer(tmp_path / "backends", **who).look(made(tmp_path, contents()))
    assert refused.value.problem == problem


def test_what_nobody_of_us_signed_is_refused_by_a_look(tmp_path: Path) -> None:
    looks = importer(tmp_path / "backends")
    stranger = replace(looks, shelf=replace(looks.shelf, keys={}))
    with pytest.raises(PackRefused) as refused:
        stranger.look(made(tmp_path, contents()))
    assert refused.value.problem == PackProblem.UNKNOWN_KEY


def test_the_room_is_told_before_there_is_a_folder(tmp_path: Path) -> None:
    looks = importer(tmp_path / "not" / "yet")
    wanted = looks.look(made(tmp_path, contents()))
    needed_bytes, free_bytes = looks.room(wanted)
    assert needed_bytes == 2 * wanted.size_bytes
    assert free_bytes > needed_bytes
