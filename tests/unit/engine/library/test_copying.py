"""What a person brings is in the library whole, with its hash, or not at all."""

import errno
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from engine.errors import (
    AlreadyThere,
    Cancelled,
    EngineError,
    FileTooBigForDisk,
    FolderUnwritable,
    HashMismatch,
    ModelCutOff,
    ModelMissing,
    NoSpace,
    PartsMissing,
)
from engine.guard import lock
from engine.models.library import disks, plain_files, writing
from engine.models.library.copying import copy_in
from engine.models.library.manifest import NAME, read_manifest, write_manifest
from engine.models.library.staging import ENDING, LOCK_NAME, sweep
from engine.models.library.verify import verify
from engine.types.cancel import CancelToken
from engine.types.hub import Hub, HubKind
from engine.types.library import FileRecord, InstalledModel, Manifest, Origin, Owner, Soundness
from engine.types.models import ModelFormat
from tests.unit.engine.library.made import (
    OTHER,
    SMALL,
    CancelledAfter,
    Told,
    content_of,
    file_model,
    model_of,
    sha256,
)

ORIGIN = Origin(
    hub=Hub(kind=HubKind.HUGGING_FACE, address="https://hub.test"), repo="a/b", revision="c"
)


@pytest.fixture
def library(tmp_path: Path) -> Path:
    return tmp_path / "library"


def copied(model: InstalledModel, library: Path) -> Path:
    told = Told()
    path = copy_in(model, library, told, CancelToken())
    assert told.is_sound
    return path


def test_parts_and_projector_arrive_as_they_were(tmp_path: Path, library: Path) -> None:
    files = {
        "t-00001-of-00002.gguf": SMALL,
        "t-00002-of-00002.gguf": OTHER,
        "mmproj-t.gguf": b"eyes",
    }
    model = model_of(files, tmp_path / "stick", owner=Owner.PERSON, projector="mmproj-t.gguf")
    path = copied(model, library)
    assert path == library / "Tiny" / "t-00001-of-00002.gguf"
    manifest = read_manifest(path.parent)
    assert manifest is not None
    assert manifest.name == "Tiny"
    assert manifest.projector == "mmproj-t.gguf"
    assert {file.name: file.sha256 for file in manifest.files} == {
        name: sha256(content) for name, content in files.items()
    }
    assert content_of(path.parent).keys() == {*files, NAME}
    again = model_of(files, path.parent)
    assert verify(again, Told(), CancelToken()).soundness is Soundness.SOUND
    assert content_of(tmp_path / "stick") == files
    assert [entry.name for entry in library.iterdir()] == ["Tiny"]


def test_an_onnx_folder_keeps_its_order(tmp_path: Path, library: Path) -> None:
    files = {"genai_config.json": b"{}", "m.onnx": b"weights", "data/m.bin": b"more"}
    model = model_of(files, tmp_path / "stick", format=ModelFormat.ONNX)
    path = copied(model, library)
    assert path == library / "Tiny"
    copies = content_of(path)
    del copies[NAME]
    assert copies == files


