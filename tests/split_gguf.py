"""Splits a GGUF file into parts as llama.cpp's `gguf-split` does, for tests: the first part has all
the metadata, the others only the three keys that every part has."""

import struct
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from engine.models import gguf
from engine.models.cursor import Cursor
from engine.models.tensors import TensorInfo
from tests import ggufs

_START = struct.Struct("<4sIQQ")
_COPIED_AT_A_TIME = 1 << 20


def split(source: Path, folder: Path, parts: int, stem: str = "model") -> tuple[Path, ...]:
    """The parts of `source`, each with about as many tensors, and their paths in order."""
    header = gguf.read_header(source)
    paths = tuple(folder / f"{stem}-{n:05d}-of-{parts:05d}.gguf" for n in range(1, parts + 1))
    for number, path in enumerate(paths):
        start, end = (len(header.tensors) * (number + i) // parts for i in (0, 1))
        keys = _keys(number, parts, len(header.tensors))
        with source.open("rb") as file, path.open("wb") as out:
            before = file.read(header.data_offset) if number == 0 else _nothing()
            out.write(_header(before, keys, header.tensors[start:end]))
            for tensor in header.tensors[start:end]:
                file.seek(header.data_offset + tensor.offset)
                _copy(file, out, tensor.size_bytes)
                out.write(bytes(-out.tell() % 32))
    return paths


def _keys(number: int, parts: int, tensors: int) -> dict[str, object]:
    return {
        "split.no": ggufs.Typed(ggufs.U16, number),
        "split.count": ggufs.Typed(ggufs.U16, parts),
        "split.tensors.count": ggufs.Typed(ggufs.I32, tensors),
    }


def _nothing() -> bytes:
    return _START.pack(b"GGUF", 3, 0, 0)


def _header(before: bytes, keys: dict[str, object], tensors: Sequence[TensorInfo]) -> bytes:
    """What stands in `before`, byte for byte, and `keys`; then these tensors alone."""
    key_count = _START.unpack_from(before)[3] + len(keys)
    described = [ggufs.Tensor(tensor.name, tensor.dims, tensor.type_id) for tensor in tensors]
    plain = _START.pack(b"GGUF", 3, len(tensors), key_count)
    plain += before[_START.size : _metadata_end(before)]
    plain += ggufs.header(keys, ())[_START.size :]
    plain += b"".join(ggufs._directory(described))
    return plain + bytes(-len(plain) % 32)


def _metadata_end(data: bytes) -> int:
    def fetch(end: int) -> None:
        raise AssertionError(end)

    cursor = Cursor(Path(), data, len(data), fetch)
    gguf._version(cursor)
    cursor.u64()
    gguf._metadata(cursor)
    return cursor.position


def _copy(file: BinaryIO, out: BinaryIO, size_bytes: int) -> None:
    while size_bytes:
        piece = file.read(min(size_bytes, _COPIED_AT_A_TIME))
        assert piece
        out.write(piece)
        size_bytes -= len(piece)
