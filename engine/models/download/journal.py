"""A download's journal on the disk: begun anew in one step, then only added to. Any thread.

What it can not write is not lost for good: it is fetched again. So only `create` raises.
"""

import errno
import logging
import os
import stat
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Lock

from engine.models.download import records
from engine.models.download.ranges import Span
from engine.models.download.records import Check, Found, Header, Stamp
from engine.models.download.storage import PositionalFile

log = logging.getLogger("snug.download")
_READ = os.O_RDONLY | sum(
    getattr(os, name, 0) for name in ("O_BINARY", "O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK")
)


def read(path: Path) -> Found | None:
    """None where there is none that can be believed. Waits for nothing, raises nothing."""
    try:
        with os.fdopen(os.open(path, _READ), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return None
            return records.parse(file.read(records.MOST_BYTES))
    except OSError:
        return None


class Journal:
    def __init__(self, file: PositionalFile, end: int, header: Header) -> None:
        self._file = file
        self._end = end
        self._header = header
        self._lock = Lock()
        self._failed = False

    @classmethod
    def create(
        cls,
        path: Path,
        header: Header,
        spans: Sequence[Span] = (),
        chunks: Mapping[int, Check] | None = None,
        best_bytes: int = 0,
    ) -> "Journal":
        """Takes the place of an older one in one step, with what is still true of that. Raises
        `OSError`."""
        found = [records.written(start, end) for start, end in spans]
        found += [records.chunk(number, check) for number, check in (chunks or {}).items()]
        unfinished = path.with_name(f"{path.name}.new")
        with suppress(FileNotFoundError):
            unfinished.unlink()
        file = PositionalFile(unfinished)
        try:
            file.write([records.header_block(header)], 0)
            file.write([bytes(records.RECORDS_AT - 4096)], 4096)
            file.write(found, records.RECORDS_AT)
            place, data = records.best(best_bytes)
            file.write([data], place)
            file.sync()
            file = _renamed(file, unfinished, path)
        except OSError:
            file.close()
            raise
        return cls(file, records.RECORDS_AT + len(found) * records.RECORD_BYTES, header)

    def best(self, count_bytes: int) -> None:
        self._put(*records.best(count_bytes))

    def stamp(self, value: Stamp) -> None:
        self._put(*records.stamp(value))

    def mark(self, slot: int, start: int, end: int) -> None:
        if slot < records.SLOTS:
            self._put(*records.mark(slot, start, end))

    def written(self, start: int, end: int) -> None:
        if start < end:
            self._add([records.written(start, end)])

    def chunks(self, found: Mapping[int, Check]) -> None:
        self._add([records.chunk(number, check) for number, check in found.items()])

    def distrust(self) -> None:
        """The disk failed: from now on only what has its hash is believed, as after a new start."""
        self._put(0, records.header_block(replace(self._header, boot="")))

    def sync(self) -> None:
        with suppress(OSError):
            self._file.sync()

    def close(self) -> None:
        with self._lock:
            self._file.close()

    def _put(self, at: int, data: bytes) -> None:
        with self._lock:
            self._write([data], at)

    def _add(self, found: list[bytes]) -> None:
        with self._lock:
            if self._write(found, self._end):
                self._end += len(found) * records.RECORD_BYTES

    def _write(self, found: list[bytes], at: int) -> bool:
        try:
            self._file.write(found, at)
        except OSError as error:
            if error.errno != errno.EBADF and not self._failed:
                log.warning("a journal can not be written: %s", error.strerror)
                self._failed = True
            return False
        return True


def _renamed(file: PositionalFile, old: Path, new: Path) -> PositionalFile:
    """Windows renames no file that is open."""
    if os.name != "nt":
        old.replace(new)
        return file
    file.close()
    old.replace(new)
    return PositionalFile(new)
