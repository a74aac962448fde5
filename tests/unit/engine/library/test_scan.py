"""The list of models: what is in it, what is not, and what is wrong with some of them."""

import json
import shutil
from pathlib import Path

import pytest

from engine.errors import Cancelled
from engine.models.library.manifest import write_manifest
from engine.models.library.scan import Place, ScanCache, scan
from engine.types.cancel import CancelToken
from engine.types.library import FileRecord, InstalledModel, Manifest, Owner, Trouble
from engine.types.models import ModelFormat, ModelKind
from tests import ggufs
from tests.onnx_model import TINY_ONNX
from tests.split_gguf import split


@pytest.fixture
def library(tmp_path: Path) -> Path:
    folder = tmp_path / "models"
    folder.mkdir()
    return folder


def look(
    *folders: Path, owner: Owner = Owner.SNUG, expected: tuple[Path, ...] = ()
) -> dict[str, InstalledModel]:
    """By file name."""
    places = [Place(folder, owner) for folder in folders]
    found = scan(places, ScanCache(None), CancelToken(), expected=expected)
    assert len({model.id for model in found}) == len(found)
    return {model.path.name: model for model in found}


def test_models_are_found_in_folders_and_files(library: Path) -> None:
    (library / "a" / "b").mkdir(parents=True)
    (library / "one.GGUF").write_bytes(ggufs.chat({"general.name": "Uno"}))
    (library / "a" / "b" / "2.gguf").write_bytes(ggufs.chat({"general.name": "Stated"}))
    found = look(library)
    assert {model.name for model in found.values()} == {"One", "Stated"}
    one = found["one.GGUF"]
    assert one.usable
    assert (one.files, one.size_bytes) == ((one.path,), one.path.stat().st_size)
    assert (one.owner, one.format, one.quantization) == (Owner.SNUG, ModelFormat.GGUF, "F32")


def test_what_is_no_model_is_not_listed(library: Path) -> None:
    for name in ("a.gguf.part", "b.gguf.journal", "c.bin", "._d.gguf", "notes.txt"):
        (library / name).write_bytes(ggufs.chat())
    hidden = library / ".cache"
    unfinished = library / "New model.snug.part"
    for folder in (hidden, unfinished):
        folder.mkdir()
        (folder / "half.gguf").write_bytes(ggufs.chat())
    assert look(library) == {}


def test_an_onnx_folder_is_one_model(library: Path) -> None:
    shutil.copytree(TINY_ONNX, library / "tiny")
    (library / "tiny" / "stray.gguf").write_bytes(ggufs.chat())
    found = look(library)["tiny"]
    assert found.format is ModelFormat.ONNX
    assert found.usable
    assert found.path / "genai_config.json" in found.files
    assert found.size_bytes == sum(path.stat().st_size for path in (library / "tiny").iterdir())


def test_an_onnx_folder_without_weights(library: Path) -> None:
    shutil.copytree(TINY_ONNX, library / "tiny")
    (library / "tiny" / "model.onnx").unlink()
    assert look(library)["tiny"].trouble is Trouble.PARTS_MISSING


@pytest.mark.parametrize(
    ("content", "trouble"),
    [
        (b"", Trouble.CUT_OFF),
        (ggufs.chat()[:-100], Trouble.CUT_OFF),
        (ggufs.chat()[:90], Trouble.CUT_OFF),
        (b"<!DOCTYPE html>", Trouble.DAMAGED),
        (ggufs.header(ggufs.CHAT, key_count=2**40), Trouble.DAMAGED),
        (ggufs.header(ggufs.CHAT, version=9), Trouble.TOO_NEW),
        (ggufs.chat({"general.architecture": "x9", "x9.context_length": 64}), Trouble.TOO_NEW),
        (ggufs.chat({"general.type": "adapter"}), Trouble.NOT_A_CHAT_MODEL),
        (ggufs.chat({"general.architecture": "bert"}), Trouble.NOT_A_CHAT_MODEL),
        (ggufs.chat({"split.tensors.count": 7}), Trouble.DAMAGED),
    ],
)  # fmt: skip
def test_what_can_not_be_used_is_listed_with_the_reason(
    library: Path, content: bytes, trouble: Trouble
) -> None:
    (library / "Qwen3-4B-Q4_K_M.gguf").write_bytes(content)
    found = look(library)["Qwen3-4B-Q4_K_M.gguf"]
    assert (found.trouble, found.usable) == (trouble, False)
    assert found.name in ("Qwen3 4B", "Tiny")


