"""Files of repositories as they really are, and as nobody would name them."""

import string
import time
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.hub.grouping import group
from engine.hub.names import is_gguf
from engine.types.hub import HubFile, Offering
from engine.types.models import ModelFormat

GIB = 1 << 30


def files(*paths: str) -> list[HubFile]:
    return [HubFile(path=path, size_bytes=None) for path in paths]


def offered(*paths: str, repo: str = "maker/Some-7B-GGUF") -> list[Offering]:
    return list(group(files(*paths), repo).offerings)


def test_the_recommended_comes_first_and_full_precision_last() -> None:
    kinds = (
        *("F16", "BF16", "F32", "Q8_0", "Q6_K", "Q5_K_M", "Q4_K_M", "Q4_K_S", "Q4_0", "Q3_K_M"),
        *("Q2_K", "IQ4_XS", "UD-Q4_K_XL", "Q4_0_4_4", "IQ1_S"),
    )
    found = offered(*(f"Some-7B-{kind}.gguf" for kind in kinds))
    assert [each.quantization for each in found] == [
        *("Q4_K_M", "UD-Q4_K_XL", "IQ4_XS", "Q5_K_M", "Q4_0", "Q4_K_S", "Q6_K", "Q3_K_M"),
        *("Q2_K", "Q8_0", "IQ1_S", "BF16", "F16", "F32", "Q4_0_4_4"),
    ]
    assert {each.name for each in found} == {"Some 7B"}


def test_parts_are_one_model_in_their_order() -> None:
    parts = [f"BF16/Some-7B-BF16-0000{n}-of-00003.gguf" for n in (2, 3, 1)]
    (found,) = offered(*parts)
    assert [file.path for file in found.files] == sorted(parts)
    assert found.quantization == "BF16"
    assert not found.missing


def test_missing_parts_are_named_and_the_model_goes_last() -> None:
    found = offered("Q4_K_M/m-00001-of-00003.gguf", "Q4_K_M/m-00003-of-00003.gguf", "m-Q2_K.gguf")
    assert [each.quantization for each in found] == ["Q2_K", "Q4_K_M"]
    assert found[1].missing == ("Q4_K_M/m-00002-of-00003.gguf",)


def test_sets_of_equal_names_in_two_folders_stay_apart() -> None:
    parts = [f"{q}/m-0000{n}-of-00002.gguf" for q in ("Q4_K_M", "Q8_0") for n in (1, 2)]
    found = offered(*parts)
    assert [(each.quantization, len(each.files)) for each in found] == [("Q4_K_M", 2), ("Q8_0", 2)]


@pytest.mark.parametrize(
    ("there", "chosen"),
    [
        (("F32", "Q8_0", "BF16", "F16"), "F16"),
        (("F32", "Q8_0", "BF16"), "BF16"),
        (("F32", "Q8_0"), "Q8_0"),
        (("F32",), "F32"),
    ],
)
def test_one_projector_is_chosen(there: tuple[str, ...], chosen: str) -> None:
    grouped = group(files("Some-7B-Q4_K_M.gguf", *(f"mmproj-{kind}.gguf" for kind in there)))
    (found,) = grouped.offerings
    assert found.projector is not None
    assert found.projector.path == f"mmproj-{chosen}.gguf"
    assert len(grouped.others) == len(there) - 1


def test_projectors_go_with_the_model_they_are_named_after() -> None:
    found = offered(
        *("gemma-3-4b-it-Q4_K_M.gguf", "gemma-3-12b-it-Q4_K_M.gguf", "phi-4-Q4_K_M.gguf"),
        *("mmproj-gemma-3-4b-it-F16.gguf", "gemma-3-12b-it-mmproj-F16.gguf"),
    )
    chosen = {each.name: each.projector and each.projector.path for each in found}
    assert chosen == {
        "Gemma 3 4B": "mmproj-gemma-3-4b-it-F16.gguf",
        "Gemma 3 12B": "gemma-3-12b-it-mmproj-F16.gguf",
        "Phi 4": None,
    }


