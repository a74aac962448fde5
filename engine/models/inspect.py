"""What a model file is, from its header alone: facts for people, the planner and the loader.

`inspect` judges nothing a person may still want to see; `check_chat` does, before a load.
Reads a few megabytes of the file; any thread but the window's.
"""

from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from engine.errors import ModelMissing, ModelTooNew, NotAChatModel, PartsMissing, SplitPart
from engine.models import architectures
from engine.models.ggml_types import FILE_TYPE_GUESSED, FILE_TYPES
from engine.models.gguf import GgufHeader
from engine.models.onnx_folder import CONFIG, facts_of_folder, read_folder
from engine.models.split import find_parts, read_model, split_of
from engine.models.strangers import one_line, whole
from engine.types.models import ModelFacts, ModelFormat, ModelKind, Problem
from engine.types.parts import part_name

_CONVERSATIONAL = (ModelKind.CHAT, ModelKind.BASE)
_CONTEXT_LIMIT_TOKENS = 2**31 - 1
_LAYERS_LIMIT = 65_536
_NO_TOKENIZER = ("", "none", "no_vocab")
_TEMPLATE = "tokenizer.chat_template"
_KIND_OF_TYPE = {
    "adapter": ModelKind.ADAPTER,
    "mmproj": ModelKind.PROJECTOR,
    "imatrix": ModelKind.OTHER,
}


def format_of(path: Path) -> ModelFormat:
    """What kind of model lies at `path`; a file is taken for GGUF, and so is what nobody may look
    at."""
    with suppress(OSError):
        return ModelFormat.ONNX if (path / CONFIG).is_file() else ModelFormat.GGUF
    return ModelFormat.GGUF


def inspect(path: Path) -> ModelFacts:
    """The facts of one file or folder. Any part stands for its whole model: `path` of the facts is
    then the first. Raises `ModelFileError` only for what can not be read."""
    if format_of(path) is ModelFormat.ONNX:
        return facts_of_folder(read_folder(path))
    return facts_of(*read_model(path))


def facts_of(path: Path, header: GgufHeader) -> ModelFacts:
    """The facts in a header that was read before."""
    kind = _kind(header)
    part, parts = split_of(header)
    return ModelFacts(
        path=path,
        size_bytes=header.file_size,
        architecture=one_line(_architecture(header)),
        name=one_line(header.metadata.get("general.name")) or _stem(path),
        parameters=sum(tensor.elements for tensor in header.tensors),
        quantization=_quantization(header),
        layers=_count(header, "block_count", _LAYERS_LIMIT),
        context_length=_count(header, "context_length", _CONTEXT_LIMIT_TOKENS),
        kind=kind,
        has_chat_template=_has_template(header),
        problems=(Problem.SPLIT_PART,) if parts > header.files else _problems(header, kind),
        part=part,
        parts=parts,
    )


def _stem(path: Path) -> str:
    """A file's name without its ending and the number of its part."""
    part = part_name(path.name)
    return path.stem if part is None else part.stem


def check_chat(facts: ModelFacts) -> None:
    """Raise `ModelTooNew` or `NotAChatModel` for what can not be talked to here, `PartsMissing` or
    (where names do not tell which) `SplitPart` for a model that is not all there, and
    `ModelMissing` for a folder without weights."""
    if Problem.SPLIT_PART in facts.problems:
        _refuse_part(facts)
    if facts.has_chat_template and Problem.UNKNOWN_ARCHITECTURE in facts.problems:
        raise ModelTooNew(facts.path, f"architecture {facts.architecture}")
    if facts.format is ModelFormat.ONNX and Problem.WEIGHTS_MISSING in facts.problems:
        raise ModelMissing(facts.path, "the folder has no weights")
    if facts.kind not in _CONVERSATIONAL or Problem.TOKENIZER_MISSING in facts.problems:
        raise NotAChatModel(facts.path, facts.kind.value)


def _refuse_part(facts: ModelFacts) -> NoReturn:
    _, missing = find_parts(facts.path)
    if missing:
        raise PartsMissing(facts.path, missing)
    raise SplitPart(facts.path, facts.part, facts.parts)


def _kind(header: GgufHeader) -> ModelKind:
    """What the file says it is; then what its architecture is for; then how it is used."""
    stated = header.metadata.get("general.type")
    if isinstance(stated, str) and stated in _KIND_OF_TYPE:
        return _KIND_OF_TYPE[stated]
    if "adapter.type" in header.metadata:
        return ModelKind.ADAPTER
    return _kind_of_architecture(_architecture(header)) or _kind_of_generator(header)


