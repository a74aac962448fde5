"""Only what is Snug's goes, and nothing that another model needs."""

import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import FolderUnwritable, NoBin, NotOurs
from engine.models.library.manifest import write_manifest
from engine.models.library.removal import default_bin, delete_for_good, remove, space_of
from engine.types.library import FileRecord, InstalledModel, Manifest, Owner
from engine.types.models import ModelFormat
from tests.unit.engine.library.made import SMALL, content_of, model_of

BIG = bytes(range(256)) * 64


class Bin:
    """Takes files and folders, and knows where they were."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self.took: list[Path] = []
        place.mkdir()

    def __call__(self, path: Path) -> None:
        path.rename(self._place / f"{len(self.took)}-{path.name}")
        self.took.append(path)


@pytest.fixture
def bin_(tmp_path: Path) -> Bin:
    return Bin(tmp_path / "bin")


@pytest.fixture
def library(tmp_path: Path) -> Path:
    return tmp_path / "library"


def described(folder: Path, files: dict[str, bytes], projector: str = "") -> InstalledModel:
    folder.mkdir(parents=True, exist_ok=True)
    records = tuple(FileRecord(name=name, size_bytes=len(files[name])) for name in files)
    write_manifest(folder, Manifest(name="Tiny", files=records, projector=projector))
    return model_of(files, folder, projector=projector)


def test_a_models_folder_goes_as_one(library: Path, bin_: Bin) -> None:
    """So it can come back from the bin as one."""
    model = described(library / "Tiny", {"t.gguf": BIG, "mmproj.gguf": BIG}, "mmproj.gguf")
    (library / "Tiny" / "READ-ME.txt").write_text("how")
    (library / "Tiny" / ".DS_Store").write_text("left by a desktop")
    freed = remove(model, bin_)
    assert bin_.took == [library / "Tiny"]
    assert freed == 2 * len(BIG)
    assert library.is_dir()


@pytest.mark.parametrize("owner", set(Owner) - {Owner.SNUG})
def test_nobody_elses_model_goes(library: Path, bin_: Bin, owner: Owner) -> None:
    model = model_of({"t.gguf": SMALL}, library / "Tiny", owner=owner)
    for way in (lambda: remove(model, bin_), lambda: delete_for_good(model)):
        with pytest.raises(NotOurs) as caught:
            way()
        assert caught.value.owner == owner.value
    assert model.path.read_bytes() == SMALL


def test_what_a_person_laid_beside_it_stays(library: Path, bin_: Bin) -> None:
    model = described(library / "Tiny", {"t.gguf": SMALL})
    (library / "Tiny" / "my notes.txt").write_text("mine")
    remove(model, bin_)
    assert content_of(library) == {"Tiny/my notes.txt": b"mine"}


def test_a_model_in_the_library_itself(library: Path, bin_: Bin) -> None:
    model = model_of({"t.gguf": SMALL}, library)
    other = model_of({"sub/u.gguf": SMALL}, library)
    remove(model, bin_, library=library)
    assert content_of(library) == {"sub/u.gguf": SMALL}
    remove(other, bin_, library=library)
    assert list(library.iterdir()) == []


def test_eyes_that_another_model_needs_stay(library: Path, bin_: Bin) -> None:
    folder = library / "both"
    files = {"q4.gguf": BIG, "mmproj.gguf": BIG}
    first = model_of(files, folder, projector="mmproj.gguf")
    second = model_of({"q8.gguf": BIG, "mmproj.gguf": BIG}, folder, projector="mmproj.gguf")
    assert space_of(first) == len(BIG)
    assert remove(first, bin_) == len(BIG)
    assert content_of(folder).keys() == {"q8.gguf", "mmproj.gguf"}
    assert remove(second, bin_) == 2 * len(BIG)
    assert content_of(folder) == {}


def test_an_onnx_folder_goes_whole(library: Path, bin_: Bin) -> None:
    files = {"genai_config.json": b"{}", "m.onnx": BIG}
    remove(model_of(files, library / "phi", format=ModelFormat.ONNX), bin_)
    assert bin_.took == [library / "phi"]


def test_a_link_goes_and_not_what_it_leads_to(tmp_path: Path, library: Path, bin_: Bin) -> None:
    elsewhere = tmp_path / "elsewhere.gguf"
    elsewhere.write_bytes(BIG)
    model = model_of({"t.gguf": b""}, library)
    model.path.unlink()
    model.path.symlink_to(elsewhere)
    assert delete_for_good(model) < len(BIG)
    assert not model.path.is_symlink()
    assert elsewhere.read_bytes() == BIG


def test_no_bin_for_it(library: Path) -> None:
    """Nothing is deleted that a person wanted in the bin."""
    model = described(library / "Tiny", {"t.gguf": SMALL})

    def no_bin(path: Path) -> None:
        raise PermissionError(13, "no bin on this disk", str(path))

    before = content_of(library)
    with pytest.raises(NoBin):
        remove(model, no_bin)
    assert content_of(library) == before
    delete_for_good(model)
    assert list(library.iterdir()) == []


def test_a_file_in_use_is_no_lack_of_a_bin(library: Path) -> None:
    """Windows; deleting it for good would fail too."""
    model = described(library / "Tiny", {"t.gguf": SMALL})

    def in_use(path: Path) -> None:
        error = PermissionError(13, "in use")
        error.winerror = 32
        raise error

    with pytest.raises(FolderUnwritable):
        remove(model, in_use)


def test_what_can_not_be_deleted_is_said(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = model_of({"t.gguf": SMALL}, library)

    def refuse(path: Path, *, missing_ok: bool = False) -> None:
        raise PermissionError(13, "in use", str(path))

    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(FolderUnwritable):
        delete_for_good(model)


def test_what_is_gone_already_is_no_failure(library: Path, bin_: Bin) -> None:
    model = described(library / "Tiny", {"t.gguf": SMALL, "u.gguf": SMALL})
    model.files[0].unlink()
    delete_for_good(model)
    assert remove(model, bin_) == 0
    onnx = model_of({"genai_config.json": b"{}"}, library / "phi", format=ModelFormat.ONNX)
    delete_for_good(onnx)
    assert delete_for_good(onnx) == 0


def test_only_blocks_in_use_count(library: Path) -> None:
    """A sparse file frees what it takes; a second name frees nothing."""
    model = model_of({"t.gguf": b"GGUF"}, library)
    with model.path.open("r+b") as file:
        file.truncate(1 << 30)
    assert 0 < space_of(model) <= 1 << 20
    other = model_of({"u.gguf": BIG}, library)
    os.link(other.path, library / "second-name")
    assert space_of(other) == 0
    (library / "second-name").unlink()
    assert space_of(other) == len(BIG)


def test_both_names_in_one_model_count_once(library: Path) -> None:
    model = model_of({"a.gguf": BIG, "b.gguf": b""}, library)
    (library / "b.gguf").unlink()
    os.link(library / "a.gguf", library / "b.gguf")
    assert space_of(model) == len(BIG)


@pytest.mark.skipif(sys.platform != "linux", reason="freedesktop.org's bin")
def test_the_systems_own_bin(library: Path, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "home").mkdir()
    for name in [name for name in sys.modules if name.startswith("send2trash")]:
        monkeypatch.delitem(sys.modules, name)  # it has looked for its folder long ago
    model = described(library / "Tiny", {"t.gguf": SMALL})
    remove(model, default_bin())
    inside = tmp_path / "data" / "Trash" / "files" / "Tiny" / "t.gguf"
    assert inside.read_bytes() == SMALL
    assert not model.path.exists()


def test_what_a_person_has_put_into_a_folder_of_ours_stays(library: Path) -> None:
    folder = library / "phi"
    files = {"genai_config.json": b"{}", "m.onnx": BIG}
    records = tuple(FileRecord(name=name, size_bytes=len(files[name])) for name in files)
    theirs = {"thesis.docx": b"years of work"}
    folder.mkdir(parents=True)
    write_manifest(folder, Manifest(name="Phi", files=records))
    delete_for_good(model_of({**files, **theirs}, folder, format=ModelFormat.ONNX))
    assert content_of(folder) == theirs


def test_notes_that_a_person_wrote_stay(library: Path) -> None:
    """Only beside a manifest are they ours."""
    theirs = {"SHA256SUMS": b"of my photos", "READ-ME.txt": b"mine", "photo.jpg": b"me"}
    model = model_of({"t.gguf": SMALL, **theirs}, library / "mine")
    delete_for_good(replace(model, files=(model.path,)))
    assert content_of(library / "mine") == theirs


def test_a_folder_that_can_not_be_looked_into_is_not_taken_as_one(
    library: Path, bin_: Bin, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = described(library / "Tiny", {"t.gguf": SMALL})
    closed = library / "Tiny" / "closed"
    closed.mkdir()
    iterdir = Path.iterdir

    def refused(path: Path) -> Iterator[Path]:
        if path == closed:
            raise PermissionError
        return iterdir(path)

    monkeypatch.setattr(Path, "iterdir", refused)
    remove(model, bin_)
    assert closed.is_dir()