def test_a_small_draft_goes_along_and_a_large_one_is_a_model() -> None:
    main = HubFile(path="Qwen3-27B-Q4_K_M.gguf", size_bytes=16 * GIB)
    draft = HubFile(path="mtp-Qwen3-27B-Q8_0.gguf", size_bytes=GIB)
    assistant = HubFile(path="Qwen3-27B-assistant-Q8_0.gguf", size_bytes=GIB)
    large = HubFile(path="Qwen3-27B-MTP-Q4_K_M.gguf", size_bytes=17 * GIB)
    (found,) = group([main, draft]).offerings
    assert found.draft == draft
    assert group([main, assistant]).offerings[0].draft == assistant
    assert {each.files[0] for each in group([main, large]).offerings} == {main, large}


def test_models_with_layers_that_draft_are_models_in_every_size() -> None:
    """Beside the same models without them, of which the largest is in parts."""
    given = [
        HubFile(path="Qwen3-27B-Q4_K_M.gguf", size_bytes=16 * GIB),
        HubFile(path="Qwen3-27B-MTP-Q4_K_M.gguf", size_bytes=17 * GIB),
        HubFile(path="Qwen3-27B-MTP-Q2_K.gguf", size_bytes=11 * GIB),
        HubFile(path="BF16/Qwen3-27B-BF16-00001-of-00002.gguf", size_bytes=1),
        HubFile(path="BF16/Qwen3-27B-BF16-00002-of-00002.gguf", size_bytes=50 * GIB),
        HubFile(path="Qwen3-27B-eagle3.gguf", size_bytes=GIB),
    ]
    found = group(given).offerings
    assert [each.quantization for each in found] == ["Q4_K_M", "Q4_K_M", "Q2_K", "BF16"]
    assert {each.draft for each in found} == {given[-1]}
    without = group([*given[1:3], HubFile(path="Qwen3-27B-BF16.gguf", size_bytes=51 * GIB)])
    assert len(without.offerings) == 3


def test_a_draft_for_none_of_the_models_is_one_itself() -> None:
    names = ("Llama-3-8B-Q4_K_M.gguf", "Gemma-3-4B-Q4_K_M.gguf", "Qwen3-0.6B-draft-Q8_0.gguf")
    assert len(offered(*names)) == 3


def test_a_repository_of_drafts_alone_has_models() -> None:
    assert len(offered("Qwen3-0.6B-DRAFT-Q4_0.gguf", "Qwen3-0.6B-DRAFT-Q8_0.gguf")) == 2


def test_what_is_no_model_is_named() -> None:
    names = ("Some-7B.imatrix.gguf", "ggml-vocab-x.gguf", "lora.gguf", "README.md", "mmproj.gguf")
    grouped = group(files(*names))
    assert not grouped.offerings
    assert [file.path for file in grouped.others] == list(names)


def test_onnx_folders_are_models_of_their_own() -> None:
    found = offered(
        *("cpu/cpu-int4-rtn/genai_config.json", "cpu/cpu-int4-rtn/model.onnx"),
        *("cpu/cpu-int4-rtn/model.onnx.data", "directml/int4-awq/genai_config.json"),
        *("directml/int4-awq/model.onnx", "README.md", "extra/config.json"),
        repo="maker/Phi-4-mini-instruct-onnx",
    )
    assert [(each.name, each.quantization, len(each.files)) for each in found] == [
        ("Phi 4 mini (cpu-int4-rtn)", "INT4", 3),
        ("Phi 4 mini (int4-awq)", "INT4", 2),
    ]
    assert {each.format for each in found} == {ModelFormat.ONNX}


def test_an_onnx_model_at_the_top_leaves_gguf_files_alone() -> None:
    found = offered("genai_config.json", "model.onnx", "Some-7B-Q4_K_M.gguf", repo="m/Some-7B")
    assert [(each.format, len(each.files)) for each in found] == [
        (ModelFormat.GGUF, 1),
        (ModelFormat.ONNX, 2),
    ]


def test_names_that_only_differ_in_case_are_one_file_here() -> None:
    grouped = group(files("M-Q4_0.gguf", "m-q4_0.gguf", "../m.gguf"))
    assert len(grouped.offerings) == 1
    assert [file.path for file in grouped.refused] == ["m-q4_0.gguf", "../m.gguf"]
    composed = group(files("Caf\u00e9-Q4_0.gguf", "Cafe\u0301-Q4_0.gguf"))
    assert [file.path for file in composed.refused] == ["Cafe\u0301-Q4_0.gguf"]


