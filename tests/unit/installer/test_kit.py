"""The stick: what is on it, and what can not be."""

import os
import re
import shutil
import subprocess
import zipfile
from collections import namedtuple
from pathlib import Path

import pytest

from devenv.places import ROOT
from kit import __main__ as command
from kit import page
from kit.build import build
from kit.contents import MODELS, START, Asked, collect
from kit.contents import PACKS as PACKS_FOLDER
from kit.names import FAT32_LARGEST_BYTES, KitMistake, check_collisions, check_name
from release import sums
from tests import ggufs
from tests.unit.installer.kit_shelf import INSTALLERS, MADE_S, PACKS, asked, filled, made


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    return filled(tmp_path)


def test_installers_find_models_and_packs_beside_them(shelf: Path) -> None:
    kit = made(shelf)
    for name in INSTALLERS:
        assert (kit / name).read_bytes() == name.encode()
    assert (kit / "models" / "Tiny.gguf").read_bytes() == ggufs.chat()
    assert {path.name for path in (kit / "packs").iterdir()} == set(PACKS)
    assert "Apache License" in (kit / "licences" / "Snug.txt").read_text(encoding="utf-8")
    scripts = (ROOT / "installer" / "windows").glob("*.ns[ih]")
    script = "".join(path.read_text(encoding="utf-8") for path in scripts)
    assert "$EXEDIR" in script
    assert all(re.search(rf'["\\]{folder}["\\]', script) for folder in (MODELS, PACKS_FOLDER))


@pytest.mark.skipif(not shutil.which("sha256sum"), reason="needs coreutils")
def test_sums_are_what_sha256sum_reads(shelf: Path) -> None:
    kit = made(shelf)
    done = subprocess.run(["sha256sum", "--strict", "-c", sums.NAME], cwd=kit, check=True)
    assert done.returncode == 0
    listed = [line[66:] for line in (kit / sums.NAME).read_text().splitlines()]
    assert listed == sorted(listed, key=str.encode)
    assert set(listed) == {p.relative_to(kit).as_posix() for p in kit.rglob("*") if p.is_file()} - {
        sums.NAME
    }


def test_equal_shelves_give_equal_kits(shelf: Path) -> None:
    first, second = made(shelf, "one"), made(shelf, "two")
    names = sorted(path.relative_to(first) for path in first.rglob("*"))
    assert names == sorted(path.relative_to(second) for path in second.rglob("*"))
    for name in names:
        assert (first / name).stat().st_mtime == (second / name).stat().st_mtime == MADE_S
        if (first / name).is_file():
            assert (first / name).read_bytes() == (second / name).read_bytes()
    contents = collect(asked(shelf))
    zips = [build(contents, shelf / into, MADE_S, zipped=True) for into in ("one", "two")]
    assert zips[0].read_bytes() == zips[1].read_bytes()


def test_a_zip_holds_the_same_folder(shelf: Path) -> None:
    archive = build(collect(asked(shelf)), shelf / "out", MADE_S, zipped=True)
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(shelf / "stick")
        modes = {entry.filename: entry.external_attr >> 16 for entry in opened.infolist()}
    kit = shelf / "stick" / archive.stem
    assert not sums.problems(kit)
    assert modes[f"{archive.stem}/Snug-1.2.3-x86_64.AppImage"] == 0o100755
    assert modes[f"{archive.stem}/{START}"] == 0o100644
    assert [path.name for path in (shelf / "out").iterdir()] == [archive.name]


