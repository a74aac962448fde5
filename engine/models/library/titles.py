"""What people call a model that is on this computer, and how a program keeps it apart from others.
Pure."""

import hashlib
import os
import re
from pathlib import Path

from engine.types.parts import part_name

_ID_DIGITS = 16
_FOLDERS = 3
_FEWEST_CHARACTERS = 2
_SEPARATORS = re.compile(r"[-_\s]+")
_QUANTIZATION = re.compile(
    r"(?:[.\-_ ](?:i1|ud|imat|gguf|ggml|ollama))*"
    r"[.\-_ ](?:i?q\d+(?:_[0-9a-z]+)*|tq\d_\d|mxfp4(?:_moe)?|nvfp4|b?f16|fp16|f32|int4|int8)"
    r"(?![0-9a-z]).*",
    re.IGNORECASE,
)
_MEANINGLESS = re.compile(
    r"(?:ggml|gguf|hf|my|base|merged|the|new|out|output|snapshot|checkpoint|models?|unsloth"
    r"|cpu|gpu|cuda|directml|and|mobile|downloads?|[\W\d_])*",
    re.IGNORECASE,
)
_HASH = re.compile(r"[0-9a-f]{16,}", re.IGNORECASE)
_SIZE = re.compile(r"\d+(?:\.\d+)?[bkm]|e\d+b|\d+x\d+b|a\d+b", re.IGNORECASE)
_ENDINGS = re.compile(r"[-_](?:gguf|ggml|onnx)$", re.IGNORECASE)


def id_of(path: Path) -> str:
    """Short, the same as long as the path is."""
    data = os.fsencode(os.path.normcase(path.absolute()))
    return hashlib.sha256(data).hexdigest()[:_ID_DIGITS]


def title(stated: str, path: Path) -> str:
    """The file's name as words, since that is what a person saw when they got it; where that says
    nothing, what the file states of itself ("Smollm2 135M 8k Lc100K Mix1 Ep2"), then its folders'
    names. Bytes that are no text are left out."""
    stem = stem_of(path)
    if made := plain_title(stem):
        return made
    if stated != stem and _says_something(stated):
        return stated
    made = next(filter(None, (plain_title(folder.name) for folder in path.parents[:_FOLDERS])), "")
    return made or printable(stated) or printable(path.name)


def stem_of(path: Path) -> str:
    """A file's name without its ending and without what numbers its parts."""
    part = part_name(path.name)
    if part is not None:
        return part.stem
    return path.stem if path.suffix.lower() == ".gguf" else path.name


def plain_title(stem: str) -> str:
    """ "qwen3-4b-instruct-Q4_K_M" as "Qwen3 4B Instruct"; "" where nothing is left of it."""
    bare = _ENDINGS.sub("", _QUANTIZATION.sub("", _ENDINGS.sub("", stem)))
    if not _says_something(bare):
        return ""
    words = _SEPARATORS.split(printable(bare).strip(" -_."))
    return " ".join(map(_word, filter(None, words)))


def tagged_title(model: str, tag: str) -> str:
    """Of a program that names models like "qwen3:4b": "Qwen3 4B". The tag that is given when nobody
    chooses one says nothing."""
    base = plain_title(model) or printable(model)
    more = "" if tag.lower() == "latest" else plain_title(f" {tag}").strip()
    return f"{base} {more}".strip()


def words_of(text: str) -> frozenset[str]:
    """For comparing names: in lower case, without quantization."""
    bare = _ENDINGS.sub("", _QUANTIZATION.sub("", text))
    return frozenset(filter(None, re.split(r"[^0-9a-z]+", bare.lower())))


def printable(text: str) -> str:
    return "".join(character for character in text if character.isprintable())


def _says_something(name: str) -> bool:
    if len(name.strip()) < _FEWEST_CHARACTERS or _MEANINGLESS.fullmatch(name):
        return False
    if _HASH.fullmatch(name.strip()):
        return False
    return not re.search(r"[/\\]", name)


def _word(word: str) -> str:
    if _SIZE.fullmatch(word):
        return word.upper().replace("X", "x")
    return word if any(map(str.isupper, word)) else word[:1].upper() + word[1:]
