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

Score = Callable[[Path], int]


def load_processor(registry: Any, folder: Path) -> str:
    """The name of the variant that is now registered, "" where it is compiled in.

    Raises `BackendUnusable` if there is no backend for this processor.
    """
    variants = plugins.processor_variants(folder)
    name, path = best_variant(variants, score, os.environ.get(FORCED_VARIANT, ""))
    if path is not None and _register(registry, path):
        log.info("the processor's backend is %s", name or "the only one")
        return name
    if not registry.ggml_backend_reg_count():
        raise BackendUnusable(PROCESSOR, BackendProblem.NOT_INSTALLED, f"none of {len(variants)}")
    return ""


def best_variant(
    variants: Sequence[tuple[str, Path]], score: Score, forced: str = ""
) -> tuple[str, Path | None]:
    """The one that uses most of what this processor can do; ("", None) if none runs here."""
    scores = {name: score(path) for name, path in variants}
    usable = [name for name, points in scores.items() if points > 0]
    if not usable:
        return "", None
    best = forced if forced in usable else max(usable, key=scores.__getitem__)
    return best, dict(variants)[best]


def score(library: Path) -> int:
    """What the plug-in gives this processor; 0: it can not run here (`ggml_backend_score`)."""
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
        if name.startswith(_SETTINGS):
            os.environ[name] = value
    take_log()
    if not _register(registry, plugin.path):
        raise BackendUnusable(plugin.backend, BackendProblem.NOT_LOADABLE, take_log())


def _register(registry: Any, path: Path) -> bool:
    """ggml takes paths as UTF-8 on every system."""
    return bool(registry.ggml_backend_load(str(path).encode()))
