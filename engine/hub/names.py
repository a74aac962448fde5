"""What the names of a repository's files say: what each is for, its quantization, its model.

Pure, any thread. Names are strangers': every function takes any text and raises nothing.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from engine.types.parts import PartName, part_name

_LONGEST_NAME = 60
_LONGEST_PATH = 1024
_MOST_FOLDERS = 30
_LONGEST_PART_BYTES = 255
_UNUSABLE = re.compile(r'[\x00-\x1f\x7f<>:"|?*\\]')
_RESERVED = re.compile(
    r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3]) *(\..*)?", re.IGNORECASE
)

_EDGE = r"(?:^|(?<=[-._/ ]))"
_END = r"(?=[-._/ ]|$)"
_QUANTIZATION = re.compile(
    rf"{_EDGE}(?P<name>"
    r"(?:UD[-_])?(?:I?Q\d{1,2}|TQ\d)(?:_(?:\d{1,2}|KSS|KS|KL|KT|K|NL|XXS|XS|XL|S|M|L|R\d))*"
    r"|I2_S|(?:UD[-_])?MXFP4(?:_MOE)?|NVFP4|BF16|F16|F32|FP16|FP32|FP8)"
    rf"{_END}",
    re.IGNORECASE,
)
_GGUF = ".gguf"


def _word(*words: str) -> re.Pattern[str]:
    return re.compile(rf"{_EDGE}(?:{'|'.join(words)}){_END}", re.IGNORECASE)


_PROJECTOR = re.compile(r"mmproj|mm-proj|mm_proj", re.IGNORECASE)
_DRAFT = _word("draft", "drafter", "mtp", "eagle3?", "assistant")
_NO_MODEL = _word("vocab", "loras?", "adapters?", "cvector", "control[-_]vectors?")
_IMATRIX = _word("imatrix")
"""With a quantization in the name it is a model that was made with one."""


class Role(StrEnum):
    MODEL = "model"
    PROJECTOR = "projector"
    DRAFT = "draft"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileName:
    """A GGUF file's path, taken apart. `base` is its model as written, without quantization and
    part; `part` counts from 1, of `parts`."""

    folder: str
    stem: str
    """Without part and suffix."""
    base: str
    quantization: str
    role: Role
    part: int = 1
    parts: int = 1


def is_gguf(path: str) -> bool:
    return path.lower().endswith(_GGUF)


def is_safe(path: str) -> bool:
    """Whether a file may be called so in a folder of ours, on every system."""
    if not 0 < len(path) <= _LONGEST_PATH or _UNUSABLE.search(path):
        return False
    *folders, name = path.split("/")
    return len(folders) <= _MOST_FOLDERS and all(map(_is_safe_part, (*folders, name)))


def _is_safe_part(part: str) -> bool:
    if part in ("", ".", "..") or part != part.strip(" ").rstrip("."):
        return False
    try:
        size_bytes = len(part.encode("utf-8"))
    except UnicodeEncodeError:
        return False
    return size_bytes <= _LONGEST_PART_BYTES and not _RESERVED.fullmatch(part)


def taken_apart(path: str) -> FileName:
    """What the path of a GGUF file says."""
    folder, _, name = path.rpartition("/")
    split = part_name(name)
    plain = name[: -len(_GGUF)] if is_gguf(name) else name
    stem = split.stem if split else plain
    found = _last_quantization(stem)
    quantization = found or _last_quantization(folder)
    return FileName(
        folder=folder,
        stem=stem,
        base=_without(stem, found),
        quantization=quantization.upper(),
        role=_role(folder, name),
        part=split.part if split else 1,
        parts=split.parts if split else 1,
    )


def part_path(name: FileName, part: int) -> str:
    """The path of another part of the same model."""
    folder = f"{name.folder}/" if name.folder else ""
    return folder + PartName(stem=name.stem, part=part, parts=name.parts).sibling(part)


def _last_quantization(text: str) -> str:
    found = ""
    for match in _QUANTIZATION.finditer(text):
        found = match["name"]
    return found


def _without(stem: str, quantization: str) -> str:
    if not quantization:
        return stem
    before, _, after = stem.rpartition(quantization)
    return f"{before.rstrip('-._ ')}{'-' if after.strip('-._ ') else ''}{after.strip('-._ ')}"


def _role(folder: str, name: str) -> Role:
    """Folders may be called after the model, so only these two of them are believed."""
    parts = folder.lower().split("/")
    if _PROJECTOR.search(name) or "mmproj" in parts:
        return Role.PROJECTOR
    if _NO_MODEL.search(name) or (_IMATRIX.search(name) and not _last_quantization(name)):
        return Role.OTHER
    if _DRAFT.search(name) or "mtp" in parts or "draft" in parts:
        return Role.DRAFT
    return Role.MODEL


# --- for people -----------------------------------------------------------------------------------

_OWNERS = re.compile(
    r"(?:google|qwen|mistralai|microsoft|nvidia|allenai|ibm-granite|deepseek-ai|meta-llama|openai|"
    r"huggingfacetb|tiiuae|thudm|zai-org|baidu|moonshotai|liquidai|cohereforai|coherelabs|tencent|"
    r"arcee-ai|nousresearch|ai21labs|lgai-exaone|bytedance-seed|unsloth|meta|c4ai)(?:_|-(?=llama|command))",
    re.IGNORECASE,
)
_NOT_SAID = re.compile(
    r"it|instruct|chat|gguf|ggml|hf|i1|imat|qat|models?|quants|weights|unsloth|onnx|genai|\d{4}|\d{6}|\d{8}",
    re.IGNORECASE,
)
_SIZE = re.compile(r"(?:[aer]?\d+(?:\.\d+)?[bmt]|\d+x\d+(?:\.\d+)?b|vl|r1|moe)", re.IGNORECASE)
_MONTH = re.compile(r"-(?:0[1-9]|1[0-2])-20\d\d(?=-|$)")
_POINT = re.compile(r"(?<=\d)_(?=\d)")
_SPELLED = {
    "deepseek": "DeepSeek",
    "exaone": "EXAONE",
    "glm": "GLM",
    "internvl": "InternVL",
    "internvl3": "InternVL3",
    "internlm2.5": "InternLM2.5",
    "internlm3": "InternLM3",
    "lfm2": "LFM2",
    "medgemma": "MedGemma",
    "minicpm": "MiniCPM",
    "mini": "mini",
    "olmo": "OLMo",
    "smollm": "SmolLM",
    "smollm2": "SmolLM2",
    "smollm3": "SmolLM3",
    "smolvlm": "SmolVLM",
    "tinyllama": "TinyLlama",
    "gpt oss": "gpt-oss",
}


def shown_name(written: str, *otherwise: str) -> str:
    """A model's short name for people, from how a file or repository is called; `otherwise` are
    further sources for files that are only called "model", the first of them that says something
    counts."""
    sources = (written, *otherwise)
    names = (" ".join(_words(source)) for source in sources)
    name = next(filter(None, names), "") or next(filter(None, map(one_line, sources)), "?")
    return name[:_LONGEST_NAME].strip()


def one_line(text: str) -> str:
    """Without characters that no name needs, such as those that turn the writing around."""
    return "".join(char for char in text if char.isprintable()).strip()


def _words(written: str) -> list[str]:
    text = _OWNERS.sub("", one_line(written), count=1)
    text = _POINT.sub(".", _MONTH.sub("", _QUANTIZATION.sub("", text)))
    words = [word for word in re.split(r"[-_ /]+|\.(?!\d)", text) if word]
    if [word.lower() for word in words[:2]] == ["gpt", "oss"]:
        words[:2] = ["gpt oss"]
    kept = [word for word in words if not _NOT_SAID.fullmatch(word)]
    return [_spelled(word, number == 0) for number, word in enumerate(kept)]


def _spelled(word: str, first: bool) -> str:
    if word.lower() in _SPELLED and (word.islower() or first):
        return _SPELLED[word.lower()]
    if _SIZE.fullmatch(word):
        return word.upper().replace("X", "x")
    if word.islower() and word[0].isalpha() and len(word) > 2 and not word[1].isdigit():
        return word[0].upper() + word[1:]
    return word
