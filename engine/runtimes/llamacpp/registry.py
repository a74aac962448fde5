"""Registers the engine's plug-ins: the best one for this processor, then approved ones by path.

llama.cpp looks for plug-ins by itself while nothing is registered, in the current directory too,
so the processor's comes first. Facts: ggml/src/ggml-backend-reg.cpp, `ggml_backend_load_best`.
"""

import ctypes
import logging
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from engine.backends import plugins
from engine.errors import BackendUnusable
from engine.types.backends import PROCESSOR, BackendProblem, Plugin

log = logging.getLogger("snug.native")

FORCED_VARIANT = "SNUG_CPU_VARIANT"
"""Names the variant to use ("x64"), for support; one that this processor can not run is passed
over. Only files of the engine's own folder can be named."""
_SETTINGS = "GGML_"
"""Only such variables may be set for a plug-in."""
_PLACES = "GGML_BACKEND_"
"""Not these: they name libraries to load."""

Score = Callable[[Path], int]
Variant = tuple[str, Path]
"""A name ("haswell", "" for the only one) and a file."""


def load_processor(registry: Any, folder: Path) -> str:
    """The name of the variant that is now registered, "" where it is compiled in.

    Raises `BackendUnusable` if there is no backend for this processor.
    """
    variants = plugins.processor_variants(folder)
    forced = os.environ.get(FORCED_VARIANT, "")
    for name, path in usable_variants(variants, score, forced, plugins.chosen_variant()):
        if _register(registry, path):
            log.info("the processor's backend is %s", name or "the only one")
            return name
        log.warning("%s can run here and could not be loaded", path)
    if not registry.ggml_backend_reg_count():
        raise BackendUnusable(
            PROCESSOR, BackendProblem.NOT_INSTALLED, _nothing_usable(folder, variants)
        )
    return ""


def usable_variants(
    variants: Sequence[Variant], score: Score, forced: str = "", chosen: str = ""
) -> tuple[Variant, ...]:
    """Those that run here, first the one that is forced, then the one that was chosen, then those
    that use most of what this processor can do."""
    scores = {variant: score(variant[1]) for variant in variants}
    usable = [variant for variant in variants if scores[variant] > 0]
    if forced and forced not in dict(usable):
        log.warning("%s=%s: there is no such variant that runs here", FORCED_VARIANT, forced)

    def rank(variant: Variant) -> tuple[bool, bool, int]:
        return variant[0] == forced, bool(chosen) and variant[0] == chosen, scores[variant]

    return tuple(sorted(usable, key=rank, reverse=True))


def _nothing_usable(folder: Path, variants: Sequence[Variant]) -> str:
    if not variants:
        return f"no file in {folder} belongs to the engine {plugins.engine_build_id()!r}"
    return f"none of {', '.join(name or path.name for name, path in variants)} runs here"


def score(library: Path) -> int:
    """What the plug-in gives this processor; 0: it can not run here (`ggml_backend_score`).

    It stays open: all 14 together hold 0.2 MB that the system could not take back.
    """
    try:
        function = ctypes.CDLL(str(library)).ggml_backend_score
    except (OSError, AttributeError):
        return 0
    function.restype, function.argtypes = ctypes.c_int, []
    return int(function())


def load(registry: Any, plugin: Plugin, take_log: Callable[[], str]) -> None:
    """Register an approved plug-in. Its settings stay in the environment for the process's life.

    Raises `BackendUnusable`.
    """
    for name, value in plugin.settings:
        if name.startswith(_SETTINGS) and not name.startswith(_PLACES):
            os.environ[name] = value
    for library in plugin.needs:
        _preload(plugin, library)
    take_log()
    if not _register(registry, plugin.path):
        raise BackendUnusable(plugin.backend, BackendProblem.NOT_LOADABLE, take_log())


def _preload(plugin: Plugin, library: Path) -> None:
    """Once it is there the system takes it by its name; Windows would not find it by itself."""
    try:
        ctypes.CDLL(str(library))
    except OSError as error:
        raise BackendUnusable(plugin.backend, BackendProblem.NOT_LOADABLE, str(error)) from error


def _register(registry: Any, path: Path) -> bool:
    """ggml takes paths as UTF-8 on every system."""
    return bool(registry.ggml_backend_load(str(path).encode()))
