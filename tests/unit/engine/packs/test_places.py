"""What others may have put where packs lie: nothing waits, nothing is followed, nothing is lost."""

import errno
import os
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from engine.errors import PackRefused
from engine.guard import lock
from engine.packs import changes, disk, stamp, store
from engine.packs.alone import alone
from engine.packs.store import Shelf
from engine.types.backends import Plugin
from engine.types.packs import PackProblem, PackState
from tests.forged_packs import A_DEVICE, BUILD, contents, importer, made

posix = pytest.mark.skipif(os.name != "posix", reason="links, pipes and rights as POSIX has them")


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """One pack is installed."""
    importer(tmp_path / "backends").run(made(tmp_path, contents("first")))
    return importer(tmp_path / "backends").shelf


@pytest.fixture
def place(shelf: Shelf) -> Path:
    return shelf.folder / BUILD / "cuda13" / "1"


def states(shelf: Shelf) -> list[PackState]:
    return [pack.state for pack in store.listed(shelf)]


def to_endless_zeros(path: Path) -> None:
    path.symlink_to("/dev/zero")


@posix
@pytest.mark.timeout(30)
@pytest.mark.parametrize("make", [os.mkfifo, to_endless_zeros, Path.mkdir])
@pytest.mark.parametrize("name", [stamp.NAME, "manifest.json", "manifest.sig", "libcudart.so.13"])
def test_what_is_no_file_is_neither_waited_for_nor_read(
    shelf: Shelf, place: Path, make: Callable[[Path], None], name: str
) -> None:
    (place / name).unlink()
    make(place / name)
    assert store.installed(shelf) == ()
    changes.check(shelf, "cuda13")
    assert store.installed(shelf) == () or name == stamp.NAME
    changes.remove(shelf, "cuda13")
    assert not place.exists()


def test_no_more_is_read_than_was_asked(tmp_path):
    (tmp_path / "large").write_bytes(b"x" * 101)
    with pytest.raises(OSError, match="large"):
        disk.content(tmp_path / "large", 100)
    assert len(disk.content(tmp_path / "large", 101)) == 101


@pytest.mark.parametrize("name", ["version.dll", "libcudart.so.13"])
def test_a_plug_in_that_changes_its_folder_in_its_trial_does_not_replace_what_works(
    shelf, place, tmp_path, name
):
    def probe(plugin: Plugin) -> Mapping[str, object]:
        (plugin.path.parent / name).write_bytes(b"planted")
        return A_DEVICE

    for _ in range(2):
        with pytest.raises(PackRefused) as caught:
            importer(shelf.folder, probe=probe).run(made(tmp_path, contents("second")))
        assert caught.value.detail == name
        assert [path.name for path in place.parent.iterdir()] == ["1"]
        assert states(shelf) == [PackState.IN_USE]


def test_a_folder_may_be_called_like_a_library(shelf, tmp_path):
    pack = made(tmp_path, contents("second") | {"x.so/EULA.txt": b"You may.\n"})
    assert importer(shelf.folder).run(pack).state is PackState.IN_USE


@posix
@pytest.mark.parametrize("depth", [0, 1])
def test_nothing_is_put_behind_a_linked_folder(shelf, place, tmp_path, depth):
    folder = place.parents[depth]
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    before = sorted((tmp_path / "elsewhere").rglob("*"))
    with pytest.raises(PackRefused) as caught:
        importer(shelf.folder).run(made(tmp_path, contents("second")))
    assert caught.value.problem == PackProblem.NOT_WRITABLE
    assert sorted((tmp_path / "elsewhere").rglob("*")) == before


@posix
@pytest.mark.parametrize("depth", [0, 1, 2])
def test_a_folder_that_others_may_write_to_is_not_trusted(shelf, place, depth):
    (place, *place.parents)[depth].chmod(0o777)
    assert store.installed(shelf) == ()
    assert changes.check(shelf, "cuda13")[0].name == (place, *place.parents)[depth].name


@posix
def test_what_a_umask_lets_a_group_do_is_not_let(tmp_path):
    before = os.umask(0)
    try:
        pack = importer(tmp_path / "backends").run(made(tmp_path, contents()))
    finally:
        os.umask(before)
    assert pack.state is PackState.IN_USE
    assert not (pack.folder / stamp.NAME).stat().st_mode & 0o022


def test_what_goes_away_while_one_looks_hides_nothing_else(shelf, monkeypatch):
    (shelf.folder / ".lock").touch()
    scan = os.scandir

    def late(folder: Path) -> Any:
        entries = scan(folder)
        (shelf.folder / ".lock").unlink(missing_ok=True)
        return entries

    monkeypatch.setattr(os, "scandir", late)
    assert states(shelf) == [PackState.IN_USE]


def refused(shelf: Shelf) -> str:
    with pytest.raises(PackRefused) as caught, alone(shelf.folder, Path("any")):
        pytest.fail("it is not alone")
    return caught.value.problem


def failing(code: int) -> Callable[[Path], None]:
    def take(path: Path) -> None:
        raise OSError(code, os.strerror(code), str(path))

    return take


def test_a_folder_in_the_place_of_the_lock_is_no_disk_without_locks(shelf):
    (shelf.folder / ".lock").mkdir()
    assert refused(shelf) == PackProblem.NOT_WRITABLE


@pytest.mark.parametrize("code", [errno.EIO, errno.EPERM, errno.ENOENT, errno.EMFILE])
def test_an_error_is_no_disk_without_locks(shelf, monkeypatch, code):
    monkeypatch.setattr(lock, "take", failing(code))
    assert refused(shelf) == PackProblem.NOT_WRITABLE


@pytest.mark.parametrize("code", [errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP])
def test_a_disk_without_locks_will_do(shelf, monkeypatch, code):
    monkeypatch.setattr(lock, "take", failing(code))
    with alone(shelf.folder, Path("any")):
        pass


def test_the_end_of_another_snug_takes_the_folder_away_only_for_a_moment(tmp_path):
    """Many at once: never two of them inside, and none fails for another reason."""
    inside, most, odd = [0], [0], list[str]()

    def work() -> None:
        for _ in range(100):
            try:
                with alone(tmp_path / "backends", Path("any")):
                    inside[0] += 1
                    most[0] = max(most[0], inside[0])
                    inside[0] -= 1
            except PackRefused as error:
                if error.problem != PackProblem.ALREADY_BUSY:
                    odd.append(error.problem)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (most, odd) == ([1], [])
