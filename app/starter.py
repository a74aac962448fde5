"""The starter model: what a person talks to before they have chosen anything.

Reads the manifest and looks for the file. It never fetches anything: setup and installers put the
file in place and check its hash once, so that a start only looks at its size.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path

from app.paths import RESOURCES, Paths, shared_models
from engine.types.generation import Sampling

MANIFEST = RESOURCES / "starter.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class StarterModel:
    """What the manifest says. `context_length` is in tokens, the recommended one too;
    `system` and `sampling` are what it answers best with (tried: so small a model
    wanders off at any temperature, and its template's own system prompt misleads it)."""

    id: str
    name: str
    maker: str
    licence: str
    file: str
    size_bytes: int
    sha256: str
    context_length: int
    recommended_context_length: int
    system: str = ""
    sampling: Sampling = field(default_factory=Sampling)


def read_manifest(path: Path = MANIFEST) -> StarterModel:
    facts = json.loads(path.read_text(encoding="utf-8"))
    del facts["source"]  # only setup needs to know where the file comes from
    facts["sampling"] = Sampling(**facts.get("sampling", {}))
    return StarterModel(**facts)


def find_starter(paths: Paths) -> Path | None:
    """The starter model's file: the person's own copy first, then the one setup placed."""
    starter = read_manifest()
    places = (folder / starter.file for folder in (paths.models, shared_models()))
    return next((path for path in places if _has_size(path, starter.size_bytes)), None)


def _has_size(path: Path, size_bytes: int) -> bool:
    try:
        return path.stat().st_size == size_bytes
    except OSError:
        return False
