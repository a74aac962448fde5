"""A place in the bytes of a GGUF header, for reading on from. Every step is bounded.

It never reads past the end of the file, never holds more than HEADER_LIMIT bytes and never
believes a length before it has compared it with a limit. Any thread, one at a time.
"""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from struct import Struct
from typing import Any, NoReturn

from engine.errors import ModelCutOff, ModelDamaged

HEADER_LIMIT = 128 << 20
"""Bytes. The largest headers seen (a 262k vocabulary with merges) need about 16 MiB."""

_U32 = Struct("<I")
_U64 = Struct("<Q")
_STRINGS_PER_MATCH = 128


@cache
def _short_strings() -> "re.Pattern[bytes]":
    """A pattern for 128 length-prefixed strings of up to 127 bytes, for skipping them in C.

    A vocabulary is hundreds of thousands of small strings: this takes half the time of a
    loop over the lengths. At any place at most one alternative can match, the one that spells
    out the length, and the repeat is possessive: no backtracking, whatever the bytes are.
    The alternatives are in the order of the commonest token lengths. Compiled once, in 4 ms.
    """
    lengths = [5, 6, 7, 4, 8, 3, 9, 10, 11, 12, 2, 13, 1, *range(14, 128), 0]
    any_of = b"|".join(re.escape(_U64.pack(n)) + b".{%d}" % n for n in lengths)
    return re.compile(b"(?:%b){%d}+" % (any_of, _STRINGS_PER_MATCH), re.DOTALL)


class Cursor:
    """Reads little-endian values one after the other.

    `data` holds the first bytes of a file of `file_size` bytes. When more of them are needed,
    `fetch(end)` has to append to `data` until it holds `end` bytes, or raise.
    Errors: `ModelCutOff` past the end of the file, `ModelDamaged` past a limit.
    """

    __slots__ = ("_fetch", "data", "file_size", "path", "position")

    def __init__(
        self, path: Path, data: bytes | bytearray, file_size: int, fetch: Callable[[int], None]
    ) -> None:
        self.path = path
        self.data = data
        self.file_size = file_size
        self.position = 0
        self._fetch = fetch

    def refuse(self, detail: str) -> NoReturn:
        """Something read so far makes no sense."""
        raise ModelDamaged(self.path, f"{detail} (before byte {self.position})")

    def advance(self, count: int) -> int:
        """Step over `count` bytes that are then present in `data`; where they start."""
        start = self.position
        end = start + count
        if end > len(self.data) or end > self.file_size:
            self._extend(end)
        self.position = end
        return start

    def step_over(self, count: int) -> None:
        """Go on behind `count` bytes that nobody looks at; a file elsewhere does not send them."""
        self.advance(count)

    def _extend(self, end: int) -> None:
        self.check_end(end)
        self._fetch(end)

    def check_end(self, end: int) -> None:
        """Refuse to go on to byte `end` where no header may."""
        if end > self.file_size:
            detail = f"the header goes on to byte {end}, the file ends at {self.file_size}"
            raise ModelCutOff(self.path, detail)
        if end > HEADER_LIMIT:
            self.refuse(f"the header would need {end} bytes")

    def unpack(self, layout: Struct) -> tuple[Any, ...]:
        return layout.unpack_from(self.data, self.advance(layout.size))

    def u32(self) -> int:
        return int.from_bytes(self.take(4), "little")

    def u64(self) -> int:
        return int.from_bytes(self.take(8), "little")

    def take(self, count: int) -> bytes:
        start = self.advance(count)
        return bytes(self.data[start : self.position])

    def length(self, what: str, limit: int) -> int:
        """A 64-bit count or length that may be at most `limit`."""
        value = self.u64()
        if value > limit:
            self.refuse(f"{what} is {value}, at most {limit} makes sense")
        return value

    def text(self, what: str, limit_bytes: int) -> str:
        """A length-prefixed string. Bytes that are not UTF-8 become U+FFFD."""
        return self.take(self.length(what, limit_bytes)).decode("utf-8", "replace")

    def skip_strings(self, count: int, limit_bytes: int) -> None:
        """Step over `count` length-prefixed strings without building them."""
        blocks, rest = divmod(count, _STRINGS_PER_MATCH)
        match_block = _short_strings().match
        for _ in range(blocks):
            match = match_block(self.data, self.position, self.file_size)
            if match:
                self.position = match.end()
            else:
                self._skip_one_by_one(_STRINGS_PER_MATCH, limit_bytes)
        self._skip_one_by_one(rest, limit_bytes)

    def _skip_one_by_one(self, count: int, limit_bytes: int) -> None:
        for _ in range(count):
            self.advance(self.length("a string's length", limit_bytes))


def quoted(text: str) -> str:
    """Text out of a file, for a message: short and without control characters."""
    return repr(text[:60])
