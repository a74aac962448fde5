"""A note on disk of the risky work that this process is in, so that its death explains itself.

Written before native code may end the process, removed after; a note found at the next start,
whose process is gone, says what killed it. Several Snugs may run side by side: one note each.
"""

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

_SLACK_S = 60.0
"""Clocks are set while a machine runs; boots that far apart are two."""
_LIMIT_BYTES = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """`model` is the model's key, `stage` what was going on: load, first_token or reply."""

    model: str
    stage: str


class CrashMarker:
    """The note of this process. Any thread, one at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder / f"{os.getpid()}.json"
        self._started_s = psutil.Process().create_time()
        self._boot_s = psutil.boot_time()

    def enter(self, note: Note, *, durable: bool = False) -> None:
        """Say what begins now. `durable`: also through a freeze of the whole machine."""
        content = asdict(note) | {"started_s": self._started_s, "boot_s": self._boot_s}
        with suppress(OSError):  # a full disk must not keep anybody from talking
            self._folder.mkdir(parents=True, exist_ok=True)
            with self._file.open("w", encoding="utf-8") as file:
                json.dump(content, file)
                file.flush()
                if durable:
                    os.fsync(file.fileno())

    def leave(self) -> None:
        """The risky work ended, well or not."""
        with suppress(OSError):
            self._file.unlink()

    def take_left(self) -> tuple[Note, ...]:
        """The notes of processes that died, each told once.

        A machine that went down in mid-reply is not the model's fault: an empty battery does
        that. While loading it may have been: that is when machines freeze.
        """
        found = []
        for file in self._notes():
            content = _read(file)
            if content is None or not _is_alive(file, content):
                with suppress(OSError):
                    file.unlink()
                if content is not None and self._blames(content):
                    found.append(Note(model=str(content["model"]), stage=str(content["stage"])))
        return tuple(found)

    def _notes(self) -> list[Path]:
        try:
            return sorted(self._folder.glob("*.json"))
        except OSError:
            return []

    def _blames(self, content: dict[str, object]) -> bool:
        same_boot = abs(float(str(content["boot_s"])) - self._boot_s) < _SLACK_S
        return same_boot or content["stage"] == "load"


def _read(file: Path) -> dict[str, object] | None:
    """A whole note, else None."""
    with suppress(OSError, ValueError, TypeError, LookupError, RecursionError):
        content = json.loads(file.read_bytes()[:_LIMIT_BYTES])
        float(content["started_s"])
        float(content["boot_s"])
        if isinstance(content["model"], str) and isinstance(content["stage"], str):
            return dict(content)
    return None


def _is_alive(file: Path, content: dict[str, object]) -> bool:
    """Whether the very process that wrote the note still runs; numbers are used again."""
    try:
        process = psutil.Process(int(file.stem))
        return abs(process.create_time() - float(str(content["started_s"]))) < 1.0
    except (ValueError, OverflowError, psutil.Error):
        return False
