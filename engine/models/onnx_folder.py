"""What a folder of ONNX Runtime GenAI says of itself: facts for people, sizes for the planner.

A folder is a stranger's: files are read up to a limit, nothing they say is believed, and a folder
that would run code of its own or read elsewhere is refused before native code sees it.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from engine.errors import ModelDamaged, ModelMissing
from engine.models.onnx_tokenizer import has_template, has_tokenizer
from engine.models.strangers import Record, one_line, read_record, record, whole
from engine.types.models import ModelFacts, ModelFormat, ModelKind, Problem
from engine.types.shapes import OnnxShape, Unsure

CONFIG = "genai_config.json"
"""Makes a folder a model."""

_CONFIG_LIMIT_BYTES = 1 << 20
_FILES_LIMIT = 4096
_CONTEXT_LIMIT_TOKENS = 2**31 - 1
_LAYERS_LIMIT = 65_536
_WIDTH_LIMIT = 1 << 24
_SINGLE, _HALF = 4, 2
"""Bytes of an element of the cache."""
_NOT_FOR_CHAT = ("encoder", "vision", "speech", "embedding")
"""Parts of models that hear, see or translate: they want more than text, or other inputs."""
_PRECISIONS = ("int4", "int8", "uint4", "fp16", "bf16", "fp32")
_GRAPHICS = ("cuda", "dml", "rocm", "webgpu", "nvtensorrtrtx")
_FORBIDDEN = ("library", "profil", "optimized_model", "dump")
"""Parts of settings that load a library or write a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OnnxFolder:
    """A folder whose configuration was read. `weights_bytes` counts all .onnx and data files."""

    path: Path
    model: Record
    decoder: Record
    search: Record
    weights_bytes: int

    @property
    def architecture(self) -> str:
        return one_line(self.model.get("type"))

    @property
    def context_length(self) -> int | None:
        return whole(self.model.get("context_length"), 1, _CONTEXT_LIMIT_TOKENS)

    @property
    def layers(self) -> int | None:
        return whole(self.decoder.get("num_hidden_layers"), 1, _LAYERS_LIMIT)

    @property
    def vocabulary(self) -> int:
        return whole(self.model.get("vocab_size"), 1, _WIDTH_LIMIT) or 0

    @property
    def end_tokens(self) -> frozenset[int]:
        """Tokens that end a reply."""
        stated = self.model.get("eos_token_id")
        values = stated if isinstance(stated, list) else [stated]
        ends = (whole(value, 0, _WIDTH_LIMIT) for value in values[:1000])
        return frozenset(end for end in ends if end is not None)

    @property
    def bos(self) -> int | None:
        return whole(self.model.get("bos_token_id"), 0, _WIDTH_LIMIT)

    @property
    def eos(self) -> int | None:
        return min(self.end_tokens, default=None)

    @property
    def has_weights(self) -> bool:
        name = self.decoder.get("filename")
        return isinstance(name, str) and bool(name) and (self.path / name).is_file()


def read_folder(path: Path) -> OnnxFolder:
    """Raises `ModelMissing`, or `ModelDamaged` for what makes no sense or must not be run."""
    if not (path / CONFIG).is_file():
        raise ModelMissing(path, f"there is no {CONFIG}")
    config = read_record(path / CONFIG, _CONFIG_LIMIT_BYTES)
    for name in _forbidden(config):
        raise ModelDamaged(path, f"{CONFIG} has {name}, which Snug does not run")
    model = record(config.get("model"))
    return OnnxFolder(
        path=path,
        model=model,
        decoder=record(model.get("decoder")),
        search=record(config.get("search")),
        weights_bytes=sum(size for _, size in _weights(path)),
    )


def facts_of_folder(folder: OnnxFolder) -> ModelFacts:
    kind = _kind(folder)
    return ModelFacts(
        path=folder.path,
        size_bytes=folder.weights_bytes,
        architecture=folder.architecture,
        name=one_line(folder.path.resolve().name) or folder.architecture,
        parameters=0,
        quantization=_precision(folder),
        layers=folder.layers,
        context_length=folder.context_length,
        kind=kind,
        has_chat_template=has_template(folder.path),
        problems=tuple(problem for problem, found in _problems(folder, kind) if found),
        format=ModelFormat.ONNX,
    )


