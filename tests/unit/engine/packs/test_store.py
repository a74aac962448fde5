"""Packs that are installed: which are used, what makes one not, going back, and removing."""

import errno
import json
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.errors import Cancelled, PackRefused
from engine.packs import changes, disk, stamp, store
from engine.packs.hashes import Finding
from engine.packs.store import Shelf
from engine.types.backends import Origin
from engine.types.cancel import CancelToken
from engine.types.packs import InstalledPack, PackProblem, PackState
from tests.forged_packs import BUILD, KEYS, contents, importer, made


@pytest.fixture(scope="module")
def three_imports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Imported one after the other: two are left."""
    folder, scratch = tmp_path_factory.mktemp("backends"), tmp_path_factory.mktemp("scratch")
    for text in ("first", "second", "third"):
        importer(folder).run(made(scratch, contents(text)))
    return folder


@pytest.fixture
def shelf(tmp_path: Path, three_imports: Path) -> Shelf:
    shutil.copytree(three_imports, tmp_path / "backends")
    return importer(tmp_path / "backends").shelf


def states(shelf: Shelf) -> dict[str, PackState]:
    return {pack.folder.name: pack.state for pack in store.listed(shelf)}


def used(shelf: Shelf) -> InstalledPack:
    return next(pack for pack in store.listed(shelf) if pack.state is PackState.IN_USE)


def used_numbers(shelf: Shelf) -> list[str]:
    return [plugin.path.parent.name for plugin in store.installed(shelf)]


def test_the_newest_is_used_and_one_is_kept(shelf):
    assert states(shelf) == {"3": PackState.IN_USE, "2": PackState.PREVIOUS}
    (plugin,) = store.installed(shelf)
    place = shelf.folder / BUILD / "cuda13" / "3"
    assert (plugin.backend, plugin.origin, plugin.build_id) == ("cuda", Origin.PACK, BUILD)
    assert plugin.path == place / "libggml-cuda.so"
    assert plugin.needs == (place / "libcudart.so.13", place / "libcublasLt.so.13")
    assert (place / "libcudart.so.13").read_bytes() == contents("third")["libcudart.so.13"]
    assert (place / "licences" / "EULA.txt").is_file()


def test_no_file_of_a_pack_is_opened_at_start(shelf, monkeypatch):
    assert used_numbers(shelf) == ["3"]  # the copy is new to us, and is read once
    opened: list[str] = []
    really_open = os.open

    def noted(path: Any, *arguments: Any, **others: Any) -> int:
        opened.append(Path(path).name)
        return really_open(path, *arguments, **others)

    monkeypatch.setattr(os, "open", noted)
    assert used_numbers(shelf) == ["3"]
    assert set(opened) == {"manifest.json", "manifest.sig", ".ok"}


def grown(place: Path) -> None:
    with (place / "libcudart.so.13").open("ab") as file:
        file.write(b"!")


def touched(place: Path) -> None:
    os.utime(place / "libggml-cuda.so", ns=(1, 1))


def missing(place: Path) -> None:
    (place / "libcublasLt.so.13").unlink()


def replaced_by_a_link(place: Path) -> None:
    (place / "libcudart.so.13").unlink()
    (place / "libcudart.so.13").symlink_to(place / "libcublasLt.so.13")


def altered(place: Path) -> None:
    """The size and the time stay."""
    library = place / "libcublasLt.so.13"
    status = library.stat()
    library.write_bytes(b"?" * status.st_size)
    os.utime(library, ns=(status.st_mtime_ns, status.st_mtime_ns))


def replaced_by_a_link_of_equal_size(place: Path) -> None:
    """Its own size and time are those of the file."""
    licence = place / "licences" / "EULA.txt"
    status = licence.stat()
    licence.unlink()
    target = "/" * (status.st_size - 3) + "tmp"
    licence.symlink_to(target)
    os.utime(licence, ns=(status.st_mtime_ns, status.st_mtime_ns), follow_symlinks=False)


def linked_folder(place: Path) -> None:
    elsewhere = place.parents[3] / "elsewhere"
    (place / "licences").rename(elsewhere)
    (place / "licences").symlink_to(elsewhere)


def planted_link_to_a_folder(place: Path) -> None:
    (place / "more").symlink_to(place.parents[3])


def planted_pipe(place: Path) -> None:
    os.mkfifo(place / "pipe")


def file_open_to_others(place: Path) -> None:
    (place / "libcudart.so.13").chmod(0o666)


def folder_open_to_the_group(place: Path) -> None:
    (place / "licences").chmod(0o775)


def planted(place: Path) -> None:
    (place / "version.dll").write_bytes(b"x")


CHANGES = [grown, touched, missing, altered, planted]
if os.name == "posix":
    CHANGES += [
        replaced_by_a_link,
        replaced_by_a_link_of_equal_size,
        linked_folder,
        planted_link_to_a_folder,
        planted_pipe,
        file_open_to_others,
        folder_open_to_the_group,
    ]


@pytest.mark.parametrize("change", CHANGES)
def test_a_pack_whose_files_changed_is_not_used_but_the_one_before(shelf, change):
    change(used(shelf).folder)
    assert states(shelf) == {"3": PackState.CHANGED, "2": PackState.IN_USE}
    assert used_numbers(shelf) == ["2"]


@pytest.mark.parametrize(
    "content",
    [
        None,
        b"",
        b"[]",
        b"[1]",
        b'"text"',
        b"7",
        b"true",
        b"{}",
        b'{"order":0,"times":{}}',
        b'{"order":true,"times":{}}',
        b'{"order":1e400,"times":{}}',
        b"[" * 9999,
        b'{"order":1,"times":{},"marks":[]}',
        b'{"order":1' + b"0" * 5000 + b',"times":{}}',
    ],
)
def test_a_pack_without_its_mark_is_not_used(shelf, content):
    mark = used(shelf).folder / stamp.NAME
    mark.unlink() if content is None else mark.write_bytes(content)
    assert states(shelf)["3"] is PackState.UNFINISHED
    assert used_numbers(shelf) == ["2"]


def test_a_manifest_that_was_changed_in_place_is_not_believed(shelf):
    manifest = used(shelf).folder / "manifest.json"
    manifest.write_bytes(manifest.read_bytes().replace(b"CUDA EULA", b"CUDA WORD"))
    assert states(shelf)["3"] is PackState.UNTRUSTED


def test_a_key_that_is_no_longer_trusted_takes_its_packs_along(shelf):
    assert store.installed(replace(shelf, keys={})) == ()
    stranger = {key: bytes(32) for key in KEYS}
    assert store.installed(replace(shelf, keys=stranger)) == ()


def test_packs_of_another_snug_are_only_listed(shelf):
    other = replace(shelf, build_id="9.9.9-other")
    assert store.installed(other) == ()
    assert set(states(other).values()) == {PackState.OTHER_BUILD}
    assert store.installed(replace(shelf, build_id="")) == ()


def test_a_pack_that_was_moved_under_another_build_is_not_used(shelf):
    (shelf.folder / BUILD).rename(shelf.folder / "9.9.9-other")
    assert store.installed(replace(shelf, build_id="9.9.9-other")) == ()


@pytest.mark.skipif(os.name != "posix", reason="links need rights on Windows")
def test_links_are_not_followed(shelf, tmp_path):
    (shelf.folder / BUILD / "cuda13").rename(tmp_path / "elsewhere")
    (shelf.folder / BUILD / "cuda13").symlink_to(tmp_path / "elsewhere")
    assert store.listed(shelf) == ()


def test_going_back_and_forth(shelf):
    assert changes.restore(shelf, "cuda13").folder.name == "2"
    assert used_numbers(shelf) == ["2"]
    assert states(shelf) == {"2": PackState.IN_USE, "3": PackState.PREVIOUS}
    assert changes.restore(shelf, "cuda13").folder.name == "3"
    assert used_numbers(shelf) == ["3"]


def test_one_does_not_go_back_to_what_is_damaged(shelf):
    altered(shelf.folder / BUILD / "cuda13" / "2")
    with pytest.raises(PackRefused) as caught:
        changes.restore(shelf, "cuda13")
    assert caught.value.problem == PackProblem.NOTHING_TO_RESTORE
    assert used_numbers(shelf) == ["3"]


def test_there_may_be_nothing_to_go_back_to(shelf):
    changes.drop(shelf.folder / BUILD / "cuda13" / "2")
    for pack_id, problem in (
        ("cuda13", PackProblem.NOTHING_TO_RESTORE),
        ("cuda12", PackProblem.NOT_INSTALLED),
    ):
        with pytest.raises(PackRefused) as caught:
            changes.restore(shelf, pack_id)
        assert caught.value.problem == problem


def test_removing_takes_everything_of_a_pack(shelf):
    assert len(changes.remove(shelf, "cuda13")) == 2
    assert not shelf.folder.exists()
    with pytest.raises(PackRefused) as caught:
        changes.remove(shelf, "cuda13")
    assert caught.value.problem == PackProblem.NOT_INSTALLED
    assert not shelf.folder.exists()


def check(shelf: Shelf) -> dict[str, tuple[PackState, Finding, str]]:
    found = changes.check(shelf, "cuda13")
    return {one.pack.folder.name: (one.pack.state, one.finding, one.name) for one in found}


FINE = (PackState.IN_USE, Finding.FINE, "")


def test_a_check_names_what_is_damaged_and_takes_it_back_when_it_is_right_again(shelf):
    library = used(shelf).folder / "libcublasLt.so.13"
    before = library.read_bytes()
    altered(library.parent)
    damaged = (PackState.UNFINISHED, Finding.DAMAGED, "libcublasLt.so.13")
    assert check(shelf) == {"3": damaged, "2": FINE}
    assert used_numbers(shelf) == ["2"]
    library.write_bytes(before)
    assert check(shelf)["3"] == FINE
    assert used_numbers(shelf) == ["3"]


def test_a_check_does_not_bring_in_a_pack_that_was_never_tried(shelf):
    stamp.drop(used(shelf).folder)
    assert check(shelf)["3"] == (PackState.UNFINISHED, Finding.FINE, "")
    assert used_numbers(shelf) == ["2"]


def test_a_check_brings_back_a_pack_whose_mark_was_damaged(shelf):
    changes.drop(shelf.folder / BUILD / "cuda13" / "2")
    (used(shelf).folder / stamp.NAME).write_bytes(b"[1]")
    assert check(shelf) == {"3": FINE}


def test_a_file_that_can_not_be_read_now_is_no_damage(shelf, monkeypatch):
    def failing(path: Path, *_: object) -> bool:
        raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))

    assert used_numbers(shelf) == ["3"]
    with monkeypatch.context() as patch:
        patch.setattr(disk, "holds", failing)
        found = check(shelf)
    assert found["3"] == (PackState.IN_USE, Finding.UNREADABLE, "libcudart.so.13")
    assert used_numbers(shelf) == ["3"]


def test_a_manifest_that_can_not_be_read_now_is_no_damage(shelf, monkeypatch):
    def failing(path: Path, _most_bytes: int) -> bytes:
        raise PermissionError(errno.EACCES, "no", str(path))

    with monkeypatch.context() as patch:
        patch.setattr(disk, "content", failing)
        assert {finding for _, finding, _ in check(shelf).values()} == {Finding.UNREADABLE}
    assert used_numbers(shelf) == ["3"]


def test_a_check_brings_back_what_only_looked_changed(shelf):
    """A folder that came back from a backup has other times."""
    touched(used(shelf).folder)
    assert used_numbers(shelf) == ["2"]
    assert check(shelf)["3"] == FINE
    assert used_numbers(shelf) == ["3"]


def test_a_check_names_a_planted_library_and_does_not_bring_the_pack_back(shelf):
    planted(used(shelf).folder)
    assert check(shelf)["3"] == (PackState.CHANGED, Finding.DIFFERENT, "version.dll")
    assert used_numbers(shelf) == ["2"]


def test_files_that_are_others_but_look_the_same_are_read_once_and_then_known(shelf, monkeypatch):
    read: list[Path] = []
    monkeypatch.setattr(disk, "holds", lambda path, *_: bool(read.append(path)) or True)
    assert used_numbers(shelf) == ["3"]
    assert len(read) == 8  # both are copies
    assert used_numbers(shelf) == ["3"]
    assert len(read) == 8
    newer = replace(shelf, version="2.0")
    assert used_numbers(newer) == ["3"]
    assert used_numbers(newer) == ["3"]
    assert len(read) == 16


def test_two_packs_for_one_backend_the_one_put_to_use_last_comes_first(shelf, tmp_path):
    pack = made(tmp_path, contents("twelve"), pack_id="cuda12")
    importer(shelf.folder).run(pack)
    assert [plugin.path.parts[-3] for plugin in store.installed(shelf)] == ["cuda12", "cuda13"]
    changes.restore(shelf, "cuda13")
    assert [plugin.path.parts[-3] for plugin in store.installed(shelf)] == ["cuda13", "cuda12"]


def test_an_import_clears_up_after_one_that_was_killed(shelf, tmp_path):
    left = shelf.folder / ".incoming-killed"
    left.mkdir()
    (left / "libcudart.so.13").write_bytes(b"half")
    stamp.drop(used(shelf).folder)
    importer(shelf.folder).run(made(tmp_path, contents("fourth")))
    assert states(shelf) == {"4": PackState.IN_USE, "2": PackState.PREVIOUS}
    assert not left.exists()


def test_an_import_that_fails_clears_nothing_away(shelf, tmp_path):
    stamp.drop(used(shelf).folder)
    with pytest.raises(PackRefused):
        importer(shelf.folder, probe=lambda _: {}).run(made(tmp_path, contents("fourth")))
    assert states(shelf) == {"3": PackState.UNFINISHED, "2": PackState.IN_USE}


def test_a_stop_leaves_everything_as_it_was(shelf, tmp_path):
    cancel, heard = CancelToken(), []

    def stop(done: int, total: int) -> None:
        heard.append((done, total))
        cancel.cancel()

    before = sorted(shelf.folder.rglob("*"))
    with pytest.raises(Cancelled):
        importer(shelf.folder).run(made(tmp_path, contents("fourth")), stop, cancel)
    assert len(heard) == 1
    assert sorted(shelf.folder.rglob("*")) == before


def test_progress_ends_with_everything(shelf, tmp_path):
    heard: list[tuple[int, int]] = []
    importer(shelf.folder).run(made(tmp_path, contents("fourth")), lambda *told: heard.append(told))
    assert heard == sorted(heard)
    assert heard[-1][0] == heard[-1][1] == sum(map(len, contents("fourth").values()))


def test_what_is_recorded_is_not_believed_over_the_manifest(shelf):
    """A stamp can be written by anybody; the sizes that count are those that were signed."""
    place = used(shelf).folder
    grown(place)
    mark = json.loads((place / stamp.NAME).read_bytes())
    mark["times"]["libcudart.so.13"] = (place / "libcudart.so.13").stat().st_mtime_ns
    (place / stamp.NAME).write_text(json.dumps(mark))
    assert used_numbers(shelf) == ["2"]
