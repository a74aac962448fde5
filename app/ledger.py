"""What left this computer, line by line in a file beside the person's data.

Each record is one line of JSON, written in one piece, so that several programs can share the file.
It says where to, when, why and how much; never what. A full file gets a number and is kept beside
the new one: a person can read of every connection there ever was. Any thread; all of it waits for
the disk.
"""

import errno
import json
import os
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import Any

from engine.guard.lock import held
from engine.types.connections import BEGUN, Connection, Purpose

_LIMIT_BYTES = 1_000_000
"""Of each file: about 2,000 requests, with a line at the begin of each and one at its end."""
_MOST_FILES = 200
"""Some 400,000 requests; only beyond that the oldest are forgotten."""
_MOST_UNWRITTEN = 1000
_LOCK_S = 2.0
_OLD = "old"
"""What an earlier Snug called the file before; its records are the oldest."""


class Ledger:
    """The records in `path` and, before them, those in the numbered files beside it."""

    def __init__(
        self, path: Path, limit_bytes: int = _LIMIT_BYTES, most_files: int = _MOST_FILES
    ) -> None:
        self._path = path
        self._limit_bytes = limit_bytes
        self._most_files = most_files
        self._lock = Lock()
        self._unwritten: deque[Connection] = deque(maxlen=_MOST_UNWRITTEN)

    def write(self, record: Connection) -> None:
        """Raises `OSError`; the record is then kept here, and written with the next that can be."""
        with self._lock:
            self._unwritten.append(record)
            while self._unwritten:
                self._append(_line_of(self._unwritten[0]))
                self._unwritten.popleft()

    def _append(self, line: bytes) -> None:
        self._make_room(len(line))
        self._path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            if _is_torn(handle):  # the disk was full in the middle of a line
                line = b"\n" + line
            if os.write(handle, line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self._path))
        finally:
            os.close(handle)

    def read(self) -> tuple[Connection, ...]:
        """All records, the oldest first; lines that are none are passed over."""
        kept = (record for path in self._files() for record in _records(path))
        return _of_each([*kept, *self._unwritten])

    def newest(self, count: int) -> tuple[Connection, ...]:
        """The last `count` records, the oldest of them first: reads no more files than it must."""
        found = list(self._unwritten)
        for path in reversed(self._files()):
            found = [*_records(path), *found]
            if len(_of_each(found)) >= count:
                break
        return _of_each(found)[-count:] if count > 0 else ()

    def _files(self) -> list[Path]:
        """The oldest first."""
        return [*(path for _, path in self._older()), self._path]

    def _older(self) -> list[tuple[int, Path]]:
        """With their numbers, the smallest first."""
        found = self._path.parent.glob(f"{self._path.stem}.*{self._path.suffix}")
        numbered = ((_number(path, self._path), path) for path in found)
        return sorted((number, path) for number, path in numbered if number is not None)

    def _make_room(self, more_bytes: int) -> None:
        if not self._is_full(more_bytes):
            return
        lock = self._path.with_name(f"{self._path.name}.lock")
        with held(lock, _LOCK_S, delete=True) as ours:
            if ours and self._is_full(more_bytes):  # another program may have made room
                self._set_aside()

    def _set_aside(self) -> None:
        older = self._older()
        number = older[-1][0] + 1 if older else 1
        name = f"{self._path.stem}.{number}{self._path.suffix}"
        self._path.replace(self._path.with_name(name))
        for _, path in older[: max(len(older) + 2 - self._most_files, 0)]:
            path.unlink(missing_ok=True)

    def _is_full(self, more_bytes: int) -> bool:
        with suppress(FileNotFoundError):
            return self._path.stat().st_size + more_bytes > self._limit_bytes
        return False


def _of_each(records: Sequence[Connection]) -> tuple[Connection, ...]:
    """The last record of every connection, where it stands: what has ended has two."""
    ended = {record.id for record in records if record.id and record.outcome != BEGUN}
    return tuple(r for r in records if r.outcome != BEGUN or r.id not in ended)


def _number(path: Path, newest: Path) -> int | None:
    """Of a file that was set aside; None for another one."""
    middle = path.name.removeprefix(f"{newest.stem}.").removesuffix(newest.suffix)
    if middle == _OLD:
        return 0
    return int(middle) if middle.isascii() and middle.isdigit() else None


def _line_of(record: Connection) -> bytes:
    return json.dumps(to_json(record), ensure_ascii=False).encode() + b"\n"


def _is_torn(handle: int) -> bool:
    """Whether the file does not end with a whole line."""
    size_bytes = os.lseek(handle, 0, os.SEEK_END)
    if size_bytes == 0:
        return False
    os.lseek(handle, size_bytes - 1, os.SEEK_SET)
    return os.read(handle, 1) != b"\n"


def to_json(record: Connection) -> dict[str, Any]:
    return {**asdict(record), "at": record.at.isoformat(), "purpose": record.purpose.value}


def _records(path: Path) -> Iterator[Connection]:
    try:
        lines = path.read_bytes().splitlines()
    except OSError:
        return
    for line in lines:
        with suppress(ValueError, TypeError, KeyError, AttributeError):
            yield _record(json.loads(line))


def _record(fields: dict[str, Any]) -> Connection:
    return Connection(
        at=datetime.fromisoformat(fields["at"]),
        purpose=Purpose(fields["purpose"]),
        scheme=str(fields["scheme"]),
        host=str(fields["host"]),
        port=int(fields["port"]),
        bytes_sent=int(fields["bytes_sent"]),
        bytes_received=int(fields["bytes_received"]),
        outcome=str(fields["outcome"]),
        duration_s=float(fields["duration_s"]),
        id=str(fields.get("id", "")),
    )
