"""A bounded reader of GGUF headers, for hostile input. It loads nothing and runs nothing.

No count, length, type, dimension or offset is believed before it was compared with a limit
and with the size of the file; arrays the size of a vocabulary are stepped over, not built.
The rules are those of llama.cpp's own reader (ggml/src/gguf.cpp): what it refuses is refused
here with a name. Any thread; about 20 ms for a vocabulary of 262,144 tokens.
"""

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from struct import Struct
from types import MappingProxyType

from engine.errors import (
    EngineError,
    ModelCutOff,
    ModelDamaged,
    ModelMissing,
    ModelTooNew,
    NotAModel,
    WrongByteOrder,
)
from engine.models.cursor import Cursor, quoted
from engine.models.tensors import TensorInfo, check_data, padded, read_tensors

KEYS_LIMIT = 65_536
TENSORS_LIMIT = 131_072
KEY_BYTES_LIMIT = 65_535
ITEMS_LIMIT = 1 << 24
STRING_BYTES_LIMIT = 64 << 20
ITEM_BYTES_LIMIT = 1 << 20
ALIGNMENT_LIMIT = 1 << 20

KEPT_NUMBERS = 1_024
"""Numeric arrays up to this length are kept: heads of each layer and the like."""
KEPT_STRINGS = 64
KEPT_STRING_BYTES = 1 << 20

_FIRST_READ_BYTES = 1 << 20
_NEXT_READ_BYTES = 2 << 20
_DEFAULT_ALIGNMENT = 32
_NEWEST_VERSION = 3
_STRING, _ARRAY = 8, 9
_NUMBERS = {
    0: "B",
    1: "b",
    2: "H",
    3: "h",
    4: "I",
    5: "i",
    6: "f",
    7: "?",
    10: "Q",
    11: "q",
    12: "d",
}
_LAYOUTS = {type_id: Struct("<" + code) for type_id, code in _NUMBERS.items()}

_LOOKS_LIKE = {
    b"": "the file is empty",
    b"\0\0\0\0": "it begins with zeros, like a download that has not arrived",
    b"lmgg": "an old GGML file",
    b"fmgg": "an old GGML file",
    b"tjgg": "an old GGML file",
    b"algg": "an old GGML adapter",
    b"PK\3\4": "a ZIP archive, or PyTorch weights",
    b"<!DO": "a web page",
    b"<htm": "a web page",
    b"vers": "a text file, perhaps a Git LFS pointer",
}

Scalar = int | float | bool | str
Value = Scalar | tuple[Scalar, ...]


class PrefixTooShort(EngineError):
    """The bytes given to `parse` end inside the header: give it at least `needed_bytes`."""

    code = "prefix_too_short"

    def __init__(self, needed_bytes: int) -> None:
        super().__init__(f"{needed_bytes} bytes needed")
        self.needed_bytes = needed_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """An array, or a very long string, that was stepped over.

    `type_id` is GGUF's number for the items' type (8 for strings); `count` counts the items,
    or the bytes of a long string.
    """

    type_id: int
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GgufHeader:
    """What stands before the weights. `file_size` and `data_offset` are in bytes. `files`: how many
    it was read from, more than one for a model in parts (see `split.merge_headers`)."""

    version: int
    metadata: Mapping[str, Value]
    skipped: Mapping[str, Skipped]
    tensors: tuple[TensorInfo, ...]
    alignment: int
    data_offset: int
    file_size: int
    files: int = 1


def read_header(path: Path) -> GgufHeader:
    """Read the header of a model file. Raises `ModelFileError`; never waits for a pipe."""
    with _opened(path) as descriptor:
        file_size = _regular_size(path, descriptor)
        data = bytearray()

        def fetch(end: int) -> None:
            step = _NEXT_READ_BYTES if data else _FIRST_READ_BYTES
            _fill(path, descriptor, data, min(max(end, len(data) + step), file_size))

        return header_at(Cursor(path, data, file_size, fetch))


def parse(buffer: bytes | bytearray, file_size: int, path: Path = Path()) -> GgufHeader:
    """Read a header from the first bytes of a file of `file_size` bytes, a remote one for one.

    Raises `ModelFileError`, with `path` in it, or `PrefixTooShort`.
    """

    def fetch(end: int) -> None:
        raise PrefixTooShort(end)

    return header_at(Cursor(path, buffer, file_size, fetch))


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(path, flags)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise ModelMissing(path, str(error)) from error
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _regular_size(path: Path, descriptor: int) -> int:
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        raise NotAModel(path, "not a regular file")
    return status.st_size


def _fill(path: Path, descriptor: int, data: bytearray, end: int) -> None:
    """Append to `data` until it holds `end` bytes.

    Read, not mapped: a mapped file that shrinks (a download replaced) kills the process.
    """
    while len(data) < end:
        try:
            piece = os.read(descriptor, end - len(data))
        except OSError as error:
            raise ModelMissing(path, str(error)) from error
        if not piece:
            raise ModelCutOff(path, f"the file shrank to {len(data)} bytes")
        data += piece


