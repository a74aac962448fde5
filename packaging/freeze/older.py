"""Lets a library built here run on older systems: where it asks for the newer of two versions of a
function that glibc keeps side by side, it is told to ask for the older one.

Python built on Debian 12 wants `hypot` as of glibc 2.35, and nothing else that 2.34 lacks. The two
differ in how errors are told. Only functions listed here are touched: the gate finds all others.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from freeze import elf_file

_SAFE = {"hypot"}
_NEW, _OLD = "GLIBC_2.35", "GLIBC_2.2.5"

_VERNEED, _VERSYM, _DYNSYM = 0x6FFFFFFE, 0x6FFFFFFF, 11
_NEED = struct.Struct("<HHIII")
_AUX = struct.Struct("<IHHII")
_SYMBOL = struct.Struct("<IBBHQQ")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Version:
    """A version that the library needs: where its entry lies, its number and its name."""

    offset: int
    number: int
    name: str
    name_offset: int


def ask_for_older(path: Path) -> bool:
    """Whether something was changed. A 64-bit ELF file; anything else stays as it is."""
    found = elf_file.read(path)
    if found is None:
        return False
    data, sections = found
    versions = {version.name: version for version in _versions(data, sections)}
    new, old = versions.get(_NEW), versions.get(_OLD)
    if new is None or old is None or not _functions(data, sections, new.number) <= _SAFE:
        return False
    struct.pack_into("<I", data, new.offset, elf_hash(_OLD))
    struct.pack_into("<I", data, new.offset + 8, old.name_offset)
    path.write_bytes(data)
    return True


def elf_hash(name: str) -> int:
    """The hash of a version's name (System V ABI, "Hash Table Section")."""
    value = 0
    for letter in name.encode("ascii"):
        value = (value << 4) + letter
        high = value & 0xF0000000
        value = (value ^ (high >> 24)) & ~high
    return value & 0xFFFFFFFF


def _versions(data: bytearray, sections: list[elf_file.Section]) -> Iterator[_Version]:
    for section in sections:
        if section.kind != _VERNEED:
            continue
        names, place = sections[section.link].offset, section.offset
        while True:
            _, count, _, first, following = _NEED.unpack_from(data, place)
            entry = place + first
            for _ in range(count):
                _, _, number, name, step = _AUX.unpack_from(data, entry)
                text = elf_file.text_at(data, names + name)
                yield _Version(offset=entry, number=number, name=text, name_offset=name)
                entry += step
            if not following:
                return
            place += following


def _functions(data: bytearray, sections: list[elf_file.Section], number: int) -> set[str]:
    """Names of the symbols that are wanted in this version."""
    symbols = next(section for section in sections if section.kind == _DYNSYM)
    versions = next(section for section in sections if section.kind == _VERSYM)
    names = sections[symbols.link].offset
    wanted = set()
    for index in range(versions.size // 2):
        if struct.unpack_from("<H", data, versions.offset + 2 * index)[0] & 0x7FFF == number:
            name = _SYMBOL.unpack_from(data, symbols.offset + index * _SYMBOL.size)[0]
            wanted.add(elf_file.text_at(data, names + name))
    return wanted
