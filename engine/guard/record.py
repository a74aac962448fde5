"""Keeps what was learned of models and devices on this machine in one small file of JSON.

It is a memory aid, not a person's data: a damaged or outdated file is begun anew, and a disk
that can not be written only means that it will be learned again. Several Snugs may share it: who
changes it holds a lock beside it, but never waits long for that. Any thread.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from engine.child.wire import WireError, decode, encode
from engine.guard.lock import held
from engine.guard.whole import replace_file
from engine.types.backends import BackendReport, DeviceTrial
from engine.types.hardware import Device, Speed
from engine.types.history import History
from engine.types.parts import part_name

_LIMIT_BYTES = 4 << 20
_MODELS_KEPT = 200
_TRIALS_KEPT = 32
_FILES_OF_A_FOLDER = 1000
_WAIT_S = 1.0
"""For another Snug's change, which takes a millisecond; a stopped one must not stop us too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """A search for devices that found none to work on; `tries` so far."""

    devices: tuple[Device, ...] = ()
    backends: tuple[BackendReport, ...] = ()
    tries: int = 1


def key_of(path: Path) -> str:
    """Names one version of a model: a file, all its parts, or a folder; another one under its name
    has another key."""
    try:
        states = [file.stat() for file in _files(path)]
    except (OSError, ValueError):
        return str(path)
    size_bytes = sum(state.st_size for state in states)
    return f"{path}|{size_bytes}|{max((state.st_mtime_ns for state in states), default=0)}"


def _files(path: Path) -> Sequence[Path]:
    if path.is_dir():
        return sorted(path.iterdir())[:_FILES_OF_A_FOLDER]
    name = part_name(path.name)
    if name is None:
        return (path,)
    parts = (path.with_name(sibling) for sibling in name.all)
    return [part for part in parts if part.is_file()] or [path]


class Record:
    """`epoch` names everything that makes old lessons worthless: build, drivers, processor."""

    def __init__(self, file: Path, epoch: str) -> None:
        self._file = file
        self._epoch = epoch
        self._lock = Lock()

    def history(self, key: str) -> History:
        with self._lock:
            found = self._read()["models"].get(key)
        return _decoded(History, found) or History()

    def learn(self, key: str, lesson: Callable[[History], History]) -> History:
        """Change what is known of a model; returns the new state."""
        with self._changing():
            content = self._read()
            models = content["models"]
            learned = lesson(_decoded(History, models.pop(key, None)) or History())
            models[key] = encode(learned)  # the newest come last
            for old in list(models)[:-_MODELS_KEPT]:
                del models[old]
            self._write(content)
        return learned

    def speed(self, threads: int) -> Speed | None:
        with self._lock:
            found: Speed | None = _decoded(Speed, self._read()["speeds"].get(str(threads)))
        return found

    def keep_speed(self, speed: Speed) -> None:
        with self._changing():
            content = self._read()
            content["speeds"][str(speed.threads)] = encode(speed)
            self._write(content)

    def trial(self, key: str) -> DeviceTrial | None:
        """How a device's self-test ended; `key` names device and driver."""
        found: DeviceTrial | None = _decoded(DeviceTrial, self._part("trials").get(key))
        return found

    def keep_trial(self, key: str, trial: DeviceTrial) -> None:
        with self._changing():
            content = self._read()
            others = {k: v for k, v in _mapping(content.get("trials")).items() if k != key}
            kept = list(others.items())[1 - _TRIALS_KEPT :]
            self._write(content | {"trials": dict([*kept, (key, encode(trial))])})

    def search(self, key: str) -> Search | None:
        """The last search for devices, if it was vain and `key` is still the same."""
        found: Search | None = _decoded(Search, self._part("searches").get(key))
        return found

    def keep_search(self, key: str, search: Search) -> None:
        """Of other drivers than those in `key` nothing is kept."""
        with self._changing():
            self._write(self._read() | {"searches": {key: encode(search)}})

    def _part(self, name: str) -> dict[str, Any]:
        with self._lock:
            return _mapping(self._read().get(name))

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Nobody else changes the file between our reading and our writing."""
        with suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
        with held(self._file.with_name(f"{self._file.name}.lock"), _WAIT_S), self._lock:
            yield

    def _read(self) -> dict[str, Any]:
        """Read anew each time: another Snug may have learned something too."""
        with suppress(OSError, ValueError, RecursionError):
            if self._file.stat().st_size <= _LIMIT_BYTES:
                content = json.loads(self._file.read_bytes())
                if self._is_ours(content):
                    return dict(content)
        return {"epoch": self._epoch, "models": {}, "speeds": {}}

    def _is_ours(self, content: object) -> bool:
        return (
            isinstance(content, dict)
            and content.get("epoch") == self._epoch
            and isinstance(content.get("models"), dict)
            and isinstance(content.get("speeds"), dict)
        )

    def _write(self, content: dict[str, Any]) -> None:
        with suppress(OSError):
            replace_file(self._file, json.dumps(content).encode("utf-8"))


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _decoded(kind: type[Any], value: object) -> Any:
    """None for what is missing or makes no sense."""
    if value is None:
        return None
    try:
        return decode(kind, value)
    except WireError:
        return None
