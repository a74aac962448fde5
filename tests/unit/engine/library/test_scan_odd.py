"""A look at folders never hangs, never opens what is no file, and never leaves its bounds."""

import errno
import json
import os
import shutil
import socket
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import Cancelled, ModelFileError
from engine.models.inspect import inspect
from engine.models.library import walk as walking
from engine.models.library.manifest import write_manifest
from engine.models.library.scan import Place, ScanCache, scan
from engine.models.library.walk import look as look_at
from engine.models.library.walk import walk
from engine.models.onnx_folder import CONFIG
from engine.types.cancel import CancelToken
from engine.types.library import FileRecord, InstalledModel, Manifest, Owner, Trouble
from tests import ggufs
from tests.onnx_model import TINY_ONNX

pytestmark = pytest.mark.timeout(20)
posix_only = pytest.mark.skipif(os.name == "nt", reason="Windows has none of these")


def look(folder: Path) -> tuple[InstalledModel, ...]:
    return scan([Place(folder, Owner.SNUG)], ScanCache(None), CancelToken())


@posix_only
def test_pipes_sockets_and_devices_are_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.gguf")
    (tmp_path / "zero.gguf").symlink_to("/dev/zero")
    (tmp_path / "folder.gguf").mkdir()
    (tmp_path / "genai").mkdir()
    os.mkfifo(tmp_path / "genai" / "genai_config.json")
    os.mkfifo(tmp_path / "snug-model.json")
    (tmp_path / "m.gguf").write_bytes(ggufs.chat())
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(tmp_path / "socket.gguf"))
        assert [model.path.name for model in look(tmp_path)] == ["m.gguf"]


@posix_only
@pytest.mark.parametrize("owner", list(Owner))
def test_pipes_where_programs_keep_their_notes(tmp_path: Path, owner: Owner) -> None:
    jan = tmp_path / "llamacpp" / "models" / "m"
    ollama = tmp_path / "manifests" / "registry" / "library" / "m"
    cached = tmp_path / "models--a--b" / "refs"
    for folder in (jan, ollama, cached):
        folder.mkdir(parents=True)
    for pipe in (jan / "model.yml", ollama / "latest", cached / "main"):
        os.mkfifo(pipe)
    (tmp_path / "models--a--b" / "snapshots" / "0").mkdir(parents=True)
    assert scan([Place(tmp_path, owner)], ScanCache(None), CancelToken()) == ()


@posix_only
def test_pipes_inside_an_onnx_folder(tmp_path: Path) -> None:
    shutil.copytree(TINY_ONNX, tmp_path / "tiny")
    for name in ("tokenizer_config.json", "tokenizer.json", "chat_template.jinja"):
        (tmp_path / "tiny" / name).unlink(missing_ok=True)
        os.mkfifo(tmp_path / "tiny" / name)
    assert [model.path.name for model in look(tmp_path)] == ["tiny"]


@posix_only
def test_links_lead_to_files_but_not_in_circles(tmp_path: Path) -> None:
    library, elsewhere = tmp_path / "library", tmp_path / "elsewhere"
    library.mkdir()
    elsewhere.mkdir()
    (elsewhere / "m.gguf").write_bytes(ggufs.chat())
    (library / "linked.gguf").symlink_to(elsewhere / "m.gguf")
    (library / "circle").symlink_to(library, target_is_directory=True)
    (library / "away").symlink_to(elsewhere, target_is_directory=True)
    (library / "broken.gguf").symlink_to(library / "nothing")
    (library / "itself.gguf").symlink_to(library / "itself.gguf")
    assert [model.path for model in look(library)] == [library / "linked.gguf"]
    (tmp_path / "entry").symlink_to(library, target_is_directory=True)
    assert [model.path.name for model in look(tmp_path / "entry")] == ["linked.gguf"]


