"""What is known of a model file, how it is to be loaded, and what it is once loaded."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from engine.errors import EngineError


class ModelKind(StrEnum):
    """What a model file is for. Only CHAT and BASE can hold a conversation."""

    CHAT = "chat"
    BASE = "base"
    """A text model without a chat template: it can be talked to, with a notice."""
    EMBEDDING = "embedding"
    PROJECTOR = "projector"
    ADAPTER = "adapter"
    OTHER = "other"
    """Anything else in a GGUF file: diffusion, vocoder, vocabulary only, unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFacts:
    """What a header tells, without loading the model.

    `parameters` counts weights; `layers` and `context_length` (tokens the model was trained
    for) are None where the header does not say. `problems` holds stable codes of
    `engine.errors` or of the reader, empty for a sound chat model.
    """

    path: Path
    size_bytes: int
    architecture: str
    name: str
    parameters: int
    quantization: str
    layers: int | None
    context_length: int | None
    kind: ModelKind
    has_chat_template: bool
    problems: tuple[str, ...]


class Notice(StrEnum):
    """Things about a loaded model that a person should know. Codes, not sentences."""

    TEMPLATE_MISSING = "template_missing"
    TEMPLATE_BROKEN = "template_broken"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadSpec:
    """How to load a model: everything explicit, so that two equal specs give equal models."""

    path: Path
    context_length: int
    threads: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedInfo:
    """A model that is ready to answer."""

    spec: LoadSpec
    name: str
    backend: str
    load_ms: float
    notices: tuple[Notice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadProgress:
    fraction: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    info: LoadedInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """The work ended with an error of our tree. Values cross threads; exceptions do not."""

    error: EngineError


LoadEvent = LoadProgress | Loaded | Failed