def test_eyes_inside_a_model_are_those_of_another_program(library: Path) -> None:
    """llama.cpp refuses a file with more tensors than it knows."""
    tensors = (*ggufs.TENSORS, ggufs.Tensor("v.blk.0.attn_q.weight"))
    (library / "m.gguf").write_bytes(ggufs.whole(ggufs.CHAT, tensors))
    assert look(library)["m.gguf"].trouble is Trouble.TOO_NEW


def test_a_projector_belongs_to_its_model(library: Path) -> None:
    model, eyes = library / "gemma-3-4b-it-Q4_K_M.gguf", library / "mmproj-gemma-3-4b-it-f16.gguf"
    model.write_bytes(ggufs.chat())
    eyes.write_bytes(ggufs.chat({"general.architecture": "clip", "general.type": "mmproj"}))
    found = look(library)
    assert list(found) == [model.name]
    assert found[model.name].projector == eyes
    assert found[model.name].files == (model, eyes)
    assert found[model.name].size_bytes == model.stat().st_size + eyes.stat().st_size


def test_a_projector_alone_is_no_model(library: Path) -> None:
    (library / "eyes.gguf").write_bytes(ggufs.chat({"general.architecture": "clip"}))
    (library / "mmproj-broken.gguf").write_bytes(b"GGUF")
    assert look(library) == {}


def test_parts_are_one_model(library: Path, tmp_path: Path) -> None:
    whole = tmp_path / "whole.gguf"
    whole.write_bytes(ggufs.chat({"general.name": "Big"}))
    parts = split(whole, library, 2, "Big-Q8_0")
    (found,) = look(library).values()
    assert (found.path, found.files, found.missing) == (parts[0], parts, ())
    assert found.usable
    assert found.facts is not None
    assert (found.facts.kind, found.facts.parts) == (ModelKind.CHAT, 2)
    assert found.size_bytes == found.facts.size_bytes == sum(part.stat().st_size for part in parts)


@pytest.mark.parametrize("lost", [0, 1])
def test_missing_parts_are_named_and_the_model_stays_itself(
    library: Path, tmp_path: Path, lost: int
) -> None:
    whole = tmp_path / "whole.gguf"
    whole.write_bytes(ggufs.chat())
    parts = split(whole, library, 2, "Big-Q8_0")
    before = look(library)[parts[0].name]
    parts[lost].unlink()
    after = look(library)[parts[0].name]
    assert (after.trouble, after.missing) == (Trouble.PARTS_MISSING, (parts[lost].name,))
    assert (after.id, after.path) == (before.id, before.path)
    assert after.files == (parts[1 - lost],)


def test_the_manifest_gives_name_and_projector(library: Path) -> None:
    model, eyes = library / "m-Q4_K_M.gguf", library / "other-eyes.gguf"
    model.write_bytes(ggufs.chat())
    eyes.write_bytes(ggufs.chat({"general.architecture": "clip"}))
    records = tuple(FileRecord(name=p.name, size_bytes=p.stat().st_size) for p in (model, eyes))
    manifest = Manifest(name="Qwen3 VL 4B", files=records, projector=eyes.name)
    write_manifest(library, manifest)
    found = look(library)[model.name]
    assert (found.name, found.projector, found.manifest) == ("Qwen3 VL 4B", eyes, manifest)
    elsewhere = look(library, owner=Owner.LM_STUDIO)[model.name]
    assert elsewhere.manifest is None


@pytest.mark.parametrize(("more_bytes", "trouble"), [(1, Trouble.CUT_OFF), (-1, Trouble.DAMAGED)])
def test_a_file_of_another_size_than_fetched(
    library: Path, more_bytes: int, trouble: Trouble
) -> None:
    model = library / "m.gguf"
    model.write_bytes(ggufs.chat())
    record = FileRecord(name=model.name, size_bytes=model.stat().st_size + more_bytes)
    write_manifest(library, Manifest(name="M", files=(record,)))
    assert look(library)["m.gguf"].trouble is trouble


