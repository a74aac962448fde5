"""Folders of ONNX Runtime GenAI in a repository: each that has a genai_config.json is a model.

Pure, any thread.
"""

import re
from collections.abc import Sequence

from engine.hub.names import is_gguf, shown_name
from engine.types.hub import HubFile, Offering
from engine.types.models import ModelFormat

_CONFIG = "genai_config.json"
_PRECISION = re.compile(r"(?:^|[-_/])(int4|int8|fp16|fp32|bf16)(?=[-_/]|$)", re.IGNORECASE)
_DEVICES = ("cpu", "directml", "dml", "gpu", "cuda")
"""In this order: a processor is everywhere."""


def onnx_offerings(
    files: Sequence[HubFile], repo: str
) -> tuple[tuple[Offering, ...], list[HubFile]]:
    """The folders as offerings, and the files that are in none of them."""
    folders = {folder for folder, name in map(_split, files) if name == _CONFIG}
    inside: dict[str, list[HubFile]] = {folder: [] for folder in folders}
    rest: list[HubFile] = []
    for file in files:
        home = None if is_gguf(file.path) else _home(file, folders)
        (rest if home is None else inside[home]).append(file)
    found = [_offering(folder, inside[folder], repo) for folder in folders]
    return tuple(sorted(found, key=_order)), rest


def _split(file: HubFile) -> tuple[str, str]:
    folder, _, name = file.path.rpartition("/")
    return folder, name


def _home(file: HubFile, folders: set[str]) -> str | None:
    """The innermost of `folders` that the file is in."""
    folder = _split(file)[0]
    while folder and folder not in folders:
        folder = folder.rpartition("/")[0]
    return folder if folder in folders else None


def _offering(folder: str, files: Sequence[HubFile], repo: str) -> Offering:
    precision = _PRECISION.search(folder) or _PRECISION.search(repo)
    own = folder.rpartition("/")[2]
    name = shown_name(repo.rpartition("/")[2], own)
    return Offering(
        name=f"{name} ({own})" if own else name,
        quantization=precision[1].upper() if precision else "",
        format=ModelFormat.ONNX,
        files=tuple(sorted(files, key=lambda file: file.path)),
    )


def _order(offering: Offering) -> tuple[int, str]:
    path = offering.files[0].path.lower()
    words = re.split(r"[-_/]", path)
    devices = [number for number, device in enumerate(_DEVICES) if device in words]
    return (min(devices) if devices else 0), path
