"""A model that someone wants to have, and how far it is on its way."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from engine.errors import EngineError
from engine.types.hub import Hub


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedFile:
    """A file to fetch: `path` in the repository, `name` in the model's folder (one name, no
    folders but for ONNX). `size_bytes` None and `sha256` "" where nobody has told; what the server
    says then counts."""

    path: str
    name: str
    size_bytes: int | None
    sha256: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """One model to download. `id` is the same for the same files of the same revision. All files
    end in `folder`, beside a manifest that says where they came from."""

    id: str
    title: str
    hub: Hub
    repo: str
    revision: str
    licence: str
    files: tuple[WantedFile, ...]
    folder: Path
    quantization: str = ""


class DownloadState(StrEnum):
    WAITING = "waiting"
    """For its turn."""
    RUNNING = "running"
    PAUSED = "paused"
    CHECKING = "checking"
    """All is there; the files are compared with their hashes."""
    FAILED = "failed"
    DONE = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class DownloadStatus:
    """`done_bytes` never falls. `total_bytes` is 0 while no server has told it. `error` says why
    it FAILED, or what a RUNNING one waits for before it tries again (`retry_s` from now)."""

    id: str
    title: str
    state: DownloadState
    done_bytes: int
    total_bytes: int
    bytes_per_s: float | None = None
    left_s: float | None = None
    error: EngineError | None = None
    retry_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchLimits:
    """How a download behaves. `bytes_per_s` 0 is without limit. More connections are only opened
    where the server is slow per connection."""

    bytes_per_s: int = 0
    connections: int = 4
    reserve_bytes: int = 512 << 20
    """Space on the disk that is left free."""
