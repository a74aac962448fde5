"""What left this computer, line by line in a file beside the person's data.

Each record is one line of JSON, written in one piece, so that several programs can share the file.
It says where to, when, why and how much; never what. Any thread; `write` waits for the disk.
"""

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import Any

from engine.guard.lock import held
from engine.types.connections import Connection, Purpose

_LIMIT_BYTES = 1_000_000
"""Of each of two files: about 8,000 requests."""
_LOCK_S = 2.0


class Ledger:
    """The records in `path` and, before them, those in the file it was when it grew too large."""

    def __init__(self, path: Path, limit_bytes: int = _LIMIT_BYTES) -> None:
        self._path = path
        self._older = path.with_name(f"{path.stem}.old{path.suffix}")
        self._limit_bytes = limit_bytes
        self._lock = Lock()

    def write(self, record: Connection) -> None:
        """Raises `OSError`."""
        line = json.dumps(to_json(record), ensure_ascii=False).encode() + b"\n"
        with self._lock:
            self._make_room(len(line))
            self._path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                os.write(handle, line)
            finally:
                os.close(handle)

    def read(self) -> tuple[Connection, ...]:
        """All records, the oldest first; lines that are none are passed over."""
        return tuple(record for path in (self._older, self._path) for record in _records(path))

    def _make_room(self, more_bytes: int) -> None:
        if not self._is_full(more_bytes):
            return
        lock = self._path.with_name(f"{self._path.name}.lock")
        with held(lock, _LOCK_S, delete=True) as ours:
            if ours and self._is_full(more_bytes):  # another program may have made room
                self._path.replace(self._older)

    def _is_full(self, more_bytes: int) -> bool:
        with suppress(FileNotFoundError):
            return self._path.stat().st_size + more_bytes > self._limit_bytes
        return False


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
    )
