"""What a person hands over: packs for this computer are found among others, and among models."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from app import packs, packs_brought
from app.packs_brought import Advance, PackOffer, add, look_at
from app.paths import Paths
from engine.errors import NoSpace, PackRefused, ProgramReplaced
from engine.packs import install, keys
from engine.types.cancel import CancelToken
from engine.types.packs import PackProblem
from tests import forged_packs
from tests.forged_packs import A_DEVICE, KEYS, contents
from tests.tampered_packs import TAMPERED

P = PackProblem
Make = Callable[..., Path]


@pytest.fixture(autouse=True)
def _this_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test's keys, the build that its packs are for, and a child that finds a device."""
    monkeypatch.setattr(keys, "TRUSTED", KEYS)
    monkeypatch.setattr(packs.plugins, "engine_build_id", lambda: forged_packs.BUILD)
    monkeypatch.setattr(packs, "architecture", lambda _machine: "x86_64")
    monkeypatch.setattr(packs, "_probe", lambda *_: A_DEVICE)


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths(data=tmp_path / "home", log=tmp_path / "home" / "log")


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    folder = tmp_path / "stick" / "packs"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Makes a pack in a folder, under a name."""

    def made(folder: Path, name: str, text: str = "runtime", **facts: object) -> Path:
        scratch = tmp_path / "made"
        scratch.mkdir(exist_ok=True)
        return shutil.copy(forged_packs.made(scratch, contents(text), **facts), folder / name)

    return made


def look(paths: Paths, *handed: Path) -> packs_brought.PacksFound:
    return look_at(paths, handed, CancelToken())


def names(offers: tuple[PackOffer, ...]) -> list[str]:
    return [offer.path.name for offer in offers]


def problems(found: packs_brought.PacksFound) -> list[str]:
    return [error.problem for error in found.refused]


def added(paths: Paths, *offers: PackOffer) -> list[object]:
    return [outcome.error for outcome in add(paths, offers, lambda _: None, CancelToken())]


def test_of_a_stick_for_three_systems_only_ours_is_offered(
    paths: Paths, stick: Path, make: Make
) -> None:
    make(stick, "linux.pack")
    make(stick, "windows.pack", system="windows")
    make(stick, "macos.pack", system="macos", architecture="arm64")
    make(stick, "old.pack", build_id="9.9.8-linux-x86_64-0123456789ab")
    (stick / "README.txt").write_text("Packs.")
    for handed in ([stick], [stick.parent], sorted(stick.glob("*.pack"))):
        found = look(paths, *handed)
        assert names(found.offers) == ["linux.pack"]
        assert not found.refused
    assert not paths.packs.exists()


def test_where_none_fits_the_nearest_is_named(paths: Paths, stick: Path, make: Make) -> None:
    make(stick, "windows.pack", system="windows")
    make(stick, "arm.pack", architecture="arm64")
    make(stick, "old.pack", build_id="9.9.8-linux-x86_64-0123456789ab")
    found = look(paths, stick)
    assert (found.offers, problems(found)) == ((), [P.OTHER_BUILD])


def test_models_and_folders_go_on_and_packs_do_not(paths: Paths, stick: Path, make: Make) -> None:
    pack = make(stick, "ours.pack")
    models = stick.parent / "models"
    models.mkdir()
    letter = stick / "letter.pdf"
    letter.touch()
    found = look(paths, models, stick, pack, letter)
    assert names(found.offers) == ["ours.pack"]
    assert found.rest == (models, stick, letter)
    assert found.folders == {stick}


def test_other_programs_files_of_that_name_are_passed_over_in_folders(
    paths: Paths, tmp_path: Path
) -> None:
    """As version control keeps them."""
    deep = tmp_path / "project" / "objects"
    deep.mkdir(parents=True)
    stranger = deep / "pack-1234.pack"
    stranger.write_bytes(b"PACK" + bytes(100))
    assert not look(paths, tmp_path / "project").any
    assert problems(look(paths, stranger)) == [P.NOT_A_PACK]


def test_what_is_gone_or_may_not_be_read_is_said(paths: Paths, tmp_path: Path) -> None:
    assert problems(look(paths, tmp_path / "gone.pack")) == [P.NOT_FOUND]
    assert not look(paths, tmp_path / "gone").any


def test_a_damaged_one_does_not_hide_a_good_one(paths: Paths, stick: Path, make: Make) -> None:
    good = make(stick, "good.pack")
    (stick / "half.pack").write_bytes(good.read_bytes()[:1000])
    found = look(paths, stick)
    assert names(found.offers) == ["good.pack"]
    assert problems(found) == [P.CUT_OFF]


def test_of_two_with_one_name_the_newer_is_offered(paths: Paths, stick: Path, make: Make) -> None:
    make(stick, "a.pack", created="2026-11-30T12:00:00Z")
    make(stick, "b.pack", created="2026-11-29T12:00:00Z")
    assert names(look(paths, stick).offers) == ["a.pack"]


def test_what_is_there_is_not_asked_for_again_but_a_newer_one_is(
    paths: Paths, stick: Path, make: Make
) -> None:
    old = make(stick, "old.pack", created="2026-11-28T12:00:00Z")
    now = make(stick, "now.pack", created="2026-11-29T12:00:00Z")
    assert added(paths, *look(paths, now).offers) == [None]
    for handed in (now, old):
        found = look(paths, handed)
        assert (found.offers, names(found.there)) == ((), [handed.name])
    newer = make(stick, "newer.pack", created="2026-11-30T12:00:00Z")
    assert names(look(paths, newer).offers) == ["newer.pack"]


def test_it_is_used_from_the_next_start_on(paths: Paths, stick: Path, make: Make) -> None:
    make(stick, "good.pack")
    heard: list[Advance] = []
    outcomes = add(paths, look(paths, stick).offers, heard.append, CancelToken())
    assert [outcome.error for outcome in outcomes] == [None]
    assert [plugin.backend for plugin in packs.approved_packs(paths)] == ["cuda"]
    fractions = [now.fraction for now in heard]
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0
    assert heard[-1].trying
    assert not heard[0].trying


def test_one_that_fails_stops_no_other(paths: Paths, stick: Path, make: Make) -> None:
    make(stick, "b.pack", pack_id="b", text="other")
    make(stick, "a.pack", pack_id="a")
    offers = look(paths, stick).offers
    offers[0].path.unlink()  # the stick was pulled
    errors = added(paths, *offers)
    assert isinstance(errors[0], PackRefused)
    assert errors[0].problem == P.NOT_FOUND
    assert errors[1] is None
    assert not list(paths.packs.glob(".incoming-*"))


def test_too_little_space_is_told_in_bytes(
    paths: Paths, stick: Path, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(stick, "good.pack")
    offers = look(paths, stick).offers
    scarce = install.Importer.__init__

    def with_little(self: install.Importer, **parts: object) -> None:
        scarce(self, **{**parts, "free_bytes": lambda _: 1000})  # type: ignore[arg-type]

    monkeypatch.setattr(install.Importer, "__init__", with_little)
    (error,) = added(paths, *offers)
    assert isinstance(error, NoSpace)
    assert (error.needed_bytes, error.free_bytes) == (2 * offers[0].manifest.size_bytes, 1000)


def test_a_stop_leaves_nothing_behind(paths: Paths, stick: Path, make: Make) -> None:
    make(stick, "b.pack", pack_id="b")
    make(stick, "a.pack", pack_id="a")
    token = CancelToken()
    stopped = add(paths, look(paths, stick).offers, lambda _: token.cancel(), token)
    assert stopped == ()
    assert not packs.approved_packs(paths)
    assert not list(paths.packs.glob("**/*.so"))


def test_a_snug_that_was_updated_meanwhile_blames_no_pack(
    paths: Paths, stick: Path, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when somebody updates, and opens the packs of the same stick while the old one is open."""

    def replaced(*_: object) -> None:
        raise ProgramReplaced

    monkeypatch.setattr(packs, "_probe", replaced)
    make(stick, "good.pack")
    with pytest.raises(ProgramReplaced):
        added(paths, *look(paths, stick).offers)
    assert not packs.approved_packs(paths)
    assert not list(paths.packs.glob("**/*.so"))


