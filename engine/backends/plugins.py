"""Finds the engine's plug-ins and decides which may be loaded: by reading files, not by running
them. The current directory and the environment are not asked: a planted library would run.

The list of approved plug-ins is the process's, like the native library itself; children are given
the list of their parent.
"""

import importlib.util
import mmap
import re
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from engine.types.backends import PROCESSOR, BackendProblem, Origin, Plugin

_PATTERN = re.compile(r"(?:lib)?ggml-([a-z0-9]+)(?:-([\w.]+))?\.(?:so|dll)")
"""A plug-in's file name: backend, and the variant where there are several. macOS says .so too."""
_MARK = b"snug-build-id:"
_LONGEST_ID = 200
_NO_PLUGINS = frozenset({"base"})

_approved: tuple[Plugin, ...] = ()


def library_folder() -> Path | None:
    """Where the engine's libraries are installed, found without loading any of them."""
    spec = importlib.util.find_spec("llama_cpp")
    places = list(spec.submodule_search_locations or ()) if spec else []
    return Path(places[0]).resolve() / "lib" if places else None


def build_id_of(library: Path) -> str:
    """What our own build wrote into it; "" for a library of somebody else's, or none."""
    try:
        with (
            library.open("rb") as file,
            mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as all_,
        ):
            start = all_.find(_MARK)
            text = all_[start : start + len(_MARK) + _LONGEST_ID] if start >= 0 else b""
    except (OSError, ValueError):
        return ""
    return text[len(_MARK) :].partition(b";")[0].decode("ascii", "replace") if text else ""


@cache
def engine_build_id() -> str:
    """Of the engine that is installed; "" if it is not a build of ours."""
    folder = library_folder()
    names = {"win32": "ggml-base.dll", "darwin": "libggml-base.dylib"}
    return build_id_of(folder / names.get(sys.platform, "libggml-base.so")) if folder else ""


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
    """Plain files only: a link may lead anywhere."""
    try:
        paths = sorted(
            path for path in folder.iterdir() if path.is_file() and not path.is_symlink()
        )
    except OSError:
        return []
    matches = ((path.absolute(), _PATTERN.fullmatch(path.name)) for path in paths)
    return [(path, match) for path, match in matches if match and match[1] not in _NO_PLUGINS]


def problem_of(plugin: Plugin) -> BackendProblem | None:
    """Why it can not be approved."""
    return None if plugin.build_id == engine_build_id() else BackendProblem.WRONG_BUILD


def approve(plugins: Iterable[Plugin]) -> None:
    """From now on these may be loaded, and no others. The first of a backend counts."""
    global _approved  # noqa: PLW0603 - one list a process, as there is one library
    by_backend: dict[str, Plugin] = {}
    for plugin in plugins:
        if problem_of(plugin) is None:
            by_backend.setdefault(plugin.backend, plugin)
    _approved = tuple(by_backend.values())


def approved() -> tuple[Plugin, ...]:
    return _approved


def approved_for(backend: str) -> Plugin | None:
    return next((plugin for plugin in _approved if plugin.backend == backend), None)
