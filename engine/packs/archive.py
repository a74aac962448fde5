"""A strict reader of ZIP files, for hostile input: the plain form that our own builder writes.

The list at the end must describe the whole file, without gaps, overlaps or anything around it, and
what stands beside each file must say the same. Python's own reader is lenient where programs
disagree about what an archive holds. Names are not judged here. Facts: PKWARE's APPNOTE.TXT, 4.3.
"""

import os
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from struct import Struct
from typing import BinaryIO

from engine.errors import PackRefused
from engine.types.packs import PackProblem

LARGEST_BYTES = 2_000_000_000
"""Of an archive and of each file in it: more would need ZIP64, which packs do without."""
MOST_FILES = 256

_END = Struct("<4s4H2LH")
_LISTED = Struct("<4s6H3L5H2L")
_BESIDE = Struct("<4s5H3L2H")
_END_MARK, _LISTED_MARK, _BESIDE_MARK = b"PK\5\6", b"PK\1\2", b"PK\3\4"
_BIG_END_MARK = b"PK\6\7"
_BIG_END_BYTES = 20
_LONGEST_LISTED = _LISTED.size + 1024
_LONGEST_COMMENT = 65_535
_ENCRYPTED = 0x1 | 0x40 | 0x2000
_HARMLESS = 0x2 | 0x4 | 0x800
"""Flags that say how well it was compressed, and that names are UTF-8."""
_STORED, _DEFLATED = 0, 8
_FOLDER_ATTRIBUTE, _LINK_ATTRIBUTE = 0x10, 0x400
_FULL_16, _FULL_32 = 0xFFFF, 0xFFFFFFFF
_CHUNK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One file in the archive. `data_at` is where its bytes begin."""

    name: str
    method: int
    packed_bytes: int
    size_bytes: int
    starts_at: int
    data_at: int
    is_link: bool
    is_folder: bool

    @property
    def ends_at(self) -> int:
        return self.data_at + self.packed_bytes


class Archive:
    """An open archive. Every method raises `PackRefused`."""

    def __init__(self, file: BinaryIO, path: Path) -> None:
        self.path = path
        self._file = file
        self._size_bytes = self._seek(0, os.SEEK_END)
        self.members = self._members()

    def content(self, member: Member) -> Iterator[bytes]:
        """Its bytes in pieces, checked to be as many as listed and never more."""
        left = member.size_bytes
        pieces = self._inflated(member) if member.method == _DEFLATED else self._packed(member)
        for piece in pieces:
            left -= len(piece)
            if left < 0:
                raise self.refused(PackProblem.UNPACKS_LARGER, member.name)
            yield piece
        if left:
            raise self.refused(PackProblem.SIZE_DIFFERS, f"{member.name}: {left} bytes too few")

    def refused(self, problem: PackProblem, detail: str = "") -> PackRefused:
        return PackRefused(self.path, problem, detail)

    # --- the list -------------------------------------------------------------------------------

    def _members(self) -> tuple[Member, ...]:
        count, list_bytes, list_at = self._end()
        data = self._read(list_at, list_bytes)
        members, position = [], 0
        for _ in range(count):
            member, position = self._listed(data, position)
            members.append(member)
        if position != len(data):
            raise self.refused(PackProblem.EXTRA_DATA, "in the list of files")
        self._check_places(members, list_at)
        return tuple(members)

    def _end(self) -> tuple[int, int, int]:
        """(files, bytes of their list, where it begins)."""
        if self._size_bytes > LARGEST_BYTES:
            raise self.refused(PackProblem.TOO_LARGE, f"{self._size_bytes} bytes")
        if self._size_bytes < _END.size + _BESIDE.size:
            raise self._unfinished()
        end_at = self._size_bytes - _END.size
        mark, disk, list_disk, here, count, list_bytes, list_at, comment = _END.unpack(
            self._read(end_at, _END.size)
        )
        if mark != _END_MARK or comment:
            raise self._unfinished()
        self._check_end(end_at, (disk, list_disk, count - here), (count, list_bytes, list_at))
        return count, list_bytes, list_at

    def _check_end(
        self, end_at: int, parts: tuple[int, int, int], said: tuple[int, int, int]
    ) -> None:
        count, list_bytes, list_at = said
        if count == _FULL_16 or _FULL_32 in (list_bytes, list_at) or self._is_big(end_at):
            raise self.refused(PackProblem.BIG_ARCHIVE)
        if any(parts):
            raise self.refused(PackProblem.ARCHIVE_DAMAGED, "it has several parts")
        if count > MOST_FILES:
            raise self.refused(PackProblem.TOO_MANY_FILES, f"{count}")
        if list_at + list_bytes > end_at or list_bytes > count * _LONGEST_LISTED:
            raise self.refused(PackProblem.ARCHIVE_DAMAGED, "its list is longer than it can be")
        if list_at + list_bytes < end_at:
            raise self.refused(PackProblem.EXTRA_DATA, "around the archive")

    def _is_big(self, end_at: int) -> bool:
        at = end_at - _BIG_END_BYTES
        return at >= 0 and self._read(at, len(_BIG_END_MARK)) == _BIG_END_MARK

    def _unfinished(self) -> PackRefused:
        """What to say of a file that does not end as an archive does."""
        if self._read(0, min(4, self._size_bytes)) != _BESIDE_MARK:
            return self.refused(PackProblem.NOT_A_PACK)
        tail_bytes = min(self._size_bytes, _END.size + _LONGEST_COMMENT)
        tail = self._read(self._size_bytes - tail_bytes, tail_bytes)
        known = _END_MARK in tail
        return self.refused(PackProblem.EXTRA_DATA if known else PackProblem.CUT_OFF, "at its end")

    def _listed(self, data: bytes, position: int) -> tuple[Member, int]:
        if position + _LISTED.size > len(data):
            raise self.refused(PackProblem.ARCHIVE_DAMAGED, "its list ends early")
        fields = _LISTED.unpack_from(data, position)
        mark, _, _, flags, method, when, day, crc, packed, size, *lengths = fields
        name_bytes, extra_bytes, comment_bytes, disk, _, attributes, starts_at = lengths
        if mark != _LISTED_MARK or disk:
            raise self.refused(PackProblem.ARCHIVE_DAMAGED, "its list makes no sense")
        if _FULL_32 in (packed, size, starts_at):
            raise self.refused(PackProblem.BIG_ARCHIVE)
        if extra_bytes or comment_bytes:
            raise self.refused(PackProblem.EXTRA_DATA, "in an entry of the list")
        begins = position + _LISTED.size
        raw_name = data[begins : begins + name_bytes]
        name = raw_name.decode("utf-8", "backslashreplace")
        self._check_kind(flags, method, name)
        same = (flags, method, when, day, crc, packed, size, name_bytes, 0)
        data_at = self._data_at(starts_at, same, raw_name)
        mode = attributes >> 16
        member = Member(
            name=name,
            method=method,
            packed_bytes=packed,
            size_bytes=size,
            starts_at=starts_at,
            data_at=data_at,
            is_link=_is_special(mode) or bool(attributes & _LINK_ATTRIBUTE),
            is_folder=stat.S_ISDIR(mode) or bool(attributes & _FOLDER_ATTRIBUTE),
        )
        return member, begins + name_bytes

    def _check_kind(self, flags: int, method: int, name: str) -> None:
        if flags & _ENCRYPTED:
            raise self.refused(PackProblem.ENCRYPTED, ascii(name))
        if method not in (_STORED, _DEFLATED) or flags & ~_HARMLESS:
            raise self.refused(PackProblem.UNKNOWN_COMPRESSION, f"{name!a}: {method}")

    def _data_at(self, starts_at: int, expected: tuple[int, ...], raw_name: bytes) -> int:
        """Where the file's bytes begin, if what stands before them agrees with the list."""
        if starts_at + _BESIDE.size + len(raw_name) > self._size_bytes:
            raise self.refused(PackProblem.ARCHIVE_DAMAGED, "a file begins behind the end")
        mark, _, *said = _BESIDE.unpack(self._read(starts_at, _BESIDE.size))
        name = self._read(starts_at + _BESIDE.size, len(raw_name))
        if mark != _BESIDE_MARK or tuple(said) != expected or name != raw_name:
            raise self.refused(PackProblem.HEADERS_DISAGREE, ascii(raw_name))
        return starts_at + _BESIDE.size + len(raw_name)

    def _check_places(self, members: list[Member], list_at: int) -> None:
        """They cover the file from its first byte to the list, each byte once."""
        position = 0
        for member in sorted(members, key=lambda member: member.starts_at):
            if member.starts_at < position or member.ends_at > list_at:
                raise self.refused(PackProblem.OVERLAPPING, ascii(member.name))
            if member.starts_at > position:
                raise self.refused(PackProblem.EXTRA_DATA, f"before {member.name!a}")
            position = member.ends_at
        if position < list_at:
            raise self.refused(PackProblem.EXTRA_DATA, "before the list")

    # --- bytes ----------------------------------------------------------------------------------

    def _inflated(self, member: Member) -> Iterator[bytes]:
        unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            for packed in self._packed(member):
                rest = packed
                while rest:
                    if unpacker.eof:
                        raise self.refused(PackProblem.DATA_DAMAGED, f"{member.name}: ends early")
                    yield unpacker.decompress(rest, _CHUNK_BYTES)
                    rest = unpacker.unconsumed_tail or unpacker.unused_data
            yield unpacker.flush()
        except zlib.error as error:
            raise self.refused(PackProblem.DATA_DAMAGED, f"{member.name}: {error}") from error
        if not unpacker.eof:
            raise self.refused(PackProblem.DATA_DAMAGED, f"{member.name}: has no end")

    def _packed(self, member: Member) -> Iterator[bytes]:
        for at in range(member.data_at, member.ends_at, _CHUNK_BYTES):
            yield self._read(at, min(_CHUNK_BYTES, member.ends_at - at))

    def _read(self, at: int, count: int) -> bytes:
        self._seek(at)
        with _reading(self.path):
            data = self._file.read(count)
        if len(data) != count:
            raise self.refused(PackProblem.CUT_OFF, "it became shorter")
        return data

    def _seek(self, at: int, whence: int = os.SEEK_SET) -> int:
        with _reading(self.path):
            return self._file.seek(at, whence)


def _is_special(mode: int) -> bool:
    return stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR)


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise PackRefused(path, PackProblem.NOT_FOUND) from error
    except (OSError, ValueError) as error:
        raise PackRefused(path, PackProblem.UNREADABLE, str(error)) from error


@contextmanager
def opened(path: Path) -> Iterator[Archive]:
    """Raises `PackRefused`."""
    with _reading(path):
        if path.exists() and not path.is_file():  # a pipe would be waited for
            raise PackRefused(path, PackProblem.NOT_A_PACK, "it is no file")
        file = path.open("rb")
    with file:
        yield Archive(file, path)