@pytest.mark.parametrize("name", TAMPERED)
def test_nothing_that_was_tampered_with_is_ever_added(
    paths: Paths, tmp_path: Path, name: str
) -> None:
    make_it, problem = TAMPERED[name]
    if problem is P.NO_SPACE:
        pytest.skip("depends on this computer's disk")
    file = tmp_path / "bent.pack"
    bent = make_it()
    file.write_bytes(bent if isinstance(bent, bytes) else bent.written())
    found = look(paths, file)
    if found.offers:  # what is wrong about it shows when its files are read
        (error,) = added(paths, *found.offers)
        assert isinstance(error, PackRefused)
        assert error.problem == problem
    else:
        assert problems(found) == [problem]
    assert not packs.approved_packs(paths)


def test_a_folder_that_can_not_be_read_has_no_packs(paths: Paths, tmp_path: Path) -> None:
    locked = tmp_path / "locked"
    locked.mkdir()
    locked.chmod(0)
    try:
        found = look(paths, locked)
    finally:
        locked.chmod(0o755)
    assert not found.any
    assert found.rest == (locked,)


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no links")
def test_links_to_folders_are_not_followed(paths: Paths, stick: Path, make: Make) -> None:
    make(stick, "ours.pack")
    (stick / "round").symlink_to(stick, target_is_directory=True)
    assert names(look(paths, stick).offers) == ["ours.pack"]


def test_an_offer_says_how_large_it_is_once_unpacked(paths: Paths, stick: Path, make: Make) -> None:
    (offer,) = look(paths, make(stick, "ours.pack")).offers
    assert offer.manifest.size_bytes == sum(map(len, contents().values()))
