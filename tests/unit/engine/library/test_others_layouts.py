"""What other programs keep: found in their own order, under names for people, never doubled."""

import json
from pathlib import Path

import pytest

from engine.models.library.scan import Place, ScanCache, scan
from engine.types.cancel import CancelToken
from engine.types.library import InstalledModel, Owner, Trouble
from tests import ggufs, other_programs
from tests.other_programs import KIND, Ollama
from tests.split_gguf import split

LIBRARY = "registry.ollama.ai/library"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "sources" / "model.gguf"
    path.parent.mkdir()
    path.write_bytes(ggufs.chat({"general.name": "Stated Name"}))
    return path


@pytest.fixture
def eyes(tmp_path: Path, model: Path) -> Path:
    path = model.with_name("eyes.gguf")
    path.write_bytes(ggufs.chat({"general.architecture": "clip"}))
    return path


def look(folder: Path, owner: Owner) -> list[InstalledModel]:
    found = scan([Place(folder, owner)], ScanCache(None), CancelToken())
    assert all(one.owner is owner for one in found)
    return list(found)


# --- Ollama ---------------------------------------------------------------------------------------


def test_a_model_with_eyes(tmp_path: Path, model: Path, eyes: Path) -> None:
    ollama = Ollama(tmp_path / "store")
    ollama.model(f"{LIBRARY}/qwen3", "4b", model=model, projector=eyes)
    (found,) = look(ollama.store, Owner.OLLAMA)
    assert found.usable
    assert found.name == "Qwen3 4B"
    assert found.path.samefile(model)
    assert found.projector is not None
    assert found.projector.samefile(eyes)
    assert found.path.parent == ollama.store / "blobs"


def test_two_tags_of_one_blob_are_one_model(tmp_path: Path, model: Path) -> None:
    ollama = Ollama(tmp_path / "store")
    for tag in ("latest", "4b"):
        ollama.model(f"{LIBRARY}/qwen3", tag, model=model)
    assert [one.name for one in look(ollama.store, Owner.OLLAMA)] == ["Qwen3 4B"]


def test_names_of_other_registries(tmp_path: Path, model: Path) -> None:
    ollama = Ollama(tmp_path / "store")
    ollama.model("hf.co/bartowski/Qwen3-4B-GGUF", "Q4_K_M", model=model)
    assert [one.name for one in look(ollama.store, Owner.OLLAMA)] == ["Qwen3 4B"]


def test_old_blobs_have_a_colon(tmp_path: Path, model: Path) -> None:
    ollama = Ollama(tmp_path / "store")
    digest = ollama.blob(model, ":")
    layers = [{"mediaType": KIND + "model", "digest": digest}]
    ollama.add(f"{LIBRARY}/old", "7b", {"layers": layers})
    assert [one.name for one in look(ollama.store, Owner.OLLAMA)] == ["Old 7B"]


def test_newer_manifests_are_links_and_lists(tmp_path: Path, model: Path) -> None:
    ollama = Ollama(tmp_path / "store")
    manifest = model.with_name("manifest.json")
    manifest.write_text(json.dumps({"layers": ollama.layers(model=model)}))
    tensors = [{"mediaType": KIND + "tensor", "digest": ollama.blob(manifest)}]
    several = {
        "mediaType": "application/vnd.ollama.manifest.list.v2+json",
        "manifests": [
            {"runner": "mlx", "layers": tensors},
            {"runner": "ollama", "digest": ollama.blob(manifest)},
        ],
    }
    listing = ollama.add(f"{LIBRARY}/both", "4b", several)
    link = ollama.store / "manifests-v2" / LIBRARY / "linked" / "1b"
    link.parent.mkdir(parents=True)
    link.symlink_to(ollama.store / "blobs" / ollama.blob(manifest).replace(":", "-"))
    (found,) = look(ollama.store, Owner.OLLAMA)  # both are the same blob
    assert found.name == "Both 4B"
    listing.unlink()
    assert [one.name for one in look(ollama.store, Owner.OLLAMA)] == ["Linked 1B"]


def test_what_is_not_whole_or_no_model(tmp_path: Path, model: Path) -> None:
    ollama = Ollama(tmp_path / "store")
    ollama.model(f"{LIBRARY}/tuned", "1b", model=model, adapter=model)
    lost = {"mediaType": KIND + "model", "digest": f"sha256:{'0' * 64}"}
    outside = {"mediaType": KIND + "model", "digest": "../../sources/model.gguf"}
    for number, layers in enumerate(([lost], [outside], [], None, 3, ["x"], [None])):
        ollama.add(f"{LIBRARY}/odd{number}", "x", {"layers": layers})
    ollama.add(f"{LIBRARY}/list", "x", {"manifests": [{"digest": 3}, 4, {}]})
    ollama.add(f"{LIBRARY}/text", "x", "nothing")
    (ollama.store / "manifests" / LIBRARY / "text" / "y").write_bytes(b"\xff{")
    (ollama.store / "manifests" / LIBRARY / "stray").write_text("{}")
    (ollama.store / "blobs" / f"sha256-{'1' * 64}-partial").write_bytes(b"GGUF")
    assert look(ollama.store, Owner.OLLAMA) == []


# --- LM Studio, GPT4All ---------------------------------------------------------------------------


