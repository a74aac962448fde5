"""Real kills and a real full disk: a library loses nothing, and never shows half a model.

`SNUG_LIBRARY_KILLS` says how often: 20 unless told otherwise.
"""

import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.models.library.cache import ScanCache
from engine.models.library.disks import on_same_disk
from engine.models.library.moving import finish_move
from engine.models.library.places import Place
from engine.models.library.scan import scan
from engine.models.library.verify import verify
from engine.types.cancel import CancelToken
from engine.types.library import InstalledModel, Owner, Soundness
from tests import ggufs
from tests.system.keeping import use

ROOT = Path(__file__).resolve().parents[2]
KILLS = int(os.environ.get("SNUG_LIBRARY_KILLS", "20"))
MODELS = 5
WEIGHTS = (ggufs.Tensor("token_embd.weight", (1024, 1024)),)
"""4 MiB of them: a move takes long enough to be hit."""
_MEMORY_DISK = Path("/dev/shm")  # noqa: S108 - another disk, where there is one


def child(*arguments: object) -> "subprocess.Popen[str]":
    words = [sys.executable, "-m", "tests.system.keeping", *map(str, arguments)]
    process = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def end(process: "subprocess.Popen[str]") -> str:
    told, _ = process.communicate(timeout=60)
    return told.strip()


def duration_s(*arguments: object) -> float:
    """Of the work alone, once Python has started."""
    process = child(*arguments)
    before = time.monotonic()
    assert end(process) == ""
    return time.monotonic() - before


def killed_after(delay_s: float, *arguments: object) -> bool:
    """Whether it was still at work."""
    process = child(*arguments)
    time.sleep(delay_s)
    process.kill()
    end(process)
    return process.returncode != 0


def model_bytes(number: int) -> bytes:
    noise = random.Random(number).randbytes(ggufs.data_bytes(WEIGHTS))
    metadata = ggufs.CHAT | {"general.name": f"Tiny {number}"}
    return ggufs.header(metadata, WEIGHTS) + noise


def models_in(library: Path) -> tuple[InstalledModel, ...]:
    return scan([Place(library, Owner.SNUG)], ScanCache(None), CancelToken())


def all_whole(library: Path) -> list[str]:
    """Names of the models there, after a check of every byte."""
    models = models_in(library)
    for model in models:
        assert model.trouble is None, model
        found = verify(model, lambda _: None, CancelToken())
        assert found.soundness is Soundness.SOUND, (model, found)
    return sorted(model.name for model in models)


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    folder = tmp_path / "stick"
    folder.mkdir()
    for number in range(MODELS):
        (folder / f"m{number}.gguf").write_bytes(model_bytes(number))
    return folder


@pytest.fixture
def other_disk(tmp_path: Path) -> Iterator[Path]:
    if not _MEMORY_DISK.is_dir() or on_same_disk(_MEMORY_DISK, tmp_path):
        yield tmp_path / "other"
        return
    folder = _MEMORY_DISK / f"snug-{os.getpid()}-{tmp_path.name}"
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def library(tmp_path: Path, stick: Path) -> Path:
    folder = tmp_path / "library"
    for path in sorted(stick.iterdir()):
        assert end(child("copy", path, folder)) == ""
    return folder


@pytest.mark.serial
@pytest.mark.parametrize("disk", ["another", "the same"])
def test_kills_in_a_move(tmp_path: Path, library: Path, other_disk: Path, disk: str) -> None:
    places = [library, other_disk if disk == "another" else tmp_path / "second"]
    names = all_whole(library)
    assert len(names) == MODELS
    setting = tmp_path / "setting"
    use(setting, library)
    took_s = duration_s("move", *places, setting)
    chance, hits = random.Random(), 0
    for _ in range(KILLS):
        used = Path(setting.read_text())
        other = next(place for place in places if place != used)
        hits += killed_after(chance.uniform(0, took_s), "move", used, other, setting)
        assert all_whole(Path(setting.read_text())) == names
    used = Path(setting.read_text())
    finish_move(used, CancelToken())
    other = next(place for place in places if place != used)
    assert end(child("move", used, other, setting)) == ""
    assert all_whole(other) == names
    assert not used.exists()
    assert not [entry for entry in other.iterdir() if entry.name.startswith(".")]
    print(f"{disk} disk: {hits} of {KILLS} kills hit a move of {took_s:.2f} s")
    assert hits > 0


@pytest.mark.serial
def test_kills_in_a_copy(tmp_path: Path, stick: Path) -> None:
    source, library = stick / "m0.gguf", tmp_path / "library"
    took_s = duration_s("copy", source, tmp_path / "trial")
    chance, hits = random.Random(), 0
    for _ in range(KILLS):
        hit = killed_after(chance.uniform(0, took_s), "copy", source, library)
        names = all_whole(library) if library.exists() else []
        assert len(names) == 1 or (hit and not names)
        hits += hit
        for entry in library.iterdir() if library.exists() else ():
            if not entry.name.startswith("."):
                shutil.rmtree(entry)
    assert end(child("copy", source, library)) == ""
    assert [entry.name for entry in library.iterdir()] == [models_in(library)[0].path.parent.name]
    print(f"{hits} of {KILLS} kills hit a copy of {took_s:.2f} s")
    assert hits > 0


def can_mount() -> bool:
    if sys.platform != "linux" or shutil.which("unshare") is None:
        return False
    return (
        subprocess.run(["unshare", "-rm", "true"], check=False, capture_output=True).returncode == 0
    )


@pytest.mark.skipif(not can_mount(), reason="no right to mount a small disk")
def test_a_disk_that_gets_full(tmp_path: Path, stick: Path) -> None:
    """Its space was seen too large before; the file system itself says no in the middle."""
    small = tmp_path / "small"
    small.mkdir()
    script = (
        f'mount -t tmpfs -o size=3m tmpfs "{small}" && '
        f'"{sys.executable}" -m tests.system.keeping fill "{stick}/m0.gguf" "{small}/library"; '
        f'find "{small}" -type f'
    )
    words = ["unshare", "-rm", "sh", "-c", script]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["ready", "no_space"], done.stderr
