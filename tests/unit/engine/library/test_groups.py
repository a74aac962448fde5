"""Files that are one model, names for people, and whose eyes belong to whom."""

from pathlib import Path

import pytest

from engine.models.library.entries import name_of
from engine.models.library.groups import group
from engine.models.library.manifest import write_manifest
from engine.models.library.pairing import Named, pair
from engine.models.library.titles import id_of, plain_title, tagged_title, title
from engine.models.library.walk import FoundFile
from engine.types.library import FileRecord, Manifest

FOLDER = Path("models")


def files(*names: str) -> list[FoundFile]:
    return [FoundFile(path=FOLDER / name, size_bytes=1) for name in names]


def test_parts_come_together_and_others_stay_alone() -> None:
    found = group(
        files(
            "b-00002-of-00002.gguf",
            "b-00001-of-00003.gguf",
            "b-00001-of-00002.gguf",
            "a.gguf",
            "b-00003-of-00003.gguf",
        )
    )
    assert [(one.path.name, len(one.files), one.missing) for one in found] == [
        ("a.gguf", 1, ()),
        ("b-00001-of-00002.gguf", 2, ()),
        ("b-00001-of-00003.gguf", 2, ("b-00002-of-00003.gguf",)),
    ]


def test_a_lonely_last_part_is_still_the_whole_set() -> None:
    (found,) = group(files("b-00003-of-00003.gguf"))
    assert found.path.name == "b-00001-of-00003.gguf"
    assert found.missing == ("b-00001-of-00003.gguf", "b-00002-of-00003.gguf")


# --- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stem", "name"),
    [
        ("Qwen3-4B-Instruct-2507-Q4_K_M", "Qwen3 4B Instruct 2507"),
        ("gemma-3-270m-it-qat-Q4_0", "Gemma 3 270M It Qat"),
        ("SmolLM2-135M-Instruct.Q4_1", "SmolLM2 135M Instruct"),
        ("Llama-3.2-1B-Instruct-UD-IQ2_XXS", "Llama 3.2 1B Instruct"),
        ("gpt-oss-20b-mxfp4", "Gpt Oss 20B"),
        ("Phi-4-mini-instruct.BF16", "Phi 4 Mini Instruct"),
        ("qwen3-30b-a3b.i1-Q4_K_S", "Qwen3 30B A3B"),
        ("Qwen3-4B-GGUF", "Qwen3 4B"),
        ("模型-7b-q8_0", "模型 7B"),
        ("ggml-model-q4_0", ""),
        ("model", ""),
        ("0123456789abcdef0123", ""),
        ("...", ""),
    ],
)
def test_file_names_become_names(stem: str, name: str) -> None:
    assert plain_title(stem) == name


@pytest.mark.parametrize(
    ("model", "tag", "name"),
    [
        ("qwen3", "4b", "Qwen3 4B"),
        ("qwen3", "latest", "Qwen3"),
        ("llama3.2", "3b-instruct-q4_K_M", "Llama3.2 3B Instruct"),
        ("deepseek-r1", "1.5b", "Deepseek R1 1.5B"),
        ("Qwen3-4B-GGUF", "Q4_K_M", "Qwen3 4B"),
        ("gemma3n", "e2b", "Gemma3n E2B"),
        ("mixtral", "8x7b", "Mixtral 8x7B"),
    ],
)
def test_tags_become_names(model: str, tag: str, name: str) -> None:
    assert tagged_title(model, tag) == name


@pytest.mark.parametrize(
    ("stated", "path", "name"),
    [
        ("Gemma 3 4B", "x.gguf", "Gemma 3 4B"),
        (
            "Smollm2 135M 8k Lc100K Mix1 Ep2",
            "SmolLM2-135M-Instruct.Q4_1.gguf",
            "SmolLM2 135M Instruct",
        ),
        ("Llama 3.2 1B Instruct", "unsloth.Q4_K_M.gguf", "Llama 3.2 1B Instruct"),
        (
            "cpu-int4-rtn-block-32",
            "Phi-3-mini-onnx/cpu_and_mobile/cpu-int4-rtn-block-32",
            "Phi 3 Mini",
        ),
        ("model", "Qwen3-4B-Q4_K_M.gguf", "Qwen3 4B"),
        ("", "Qwen3-4B-Q4_K_M-00001-of-00003.gguf", "Qwen3 4B"),
        ("C:\\models\\hf", "Mistral-7B.gguf", "Mistral 7B"),
        ("C:\\models\\hf", "Mistral-7B/ggml-model.gguf", "Mistral 7B"),
        ("", "Qwen3-4B-GGUF/model.gguf", "Qwen3 4B"),
        ("model", "model/model.gguf", "model"),
        ("", "model/model.gguf", "model.gguf"),
        ("", "odd\udce9.gguf", "Odd"),
    ],
)
def test_a_name_that_says_nothing_is_not_shown(stated: str, path: str, name: str) -> None:
    assert title(stated, Path("models") / path) == name


