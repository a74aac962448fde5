"""What a Mac's program or library says about itself: processors, oldest system, other libraries.

Read without Apple's tools, so that the gate works on every system. Only headers are read. Apple's
`<mach-o/loader.h>` and `<mach-o/fat.h>` have the format; 32-bit files are long gone and refused.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import BinaryIO

_THIN = b"\xcf\xfa\xed\xfe"
_FAT, _FAT_64 = b"\xca\xfe\xba\xbe", b"\xca\xfe\xba\xbf"
_MOST_SLICES = 16
"""A class file of Java begins like a fat file; its next number is 45 or more."""

_HEADER = struct.Struct("<4sIIIIIII")
_COMMAND = struct.Struct("<II")
_MOST_COMMAND_BYTES = 1 << 20

_PROCESSORS = {(0x0100000C, 2): "arm64e", (0x01000007, 8): "x86_64h"}
_PROCESSOR = {0x0100000C: "arm64", 0x01000007: "x86_64"}
_LINKED = {0x0C, 0x8000001F, 0x20, 0x80000023}
"""LC_LOAD_DYLIB, and the kinds that are re-exported, loaded late or upward."""
_OPTIONAL = 0x80000018
_RPATH = 0x8000001C
_MIN_MACOS, _BUILD_VERSION = 0x24, 0x32


class Role(Enum):
    """The file's type, as far as it matters here."""

    PROGRAM = 2
    LIBRARY = 6
    PLUGIN = 8
    OTHER = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """The part of a file for one processor. `libraries` must be there, `optional` ones may be
    missing; `places` are where @rpath is looked for; `oldest` is the first macOS it was made for,
    such as (13, 0)."""

    processor: str
    role: Role
    libraries: tuple[str, ...]
    optional: tuple[str, ...]
    places: tuple[str, ...]
    oldest: tuple[int, int]


def is_macho(path: Path) -> bool:
    """A link is none: what it leads to is asked itself."""
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        head = file.read(8)
    if head[:4] in (_FAT, _FAT_64):
        return len(head) == 8 and int.from_bytes(head[4:], "big") <= _MOST_SLICES
    return head[:4] == _THIN


def slices(path: Path) -> tuple[Slice, ...]:
    """Raises `ValueError` for anything that is not a 64-bit Mach-O file, or is cut off."""
    with path.open("rb") as file:
        try:
            return tuple(_slice(file, offset) for offset in _offsets(file))
        except (struct.error, IndexError) as error:
            msg = f"{path} is cut off"
            raise ValueError(msg) from error


def _offsets(file: BinaryIO) -> list[int]:
    magic = file.read(4)
    if magic == _THIN:
        return [0]
    if magic not in (_FAT, _FAT_64):
        msg = f"{file.name} is no 64-bit Mach-O file"
        raise ValueError(msg)
    entry = struct.Struct(">IIIII" if magic == _FAT else ">IIQQII")
    count = min(struct.unpack(">I", file.read(4))[0], _MOST_SLICES)
    return [entry.unpack(file.read(entry.size))[2] for _ in range(count)]


def _slice(file: BinaryIO, offset: int) -> Slice:
    file.seek(offset)
    magic, kind, sub, role, count, size, *_ = _HEADER.unpack(file.read(_HEADER.size))
    if magic != _THIN:
        msg = f"{file.name} holds a part that is no 64-bit Mach-O"
        raise ValueError(msg)
    commands = list(_commands(file.read(min(size, _MOST_COMMAND_BYTES)), count))
    return Slice(
        processor=_PROCESSORS.get((kind, sub & 0xFFFFFF), _PROCESSOR.get(kind, f"{kind:#x}")),
        role=next((known for known in Role if known.value == role), Role.OTHER),
        libraries=tuple(_text(data) for code, data in commands if code in _LINKED),
        optional=tuple(_text(data) for code, data in commands if code == _OPTIONAL),
        places=tuple(_text(data) for code, data in commands if code == _RPATH),
        oldest=max((_oldest(code, data) for code, data in commands), default=(0, 0)),
    )


def _commands(data: bytes, count: int) -> Iterator[tuple[int, bytes]]:
    place = 0
    for _ in range(count):
        code, size = _COMMAND.unpack_from(data, place)
        if size < _COMMAND.size or place + size > len(data):
            msg = "a command leads out of the header"
            raise ValueError(msg)
        yield code, data[place : place + size]
        place += size


def _text(data: bytes) -> str:
    start = struct.unpack_from("<I", data, 8)[0]
    return data[start:].split(b"\0", 1)[0].decode("utf-8", "replace")


def _oldest(code: int, data: bytes) -> tuple[int, int]:
    if code not in (_MIN_MACOS, _BUILD_VERSION):
        return (0, 0)
    version = struct.unpack_from("<I", data, 8 if code == _MIN_MACOS else 12)[0]
    return (version >> 16, version >> 8 & 0xFF)