def test_verify_finds_what_a_worn_stick_does(
    shelf: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kit = made(shelf)
    assert command.main(["verify", str(kit)]) == 0
    (kit / "snug-1.2.3-setup.exe").write_bytes(b"worn out")
    (kit / "models" / "Tiny.gguf").unlink()
    (kit / "models" / "brought by somebody.gguf").write_bytes(b"?")
    (kit / "System Volume Information").mkdir()
    (kit / "System Volume Information" / "IndexerVolumeGuid").touch()
    (kit / ".fseventsd").touch()
    capsys.readouterr()
    assert command.main(["verify", str(kit)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "models/Tiny.gguf is missing",
        "models/brought by somebody.gguf is not listed in SHA256SUMS",
        "snug-1.2.3-setup.exe has changed or was damaged while it was copied",
    ]


def test_a_kit_that_is_cut_off_has_no_sums(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    contents = collect(asked(shelf))

    def pulled(*_: object) -> str:
        raise OSError(5, "Input/output error", "stick")

    monkeypatch.setattr(page, "document", pulled)
    with pytest.raises(OSError, match="Input/output"):
        build(contents, shelf / "out", MADE_S)
    assert not list((shelf / "out").iterdir())


def test_what_a_killed_build_left_is_cleared(shelf: Path) -> None:
    left = shelf / "out" / ".making-snug-1.2.3-usb-kit-abc" / "snug-1.2.3-usb-kit"
    left.mkdir(parents=True)
    (left / "half.gguf").touch()
    kit = made(shelf)
    assert list((shelf / "out").iterdir()) == [kit]


def test_a_killed_build_leaves_its_room_to_the_next(
    shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = shelf / "out" / ".making-snug-1.2.3-usb-kit-abc"
    left.mkdir(parents=True)
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(
        shutil, "disk_usage", lambda _: usage(10**9, 0, 0 if left.exists() else 10**9)
    )
    assert made(shelf).is_dir()


@pytest.mark.parametrize("zipped", [False, True])
def test_a_stick_may_be_pulled_out_afterwards(
    shelf: Path, monkeypatch: pytest.MonkeyPatch, zipped: bool
) -> None:
    """All of it was written to the stick by then."""
    kept: set[int] = set()
    fsync = os.fsync

    def noted(handle: int) -> None:
        fsync(handle)
        kept.add(os.fstat(handle).st_ino)

    monkeypatch.setattr(os, "fsync", noted)
    kit = build(collect(asked(shelf)), shelf / "out", MADE_S, zipped=zipped)
    files = [kit] if zipped else [path for path in kit.rglob("*") if path.is_file()]
    assert {path.stat().st_ino for path in files} <= kept


def test_a_scanner_that_looks_at_what_is_new_delays_the_name(
    shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename, looking = Path.rename, [1, 1]

    def busy(path: Path, target: Path) -> Path:
        if looking:
            looking.pop()
            raise PermissionError(13, "Access is denied")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", busy)
    assert not sums.problems(made(shelf))


def test_a_stick_without_modes_and_times_will_do(
    shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise OSError(95, "Operation not supported")

    contents = collect(asked(shelf))
    monkeypatch.setattr(os, "chmod", refused)
    monkeypatch.setattr(os, "utime", refused)
    assert not sums.problems(build(contents, shelf / "out", MADE_S))


def test_a_kit_that_is_there_is_not_written_over(shelf: Path) -> None:
    kit = made(shelf)
    with pytest.raises(KitMistake, match="there already"):
        made(shelf)
    assert not sums.problems(kit)


def test_too_little_room_is_said_before_anything_is_copied(
    shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10**9, 10**9, 1_000))
    with pytest.raises(KitMistake, match="leave out a model"):
        made(shelf)
    assert not list((shelf / "out").iterdir())


def test_links_become_files(shelf: Path) -> None:
    real = shelf / "elsewhere.gguf"
    (shelf / "models" / "Tiny.gguf").rename(real)
    (shelf / "models" / "Linked.gguf").symlink_to(real)
    kit = made(shelf)
    copied = kit / "models" / "Linked.gguf"
    assert not copied.is_symlink()
    assert copied.read_bytes() == real.read_bytes()


def test_a_link_that_leads_nowhere_is_named(shelf: Path) -> None:
    (shelf / "models" / "Gone.gguf").symlink_to(shelf / "not there")
    with pytest.raises(KitMistake, match=r"Gone\.gguf is a link that leads nowhere"):
        collect(asked(shelf))


def test_an_empty_installer_is_named(shelf: Path) -> None:
    (shelf / "installers" / INSTALLERS[0]).write_bytes(b"")
    with pytest.raises(KitMistake, match=r"setup\.exe is empty"):
        collect(asked(shelf))


def test_what_fat32_can_not_hold_is_refused_with_a_way_out(shelf: Path) -> None:
    large = ggufs.Tensor("token_embd.weight", (1024, 1_100_000))
    path = shelf / "models" / "Large.gguf"
    assert ggufs.write_sparse(path, ggufs.CHAT, (large,)) > FAT32_LARGEST_BYTES
    with pytest.raises(KitMistake, match=r"Large\.gguf has 4\.5 GB.*exFAT.*--exfat"):
        collect(asked(shelf))
    assert any(file.source == path for file in collect(asked(shelf, exfat=True)).files)


@pytest.mark.parametrize(
    "name",
    ["a:b.gguf", "what?.gguf", "con.gguf", "COM1", "lpt9.x.gguf", "dot.", "space ", " a", "a\nb",
     "a\\b", "", "\udcff.gguf", "模" * 256, ".hidden"],
)  # fmt: skip
def test_names_that_no_stick_holds(name: str) -> None:
    with pytest.raises(KitMistake, match="can not be on a stick"):
        check_name(name)


@pytest.mark.parametrize(
    "name", ["模型 1.gguf", "console.gguf", "a.b.gguf", "x" * 255, "It's.gguf"]
)
def test_names_that_every_stick_holds(name: str) -> None:
    check_name(name)


@pytest.mark.parametrize(
    ("one", "other"), [("A.gguf", "a.gguf"), ("é.gguf", "e\u0301.gguf"), ("x", "x")]
)
def test_names_that_are_one_on_a_stick(one: str, other: str) -> None:
    with pytest.raises(KitMistake, match="Rename one"):
        check_collisions([one, other])


def test_two_folders_with_the_same_model(shelf: Path) -> None:
    other = shelf / "more"
    other.mkdir()
    (other / "tiny.GGUF").write_bytes(ggufs.chat())
    twice = Asked(
        version="1.2.3", installers=(shelf / "installers",), models=(shelf / "models", other)
    )
    with pytest.raises(KitMistake, match=r"models/Tiny\.gguf and models/tiny\.GGUF"):
        collect(twice)


def test_only_installers_of_this_version(shelf: Path) -> None:
    others = ("snug_1.2.30_amd64.deb", "snug_1.2.3.1_amd64.deb", "snug_11.2.3_amd64.deb")
    for name in (*others, "another-1.2.3-setup.exe"):
        (shelf / "installers" / name).write_bytes(b"other")
    assert {file.name for file in collect(asked(shelf)).installers} == set(INSTALLERS)
    with pytest.raises(KitMistake, match=r"no installer of Snug 9\.9"):
        collect(asked(shelf, version="9.9"))


def test_installers_are_not_passed_on_without_the_licences_of_what_is_inside(
    shelf: Path,
) -> None:
    assert (made(shelf) / "licences" / "licences-linux.zip").read_bytes() == b"linux"
    (shelf / "installers" / "licences-linux.zip").unlink()
    with pytest.raises(KitMistake, match=r"no licences-linux\.zip in .*release papers"):
        collect(asked(shelf))


def test_what_is_no_whole_model_is_refused(shelf: Path) -> None:
    (shelf / "models" / "web page.gguf").write_bytes(b"<!DOCTYPE html>")
    with pytest.raises(KitMistake, match=r"web page\.gguf is not a model"):
        collect(asked(shelf))
    (shelf / "models" / "web page.gguf").unlink()
    (shelf / "models" / "Half-00001-of-00002.gguf").write_bytes(ggufs.chat())
    with pytest.raises(KitMistake, match=r"Half-00002-of-00002\.gguf must lie beside it"):
        collect(asked(shelf))


def test_a_mistake_is_a_sentence(shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["build", "--installers", str(shelf / "nowhere"), "--into", str(shelf / "out")]
    assert command.main(arguments) == 1
    assert capsys.readouterr().err == f"kit: there is no folder {shelf / 'nowhere'}\n"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_stick_that_can_not_be_written_is_named(
    shelf: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (shelf / "locked").mkdir(mode=0o555)
    arguments = ["build", "--version", "1.2.3", "--installers", str(shelf / "installers")]
    assert command.main([*arguments, "--into", str(shelf / "locked" / "out")]) == 1
    assert "kit: " in capsys.readouterr().err
