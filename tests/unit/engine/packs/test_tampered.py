"""Every way we know to bend a pack: each is refused with its own reason, and nothing is left."""

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.errors import BackendUnusable, EngineCrashed, EngineTimedOut, PackRefused
from engine.guard import lock
from engine.packs import store
from engine.packs.install import Importer
from engine.types.backends import Plugin
from engine.types.packs import PackProblem
from tests.forged_packs import A_DEVICE, compiled, contents, importer, made
from tests.tampered_packs import TAMPERED, good

P = PackProblem


@dataclass
class Desk:
    """A folder of packs in which one is installed, and is never to change."""

    folder: Path
    scratch: Path
    before: Mapping[Path, tuple[int, int]]

    def refused(self, pack: Path, **others: object) -> PackRefused:
        chosen = importer(self.folder, **others)
        with pytest.raises(PackRefused) as caught:
            chosen.run(pack)
        assert caught.value.path == pack
        assert everything(self.folder) == self.before
        return caught.value

    @property
    def importer(self) -> Importer:
        return importer(self.folder)


def everything(folder: Path) -> dict[Path, tuple[int, int]]:
    return {
        path: (path.stat().st_size, path.stat().st_mtime_ns if path.is_file() else 0)
        for path in folder.rglob("*")
    }


@pytest.fixture(scope="module")
def one_installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("installed")
    importer(folder).run(made(tmp_path_factory.mktemp("scratch"), contents("first")))
    return folder


@pytest.fixture
def desk(tmp_path: Path, one_installed: Path) -> Desk:
    scratch, folder = tmp_path / "scratch", tmp_path / "backends"
    scratch.mkdir()
    shutil.copytree(one_installed, folder)
    return Desk(folder=folder, scratch=scratch, before=everything(folder))


@pytest.mark.parametrize("name", TAMPERED)
def test_a_tampered_pack_is_refused_with_its_own_reason_and_nothing_is_left(desk, name):
    make, problem = TAMPERED[name]
    content = make()
    pack = desk.scratch / "tampered.pack"
    pack.write_bytes(content if isinstance(content, bytes) else content.written())
    room = {"free_bytes": lambda _: 1_000_000_000}
    assert desk.refused(pack, **room).problem == problem
    used = store.installed(desk.importer.shelf)
    assert [plugin.path.parent.name for plugin in used] == ["1"]
    assert not list(desk.scratch.parent.glob("**/*evil*"))


def test_the_forger_makes_good_packs_too(desk):
    """Otherwise all of the above could be refused for the forger's own mistake."""
    pack = desk.scratch / "good.pack"
    pack.write_bytes(good().written())
    assert desk.importer.run(pack).order == 2


def test_the_reasons_are_many():
    assert len(TAMPERED) > 30
    assert len({problem for _, problem in TAMPERED.values()}) > 30


def test_a_file_that_is_too_large_is_not_read(desk):
    pack = desk.scratch / "sparse.pack"
    with pack.open("wb") as file:
        file.truncate(3_000_000_000)
    assert desk.refused(pack).problem == P.TOO_LARGE


def test_no_file_and_no_pack_at_the_place(desk):
    assert desk.refused(desk.scratch / "nothing.pack").problem == P.NOT_FOUND
    assert desk.refused(desk.scratch).problem == P.NOT_A_PACK
    if hasattr(os, "mkfifo"):
        os.mkfifo(desk.scratch / "pipe")
        assert desk.refused(desk.scratch / "pipe").problem == P.NOT_A_PACK


def raising(error: BaseException) -> Callable[[Plugin], Mapping[str, object]]:
    def probe(_: Plugin) -> Mapping[str, object]:
        raise error

    return probe


OLD = {"devices": [], "opinions": [{"driver": "535.12"}]}
TRIALS = {
    "crash": (raising(EngineCrashed("SIGSEGV", "probe")), P.CRASHED),
    "hang": (raising(EngineTimedOut("probe", 30)), P.TIMED_OUT),
    "driver missing": (raising(BackendUnusable("cuda", "not_loadable")), P.NOT_LOADABLE),
    "no process": (raising(OSError("no process")), P.CRASHED),
    "rubbish": (lambda _: {"devices": "many"}, P.CRASHED),
    "no card": (lambda _: {"devices": [], "opinions": []}, P.NO_DEVICE),
    "no card, good driver": (
        lambda _: {"devices": [], "opinions": [{"driver": "580.65.06"}]},
        P.NO_DEVICE,
    ),
    "old driver": (lambda _: OLD, P.DRIVER_TOO_OLD),
}


@pytest.mark.parametrize("name", TRIALS)
def test_a_pack_that_fails_its_trial_is_refused_and_the_one_before_stays(desk, name):
    probe, problem = TRIALS[name]
    pack = made(desk.scratch, contents("second"))
    assert desk.refused(pack, probe=probe).problem == problem


def test_an_end_during_the_trial_leaves_nothing(desk):
    """Ctrl+C, SIGTERM."""
    probe = raising(KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        importer(desk.folder, probe=probe).run(made(desk.scratch, contents("second")))
    assert everything(desk.folder) == desk.before


def test_the_trial_is_of_the_files_in_their_place(desk):
    tried: list[Plugin] = []

    def probe(plugin: Plugin) -> Mapping[str, object]:
        tried.append(plugin)
        assert plugin.path.read_bytes() == compiled()
        assert all(path.is_file() for path in plugin.needs)
        assert store.installed(desk.importer.shelf)[0].path != plugin.path
        return A_DEVICE

    pack = importer(desk.folder, probe=probe).run(made(desk.scratch, contents("second")))
    assert [plugin.path.parent for plugin in tried] == [pack.folder]
    assert [path.name for path in tried[0].needs] == ["libcudart.so.13", "libcublasLt.so.13"]


def test_a_scanner_that_lets_go_late_only_takes_time(desk, monkeypatch):
    pauses: list[float] = []
    with _rename_fails(monkeypatch, times=4):
        importer(desk.folder, sleep=pauses.append).run(made(desk.scratch, contents("second")))
    assert pauses == [0.05, 0.1, 0.2, 0.4]


def test_a_scanner_that_never_lets_go_is_a_reason(desk, monkeypatch):
    pauses: list[float] = []
    pack = made(desk.scratch, contents("second"))
    with _rename_fails(monkeypatch, times=1000):
        assert desk.refused(pack, sleep=pauses.append).problem == P.BLOCKED
    assert len(pauses) == 10
    assert sum(pauses) > 10


@contextmanager
def _rename_fails(monkeypatch: pytest.MonkeyPatch, times: int) -> Iterator[None]:
    left = [times]
    rename = Path.rename

    def blocked(self: Path, target: Path) -> Path:
        left[0] -= 1
        if left[0] >= 0:
            raise PermissionError(13, "held by another program")
        return rename(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", blocked)
        yield


def test_another_snug_that_changes_packs_is_waited_for_by_the_person(desk):
    held = lock.take(desk.folder / ".lock")
    assert held is not None
    pack = made(desk.scratch, contents("second"))
    with pytest.raises(PackRefused) as caught:
        desk.importer.run(pack)
    held.release(delete=True)
    assert caught.value.problem == P.ALREADY_BUSY
    assert everything(desk.folder) == desk.before


def test_too_little_room_is_said_before_anything_is_written(desk):
    pack = made(desk.scratch, contents("second"))
    size = sum(len(data) for data in contents("second").values())
    refused = desk.refused(pack, free_bytes=lambda _: 2 * size - 1)
    assert refused.problem == P.NO_SPACE
    assert importer(desk.folder, free_bytes=lambda _: 2 * size).run(pack).order == 2