def test_depth_and_number_of_entries_are_bounded(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*"abcdefgh")
    deep.mkdir(parents=True)
    (deep / "too-deep.gguf").write_bytes(ggufs.chat())
    (deep.parent.parent / "deep.gguf").write_bytes(ggufs.chat())
    assert [model.path.name for model in look(tmp_path)] == ["deep.gguf"]
    folders = list(walk(tmp_path, CancelToken(), most_entries=5))
    assert folders == []


def test_thousands_of_files_do_not_matter(tmp_path: Path) -> None:
    for number in range(3_000):
        (tmp_path / f"{number}.txt").touch()
    (tmp_path / "m.gguf").write_bytes(ggufs.chat())
    assert len(look(tmp_path)) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux takes any bytes for a name")
def test_names_in_any_encoding(tmp_path: Path) -> None:
    cache = tmp_path / "cache.json"
    folder = tmp_path / "models"
    os.mkdir(os.fsencode(folder))  # noqa: PTH102 - of bytes
    for name in (b"caf\xe9.gguf", b"\xff\xfe.gguf", "模型.gguf".encode(), b"a\nb.gguf"):
        with open(os.path.join(os.fsencode(folder), name), "wb") as file:  # noqa: PTH123, PTH118
            file.write(ggufs.chat({"general.name": ""}))
    for _ in range(2):
        remembered = ScanCache(cache)
        found = scan([Place(folder, Owner.SNUG)], remembered, CancelToken())
        remembered.save()
        assert len({model.id for model in found}) == 4
        assert all(model.usable and model.name.isprintable() for model in found)
        assert all(model.path.is_file() for model in found)


