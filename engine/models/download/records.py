"""The bytes of a download's journal. Pure; any bytes can be read without an error.

A header of its own block; a block of slots that are written over: the best progress shown, a stamp
of the finished file, and how far each open segment is; then records that are only ever added. All
carry a checksum; the first record that does not fit ends them. A record of a chunk is added when
its data is on the disk for good and holds a check of it; what slots and other records say is true
after the death of a process but not after that of the computer.
"""

import json
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.models.download.ranges import Ranges, Span

SLOTS: Final = 32
"""Segments that can be open at a time."""
RECORD_BYTES: Final = 32
_BLOCK = 4096
RECORDS_AT: Final = 2 * _BLOCK
MOST_BYTES: Final = 64 << 20
"""A journal of a file of 8 TB."""
_MAGIC = b"SNUGDL1\n"
_LENGTH = struct.Struct("<I")
_RECORD = struct.Struct("<B3xIQQ4x")
_LARGEST = 1 << 60
_BEST, _STAMP, _MARK, _WRITTEN, _CHUNK, _SO_FAR = b"BSMWCP"


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """Which file this is. `identity` names hub, repository, revision and path; `size_bytes` is None
    while nobody has told; `boot` names the computer's time between two starts, and the file."""

    identity: str
    size_bytes: int | None
    etag: str
    sha256: str
    chunk_bytes: int
    boot: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """The finished file, as it was when it got its name."""

    size_bytes: int
    mtime_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """What is known of a chunk's bytes: their CRC-32, or `from_start` four bytes of the SHA-256 of
    the file up to the chunk's end, which costs nothing where that hash is taken anyway."""

    value: int
    from_start: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a journal says. `chunks`: a check of each by its number; `written` holds them too."""

    header: Header
    written: tuple[Span, ...]
    chunks: Mapping[int, Check]
    best_bytes: int
    stamp: Stamp | None


def header_block(header: Header) -> bytes:
    content = {
        "identity": header.identity,
        "size_bytes": header.size_bytes,
        "etag": header.etag,
        "sha256": header.sha256,
        "chunk_bytes": header.chunk_bytes,
        "boot": header.boot,
    }
    text = json.dumps(content).encode()
    block = _MAGIC + _LENGTH.pack(len(text)) + text
    return (block + _LENGTH.pack(zlib.crc32(block))).ljust(_BLOCK, b"\0")


def best(count_bytes: int) -> tuple[int, bytes]:
    """Where a slot's bytes belong, and the bytes."""
    return _BLOCK, _packed(_BEST, 0, count_bytes, 0)


def stamp(value: Stamp) -> tuple[int, bytes]:
    return _BLOCK + RECORD_BYTES, _packed(_STAMP, 0, value.size_bytes, value.mtime_ns)


def mark(slot: int, start: int, end: int) -> tuple[int, bytes]:
    return _BLOCK + (2 + slot) * RECORD_BYTES, _packed(_MARK, 0, start, end)


def written(start: int, end: int) -> bytes:
    return _packed(_WRITTEN, 0, start, end)


def chunk(number: int, check: Check) -> bytes:
    return _packed(_SO_FAR if check.from_start else _CHUNK, check.value, number, 0)


def _packed(kind: int, crc: int, first: int, second: int) -> bytes:
    data = _RECORD.pack(kind, crc, first, second)
    return data + _LENGTH.pack(zlib.crc32(data))


# --- reading --------------------------------------------------------------------------------------


def parse(data: bytes) -> Found | None:
    """None for what is no journal of ours, or one of a newer Snug."""
    header = _header(data[:_BLOCK])
    if header is None or len(data) < RECORDS_AT:
        return None
    spans, best_bytes, its_stamp = _slots(data)
    chunks: dict[int, Check] = {}
    for kind, value, first, second in _records(data):
        if kind == _WRITTEN:
            spans.add(first, min(second, _LARGEST))
        elif kind in (_CHUNK, _SO_FAR) and (span := chunk_span(header, first)) is not None:
            chunks[first] = Check(value=value, from_start=kind == _SO_FAR)
            spans.add(*span)
    if header.size_bytes is not None:
        spans.remove(header.size_bytes, 1 << 64)
    return Found(
        header=header,
        written=spans.spans,
        chunks=chunks,
        best_bytes=best_bytes,
        stamp=its_stamp,
    )


def chunk_span(header: Header, number: int) -> Span | None:
    """The bytes of a chunk; None where the file has no such chunk, or has no known end."""
    start = number * header.chunk_bytes
    if header.size_bytes is None or start >= header.size_bytes:
        return None
    return start, min(start + header.chunk_bytes, header.size_bytes)


def _slots(data: bytes) -> tuple[Ranges, int, Stamp | None]:
    best_bytes, its_stamp, spans = 0, None, Ranges()
    for number in range(2 + SLOTS):
        match _unpacked(data, _BLOCK + number * RECORD_BYTES):
            case (kind, _, first, _) if kind == _BEST and number == 0:
                best_bytes = min(first, _LARGEST)
            case (kind, _, first, second) if kind == _STAMP and number == 1:
                its_stamp = Stamp(size_bytes=first, mtime_ns=second)
            case (kind, _, first, second) if kind == _MARK and number > 1:
                spans.add(first, min(second, _LARGEST))
    return spans, best_bytes, its_stamp


def _records(data: bytes) -> list[tuple[int, int, int, int]]:
    found = []
    for at in range(RECORDS_AT, len(data), RECORD_BYTES):
        record = _unpacked(data, at)
        if record is None:
            break
        found.append(record)
    return found


def _unpacked(data: bytes, at: int) -> tuple[int, int, int, int] | None:
    record = data[at : at + RECORD_BYTES]
    body = record[: _RECORD.size]
    if len(record) < RECORD_BYTES or record[_RECORD.size :] != _LENGTH.pack(zlib.crc32(body)):
        return None
    kind, crc, first, second = _RECORD.unpack(body)
    return kind, crc, first, second


def _header(block: bytes) -> Header | None:
    text_at = len(_MAGIC) + _LENGTH.size
    if not block.startswith(_MAGIC) or len(block) < _BLOCK:
        return None
    end = text_at + int.from_bytes(block[len(_MAGIC) : text_at], "little")
    if end > _BLOCK - _LENGTH.size:
        return None
    if block[end : end + _LENGTH.size] != _LENGTH.pack(zlib.crc32(block[:end])):
        return None
    try:
        content = json.loads(block[text_at:end])
    except (ValueError, RecursionError):
        return None
    return _as_header(content) if isinstance(content, dict) else None


def _as_header(content: Mapping[str, object]) -> Header | None:
    texts = [content.get(name) for name in ("identity", "etag", "sha256", "boot")]
    size_bytes, chunk_bytes = content.get("size_bytes"), content.get("chunk_bytes")
    if size_bytes is not None and not _is_size(size_bytes):
        return None
    if not _is_size(chunk_bytes) or not all(isinstance(text, str) for text in texts):
        return None
    identity, etag, sha256, boot = map(str, texts)
    return Header(
        identity=identity,
        size_bytes=size_bytes if isinstance(size_bytes, int) else None,
        etag=etag,
        sha256=sha256,
        chunk_bytes=max(chunk_bytes if isinstance(chunk_bytes, int) else 0, 1 << 16),
        boot=boot,
    )


def _is_size(value: object) -> bool:
    return type(value) is int and 0 <= value <= _LARGEST
