"""Which model answers, and how it is loaded. So far: the file a person named, else the starter."""

import os
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from app.paths import Paths
from app.starter import find_starter, read_manifest
from engine.errors import StarterMissing
from engine.models.inspect import check_chat, inspect
from engine.types.generation import Sampling
from engine.types.models import LoadSpec, ModelFacts
from engine.types.plans import Layout

DEFAULT_CONTEXT_LENGTH = 4096
_MOST_THREADS = 16
_CORES_THAT_CAN_SPARE_ONE = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """A model to answer with: its name for people, and how to load, prompt and sample it."""

    name: str
    spec: LoadSpec
    system: str = ""
    sampling: Sampling = field(default_factory=Sampling)


def threads() -> int:
    """Cores that llama.cpp may keep busy: the physical ones we may use, and one left to the
    window where there are enough."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    cores = min(psutil.cpu_count(logical=False) or 1, usable or 1)
    return min(cores - 1 if cores >= _CORES_THAT_CAN_SPARE_ONE else cores, _MOST_THREADS)


def choose(
    paths: Paths, file: Path | None = None, context_length: int | None = None
) -> ModelChoice:
    """The model in `file`, or the starter model. Raises a `ModelFileError` if it can not chat."""
    if file is None:
        return _starter(paths, context_length)
    facts = inspect(file)
    check_chat(facts)
    return ModelChoice(name=facts.name or file.stem, spec=_spec(facts, context_length))


def _starter(paths: Paths, context_length: int | None) -> ModelChoice:
    manifest = read_manifest()
    path = find_starter(paths)
    if path is None:
        raise StarterMissing(paths.models / manifest.file, "the starter model is not installed")
    return ModelChoice(
        name=manifest.name,
        spec=_spec(inspect(path), context_length or manifest.recommended_context_length),
        system=manifest.system,
        sampling=manifest.sampling,
    )


def _spec(facts: ModelFacts, context_length: int | None) -> LoadSpec:
    """A modest context by default: memory for it is taken at once, so never the trained length."""
    wanted = context_length or min(
        DEFAULT_CONTEXT_LENGTH, facts.context_length or DEFAULT_CONTEXT_LENGTH
    )
    return LoadSpec(path=facts.path, layout=Layout(context_length=wanted, threads=threads()))