def header_at(cursor: Cursor) -> GgufHeader:
    """The header that begins where `cursor` is; its kind decides what is read and what only passed.

    Raises `ModelFileError`, and what the cursor's `fetch` raises.
    """
    version = _version(cursor)
    tensor_count = cursor.length("the number of tensors", TENSORS_LIMIT)
    metadata, skipped = _metadata(cursor)
    alignment = _alignment(cursor, metadata)
    tensors = read_tensors(cursor, tensor_count, alignment)
    data_offset = padded(cursor.position, alignment) if tensors else cursor.position
    check_data(cursor, tensors, data_offset)
    return GgufHeader(
        version=version,
        metadata=MappingProxyType(metadata),
        skipped=MappingProxyType(skipped),
        tensors=tensors,
        alignment=alignment,
        data_offset=data_offset,
        file_size=cursor.file_size,
    )


def _version(cursor: Cursor) -> int:
    magic = cursor.take(min(4, cursor.file_size))
    if magic == b"FUGG":
        raise WrongByteOrder(cursor.path, "big-endian magic")
    if magic != b"GGUF":
        raise NotAModel(cursor.path, _LOOKS_LIKE.get(magic, f"it begins with {magic!r}"))
    version = cursor.u32()
    if version & 0xFFFF == 0 and version:
        raise WrongByteOrder(cursor.path, "big-endian version number")
    if version == 1:
        raise ModelDamaged(cursor.path, "GGUF version 1 is too old, no longer read by anything")
    if _NEWEST_VERSION < version <= 0xFFFF:
        raise ModelTooNew(cursor.path, f"GGUF version {version}, {_NEWEST_VERSION} is known")
    if version not in (2, 3):
        cursor.refuse(f"GGUF version {version} does not exist")
    return version


def _metadata(cursor: Cursor) -> tuple[dict[str, Value], dict[str, Skipped]]:
    """Keys must be unique, as llama.cpp demands: with two, readers would disagree."""
    metadata: dict[str, Value] = {}
    skipped: dict[str, Skipped] = {}
    for _ in range(cursor.length("the number of keys", KEYS_LIMIT)):
        key = cursor.text("a key's length", KEY_BYTES_LIMIT)
        if not key:
            cursor.refuse("a key without a name")
        if key in metadata or key in skipped:
            cursor.refuse(f"the key {quoted(key)} is there twice")
        value = _value(cursor, key)
        if isinstance(value, Skipped):
            skipped[key] = value
        else:
            metadata[key] = value
    return metadata, skipped


def _value(cursor: Cursor, key: str) -> Value | Skipped:
    type_id = cursor.u32()
    if type_id in _LAYOUTS:
        number: Scalar = cursor.unpack(_LAYOUTS[type_id])[0]
        return number
    if type_id == _STRING:
        return _string(cursor)
    if type_id != _ARRAY:
        cursor.refuse(f"the key {quoted(key)} has a value of unknown type {type_id}")
    return _array(cursor, key)


def _string(cursor: Cursor) -> str | Skipped:
    length = cursor.length("a string's length", STRING_BYTES_LIMIT)
    if length > KEPT_STRING_BYTES:
        cursor.step_over(length)
        return Skipped(type_id=_STRING, count=length)
    return cursor.take(length).decode("utf-8", "replace")


def _array(cursor: Cursor, key: str) -> Value | Skipped:
    """Arrays of arrays are refused: llama.cpp refuses them too, and depth needs no bound."""
    type_id = cursor.u32()
    if type_id != _STRING and type_id not in _LAYOUTS:
        cursor.refuse(f"the array {quoted(key)} has items of unknown type {type_id}")
    count = cursor.length(f"the length of {quoted(key)}", ITEMS_LIMIT)
    if type_id == _STRING:
        return _strings(cursor, count)
    return _numbers(cursor, type_id, count)


def _strings(cursor: Cursor, count: int) -> Value | Skipped:
    if count <= KEPT_STRINGS:
        return tuple(cursor.text("a string's length", ITEM_BYTES_LIMIT) for _ in range(count))
    cursor.skip_strings(count, ITEM_BYTES_LIMIT)
    return Skipped(type_id=_STRING, count=count)


def _numbers(cursor: Cursor, type_id: int, count: int) -> Value | Skipped:
    if count <= KEPT_NUMBERS:
        return cursor.unpack(Struct(f"<{count}{_NUMBERS[type_id]}"))
    cursor.step_over(count * _LAYOUTS[type_id].size)
    return Skipped(type_id=type_id, count=count)


def _alignment(cursor: Cursor, metadata: Mapping[str, Value]) -> int:
    value = metadata.get("general.alignment", _DEFAULT_ALIGNMENT)
    if isinstance(value, bool) or not isinstance(value, int):
        cursor.refuse("the alignment is not a number")
    if not 0 < value <= ALIGNMENT_LIMIT or value & (value - 1):
        cursor.refuse(f"the alignment is {value}, not a sensible power of two")
    return value
