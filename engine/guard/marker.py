"""A note on disk of the risky work that this process is in, so that its death explains itself.

Written before native code may end the process, removed after. Beside each note lies a lock that
its process holds: a note whose lock is free was left by the dead. Several Snugs may run side by
side: one note each. Where files can not be locked there are no notes.
"""

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

from engine.guard.lock import FileLock, take
from engine.guard.whole import sync_folder

_SLACK_S = 60.0
"""Clocks are set while a machine runs; boots that far apart are two."""
_LIMIT_BYTES = 1 << 16
_NAMES = 8
"""In sandboxes many processes have the same number; what the dead left may bear it too."""
_NOTE, _NEW, _LOCK = ".json", ".new", ".lock"


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """`model` is the model's key, `stage` what was going on: load, first_token or reply."""

    model: str
    stage: str


class CrashMarker:
    """The note of this process. Any thread, one at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._boot_s = psutil.boot_time()
        self._name = ""
        self._lock: FileLock | None = None

    def enter(self, note: Note, *, durable: bool = False) -> None:
        """Say what begins now. `durable`: also through a freeze of the whole machine."""
        with suppress(OSError):  # a full disk must not keep anybody from talking
            if self._lock is None:
                self._begin()
            if self._lock is not None:
                self._write(asdict(note) | {"boot_s": self._boot_s}, durable=durable)

    def leave(self) -> None:
        """The risky work ended, well or not."""
        if self._lock is not None:
            self._remove(self._name)
            self._lock.release(delete=True)
            self._lock = None

    def take_left(self) -> tuple[Note, ...]:
        """The notes of processes that died, each told once.

        A machine that went down in mid-reply is not the model's fault: an empty battery does
        that. While loading it may have been: that is when machines freeze.
        """
        found = []
        for name in self._names():
            with suppress(OSError):
                content = self._take(name)
                if content is not None and self._blames(content):
                    found.append(Note(model=str(content["model"]), stage=str(content["stage"])))
        return tuple(found)

    def _begin(self) -> None:
        """Find a name of our own, and hold it."""
        self._folder.mkdir(parents=True, exist_ok=True)
        pid = os.getpid()
        for name in (str(pid), *(f"{pid}-{number}" for number in range(2, _NAMES + 1))):
            lock = take(self._file(name, _LOCK))
            if lock is None:
                continue
            if not (self._file(name, _NOTE).exists() or self._file(name, _NEW).exists()):
                self._name, self._lock = name, lock
                return
            lock.release()  # somebody's last words, not read yet

    def _write(self, content: dict[str, object], *, durable: bool) -> None:
        """At every moment the old one or the new one is there, and whole.

        The old one is deleted and not replaced: ext4 writes a file that replaces another to the
        disk at once (`auto_da_alloc`), which takes most of a millisecond.
        """
        new, note = self._file(self._name, _NEW), self._file(self._name, _NOTE)
        with new.open("w", encoding="utf-8") as file:
            file.write(json.dumps(content))
            if durable:
                file.flush()
                os.fsync(file.fileno())
        note.unlink(missing_ok=True)
        new.replace(note)
        if durable:
            sync_folder(self._folder)

    def _take(self, name: str) -> dict[str, object] | None:
        """What the dead wrote there; it is gone then. None if there is nothing, or it lives."""
        lock = take(self._file(name, _LOCK))
        if lock is None:
            return None
        try:
            content = _read(self._file(name, _NOTE)) or _read(self._file(name, _NEW))
            gone = self._remove(name)
        finally:
            lock.release(delete=True)
        return content if gone else None

    def _remove(self, name: str) -> bool:
        try:
            for kind in (_NOTE, _NEW):
                self._file(name, kind).unlink(missing_ok=True)
        except OSError:
            return False
        return True

    def _names(self) -> list[str]:
        kinds = (_NOTE, _NEW, _LOCK)
        try:
            return sorted({file.stem for file in self._folder.iterdir() if file.suffix in kinds})
        except OSError:
            return []

    def _file(self, name: str, kind: str) -> Path:
        return self._folder / f"{name}{kind}"

    def _blames(self, content: dict[str, object]) -> bool:
        same_boot = abs(float(str(content["boot_s"])) - self._boot_s) < _SLACK_S
        return same_boot or content["stage"] == "load"


def _read(file: Path) -> dict[str, object] | None:
    """A whole note, else None."""
    with suppress(OSError, ValueError, TypeError, LookupError, RecursionError, OverflowError):
        content = json.loads(file.read_bytes()[:_LIMIT_BYTES])
        float(content["boot_s"])
        if isinstance(content["model"], str) and isinstance(content["stage"], str):
            return dict(content)
    return None
