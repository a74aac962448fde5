"""What is known of a model file, how it is to be loaded, and what it is once loaded."""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from engine.errors import EngineError
from engine.types.plans import Layout, Measured, Plan
from engine.types.remote import RemoteModel


class ModelFormat(StrEnum):
    GGUF = "gguf"
    ONNX = "onnx"
    """A folder of ONNX Runtime GenAI, with a genai_config.json."""


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


class Problem(StrEnum):
    """What a readable model file lacks. Stable codes, not sentences."""

    SPLIT_PART = "split_part"
    """One part of several (`part` of `parts`), and the others are not beside it; nothing else is
    said of such a file."""
    NOT_A_CHAT_MODEL = "not_a_chat_model"
    """The kind of file that can not hold a conversation."""
    ARCHITECTURE_MISSING = "architecture_missing"
    """`general.architecture` is absent, blank or not text."""
    UNKNOWN_ARCHITECTURE = "unknown_architecture"
    """An architecture our llama.cpp does not know."""
    WEIGHTS_MISSING = "weights_missing"
    """No tensors (a vocabulary only), or fewer than the file itself announces."""
    TOKENIZER_MISSING = "tokenizer_missing"
    CHAT_TEMPLATE_MISSING = "chat_template_missing"
    CHAT_TEMPLATE_INVALID = "chat_template_invalid"
    """There is one, but it is blank, not text, or over 1 MiB."""
    CONTEXT_LENGTH_MISSING = "context_length_missing"
    CONTEXT_LENGTH_INVALID = "context_length_invalid"
    """Not a whole number, or not between 1 and 2**31 - 1."""
    LAYERS_MISSING = "layers_missing"
    """The number of layers is absent or not between 1 and 65,536."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFacts:
    """What a header tells, without loading the model.

    `parameters` counts weights; `layers` and `context_length` (tokens the model was trained
    for) are None where the header does not say or makes no sense. `architecture` is empty
    where there is none, `quantization` where there are no weights. `problems` is empty for a
    sound chat model. The file is `part` (from 1; 0 if it does not say) of `parts`; without
    SPLIT_PART all the rest is said of all parts together.
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
    problems: tuple[Problem, ...]
    part: int = 1
    parts: int = 1
    format: ModelFormat = ModelFormat.GGUF


class Notice(StrEnum):
    """Things about a loaded model that a person should know. Codes, not sentences."""

    TEMPLATE_MISSING = "template_missing"
    TEMPLATE_BROKEN = "template_broken"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadSpec:
    """How to load a model: everything explicit, so that two equal specs give equal models.

    `devices` are ggml's names of those in `layout.backends`, in the same order. With `remote` the
    model is elsewhere: `path` is empty and only the layout's context length counts, if anything.
    """

    path: Path
    layout: Layout
    devices: tuple[str, ...] = ()
    remote: RemoteModel | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedInfo:
    """A model that is ready to answer.

    `plan` is what led to it, where there was one; `measured` the buffers llama.cpp reported and
    `resident_bytes` how much this process's resident memory grew by loading it.
    """

    spec: LoadSpec
    name: str
    backend: str
    load_ms: float
    notices: tuple[Notice, ...]
    plan: Plan | None = None
    measured: Measured = field(default_factory=Measured)
    resident_bytes: int = 0
    in_child: bool = False


class LoadStage(StrEnum):
    """What a load is busy with."""

    CHECKING = "checking"
    REHEARSING = "rehearsing"
    """A first try in a process of its own."""
    LOADING = "loading"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadProgress:
    fraction: float
    stage: LoadStage = LoadStage.LOADING


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    info: LoadedInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """The work ended with an error of our tree. Values cross threads; exceptions do not."""

    error: EngineError


LoadEvent = LoadProgress | Loaded | Failed


class UnloadReason(StrEnum):
    """Why a model left memory without being asked to by a person."""

    IDLE = "idle"
    MEMORY = "memory"
    SUSPEND = "suspend"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unloaded:
    """A model left memory. The next question brings it back, but for MEMORY."""

    name: str
    reason: UnloadReason


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryLow:
    """Memory is nearly full; what is not needed was given up. `over`: it no longer is."""

    over: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceSlowed:
    """The graphics device under model `name`, which answered at `usual_tokens_per_s` here, now
    needs much longer, as if the processor did its work. Speeds are None where it was found out
    before a reply."""

    name: str
    tokens_per_s: float | None
    usual_tokens_per_s: float | None


KeeperEvent = Unloaded | MemoryLow | DeviceSlowed