def test_files_that_are_all_called_model_are_named_after_their_folder_or_repository() -> None:
    found = offered(
        "phi-2/ggml-model-q4_0.gguf", "bert/ggml-model-f16.gguf", repo="ggml-org/models"
    )
    assert [each.name for each in found] == ["Phi 2", "Bert"]
    found = offered("Q8_0/model-Q8_0.gguf", "gguf/ggml-model-Q4_K_M.gguf", repo="m/MiniCPM-V-2_6")
    assert [each.name for each in found] == ["MiniCPM V 2.6", "MiniCPM V 2.6"]


def test_the_smallest_models_are_recommended_with_eight_bits() -> None:
    def kinds(size: int) -> list[str]:
        given = [
            HubFile(path="m-Q4_K_M.gguf", size_bytes=size // 2),
            HubFile(path="m-Q8_0.gguf", size_bytes=size),
        ]
        return [each.quantization for each in group(given).offerings]

    assert kinds(GIB) == ["Q8_0", "Q4_K_M"]
    assert kinds(GIB + 1) == ["Q4_K_M", "Q8_0"]


def test_what_only_relatives_of_llama_cpp_read_comes_last() -> None:
    kinds = ("IQ4_KSS", "IQ2_K", "Q4_0_R4", "Q4_0_8_8", "I2_S", "Q2_K", "IQ1_S")
    found = [each.quantization for each in offered(*(f"m-{kind}.gguf" for kind in kinds))]
    assert found[:2] == ["Q2_K", "IQ1_S"]
    assert set(found) == set(kinds)


def test_what_was_trained_for_q4_0_is_recommended_so() -> None:
    found = offered(*(f"gemma-3-4b-it-qat-{kind}.gguf" for kind in ("Q4_K_M", "Q8_0", "Q4_0")))
    assert [each.quantization for each in found] == ["Q4_0", "Q4_K_M", "Q8_0"]


def test_what_no_repository_has_costs_neither_time_nor_memory() -> None:
    began_s = time.monotonic()
    many = files(*(f"M-{n}-Q4_K_M.gguf" for n in range(9000)), "mmproj-F16.gguf")
    grouped = group(many)
    assert len(grouped.offerings) == 1000
    assert len(grouped.others) == 8000
    promises = group(files(*(f"m{n}-00001-of-04000.gguf" for n in range(9000))))
    assert sum(len(each.missing) for each in promises.offerings) == 100_000
    projectors = group(
        files(
            *(f"M-{n}-Q8_0.gguf" for n in range(2500)), *(f"mmproj-M-{n}.gguf" for n in range(2500))
        )
    )
    assert len(projectors.offerings) == 1000
    drafts = group(files(*(f"M-{n}-{kind}Q8_0.gguf" for n in range(4500) for kind in ("", "mtp-"))))
    assert len(drafts.offerings) == 1000
    deep = group(files("genai_config.json", *(f"{'a/' * 400}{n}" for n in range(9000))))
    assert len(deep.refused) == 9000
    assert time.monotonic() - began_s < 20


PIECES = st.sampled_from(
    [
        *("Q4_K_M", "q8_0", "-00001-of-00002", "-00002-of-00002", "mmproj", "draft", "mtp", "/"),
        *("-", "_", ".", "..", "lora", "imatrix", "模型", "CON", "\\", "\0", "gemma-3-4b-it", " "),
        *("genai_config.json", "UD-", "F16", "model", "\ud800"),
    ]
)
NAMES = st.one_of(
    st.lists(PIECES, max_size=6).map("".join), st.text(string.printable, max_size=30)
).flatmap(lambda stem: st.sampled_from([stem, f"{stem}.gguf", f"{stem}.GGUF"]))
FILES = st.lists(
    st.builds(HubFile, path=NAMES, size_bytes=st.none() | st.integers(0, 1 << 40)), max_size=30
)


@given(FILES)
def test_no_file_is_lost(given_files: list[HubFile]) -> None:
    grouped = group(given_files, "maker/Some-7B")
    main = [file for offering in grouped.offerings for file in offering.files]
    beside = {
        file
        for offering in grouped.offerings
        for file in (offering.projector, offering.draft)
        if file
    }
    assert beside.isdisjoint(main)
    placed = Counter(main) + Counter(beside) + Counter(grouped.others) + Counter(grouped.refused)
    assert placed == Counter(given_files)
    for offering in grouped.offerings:
        assert offering.files
        assert offering.name
        if offering.format is ModelFormat.GGUF:
            assert all(is_gguf(file.path) for file in offering.files)
