"""What is known of models that can be had from a hub: repositories, their files, and the models
that those files make up. Nothing here was fetched."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from engine.types.models import ModelFormat


class HubKind(StrEnum):
    """How a hub is spoken to."""

    HUGGING_FACE = "hugging_face"
    """Hugging Face itself, and every mirror that answers like it."""
    MODELSCOPE = "modelscope"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hub:
    """`address` is the base, such as "https://huggingface.co", without a slash at the end."""

    kind: HubKind
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HubFile:
    """A file of a repository. `size_bytes` is None and `sha256` "" where the hub does not tell."""

    path: str
    size_bytes: int | None
    sha256: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HubHit:
    """A repository that a search found. `licence` is "" where none is stated."""

    repo: str
    downloads: int
    likes: int
    gated: bool
    licence: str
    updated: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HubRepo:
    """A repository at one commit. Gated ones want a token and an accepted licence."""

    hub: Hub
    id: str
    revision: str
    gated: bool
    licence: str
    files: tuple[HubFile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Offering:
    """One model that a repository has: one quantization of it, all of its files.

    `files` are its parts in order (of ONNX every file of the folder); `missing` names parts that
    the repository does not have, the first hundred of them; `projector` lets the model see, `draft`
    makes it faster. `size_bytes` is that of `files`, None where a size is not known.
    """

    name: str
    """Short, as its makers say it, without quantization: "Gemma 3 4B"."""
    quantization: str
    """As written in the file's name, upper case: "Q4_K_M"; "" where it does not say."""
    format: ModelFormat
    files: tuple[HubFile, ...]
    missing: tuple[str, ...] = ()
    projector: HubFile | None = None
    draft: HubFile | None = None

    @property
    def size_bytes(self) -> int | None:
        sizes = [file.size_bytes for file in self.files]
        return None if None in sizes else sum(size for size in sizes if size is not None)
