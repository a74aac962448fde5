"""Finds the engine's plug-ins and decides which may be loaded: by reading files, not by running
them. The current directory and the environment are not asked: a planted library would run.

The list of approved plug-ins is the process's, like the native library itself; children are given
the list of their parent.
"""

import importlib.util
import logging
import re
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import BinaryIO

from engine.types.backends import PROCESSOR, BackendProblem, Origin, Plugin

log = logging.getLogger("snug.backends")

_PATTERN = re.compile(r"(?:lib)?ggml-([a-z0-9]+)(?:-([\w.]+))?\.(?:so|dll)", re.ASCII)
"""A plug-in's file name: backend, and the variant where there are several. macOS says .so too."""
_WORDS = b"snug-build-id:"
_MARK = re.compile(re.escape(_WORDS) + rb"([\w.+-]{1,200});")
_LONGEST_MARK = 215
_CHUNK_BYTES = 1 << 20
_LARGEST_BYTES = 4 << 30
_NO_PLUGINS = frozenset({"base"})
_BASE_NAMES = {"win32": "ggml-base.dll", "darwin": "libggml-base.dylib"}
_BASE_NAME = "libggml-base.so"

_approved: tuple[Plugin, ...] = ()
_variant = ""


def library_folder() -> Path | None:
    """Where the engine's libraries are installed, found without loading any of them."""
    spec = importlib.util.find_spec("llama_cpp")
    places = list(spec.submodule_search_locations or ()) if spec else []
    return Path(places[0]).resolve() / "lib" if places else None


def build_id_of(library: Path) -> str:
    """What our own build wrote into it; "" for a library of somebody else's, or none.

    Read, not mapped: a file that is cut off meanwhile would end the process.
    """
    try:
        if not library.is_file() or library.stat().st_size > _LARGEST_BYTES:
            return ""
        with library.open("rb", buffering=0) as file:
            return _first_mark(file)
    except (OSError, ValueError):
        return ""


def _first_mark(file: BinaryIO) -> str:
    kept = b""
    while chunk := file.read(_CHUNK_BYTES):
        text = kept + chunk
        # The plain search first: it is many times faster.
        if _WORDS in text and (found := _MARK.search(text)):
            return found[1].decode("ascii")
        kept = text[-_LONGEST_MARK:]
    return ""


@cache
def engine_build_id() -> str:
    """Of the engine that is installed; "" if it is not a build of ours."""
    folder = library_folder()
    return build_id_of(base_library(folder, sys.platform)) if folder else ""


def base_library(folder: Path, system: str) -> Path:
    """The library that every plug-in builds on; `system` as `sys.platform` says it."""
    return folder / _BASE_NAMES.get(system, _BASE_NAME)


def processor_variants(folder: Path) -> tuple[tuple[str, Path], ...]:
    """Names ("haswell", "" for the only one) and files of the processor's plug-ins that belong to
    the engine. None: the processor's backend is compiled into the engine."""
    wanted = engine_build_id()
    found = (
        (match[2] or "", path)
        for path, match in _files(folder)
        if match[1] == PROCESSOR and build_id_of(path) == wanted
    )
    return tuple(sorted(found))


def find(folder: Path, origin: Origin) -> tuple[Plugin, ...]:
    """The plug-ins in `folder` other than the processor's, of whatever build."""
    return tuple(
        Plugin(backend=match[1], path=path, origin=origin, build_id=build_id_of(path))
        for path, match in _files(folder)
        if match[1] != PROCESSOR and not match[2]
    )


def _files(folder: Path) -> list[tuple[Path, "re.Match[str]"]]:
    try:
        paths = sorted(folder.absolute().iterdir())
    except OSError:
        return []
    matches = ((path, _PATTERN.fullmatch(path.name)) for path in paths)
    return [
        (path, match)
        for path, match in matches
        if match and match[1] not in _NO_PLUGINS and _is_plain(path)
    ]


def _is_plain(path: Path) -> bool:
    """No folder, no pipe, and no link, which may lead anywhere."""
    try:
        return path.is_file() and not path.is_symlink()
    except OSError:
        return False


def problem_of(plugin: Plugin) -> BackendProblem | None:
    """Why it can not be approved. Beside an engine that is no build of ours, nothing can."""
    known = plugin.build_id and plugin.build_id == engine_build_id()
    # The system looks for a relative path in more places than we do.
    fixed = all(path.is_absolute() for path in (plugin.path, *plugin.needs))
    return None if known and fixed else BackendProblem.WRONG_BUILD


def approve(plugins: Iterable[Plugin]) -> None:
    """From now on these may be loaded, and no others. The first of a backend counts."""
    global _approved  # noqa: PLW0603 - one list a process, as there is one library
    by_backend: dict[str, Plugin] = {}
    for plugin in plugins:
        if problem := problem_of(plugin):
            log.warning("%s is not approved: %s, %r", plugin.path, problem, plugin.build_id)
        else:
            by_backend.setdefault(plugin.backend, plugin)
    _approved = tuple(by_backend.values())


def use_variant(name: str) -> None:
    """From now on the processor's part is this one, "" the best; what is loaded already stays."""
    global _variant  # noqa: PLW0603 - as above
    _variant = name


def chosen_variant() -> str:
    return _variant


def approved() -> tuple[Plugin, ...]:
    return _approved


def approved_for(backend: str) -> Plugin | None:
    return next((plugin for plugin in _approved if plugin.backend == backend), None)
