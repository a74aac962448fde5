"""Models that are on this computer, whoever put them there."""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from engine.types.hub import Hub
from engine.types.models import ModelFacts, ModelFormat


class Owner(StrEnum):
    """Whose files they are. Snug changes, moves and deletes only those of SNUG."""

    SNUG = "snug"
    """In the library's folder."""
    PROGRAM = "program"
    """Came with Snug."""
    PERSON = "person"
    """Used where the person keeps them."""
    OLLAMA = "ollama"
    LM_STUDIO = "lm_studio"
    JAN = "jan"
    GPT4ALL = "gpt4all"
    HUGGING_FACE = "hugging_face"


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a model was fetched from."""

    hub: Hub
    repo: str
    revision: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRecord:
    """What a file should be. `sha256` is "" where nobody has told."""

    name: str
    size_bytes: int
    sha256: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """Lies beside a model's files as snug-model.json: what they are and where they came from.
    `projector` is the name of one of `files`, or ""."""

    name: str
    files: tuple[FileRecord, ...]
    origin: Origin | None = None
    licence: str = ""
    quantization: str = ""
    projector: str = ""


class Trouble(StrEnum):
    """Why a listed model can not be used as it is."""

    PARTS_MISSING = "parts_missing"
    """`missing` names them."""
    CUT_OFF = "cut_off"
    DAMAGED = "damaged"
    """Its header makes no sense, or a check found another content."""
    TOO_NEW = "too_new"
    NOT_A_CHAT_MODEL = "not_a_chat_model"
    UNREADABLE = "unreadable"
    """No permission, or the disk failed."""
    GONE = "gone"
    """It was here before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InstalledModel:
    """A model on this computer. `path` is what is loaded: its file, the first of its parts, or an
    ONNX folder. `id` is a short text that stays the same while the path does. `size_bytes` is that
    of `files`, which hold the projector too where there is one. `facts` is None where its header
    could not be read; `name` is for people."""

    id: str
    name: str
    path: Path
    files: tuple[Path, ...]
    size_bytes: int
    owner: Owner
    format: ModelFormat
    facts: ModelFacts | None
    projector: Path | None = None
    missing: tuple[str, ...] = ()
    trouble: Trouble | None = None
    manifest: Manifest | None = None

    @property
    def usable(self) -> bool:
        return self.trouble is None

    @property
    def quantization(self) -> str:
        if self.facts is not None and self.facts.quantization:
            return self.facts.quantization
        return self.manifest.quantization if self.manifest is not None else ""


class Soundness(StrEnum):
    """What a check of every byte has found."""

    SOUND = "sound"
    """As its hash says."""
    UNPROVEN = "unproven"
    """Nothing is wrong, but nobody has told a hash to compare with."""
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """`bad` names the files that are not what they should be."""

    soundness: Soundness
    bad: tuple[str, ...] = ()


class Way(StrEnum):
    """How a model that a person brings becomes one of Snug's."""

    COPY = "copy"
    IN_PLACE = "in_place"


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """What was found at the places that a person named: models to add (`facts` known, nothing
    copied yet), and what was passed over with the reason."""

    models: tuple[InstalledModel, ...] = ()
    refused: tuple[tuple[Path, Trouble], ...] = ()
    removable: bool = False
    """They lie on a stick or the like, so they have to be copied."""
    size_bytes: int = field(default=0)
