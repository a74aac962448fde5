"""The few tables of a 64-bit ELF file that `older.py` and `rpath.py` change. Little-endian only."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_MAGIC = b"\x7fELF\x02\x01"
_SECTION = struct.Struct("<IIQQQQIIQQ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """`kind` as the header says it; `link` is the number of the section with its names."""

    kind: int
    offset: int
    size: int
    link: int


def read(path: Path) -> tuple[bytearray, list[Section]] | None:
    """The bytes and the sections; None for a file of another kind."""
    data = bytearray(path.read_bytes())
    return (data, list(_sections(data))) if data.startswith(_MAGIC) else None


def _sections(data: bytearray) -> Iterator[Section]:
    start = struct.unpack_from("<Q", data, 0x28)[0]
    size, count = struct.unpack_from("<HH", data, 0x3A)
    for index in range(count):
        _, kind, _, _, offset, length, link, *_ = _SECTION.unpack_from(data, start + index * size)
        yield Section(kind=kind, offset=offset, size=length, link=link)


def text_at(data: bytearray, offset: int) -> str:
    return data[offset : data.index(0, offset)].decode("utf-8", "replace")
