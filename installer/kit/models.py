"""What the models of a kit are, from their own headers and from what Snug knows of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from json import loads
from pathlib import Path

from devenv.places import ROOT, STARTER_MANIFEST
from engine.errors import ModelFileError
from engine.models.catalogue import Entry, ModelPurpose, read_catalogue
from engine.models.inspect import facts_of
from engine.models.split import find_parts, read_model
from engine.models.strangers import one_line
from engine.types.models import ModelFacts, ModelKind, Problem
from kit.names import KitMistake

_GIB = 2**30
_BESIDES_GIB = 1.5
"""What a conversation and the window take besides the weights, about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KitModel:
    """One model. `files` are its parts, in order; `purpose` is None where nobody has said what it
    is for; `memory_gb` is about what a computer needs for it."""

    name: str
    files: tuple[Path, ...]
    size_bytes: int
    licence: str
    purpose: ModelPurpose | None
    talks: bool

    @property
    def memory_gb(self) -> int:
        return max(4, round(self.size_bytes / _GIB + _BESIDES_GIB + 0.5))


def read_models(files: Iterable[Path]) -> list[KitModel]:
    """Smallest first. Each set of parts is one model. Raises `KitMistake` for a file that is no
    sound model, and for one that is not all there."""
    left, models = sorted(set(files)), []
    while left:
        parts, missing = find_parts(left[0])
        if missing:
            msg = f"{left[0].name} is one part of a model; {', '.join(missing)} must lie beside it"
            raise KitMistake(msg)
        models.append(_model(parts))
        left = [path for path in left if path not in parts]
    return sorted(models, key=lambda model: (model.size_bytes, model.name))


def _model(parts: tuple[Path, ...]) -> KitModel:
    facts, licence = _read(parts[0])
    known = _known(parts[0].name)
    return KitModel(
        name=known.name if known else facts.name,
        files=parts,
        size_bytes=sum(path.stat().st_size for path in parts),
        licence=known.licence if known else licence,
        purpose=known.purpose if known else None,
        talks=facts.kind in (ModelKind.CHAT, ModelKind.BASE),
    )


def _read(path: Path) -> tuple[ModelFacts, str]:
    """The facts, and the licence that the file names, "" if it names none."""
    try:
        first, header = read_model(path)
    except ModelFileError as error:
        msg = f"{path.name} is not a model that Snug can read ({error.code}). Leave it out."
        raise KitMistake(msg) from error
    facts = facts_of(first, header)
    if Problem.WEIGHTS_MISSING in facts.problems or Problem.SPLIT_PART in facts.problems:
        msg = f"{path.name} is not a whole model. Copy it again, or leave it out."
        raise KitMistake(msg)
    return facts, one_line(header.metadata.get("general.license"))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    name: str
    licence: str
    purpose: ModelPurpose


def _known(file_name: str) -> _Known | None:
    """By its file's name, as its maker gives it; renamed files speak for themselves."""
    starter = loads(STARTER_MANIFEST.read_text(encoding="utf-8"))
    if file_name == starter["file"]:
        return _Known(name=starter["name"], licence=starter["licence"], purpose=ModelPurpose.TINY)
    for entry in _catalogue():
        if file_name.lower().startswith(f"{_stem(entry)}-"):
            return _Known(name=entry.name, licence=entry.licence, purpose=entry.purpose)
    return None


@cache
def _catalogue() -> tuple[Entry, ...]:
    """Longest names first: "Model-9B-Coder" is not "Model-9B"."""
    entries = read_catalogue(ROOT / "resources" / "catalogue.json")
    return tuple(sorted(entries, key=lambda entry: -len(_stem(entry))))


def _stem(entry: Entry) -> str:
    """ "qwen3.5-9b" of "unsloth/Qwen3.5-9B-GGUF"."""
    return entry.repo.rpartition("/")[2].lower().removesuffix("-gguf")
