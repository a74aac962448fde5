"""What names of files say, as makers really write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.hub.names import Role, is_safe, part_path, shown_name, taken_apart

NAMES = {
    "gemma-3-4b-it-Q4_K_M.gguf": ("Gemma 3 4B", "Q4_K_M"),
    "google_gemma-3-12b-it-qat-IQ4_XS.gguf": ("Gemma 3 12B", "IQ4_XS"),
    "gemma-3n-E4B-it-BF16.gguf": ("Gemma 3n E4B", "BF16"),
    "Qwen3-4B-Instruct-2507-Q4_K_M.gguf": ("Qwen3 4B", "Q4_K_M"),
    "Qwen3-30B-A3B-Thinking-2507-UD-Q4_K_XL.gguf": ("Qwen3 30B A3B Thinking", "UD-Q4_K_XL"),
    "Qwen3-VL-8B-Instruct-F16.gguf": ("Qwen3 VL 8B", "F16"),
    "qwen2.5-coder-7b-instruct-q4_k_m.gguf": ("Qwen2.5 Coder 7B", "Q4_K_M"),
    "Meta-Llama-3.1-8B-Instruct-Q8_0.gguf": ("Llama 3.1 8B", "Q8_0"),
    "Llama-3.2-3B-Instruct.i1-Q4_K_S.gguf": ("Llama 3.2 3B", "Q4_K_S"),
    "gpt-oss-20b-mxfp4.gguf": ("gpt-oss 20B", "MXFP4"),
    "DeepSeek-R1-0528-Qwen3-8B-UD-IQ2_XXS.gguf": ("DeepSeek R1 Qwen3 8B", "UD-IQ2_XXS"),
    "Mistral-7B-Instruct-v0.3.Q4_0_4_4.gguf": ("Mistral 7B v0.3", "Q4_0_4_4"),
    "Mixtral-8x7B-Instruct-v0.1-Q3_K_L.gguf": ("Mixtral 8x7B v0.1", "Q3_K_L"),
    "SmolLM2-135M-Instruct.Q4_1.gguf": ("SmolLM2 135M", "Q4_1"),
    "smollm2-1.7b-instruct-q4_k_m.gguf": ("SmolLM2 1.7B", "Q4_K_M"),
    "通义千问-7B-Q4_K_M.GGUF": ("通义千问 7B", "Q4_K_M"),
    "Q4_K_M/model-00001-of-00003.gguf": ("Repo 7B", "Q4_K_M"),
    "BF16/Phi-4-00002-of-00002.gguf": ("Phi 4", "BF16"),
    "ggml-model-q4_0.gguf": ("Repo 7B", "Q4_0"),
    "Phi-4.gguf": ("Phi 4", ""),
    "c4ai-command-r7b-12-2024-Q4_K_M.gguf": ("Command R7B", "Q4_K_M"),
    "internlm2_5-7b-chat-q4_k_m.gguf": ("InternLM2.5 7B", "Q4_K_M"),
    "nvidia_Llama-3_3-Nemotron-49B-v1-Q5_0.gguf": ("Llama 3.3 Nemotron 49B v1", "Q5_0"),
    "OLMo-2-0425-1B-Instruct-Q8_0.gguf": ("OLMo 2 1B", "Q8_0"),
    "ggml-model-i2_s.gguf": ("Repo 7B", "I2_S"),
    "Meta-Llama-3-8B-Q4_K_M-fixed.gguf": ("Llama 3 8B Fixed", "Q4_K_M"),
    "Qwen3-TQ1_0.gguf": ("Qwen3", "TQ1_0"),
}
ROLES = {
    "mmproj-F16.gguf": Role.PROJECTOR,
    "gemma-3-4b-it-mmproj-f16.gguf": Role.PROJECTOR,
    "mmproj/model.gguf": Role.PROJECTOR,
    "Qwen3-0.6B-draft-Q4_0.gguf": Role.DRAFT,
    "mtp-GLM-4.5.gguf": Role.DRAFT,
    "Qwen3.6-27B-MTP-Q8_0.gguf": Role.DRAFT,
    "model.imatrix.gguf": Role.OTHER,
    "imatrix_unsloth.gguf": Role.OTHER,
    "ggml-vocab-llama.gguf": Role.OTHER,
    "my-lora-f16.gguf": Role.OTHER,
    "adapter.gguf": Role.OTHER,
    "draftsman-7B-Q4_0.gguf": Role.MODEL,
    "Explora-7B.gguf": Role.MODEL,
    "nomic-embed-text-v1.5.Q4_K_M.gguf": Role.MODEL,
    "Command-R-7B-Q4_K_M.gguf": Role.MODEL,
    "control-vector-happy.gguf": Role.OTHER,
    "MiniCPM-control-tuned-Q4_0.gguf": Role.MODEL,
    "Control-LLM-8B-Q4_K_M.gguf": Role.MODEL,
}
BAD = (
    "",
    "/m.gguf",
    "../m.gguf",
    "a/../m.gguf",
    "a//m.gguf",
    "a/./m.gguf",
    "a\\m.gguf",
    "C:m.gguf",
    "m\0.gguf",
    "m\n.gguf",
    "NUL",
    "con.gguf",
    "a/LPT1.gguf",
    "m.gguf.",
    "m.gguf ",
    " m.gguf",
    "a/",
    "m?.gguf",
    "\ud800.gguf",
    "x" * 252 + ".gguf",
    "漢" * 90 + ".gguf",
    "a/" * 600 + "m.gguf",
)


@pytest.mark.parametrize(("path", "expected"), NAMES.items())
def test_name_and_quantization(path: str, expected: tuple[str, str]) -> None:
    name = taken_apart(path)
    assert (shown_name(name.base, "Repo-7B-Instruct-GGUF"), name.quantization) == expected


@pytest.mark.parametrize(("path", "role"), ROLES.items())
def test_role(path: str, role: Role) -> None:
    assert taken_apart(path).role is role


@pytest.mark.parametrize("path", BAD)
def test_what_no_file_of_ours_may_be_called(path: str) -> None:
    assert not is_safe(path)


@pytest.mark.parametrize("path", ["m.gguf", "Q4_K_M/模型.gguf", "a b/c.gguf", ".gitattributes"])
def test_what_may(path: str) -> None:
    assert is_safe(path)


def test_parts_are_named_as_llama_cpp_does() -> None:
    name = taken_apart("BF16/Phi-4-BF16-00002-of-00003.gguf")
    assert (name.part, name.parts, name.stem) == (2, 3, "Phi-4-BF16")
    assert part_path(name, 3) == "BF16/Phi-4-BF16-00003-of-00003.gguf"
    for odd in ("m-00000-of-00003.gguf", "m-00004-of-00003.gguf", "m-1-of-3.gguf"):
        assert taken_apart(odd).parts == 1


@given(st.text(max_size=200))
def test_any_text_is_a_name(text: str) -> None:
    name = taken_apart(text)
    shown = shown_name(name.base, text)
    assert 0 < len(shown) <= 60
    assert shown.isprintable()
    is_safe(text)