def without_rights(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Tests may run as root, whom no permission stops."""
    opened = os.open

    def refuse(path, *arguments, **keywords):
        if os.fspath(path).endswith(name):
            raise PermissionError(13, "Permission denied", path)
        return opened(path, *arguments, **keywords)

    monkeypatch.setattr(os, "open", refuse)


def test_a_file_without_permission_is_listed_and_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "m.gguf").write_bytes(ggufs.chat())
    cache = ScanCache(None)
    with monkeypatch.context() as patch:
        without_rights(patch, "m.gguf")
        (found,) = scan([Place(tmp_path, Owner.SNUG)], cache, CancelToken())
        assert found.trouble is Trouble.UNREADABLE
    (found,) = scan([Place(tmp_path, Owner.SNUG)], cache, CancelToken())
    assert found.usable


def test_a_file_that_can_not_even_be_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "m.gguf").write_bytes(ggufs.chat())
    asked = Path.stat

    def refuse(path: Path, **keywords: bool) -> os.stat_result:
        if path.name == "m.gguf":
            raise PermissionError(13, "Permission denied", path)
        return asked(path, **keywords)

    monkeypatch.setattr(Path, "stat", refuse)
    (found,) = look(tmp_path)
    assert found.trouble is Trouble.UNREADABLE
    assert look_at(found.path) is not None


def test_folders_that_can_not_be_entered_are_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("closed", "open"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "m.gguf").write_bytes(ggufs.chat())
    listed = os.scandir

    def refuse(path):
        if Path(path).name == "closed":
            raise PermissionError(13, "Permission denied", path)
        return listed(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert [model.path.parent.name for model in look(tmp_path)] == ["open"]


def test_a_file_that_goes_while_we_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "m.gguf").write_bytes(ggufs.chat())
    opened = os.open

    def gone(path, *arguments, **keywords):
        (tmp_path / "m.gguf").unlink(missing_ok=True)
        return opened(path, *arguments, **keywords)

    monkeypatch.setattr(os, "open", gone)
    assert look(tmp_path) == ()


def test_a_cancel_comes_between_two_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        (tmp_path / f"{number}.gguf").write_bytes(ggufs.chat())
    cancel, opened, real = CancelToken(), [], os.open

    def count(path, *arguments, **keywords):
        if str(path).endswith(".gguf"):
            opened.append(path)
            cancel.cancel()
        return real(path, *arguments, **keywords)

    monkeypatch.setattr(os, "open", count)
    with pytest.raises(Cancelled):
        scan([Place(tmp_path, Owner.SNUG)], ScanCache(None), cancel)
    assert len(opened) == 1


@pytest.mark.parametrize("way", ["the same folder", "a link to it"])
def test_a_library_in_another_programs_folder_owns_only_what_it_made(
    tmp_path: Path, way: str
) -> None:
    theirs = tmp_path / "models"
    for folder in ("publisher/repository", "Ours"):
        (theirs / folder).mkdir(parents=True)
        (theirs / folder / "m.gguf").write_bytes(ggufs.chat({"general.name": folder}))
    record = FileRecord(name="m.gguf", size_bytes=len(ggufs.chat({"general.name": "Ours"})))
    write_manifest(theirs / "Ours", Manifest(name="Ours", files=(record,)))
    library = theirs
    if way == "a link to it":
        library = tmp_path / "library"
        library.symlink_to(theirs)
    places = [Place(library, Owner.SNUG), Place(theirs, Owner.LM_STUDIO)]
    found = scan(places, ScanCache(None), CancelToken())
    owners = {model.path.parent.name: model.owner for model in found}
    assert owners == {"Ours": Owner.SNUG, "repository": Owner.LM_STUDIO}


def test_a_share_that_numbers_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.gguf").write_bytes(ggufs.chat({"general.name": name}))

    def numberless(path: Path) -> walking.FoundFile | None:
        found = look_at(path)
        return found and replace(found, identity=(found.identity[0], 0))

    monkeypatch.setattr(walking, "look", numberless)
    found = look(tmp_path)
    assert [model.path.name for model in found] == ["a.gguf", "b.gguf"]


def test_a_configuration_that_is_no_file_makes_no_model(tmp_path: Path) -> None:
    (tmp_path / "a.gguf").write_bytes(ggufs.chat())
    (tmp_path / CONFIG).symlink_to("nowhere")
    found = look(tmp_path)
    assert [model.path.name for model in found] == ["a.gguf"]


def test_a_manifest_that_calls_the_model_its_own_eyes(tmp_path: Path) -> None:
    (tmp_path / "m.gguf").write_bytes(ggufs.chat())
    record = FileRecord(name="m.gguf", size_bytes=len(ggufs.chat()))
    write_manifest(tmp_path, Manifest(name="Odd", files=(record,), projector="m.gguf"))
    (model,) = look(tmp_path)
    assert (model.files, model.projector) == ((tmp_path / "m.gguf",), None)


def test_what_gpt4all_is_still_fetching(tmp_path: Path) -> None:
    (tmp_path / "incomplete-Llama-8B.Q4_0.gguf").write_bytes(ggufs.chat()[:300])
    assert scan([Place(tmp_path, Owner.GPT4ALL)], ScanCache(None), CancelToken()) == ()


def test_blobs_that_nobody_may_look_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As of an Ollama that is a service."""
    tags = tmp_path / "manifests/registry.ollama.ai/library/qwen3"
    tags.mkdir(parents=True)
    kind, digest = "application/vnd.ollama.image.model", f"sha256:{'a' * 64}"
    layers = [{"mediaType": kind, "digest": digest}]
    (tags / "4b").write_text(json.dumps({"layers": layers}))
    _close(tmp_path / "blobs", monkeypatch)
    (model,) = scan([Place(tmp_path, Owner.OLLAMA)], ScanCache(None), CancelToken())
    assert (model.name, model.trouble) == ("Qwen3 4B", Trouble.UNREADABLE)


def test_a_model_in_a_closed_folder_is_an_error_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _close(tmp_path / "closed", monkeypatch)
    with pytest.raises(ModelFileError):
        inspect(tmp_path / "closed" / "m.gguf")


def _close(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may enter everything."""
    stat = os.stat

    def refused(path: object, **ways) -> os.stat_result:
        if str(path).startswith(str(folder)):
            raise PermissionError(errno.EACCES, "closed", str(path))
        return stat(path, **ways)

    monkeypatch.setattr(os, "stat", refused)