def test_a_file_that_the_manifest_counts_and_that_is_gone(library: Path) -> None:
    shutil.copytree(TINY_ONNX, library / "tiny")
    files = [path for path in (library / "tiny").iterdir() if path.is_file()]
    records = tuple(FileRecord(name=p.name, size_bytes=p.stat().st_size) for p in files)
    write_manifest(library / "tiny", Manifest(name="Tiny", files=records))
    assert look(library)["tiny"].usable
    (library / "tiny" / "tokenizer_config.json").unlink()
    found = look(library)["tiny"]
    assert (found.trouble, found.missing) == (Trouble.PARTS_MISSING, ("tokenizer_config.json",))


def test_a_single_file_is_listed_alone(library: Path) -> None:
    for name in ("mine.gguf", "other.gguf"):
        (library / name).write_bytes(ggufs.chat())
    assert list(look(library / "mine.gguf", owner=Owner.PERSON)) == ["mine.gguf"]


def test_the_same_file_is_listed_once_and_ours_wins(library: Path, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "m.gguf").write_bytes(ggufs.chat())
    (library / "m.gguf").hardlink_to(theirs / "m.gguf")
    (library / "link.gguf").symlink_to(theirs / "m.gguf")
    places = [Place(theirs, Owner.LM_STUDIO), Place(library, Owner.SNUG)]
    (found,) = scan(places, ScanCache(None), CancelToken())
    assert found.owner is Owner.SNUG


def test_what_was_expected_and_is_gone(library: Path, tmp_path: Path) -> None:
    lost, kept = tmp_path / "stick" / "Qwen3-4B-Q4_K_M.gguf", tmp_path / "kept.gguf"
    kept.write_bytes(ggufs.chat())
    found = look(library, expected=(lost, kept, lost))
    assert (found[lost.name].trouble, found[lost.name].name) == (Trouble.GONE, "Qwen3 4B")
    assert found[lost.name].owner is Owner.PERSON
    assert found[kept.name].usable
    assert found[kept.name].owner is Owner.PERSON
    inside = library / "away.gguf"
    assert look(library, expected=(inside,))[inside.name].owner is Owner.SNUG


def test_what_was_expected_wins_over_another_name(library: Path, tmp_path: Path) -> None:
    """A model that was chosen must not be told to be gone because its bytes have two names."""
    theirs = tmp_path / "theirs.gguf"
    theirs.write_bytes(ggufs.chat())
    (library / "ours.gguf").hardlink_to(theirs)
    places = [Place(library, Owner.SNUG), Place(theirs, Owner.PERSON)]
    (found,) = scan(places, ScanCache(None), CancelToken(), expected=(theirs,))
    assert found.path == theirs


def test_an_expected_file_may_have_any_name(library: Path, tmp_path: Path) -> None:
    blob = tmp_path / "sha256-0123"
    blob.write_bytes(ggufs.chat({"general.name": "Blob"}))
    assert look(library, expected=(blob,))[blob.name].usable


def test_any_part_may_be_expected(library: Path, tmp_path: Path) -> None:
    whole = tmp_path / "whole.gguf"
    whole.write_bytes(ggufs.chat())
    parts = split(whole, library, 2, "Big-Q8_0")
    assert list(look(library, expected=(parts[1],))) == [parts[0].name]
    elsewhere = look(tmp_path / "nowhere", expected=(parts[1],))
    assert elsewhere[parts[0].name].usable


def test_a_gone_model_is_still_known(library: Path) -> None:
    model = library / "m.gguf"
    model.write_bytes(ggufs.chat({"general.name": "Known"}))
    cache = ScanCache(None)
    places = [Place(library, Owner.SNUG)]
    scan(places, cache, CancelToken())
    model.unlink()
    assert scan(places, cache, CancelToken()) == ()
    (gone,) = scan(places, cache, CancelToken(), expected=(model,))
    assert (gone.name, gone.trouble) == ("Known", Trouble.GONE)
    assert gone.facts is not None


def test_a_cancel_ends_it(library: Path) -> None:
    (library / "m.gguf").write_bytes(ggufs.chat())
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        scan([Place(library, Owner.SNUG)], ScanCache(None), cancel)


def test_places_that_are_not_there(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text(json.dumps({}))
    assert look(tmp_path / "nowhere", file) == {}
    for owner in Owner:
        assert look(tmp_path / "nowhere", owner=owner) == {}