def _kind_of_architecture(architecture: str) -> ModelKind | None:
    """None for an architecture that continues text."""
    if architecture in architectures.GENERATORS:
        return None
    if architecture in architectures.EMBEDDERS:
        return ModelKind.EMBEDDING
    if architecture in architectures.PROJECTORS:
        return ModelKind.PROJECTOR
    if architecture in architectures.ADAPTERS:
        return ModelKind.ADAPTER
    return ModelKind.OTHER


def _kind_of_generator(header: GgufHeader) -> ModelKind:
    if not header.tensors:
        return ModelKind.OTHER
    if _pools(header):
        return ModelKind.EMBEDDING
    return ModelKind.CHAT if _has_template(header) else ModelKind.BASE


def _pools(header: GgufHeader) -> bool:
    """Whether the file asks for pooled output (mean, class, last, rank), as embedders do."""
    return whole(_own(header, "pooling_type"), 1, 255) is not None


def _problems(header: GgufHeader, kind: ModelKind) -> tuple[Problem, ...]:
    checks = [
        *_architecture_problems(header),
        (Problem.WEIGHTS_MISSING, _weights_missing(header)),
        (Problem.NOT_A_CHAT_MODEL, kind not in _CONVERSATIONAL),
    ]
    if kind in _CONVERSATIONAL:
        checks += _conversation_problems(header)
    return tuple(problem for problem, found in checks if found)


def _architecture_problems(header: GgufHeader) -> list[tuple[Problem, bool]]:
    name = _architecture(header)
    return [
        (Problem.ARCHITECTURE_MISSING, not name),
        (Problem.UNKNOWN_ARCHITECTURE, bool(name) and name not in architectures.KNOWN),
    ]


def _conversation_problems(header: GgufHeader) -> list[tuple[Problem, bool]]:
    template = _has(header, _TEMPLATE)
    length = _has(header, f"{_architecture(header)}.context_length")
    unusable_template = not _has_template(header)
    unusable_length = _count(header, "context_length", _CONTEXT_LIMIT_TOKENS) is None
    return [
        (Problem.TOKENIZER_MISSING, not _has_tokenizer(header)),
        (Problem.CHAT_TEMPLATE_MISSING, unusable_template and not template),
        (Problem.CHAT_TEMPLATE_INVALID, unusable_template and template),
        (Problem.CONTEXT_LENGTH_MISSING, unusable_length and not length),
        (Problem.CONTEXT_LENGTH_INVALID, unusable_length and length),
        (Problem.LAYERS_MISSING, _count(header, "block_count", _LAYERS_LIMIT) is None),
    ]


def _weights_missing(header: GgufHeader) -> bool:
    announced = whole(header.metadata.get("split.tensors.count"), 1, 2**31 - 1) or 1
    return len(header.tensors) < announced


def _quantization(header: GgufHeader) -> str:
    """The mixture the file names; else the type that holds most of its weights."""
    stated = whole(header.metadata.get("general.file_type"), 0, 2**31 - 1)
    if stated is not None and stated & ~FILE_TYPE_GUESSED in FILE_TYPES:
        return FILE_TYPES[stated & ~FILE_TYPE_GUESSED]
    weights: Counter[str] = Counter()
    for tensor in header.tensors:
        weights[tensor.type.name] += tensor.elements
    return weights.most_common(1)[0][0] if weights else ""


def _has_template(header: GgufHeader) -> bool:
    names = (_TEMPLATE, f"{_TEMPLATE}.default")
    templates = (header.metadata.get(name) for name in names)
    return any(isinstance(text, str) and text.strip() for text in templates)


def _has_tokenizer(header: GgufHeader) -> bool:
    name = header.metadata.get("tokenizer.ggml.model")
    return isinstance(name, str) and name not in _NO_TOKENIZER


def _has(header: GgufHeader, key: str) -> bool:
    return key in header.metadata or key in header.skipped


def _architecture(header: GgufHeader) -> str:
    value = header.metadata.get("general.architecture")
    return value if isinstance(value, str) and value.strip() else ""


def _own(header: GgufHeader, key: str) -> object:
    """A value under the name of the file's architecture."""
    return header.metadata.get(f"{_architecture(header)}.{key}")


def _count(header: GgufHeader, key: str, limit: int) -> int | None:
    return whole(_own(header, key), 1, limit)
