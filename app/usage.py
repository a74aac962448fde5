"""When each model answered last, in a small file. A memory aid: a disk that can not be written only
means that it is forgotten.

`hear` and `last_used` are quick; the file is written by whoever runs what is handed to `later`.
"""

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock

from app.db import utc_now
from app.errors import StorageError
from app.events import Event, ModelReady, ReplyEnded
from app.shared_file import Content, change_shared, read_shared

log = logging.getLogger("snug.library")

_PAUSE_S = 60.0
"""Between two writes."""
_MOST = 500
Later = Callable[[Callable[[], None]], None]


class Usage:
    """The file `path`. `later` runs a function on a thread that may wait for the disk."""

    def __init__(
        self,
        path: Path,
        later: Later = lambda work: work(),
        now: Callable[[], datetime] = utc_now,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._path = path
        self._later = later
        self._now = now
        self._clock = clock
        self._lock = Lock()
        self._new: dict[str, str] = {}
        self._known: dict[str, str] | None = None
        self._written_s: float | None = None
        self._ready: Path | None = None

    def hear(self, event: Event) -> None:
        """A reply counts for the model that is in memory."""
        if isinstance(event, ModelReady):
            self._ready = None if event.info.spec.remote is not None else event.info.spec.path
        elif isinstance(event, ReplyEnded) and event.error is None and self._ready is not None:
            self.answered(self._ready)

    def answered(self, model: Path) -> None:
        """Just now."""
        now_s = self._clock()
        with self._lock:
            self._new[str(model)] = self._now().isoformat()
            due = self._written_s is None or now_s - self._written_s >= _PAUSE_S
            if due:
                self._written_s = now_s
        if due:
            self._later(self.write)

    def last_used(self, model: Path) -> datetime | None:
        """UTC. The first call reads the file."""
        with self._lock:
            if self._known is None:
                self._known = _times(read_shared(self._path))
            found = {**self._known, **self._new}.get(str(model))
        return _time(found) if found is not None else None

    def moved(self, old: Path, new: Path) -> None:
        """What lay in the folder `old` is called the same in `new`. Waits for the disk."""
        self.write()
        with suppress(StorageError):
            change_shared(self._path, lambda content: _led(_times(content), old, new))
        with self._lock:
            self._known = None

    def write(self) -> None:
        """What is not in the file yet. Waits for the disk."""
        with self._lock:
            new = dict(self._new)
        if not new:
            return
        try:
            change_shared(self._path, lambda content: _newest({**_times(content), **new}))
        except StorageError:
            log.warning("when models answered could not be written", exc_info=True)
            return
        with self._lock:
            self._known = {**(self._known or _times(read_shared(self._path))), **new}
            self._new = {key: time for key, time in self._new.items() if new.get(key) != time}


def _times(content: Content) -> dict[str, str]:
    return {key: value for key, value in content.items() if isinstance(value, str)}


def _led(times: dict[str, str], old: Path, new: Path) -> Content:
    inside = {path: Path(path) for path in times if Path(path).is_relative_to(old)}
    return times | {str(new / p.relative_to(old)): times[path] for path, p in inside.items()}


def _newest(times: dict[str, str]) -> Content:
    newest = sorted(times, key=lambda key: times[key], reverse=True)[:_MOST]
    return {key: times[key] for key in newest}


def _time(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