def test_publisher_and_repository(tmp_path: Path, model: Path, eyes: Path) -> None:
    models = tmp_path / "models"
    files = {"Qwen3-VL-4B-Q4_K_M": model, "mmproj-Qwen3-VL-4B-F16": eyes}
    other_programs.lm_studio(models, "lmstudio-community", "Qwen3-VL-4B-GGUF", **files)
    (found,) = look(models, Owner.LM_STUDIO)
    assert found.name == "Qwen3 VL 4B"
    assert found.projector is not None
    assert found.projector.name == "mmproj-Qwen3-VL-4B-F16.gguf"


# --- Jan ------------------------------------------------------------------------------------------


def test_a_model_that_jan_describes(tmp_path: Path, model: Path, eyes: Path) -> None:
    path = other_programs.jan(tmp_path / "data", "unsloth/Qwen3-4B-Q4_K_M", model, eyes)
    (found,) = look(tmp_path / "data", Owner.JAN)
    assert (found.path, found.name) == (path, "Qwen3 4B")
    assert found.projector == path.with_name("mmproj.gguf")


def described(data: Path, text: str) -> None:
    folder = data / "llamacpp" / "models" / "x"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.yml").write_text(text, encoding="utf-8")


@pytest.mark.parametrize("quoted", ["{}", "'{}'", '"{}"'])
def test_a_model_that_jan_only_points_at(tmp_path: Path, model: Path, quoted: str) -> None:
    described(tmp_path / "data", f"name: mine\nmodel_path: {quoted.format(model)}\n")
    assert [one.path for one in look(tmp_path / "data", Owner.JAN)] == [model]


def test_a_split_model_of_jan(tmp_path: Path, model: Path) -> None:
    parts = split(model, model.parent, 2)
    described(tmp_path / "data", f"name: big\nmodel_path: {parts[0]}\n")
    (found,) = look(tmp_path / "data", Owner.JAN)
    assert (found.files, found.usable) == (parts, True)
    parts[1].unlink()
    (found,) = look(tmp_path / "data", Owner.JAN)
    assert (found.trouble, found.missing) == (Trouble.PARTS_MISSING, (parts[1].name,))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "model_path:",
        "model_path: nothing.gguf",
        "model_path: /dev/zero",
        'model_path: "\\ud800\\u0000"',
        "model_path: [a, b]",
        "- x\n\t: : :",
    ],
)
def test_descriptions_that_lead_nowhere(tmp_path: Path, text: str) -> None:
    described(tmp_path / "data", text)
    assert look(tmp_path / "data", Owner.JAN) == []


def test_models_of_an_older_jan(tmp_path: Path, model: Path) -> None:
    other_programs.place(model, tmp_path / "data" / "models" / "tiny" / "tiny.gguf")
    assert len(look(tmp_path / "data", Owner.JAN)) == 1


# --- the cache of Hugging Face -------------------------------------------------------------------


def test_only_the_newest_revision_counts(tmp_path: Path, model: Path, eyes: Path) -> None:
    cache = tmp_path / "hub"
    newer = model.with_name("newer.gguf")
    newer.write_bytes(ggufs.chat())
    alone = model.with_name("alone.gguf")
    alone.write_bytes(ggufs.chat())
    other_programs.hugging_face(cache, "org/name", "0ld", m=model, only_here=alone)
    (expected, _) = other_programs.hugging_face(cache, "org/name", "new", m=newer, mmproj=eyes)
    found = {one.path.name: one for one in look(cache, Owner.HUGGING_FACE)}
    assert found["m.gguf"].path == expected
    assert found["m.gguf"].projector == expected.with_name("mmproj.gguf")
    assert found["only_here.gguf"].path.parent.name == "0ld"
    assert len(found) == 2


def test_a_cache_without_a_main_branch(tmp_path: Path, model: Path) -> None:
    cache = tmp_path / "hub"
    (link,) = other_programs.hugging_face(cache, "org/name", "abc", m=model)
    (cache / "models--org--name" / "refs" / "main").unlink()
    (cache / "datasets--org--name" / "snapshots").mkdir(parents=True)
    (cache / "version.txt").write_text("1")
    assert [one.path for one in look(cache, Owner.HUGGING_FACE)] == [link]


def test_a_link_to_a_blob_that_is_gone(tmp_path: Path, model: Path) -> None:
    cache = tmp_path / "hub"
    (link,) = other_programs.hugging_face(cache, "org/name", "abc", m=model)
    link.resolve().unlink()
    assert look(cache, Owner.HUGGING_FACE) == []


# --- all at once ----------------------------------------------------------------------------------


def test_the_same_bytes_in_two_programs_are_one_model(tmp_path: Path, model: Path) -> None:
    ollama = Ollama(tmp_path / "store")
    ollama.model(f"{LIBRARY}/qwen3", "4b", model=model)
    other_programs.hugging_face(tmp_path / "hub", "org/name", "abc", m=model)
    other_programs.lm_studio(tmp_path / "lms", "a", "b", m=model)
    places = [
        Place(tmp_path / "hub", Owner.HUGGING_FACE),
        Place(tmp_path / "lms", Owner.LM_STUDIO),
        Place(ollama.store, Owner.OLLAMA),
    ]
    (found,) = scan(places, ScanCache(None), CancelToken())
    assert (found.owner, found.name) == (Owner.OLLAMA, "Qwen3 4B")
