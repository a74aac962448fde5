"""Makes a library forget where its own build looked for others: such a place may belong to somebody
else on a person's computer, and what lies there would be loaded."""

import struct
from collections.abc import Iterator
from pathlib import Path

from freeze import elf_file

_DYNAMIC = 6
_ENTRY = struct.Struct("<qQ")
_PLACES = {15, 29}
"""DT_RPATH and DT_RUNPATH."""
_NONE = 0
_BESIDE = "$ORIGIN"


def forget_places(path: Path) -> bool:
    """Whether something was changed. Places relative to the library itself stay."""
    found = elf_file.read(path)
    if found is None:
        return False
    data, sections = found
    table = next((section for section in sections if section.kind == _DYNAMIC), None)
    if table is None:
        return False
    names = sections[table.link].offset
    entries = list(_entries(data, table))
    kept = [entry for entry in entries if not _is_foreign(data, names, *entry)]
    if len(kept) == len(entries):
        return False
    kept += [(_NONE, 0)] * (len(entries) - len(kept))
    for index, entry in enumerate(kept):
        _ENTRY.pack_into(data, table.offset + index * _ENTRY.size, *entry)
    path.write_bytes(data)
    return True


def _entries(data: bytearray, table: elf_file.Section) -> Iterator[tuple[int, int]]:
    for index in range(table.size // _ENTRY.size):
        yield _ENTRY.unpack_from(data, table.offset + index * _ENTRY.size)


def _is_foreign(data: bytearray, names: int, tag: int, value: int) -> bool:
    if tag not in _PLACES:
        return False
    places = elf_file.text_at(data, names + value).split(":")
    return not all(place.startswith(_BESIDE) for place in places)
