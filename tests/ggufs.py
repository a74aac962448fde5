"""Writes small GGUF files for tests: sound ones, hostile ones, and sparse ones of any size.

Values are plain Python (int -> u32, float -> f32, bool, str, list -> array of its first item's
type) or `Typed` to choose the type, or `Raw` for bytes as they are. Nothing is checked here.
"""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.models.ggml_types import TENSOR_TYPES

U8, I8, U16, I16, U32, I32, F32, BOOL, STRING, ARRAY, U64, I64, F64 = range(13)
_CODES = {
    U8: "B",
    I8: "b",
    U16: "H",
    I16: "h",
    U32: "I",
    I32: "i",
    F32: "f",
    BOOL: "?",
    U64: "Q",
    I64: "q",
    F64: "d",
}


@dataclass(frozen=True)
class Typed:
    type_id: int
    value: object


@dataclass(frozen=True)
class Raw:
    """Everything after the key: type and value."""

    data: bytes


@dataclass(frozen=True)
class Tensor:
    """`offset` None puts it behind the one before, as a sound file does."""

    name: str
    dims: tuple[int, ...] = (32, 4)
    type_id: int = 0
    offset: int | None = None

    @property
    def size_bytes(self) -> int:
        known = TENSOR_TYPES.get(self.type_id)
        elements = 1
        for dim in self.dims:
            elements *= dim
        return elements // known.block * known.block_bytes if known else 0


CHAT: dict[str, object] = {
    "general.architecture": "llama",
    "general.type": "model",
    "general.name": "Tiny",
    "general.file_type": 0,
    "llama.block_count": 2,
    "llama.context_length": 2048,
    "llama.attention.head_count_kv": [3, 0],
    "tokenizer.ggml.model": "gpt2",
    "tokenizer.ggml.tokens": ["a", "b", "c"],
    "tokenizer.chat_template": "{{ messages }}",
}
"""A sound chat model's metadata; change it with `chat(...)`."""

TENSORS = (Tensor("token_embd.weight"), Tensor("output_norm.weight", (32,)))


def chat(changes: Mapping[str, object] | None = None, *, without: Sequence[str] = ()) -> bytes:
    """A whole sound chat model of 640 bytes of weights, with changed metadata."""
    metadata = {**CHAT, **(changes or {})}
    return whole({key: metadata[key] for key in metadata if key not in without})


def whole(metadata: Mapping[str, object], tensors: Sequence[Tensor] = TENSORS) -> bytes:
    """A header and weights, all zero."""
    head = header(metadata, tensors)
    return head + bytes(data_bytes(tensors))


def header(
    metadata: Mapping[str, object],
    tensors: Sequence[Tensor] = TENSORS,
    *,
    version: int = 3,
    magic: bytes = b"GGUF",
    key_count: int | None = None,
    tensor_count: int | None = None,
) -> bytes:
    """Everything before the weights, padded to where they begin."""
    parts = [magic, struct.pack("<I", version)]
    parts.append(_u64(len(tensors) if tensor_count is None else tensor_count))
    parts.append(_u64(len(metadata) if key_count is None else key_count))
    parts += [_text(key) + _value(value) for key, value in metadata.items()]
    parts += _directory(tensors)
    plain = b"".join(parts)
    return plain + bytes(-len(plain) % 32) if tensors else plain


def data_bytes(tensors: Sequence[Tensor]) -> int:
    """Where the last tensor ends, from where the first begins."""
    *before, last = tensors
    return sum(_padded(tensor.size_bytes) for tensor in before) + last.size_bytes


def write_sparse(path: Path, metadata: Mapping[str, object], tensors: Sequence[Tensor]) -> int:
    """A true header, then a hole as large as the weights: any size, no disk. Its size in bytes.

    Never load one for real: mapping it would page in its zeros.
    """
    head = header(metadata, tensors)
    size = len(head) + data_bytes(tensors)
    with path.open("wb") as file:
        file.write(head)
        file.truncate(size)
    return size


def string_array(data: Sequence[bytes]) -> Raw:
    """An array of any bytes, written quickly: a vocabulary."""
    items = b"".join(_u64(len(item)) + item for item in data)
    return Raw(struct.pack("<IIQ", ARRAY, STRING, len(data)) + items)


def _directory(tensors: Sequence[Tensor]) -> list[bytes]:
    rows, offset = [], 0
    for tensor in tensors:
        dims = struct.pack(f"<I{len(tensor.dims)}Q", len(tensor.dims), *tensor.dims)
        place = struct.pack("<IQ", tensor.type_id, _offset(tensor, offset))
        rows.append(_text(tensor.name) + dims + place)
        offset += _padded(tensor.size_bytes)
    return rows


def _offset(tensor: Tensor, expected: int) -> int:
    return expected if tensor.offset is None else tensor.offset


def _value(value: object) -> bytes:
    if isinstance(value, Raw):
        return value.data
    typed = value if isinstance(value, Typed) else Typed(_type_of(value), value)
    return struct.pack("<I", typed.type_id) + _payload(typed)


def _payload(typed: Typed) -> bytes:
    if typed.type_id == STRING:
        return _text(typed.value)
    if typed.type_id != ARRAY:
        return struct.pack("<" + _CODES[typed.type_id], typed.value)
    assert isinstance(typed.value, Sequence)
    items = [
        item if isinstance(item, Typed) else Typed(_type_of(item), item) for item in typed.value
    ]
    item_type = items[0].type_id if items else U32
    return struct.pack("<IQ", item_type, len(items)) + b"".join(map(_payload, items))


def _type_of(value: object) -> int:
    for kind, type_id in ((bool, BOOL), (int, U32), (float, F32), ((str, bytes), STRING)):
        if isinstance(value, kind):
            return type_id
    return ARRAY


def _text(value: object) -> bytes:
    data = value if isinstance(value, bytes) else str(value).encode()
    return _u64(len(data)) + data


def _u64(value: int) -> bytes:
    return struct.pack("<Q", value)


def _padded(size: int) -> int:
    return size + -size % 32
