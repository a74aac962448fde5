"""Remembers what model files were found to be, so that a look at the library reads no header twice.

A memory aid: a damaged or missing file means that headers are read again, a disk that can not be
written that they will be. One thread at a time; the first question reads the file.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from engine.guard.whole import replace_file
from engine.models.library.findings import Finding, dump_finding, load_finding

_VERSION = 1
"""Counts up when what is found out changes, so that everything is looked at anew."""
_LIMIT_BYTES = 16 << 20
_MOST_MODELS = 5_000
Stamp = tuple[int, ...]


class ScanCache:
    """`file` None keeps everything in memory only."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._models: dict[str, dict[str, Any]] | None = None
        self._changed = False

    def get(self, path: Path, stamp: Stamp) -> Finding | None:
        """What was found, if the files are still the same."""
        kept = self._known.get(str(path))
        if kept is None or kept.get("stamp") != list(stamp):
            return None
        return _finding(kept)

    def last(self, path: Path) -> Finding | None:
        """What was found when it was last seen."""
        kept = self._known.get(str(path))
        return None if kept is None else _finding(kept)

    def put(self, path: Path, stamp: Stamp, finding: Finding) -> None:
        known = self._known
        known.pop(str(path), None)
        known[str(path)] = {"stamp": list(stamp), **dump_finding(finding)}  # the newest come last
        self._changed = True

    def save(self) -> None:
        """In one step, so that no reader ever sees half of it; nothing where nothing is new."""
        if self._file is None or not self._changed:
            return
        known = self._known
        kept = {path: known[path] for path in list(known)[-_MOST_MODELS:]}
        with suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            replace_file(
                self._file, json.dumps({"version": _VERSION, "models": kept}).encode("ascii")
            )
            self._changed = False

    @property
    def _known(self) -> dict[str, dict[str, Any]]:
        if self._models is None:
            self._models = _read(self._file)
        return self._models


def _read(file: Path | None) -> dict[str, dict[str, Any]]:
    with suppress(OSError, ValueError, RecursionError):
        if file is not None and file.stat().st_size <= _LIMIT_BYTES:
            content = json.loads(file.read_bytes())
            if isinstance(content, dict) and content.get("version") == _VERSION:
                models = content.get("models")
                return _entries(models) if isinstance(models, dict) else {}
    return {}


def _entries(models: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    return {path: kept for path, kept in models.items() if isinstance(kept, dict)}


def _finding(kept: Mapping[str, Any]) -> Finding | None:
    with suppress(ValueError, KeyError, TypeError):
        return load_finding(kept)
    return None
