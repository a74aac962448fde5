"""Reads the header of a GGUF file that lies elsewhere, fetching only what has to be looked at.

Arrays of numbers are passed over. Where strings that nobody looks at would take more than the
budget, their end is found by `ends`; what follows must then fit the file to its last byte, or all
of it is read after all. Runs on the thread that asks.
"""

import logging
import math
from pathlib import Path

from engine.errors import ModelFileError, ServerIncomprehensible
from engine.hub.ends import LONGEST_BYTES, find_end
from engine.hub.ranges import Ranges
from engine.models.cursor import HEADER_LIMIT, Cursor
from engine.models.gguf import GgufHeader, header_at
from engine.models.tensors import padded

log = logging.getLogger("snug.hub")

_STEP_BYTES = 1 << 20
_STEP_BEHIND_BYTES = 256 << 10
"""Behind the vocabulary little is left: a template, and the list of tensors."""
_SHARE = 0.7
"""Of the budget, for what lies before the end of an array of strings; the rest is for the rest."""
_LEAST_STRINGS = 4096
_USUAL_STRING_BYTES = 16
"""With its length, where no array was seen yet."""
_LONGEST_USUAL_BYTES = 264


class SparseCursor(Cursor):
    """A cursor whose `data` has zeros where nothing was fetched.

    `has_leapt`: an array's end was found by looking for it; `solid_bytes` were in order before.
    """

    __slots__ = (
        "_buffer",
        "_leap_above_bytes",
        "_mean_bytes",
        "_ranges",
        "has_leapt",
        "solid_bytes",
    )

    def __init__(
        self, path: Path, data: bytearray, file_size: int, ranges: Ranges, leap_above_bytes: float
    ) -> None:
        super().__init__(path, data, file_size, self._fetch_more)
        self._buffer = data
        self._ranges = ranges
        self._leap_above_bytes = leap_above_bytes
        self._mean_bytes = float(_USUAL_STRING_BYTES)
        self.has_leapt = False
        self.solid_bytes = 0

    def step_over(self, count: int) -> None:
        end = self.position + count
        self.check_end(end)
        self._pad(end)
        self.position = end

    def skip_strings(self, count: int, limit_bytes: int) -> None:
        start = self.position
        if not (self._is_too_much(count) and self._leap(count)):
            super().skip_strings(count, limit_bytes)
        if count:
            self._mean_bytes = (self.position - start) / count

    def _fetch_more(self, end: int) -> None:
        have = len(self._buffer)
        step = _STEP_BEHIND_BYTES if self.has_leapt else _STEP_BYTES
        self._buffer.extend(self._ranges.read(have, max(end, have + step)))

    def _pad(self, end: int) -> None:
        self._buffer.extend(bytes(max(end - len(self.data), 0)))

    def _is_too_much(self, count: int) -> bool:
        if not self._ranges.is_seekable or count < _LEAST_STRINGS:
            return False
        missing = self.position + count * self._mean_bytes - len(self.data)
        return self._ranges.received_bytes + missing > self._leap_above_bytes

    def _leap(self, count: int) -> bool:
        most = min(self.position + count * _LONGEST_USUAL_BYTES, self.file_size, HEADER_LIMIT)
        guess = self.position + int(count * (self._mean_bytes + 1))  # a merge has a space more
        end = find_end(self._look, self.position, guess, most)
        if end is None or not self._is_plausible(end, count):
            return False
        if not self.has_leapt:
            self.solid_bytes = len(self.data)
        self.has_leapt = True
        self._pad(end)
        self.position = end
        return True

    def _look(self, first: int, end: int) -> bytes:
        """Without keeping it, but from what is there where it is."""
        end = min(end, self.file_size)
        if end <= len(self.data):
            return bytes(self.data[first:end])
        return self._ranges.read(first, end)

    def _is_plausible(self, end: int, count: int) -> bool:
        return count * 9 <= end - self.position <= count * (8 + LONGEST_BYTES)


def read_sparse(
    ranges: Ranges, path: Path, budget_bytes: int, first_bytes: int = _STEP_BYTES
) -> GgufHeader:
    """The header of the file behind `ranges`. Raises what that does, or a `ModelFileError`."""
    data = bytearray(ranges.read(0, first_bytes))
    size_bytes = ranges.size_bytes
    if size_bytes is None:
        raise ServerIncomprehensible(ranges.address, "a file without a size")
    leaping = SparseCursor(path, data, size_bytes, ranges, budget_bytes * _SHARE)
    header = _read_leaping(leaping, data)
    if header is None:
        header = header_at(SparseCursor(path, data, size_bytes, ranges, math.inf))
    if ranges.received_bytes > budget_bytes:
        log.info("%d bytes read for a header, more than wanted", ranges.received_bytes)
    return header


def _read_leaping(cursor: SparseCursor, data: bytearray) -> GgufHeader | None:
    """None where a leap led to something that is no header; `data` is then as before it."""
    try:
        header = header_at(cursor)
    except ModelFileError:
        if not cursor.has_leapt:
            raise
    else:
        if not cursor.has_leapt or _fills_its_file(header):
            return header
    del data[cursor.solid_bytes :]
    return None


def _fills_its_file(header: GgufHeader) -> bool:
    """Whether the weights end where the file does."""
    if not header.tensors:
        return False
    last = header.tensors[-1]
    end = header.data_offset + last.offset + last.size_bytes
    return end <= header.file_size <= padded(end, header.alignment)