def test_ids_are_short_and_stay(tmp_path: Path) -> None:
    assert id_of(tmp_path / "a") == id_of(tmp_path / "a") != id_of(tmp_path / "b")
    assert len(id_of(Path("\udcff"))) == 16


# --- projectors -----------------------------------------------------------------------------------


def paired(models: dict[str, str], projectors: dict[str, str]) -> dict[str, str]:
    """Names of files, to what their headers call them."""
    found = pair(
        [Named(path=Path(name), stated=stated) for name, stated in models.items()],
        [Named(path=Path(name), stated=stated) for name, stated in projectors.items()],
    )
    return {model.name: projector.name for model, projector in found.items()}


def test_all_quantizations_of_the_only_model_see() -> None:
    models = {"gemma-3-4b-it-Q4_K_M.gguf": "", "gemma-3-4b-it-Q8_0.gguf": ""}
    assert set(paired(models, {"mmproj-model-f16.gguf": ""})) == set(models)


def test_the_handiest_precision_is_taken() -> None:
    eyes = {f"mmproj-{kind}.gguf": "" for kind in ("F32", "BF16", "F16")}
    assert paired({"m-Q4_K_M.gguf": ""}, eyes) == {"m-Q4_K_M.gguf": "mmproj-F16.gguf"}


def test_several_models_in_a_folder_are_told_apart_by_name() -> None:
    models = {
        "Qwen2.5-VL-3B-Instruct-Q4_K_M.gguf": "",
        "gemma-3-4b-it-Q4_K_M.gguf": "",
        "x.gguf": "",
    }
    eyes = {"mmproj-Qwen2.5-VL-3B-Instruct-f16.gguf": "", "gemma-3-4b-it.mmproj-f16.gguf": ""}
    assert paired(models, eyes) == {
        "Qwen2.5-VL-3B-Instruct-Q4_K_M.gguf": "mmproj-Qwen2.5-VL-3B-Instruct-f16.gguf",
        "gemma-3-4b-it-Q4_K_M.gguf": "gemma-3-4b-it.mmproj-f16.gguf",
    }


def test_headers_tell_what_file_names_do_not() -> None:
    models = {"a.gguf": "Gemma 3 4b It", "b.gguf": "Qwen2.5 VL 3B Instruct"}
    eyes = {"mmproj-F16.gguf": "Qwen2.5 VL 3B Instruct"}
    assert paired(models, eyes) == {"b.gguf": "mmproj-F16.gguf"}


@pytest.mark.parametrize(
    ("model", "eyes"),
    [
        ("Qwen2-VL-7B-Instruct-Q4_K_M.gguf", "mmproj-Qwen2-VL-2B-Instruct-f16.gguf"),
        ("gemma-3-12b-it-Q4_K_M.gguf", "mmproj-gemma-3-4b-it-f16.gguf"),
        ("gemma-3n-E4B-it-Q8_0.gguf", "mmproj-gemma-3n-E2B-it.gguf"),
    ],
)
def test_eyes_for_another_size_do_not_fit_the_only_model(model: str, eyes: str) -> None:
    assert paired({model: ""}, {eyes: ""}) == {}


def test_sizes_are_not_mixed_up() -> None:
    models = {"Qwen2.5-VL-3B-Q4_K_M.gguf": "", "Qwen2.5-VL-7B-Q4_K_M.gguf": ""}
    eyes = {"mmproj-Qwen2.5-VL-7B-f16.gguf": ""}
    assert paired(models, eyes) == {
        "Qwen2.5-VL-7B-Q4_K_M.gguf": "mmproj-Qwen2.5-VL-7B-f16.gguf"
    }  # fmt: skip


def test_eyes_of_another_model_are_worse_than_none() -> None:
    assert paired({"Llama-3.2-1B-Q4_0.gguf": ""}, {"mmproj-gemma-3-4b-f16.gguf": ""}) == {}
    assert paired({"a.gguf": "", "b.gguf": ""}, {"mmproj-F16.gguf": ""}) == {}
    assert paired({}, {"mmproj-F16.gguf": ""}) == {}


def test_a_chosen_model_is_called_as_the_library_lists_it(tmp_path: Path) -> None:
    path = tmp_path / "gemma-3-4b-it-Q4_K_M.gguf"
    path.touch()
    assert name_of(path, "Gemma 3 4b It") == title("Gemma 3 4b It", path)
    files = (FileRecord(name=path.name, size_bytes=0),)
    write_manifest(tmp_path, Manifest(name="Gemma 3 4B", files=files))
    assert name_of(path, "Gemma 3 4b It") == "Gemma 3 4B"
    assert name_of(tmp_path / "other.gguf", "Other") == title("Other", tmp_path / "other.gguf")