def test_where_it_came_from_is_not_forgotten(tmp_path: Path, library: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    records = (FileRecord(name="t.gguf", size_bytes=len(SMALL), sha256=sha256(SMALL)),)
    told = Manifest(name="Tiny", files=records, origin=ORIGIN, licence="MIT", quantization="Q4_K_M")
    write_manifest(stick, told)
    path = copied(model_of({"t.gguf": SMALL}, stick), library)
    assert path.parent.name == "Tiny Q4_K_M"
    assert read_manifest(path.parent) == told


def test_ollamas_blob_gets_a_name(tmp_path: Path, library: Path) -> None:
    blobs = tmp_path / "blobs"
    model = model_of({f"sha256-{sha256(SMALL)}": SMALL}, blobs, name="gemma3:4b")
    assert copied(model, library) == library / "gemma3_4b" / "gemma3_4b.gguf"


def test_a_link_brings_what_it_leads_to(tmp_path: Path, library: Path) -> None:
    blob = tmp_path / "blobs" / sha256(SMALL)
    model_of({blob.name: SMALL}, blob.parent)
    link = tmp_path / "t.gguf"
    link.symlink_to(blob)
    path = copied(file_model(link), library)
    assert not path.is_symlink()
    assert path.read_bytes() == SMALL
    assert not path.samefile(blob)


def test_bytes_that_are_not_their_hash_are_refused(tmp_path: Path, library: Path) -> None:
    blob = tmp_path / "blobs" / f"sha256-{sha256(OTHER)}"
    model = model_of({blob.name: SMALL}, blob.parent)
    with pytest.raises(HashMismatch):
        copied(model, library)
    assert list(library.iterdir()) == []


# --- what is there already ------------------------------------------------------------------------


def test_the_same_model_is_not_copied_twice(tmp_path: Path, library: Path) -> None:
    model = model_of({"t.gguf": SMALL}, tmp_path / "stick")
    path = copied(model, library)
    with pytest.raises(AlreadyThere) as caught:
        copied(model, library)
    assert caught.value.path == path
    assert [entry.name for entry in library.iterdir()] == ["Tiny"]


def test_under_another_name_it_is_still_the_same(tmp_path: Path, library: Path) -> None:
    copied(model_of({"t.gguf": SMALL}, tmp_path / "stick"), library)
    with pytest.raises(AlreadyThere):
        copied(model_of({"u.gguf": SMALL}, tmp_path / "stick", name="Other"), library)


def test_a_file_that_was_laid_there_by_hand_counts(tmp_path: Path, library: Path) -> None:
    model_of({"by-hand.gguf": SMALL}, library)
    with pytest.raises(AlreadyThere) as caught:
        copied(model_of({"t.gguf": SMALL}, tmp_path / "stick"), library)
    assert caught.value.path == library / "by-hand.gguf"


def test_another_model_of_that_name_stays(tmp_path: Path, library: Path) -> None:
    first = copied(model_of({"t.gguf": SMALL}, tmp_path / "stick"), library)
    other = SMALL[:-1] + b"x"
    second = copied(model_of({"t.gguf": other}, tmp_path / "stick"), library)
    assert (first.parent.name, second.parent.name) == ("Tiny", "Tiny 2")
    assert (first.read_bytes(), second.read_bytes()) == (SMALL, other)


def test_a_model_that_lost_a_file_is_not_there(tmp_path: Path, library: Path) -> None:
    files = {"t.gguf": SMALL, "mmproj.gguf": OTHER}
    model = model_of(files, tmp_path / "stick")
    (copied(model, library).parent / "mmproj.gguf").unlink()
    assert copied(model, library).parent.name == "Tiny 2"


# --- what can go wrong ----------------------------------------------------------------------------


def test_missing_parts_are_named(tmp_path: Path, library: Path) -> None:
    model = model_of({"t.gguf": SMALL}, tmp_path / "stick", missing=("u.gguf",))
    with pytest.raises(PartsMissing) as caught:
        copied(model, library)
    assert caught.value.names == ("u.gguf",)
    assert not library.exists()


def test_what_is_gone_is_missing(tmp_path: Path, library: Path) -> None:
    model = model_of({"t.gguf": SMALL}, tmp_path / "stick")
    model.path.unlink()
    with pytest.raises(ModelMissing):
        copied(model, library)


@pytest.mark.parametrize("number", [errno.EIO, errno.ENOENT, errno.ENODEV])
def test_a_stick_that_is_pulled_out_leaves_nothing(
    tmp_path: Path, library: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    model = model_of({"a.gguf": SMALL, "b.gguf": OTHER * 4000}, tmp_path / "stick")

    class Pulled(plain_files.FileIO):
        def readinto(self, room) -> int | None:
            if self.tell() > 0 and os.fstat(self.fileno()).st_size > len(SMALL):
                raise OSError(number, os.strerror(number))
            return super().readinto(room)

    monkeypatch.setattr(plain_files, "FileIO", Pulled)
    with pytest.raises(ModelMissing) as caught:
        copied(model, library)
    assert caught.value.path == model.files[1]
    assert list(library.iterdir()) == []


def test_a_file_that_shrinks_meanwhile(
    tmp_path: Path, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = model_of({"a.gguf": SMALL}, tmp_path / "stick")
    monkeypatch.setattr(
        "engine.models.library.contents.size_of", lambda path: path.stat().st_size + 1
    )
    with pytest.raises(ModelCutOff):
        copied(model, library)
    assert list(library.iterdir()) == []


def test_too_little_space_is_said_before(
    tmp_path: Path, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = disks.RESERVE_BYTES + len(SMALL) - 1
    monkeypatch.setattr("engine.models.library.disks.free_bytes", lambda folder: free)
    model = model_of({"t.gguf": SMALL}, tmp_path / "stick")
    with pytest.raises(NoSpace) as caught:
        copied(model, library)
    assert (caught.value.needed_bytes, caught.value.free_bytes) == (len(SMALL), len(SMALL) - 1)
    assert list(library.iterdir()) == []


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.ENOSPC, NoSpace),
        (errno.EDQUOT, NoSpace),
        (errno.EFBIG, FileTooBigForDisk),
        (errno.EROFS, FolderUnwritable),
        (errno.EIO, FolderUnwritable),
    ],
)
def test_a_disk_that_fails_in_the_middle(
    tmp_path: Path, library: Path, monkeypatch: pytest.MonkeyPatch, number: int, kind: type
) -> None:
    class Failing(writing.FileIO):
        def write(self, piece) -> int:
            if self.tell() > 0:
                raise OSError(number, os.strerror(number))
            return super().write(piece[:100])

    monkeypatch.setattr(writing, "FileIO", Failing)
    with pytest.raises(kind):
        copied(model_of({"t.gguf": SMALL}, tmp_path / "stick"), library)
    assert list(library.iterdir()) == []


def test_a_disk_for_small_files(
    tmp_path: Path, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "engine.models.library.copying.largest_file_bytes", lambda folder: len(SMALL) - 1
    )
    with pytest.raises(FileTooBigForDisk):
        copied(model_of({"t.gguf": SMALL}, tmp_path / "stick"), library)
    assert list(library.iterdir()) == []


def test_a_folder_that_can_not_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(FolderUnwritable):
        copied(model_of({"t.gguf": SMALL}, tmp_path / "stick"), tmp_path / "file" / "library")


def test_a_cancel_leaves_nothing(tmp_path: Path, library: Path) -> None:
    model = model_of({"a.gguf": SMALL, "b.gguf": bytes(3 << 20)}, tmp_path / "stick")
    looks = 0
    with suppress(AlreadyThere):
        while True:
            try:
                copy_in(model, library, Told(), CancelledAfter(looks))
            except Cancelled:
                looks += 1
                assert not library.exists() or list(library.iterdir()) == []
            else:
                break
    assert looks > 4
    assert [entry.name for entry in library.iterdir()] == ["Tiny"]


def test_what_a_killed_one_left_is_cleared(tmp_path: Path, library: Path) -> None:
    left = library / f".Tiny{ENDING}"
    model_of({"t.gguf.part": SMALL}, left)
    person = library / "notes.part"
    model_of({"own.txt": b"mine"}, person)
    copied(model_of({"t.gguf": SMALL}, tmp_path / "stick"), library)
    assert sorted(entry.name for entry in library.iterdir()) == ["Tiny", "notes.part"]


def test_space_is_given_back_without_a_copy(library: Path) -> None:
    left = library / f".Tiny{ENDING}"
    model_of({"t.gguf.part": SMALL}, left)
    held = lock.take(library / LOCK_NAME)
    assert held is not None
    sweep(library)  # another Snug is at work there
    assert left.is_dir()
    held.release()
    sweep(library)
    assert list(library.iterdir()) == []
    sweep(library / "not there")


def test_a_disk_without_locks(
    tmp_path: Path, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_locks(path: Path) -> None:
        raise OSError(errno.ENOLCK, "no locks")

    monkeypatch.setattr("engine.guard.lock.take", no_locks)
    assert copied(model_of({"t.gguf": SMALL}, tmp_path / "stick"), library).is_file()


def test_only_one_copies_at_a_time(tmp_path: Path, library: Path) -> None:
    """The second waits until the first has ended, and can be cancelled meanwhile."""
    model = model_of({"t.gguf": SMALL}, tmp_path / "stick")
    ended: list[EngineError] = []

    def second(done: float) -> None:
        if done < 1 and not ended:
            with pytest.raises(Cancelled) as caught:
                copy_in(model, library, Told(), CancelledAfter(3))
            ended.append(caught.value)

    big = model_of({"b.gguf": bytes(4 << 20)}, tmp_path / "stick", name="Big")
    wait_for_claim: Callable[[float], None] = lambda done: second(done) if done > 0 else None  # noqa: E731
    copy_in(big, library, wait_for_claim, CancelToken())
    assert len(ended) == 1


def test_a_comparison_counts_as_work(tmp_path: Path, library: Path) -> None:
    """Nobody should look at 0 % while gigabytes of a stick are read to compare them."""
    content = bytes(3 << 20)
    copied(model_of({"t.gguf": content}, tmp_path / "stick"), library)
    other = model_of({"t.gguf": content[:-1] + b"x"}, tmp_path / "stick")
    told = Told()
    copy_in(other, library, told, CancelToken())
    assert told.is_sound
    assert len([done for done in told if 0 < done <= 0.5]) == 3
