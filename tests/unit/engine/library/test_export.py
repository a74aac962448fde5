"""A model that is taken along arrives whole on another computer."""

import shutil
import subprocess
from pathlib import Path

import pytest

from engine.errors import AlreadyThere, Cancelled, FileTooBigForDisk, HashMismatch, NoSpace
from engine.models.library import copying
from engine.models.library.bring import look_at
from engine.models.library.copying import copy_in
from engine.models.library.export import export
from engine.models.library.manifest import read_manifest
from engine.models.library.notes import read_me
from engine.models.library.verify import verify
from engine.types.cancel import CancelToken
from engine.types.hub import Hub, HubKind
from engine.types.library import FileRecord, InstalledModel, Manifest, Origin, Owner, Soundness
from engine.types.models import ModelFormat
from tests import ggufs
from tests.unit.engine.library.made import (
    SMALL,
    CancelledAfter,
    Told,
    content_of,
    file_model,
    model_of,
    sha256,
)

EYES = ggufs.chat({"general.type": "mmproj", "general.architecture": "clip"})


@pytest.fixture
def model(tmp_path: Path) -> InstalledModel:
    files = {"tiny-模型.gguf": SMALL, "mmproj-tiny-模型.gguf": EYES}
    return model_of(files, tmp_path / "own", projector="mmproj-tiny-模型.gguf", name="Tiny 模型")


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    return tmp_path / "stick"


def exported(model: InstalledModel, folder: Path) -> Path:
    told = Told()
    made = export(model, folder, told, CancelToken())
    assert told.is_sound
    return made


def test_what_lies_in_the_folder(model: InstalledModel, stick: Path) -> None:
    made = exported(model, stick)
    assert made == stick / "Tiny 模型"
    assert content_of(made).keys() == {
        "tiny-模型.gguf",
        "mmproj-tiny-模型.gguf",
        "snug-model.json",
        "SHA256SUMS",
        "READ-ME.txt",
    }
    assert [entry.name for entry in stick.iterdir()] == [made.name]


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="not on this system")
def test_the_checksums_hold_for_any_program(model: InstalledModel, stick: Path) -> None:
    made = exported(model, stick)
    check = ["sha256sum", "--check", "--strict", "SHA256SUMS"]
    done = subprocess.run(check, cwd=made, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("OK") == 2


def test_the_note_speaks_to_both(model: InstalledModel, stick: Path) -> None:
    text = (exported(model, stick) / "READ-ME.txt").read_bytes().decode()
    assert "Drop this whole folder onto Snug's window" in text
    assert "把整个文件夹拖到 Snug 的窗口上" in text
    assert "Tiny 模型" in text
    assert text.count("\r\n") == text.count("\n")
    assert "Size: 0.00 GiB" in text
    assert "Licence" not in text  # nobody has told it


def test_the_note_tells_what_is_known() -> None:
    hub = Hub(kind=HubKind.HUGGING_FACE, address="https://hub.test")
    files = (FileRecord(name="t.gguf", size_bytes=3 << 30, sha256=""),)
    origin = Origin(hub=hub, repo="maker/tiny", revision="1")
    text = read_me(Manifest(name="Tiny", files=files, origin=origin, licence="MIT"))
    for line in ("Size: 3.00 GiB", "From: maker/tiny", "Licence: MIT", "许可证：MIT"):
        assert f"{line}\r\n" in text


def test_another_snug_takes_it_in(model: InstalledModel, stick: Path, tmp_path: Path) -> None:
    made = exported(model, stick)
    brought = look_at([made], CancelToken())
    assert brought.refused == ()
    (found,) = brought.models
    assert found.name == "Tiny 模型"
    assert found.projector == made / "mmproj-tiny-模型.gguf"
    assert verify(found, Told(), CancelToken()).soundness is Soundness.SOUND
    path = copy_in(found, tmp_path / "library", Told(), CancelToken())
    there, here = read_manifest(made), read_manifest(path.parent)
    assert there is not None
    assert here is not None
    assert here.files == there.files
    assert here.projector == there.projector
    (again,) = look_at([path], CancelToken()).models
    assert again.name == found.name
    assert [file.name for file in again.files] == [file.name for file in found.files]
    assert path.read_bytes() == SMALL


def test_an_onnx_folder_travels_too(tmp_path: Path, stick: Path) -> None:
    files = {"genai_config.json": b"{}", "m.onnx": b"weights", "data/m.bin": b"more"}
    made = exported(model_of(files, tmp_path / "phi", format=ModelFormat.ONNX), stick)
    assert files.items() <= content_of(made).items()
    sums = (made / "SHA256SUMS").read_text()
    assert f"{sha256(b'more')}  data/m.bin\n" in sums


def test_whoever_owns_it_it_may_be_taken_along(tmp_path: Path, stick: Path) -> None:
    blob = tmp_path / "blobs" / f"sha256-{sha256(SMALL)}"
    model_of({blob.name: SMALL}, blob.parent)
    made = exported(file_model(blob, Owner.OLLAMA), stick)
    assert (made / "Tiny.gguf").read_bytes() == SMALL
    assert content_of(tmp_path / "blobs") == {blob.name: SMALL}


def test_damage_does_not_travel(tmp_path: Path, stick: Path) -> None:
    made = exported(model_of({"t.gguf": SMALL}, tmp_path / "own"), stick)
    (made / "t.gguf").write_bytes(SMALL[:-1] + b"x")
    (bent,) = look_at([made], CancelToken()).models
    with pytest.raises(HashMismatch):
        export(bent, tmp_path / "second", Told(), CancelToken())
    assert content_of(tmp_path / "second") == {}


def test_it_is_there_already(model: InstalledModel, stick: Path) -> None:
    made = exported(model, stick)
    with pytest.raises(AlreadyThere) as caught:
        export(model, stick, Told(), CancelToken())
    assert caught.value.path.parent == made


def test_a_stick_that_takes_no_large_files(
    model: InstalledModel, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "largest_file_bytes", lambda folder: len(SMALL) - 1)
    with pytest.raises(FileTooBigForDisk) as caught:
        export(model, stick, Told(), CancelToken())
    assert caught.value.path == stick / "tiny-模型.gguf"


def test_a_stick_without_room(
    model: InstalledModel, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.models.library.disks.free_bytes", lambda folder: 0)
    with pytest.raises(NoSpace):
        export(model, stick, Told(), CancelToken())
    assert content_of(stick) == {}


def test_a_stick_may_get_full(
    model: InstalledModel, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.models.library.disks.free_bytes", lambda folder: 5 << 20)
    assert exported(model, stick).is_dir()


def test_a_cancel_leaves_nothing(model: InstalledModel, stick: Path) -> None:
    for looks in range(3):
        with pytest.raises(Cancelled):
            export(model, stick, Told(), CancelledAfter(looks))
        assert not stick.exists() or content_of(stick) == {}