def shape_of_folder(folder: OnnxFolder) -> OnnxShape:
    decoder = folder.decoder
    heads = whole(decoder.get("num_attention_heads"), 1, _WIDTH_LIMIT)
    kv_heads = whole(decoder.get("num_key_value_heads"), 1, _WIDTH_LIMIT) or heads
    head_width = whole(decoder.get("head_size"), 1, _WIDTH_LIMIT)
    known = folder.layers and kv_heads and head_width
    return OnnxShape(
        architecture=folder.architecture,
        name=one_line(folder.path.resolve().name),
        weights_bytes=folder.weights_bytes,
        layers=folder.layers or 0,
        kv_heads=kv_heads or 0,
        head_width=head_width or 0,
        kv_element_bytes=_kv_element_bytes(folder),
        width=whole(decoder.get("hidden_size"), 1, _WIDTH_LIMIT) or 0,
        vocabulary=folder.vocabulary,
        context_length=folder.context_length,
        unsure=frozenset() if known else frozenset({Unsure.SIZES_MISSING}),
    )


def _kind(folder: OnnxFolder) -> ModelKind:
    if any(part in folder.model for part in _NOT_FOR_CHAT) or "pipeline" in folder.decoder:
        return ModelKind.OTHER
    if not folder.decoder.get("filename"):
        return ModelKind.OTHER
    return ModelKind.CHAT if has_template(folder.path) else ModelKind.BASE


def _problems(folder: OnnxFolder, kind: ModelKind) -> Iterator[tuple[Problem, bool]]:
    chat = kind is not ModelKind.OTHER
    stated = "context_length" in folder.model
    yield Problem.ARCHITECTURE_MISSING, not folder.architecture
    yield Problem.WEIGHTS_MISSING, not folder.has_weights
    yield Problem.NOT_A_CHAT_MODEL, not chat
    yield Problem.TOKENIZER_MISSING, chat and not has_tokenizer(folder.path)
    yield Problem.CHAT_TEMPLATE_MISSING, kind is ModelKind.BASE
    yield Problem.CONTEXT_LENGTH_MISSING, chat and not stated
    yield Problem.CONTEXT_LENGTH_INVALID, chat and stated and folder.context_length is None
    yield Problem.LAYERS_MISSING, chat and folder.layers is None


def _forbidden(value: object) -> Iterator[str]:
    """Names of settings that would run or write what a stranger chose, and of files elsewhere."""
    if isinstance(value, list):
        for item in value:
            yield from _forbidden(item)
    if not isinstance(value, Mapping):
        return
    for name, inner in value.items():
        if any(part in name.lower() for part in _FORBIDDEN):
            yield one_line(name)
        elif name.lower().endswith("filename") and not _is_plain_name(inner):
            yield f"{one_line(name)} {one_line(inner)!r}"
        else:
            yield from _forbidden(inner)


def _is_plain_name(value: object) -> bool:
    """A file in the folder itself, not a way to somewhere else."""
    if not isinstance(value, str) or not value:
        return value in (None, "")
    return PurePath(value).name == value and "\\" not in value and ":" not in value


def _weights(path: Path) -> Iterator[tuple[str, int]]:
    """Name and size of each file of weights: `model.onnx`, `model.onnx.data`, `model.onnx_data`."""
    try:
        for count, file in enumerate(path.iterdir()):
            if count >= _FILES_LIMIT:
                raise ModelDamaged(path, "far too many files")
            name = file.name.lower()
            if (name.endswith(".data") or ".onnx" in name) and file.is_file():
                yield name, file.stat().st_size
    except OSError as error:
        raise ModelMissing(path, str(error)) from error


def _precision(folder: OnnxFolder) -> str:
    """Told by names alone, as the model builder gives them; else empty."""
    name = _names(folder)
    return next((precision for precision in _PRECISIONS if precision in name), "")


def _names(folder: OnnxFolder) -> str:
    return f"{folder.path.resolve().name} {folder.decoder.get('filename')}".lower()


def _kv_element_bytes(folder: OnnxFolder) -> int:
    """The model builder keeps a cache in half precision for graphics devices and fp16 models, else
    in single precision; where nothing is told, the larger one is assumed."""
    options = record(folder.decoder.get("session_options")).get("provider_options")
    providers = [name.lower() for entry in _entries(options) for name in entry]
    on_graphics = any(part in name for name in providers for part in _GRAPHICS)
    return _HALF if on_graphics or "fp16" in _names(folder) else _SINGLE


def _entries(value: Any) -> list[Record]:
    items = value if isinstance(value, list) else [value]
    return [record(item) for item in items[:100]]


def dump_limits(context_length: int, threads: int) -> str:
    """What the library is told beside the folder's own configuration."""
    options = {"intra_op_num_threads": threads}
    return json.dumps(
        {
            "model": {"decoder": {"session_options": options}},
            "search": {"max_length": context_length},
        }
    )
