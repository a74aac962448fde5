"""A GGUF header as compressed JSON, small enough to keep, and back. Pure.

What is kept is checked as a stranger's: facts and sizes are worked out from it anew each time.
"""

import json
import zlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from engine.models.ggml_types import TENSOR_TYPES
from engine.models.gguf import ALIGNMENT_LIMIT, GgufHeader, Skipped, Value
from engine.models.tensors import TensorInfo

_VERSION = 1
_MOST_BYTES = 64 << 20
_COUNT_LIMIT = 1 << 63


class NoHeaderError(ValueError):
    """These bytes are none that `packed` made."""


def packed(header: GgufHeader) -> bytes:
    tensors = [[each.name, each.dims, each.type_id, each.offset] for each in header.tensors]
    skipped = {key: [each.type_id, each.count] for key, each in header.skipped.items()}
    value = {
        "kept": _VERSION,
        "version": header.version,
        "metadata": dict(header.metadata),
        "skipped": skipped,
        "tensors": tensors,
        "alignment": header.alignment,
        "data_offset": header.data_offset,
        "file_size": header.file_size,
    }
    return zlib.compress(json.dumps(value, separators=(",", ":")).encode("ascii"))


def unpacked(data: bytes) -> GgufHeader:
    """Raises `NoHeaderError`. A flipped bit does not pass: zlib keeps a sum of what it packed."""
    try:
        return _header(json.loads(_inflated(data)))
    except NoHeaderError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, zlib.error) as error:
        raise NoHeaderError(type(error).__name__) from error


def _inflated(data: bytes) -> bytes:
    unpacker = zlib.decompressobj()
    text = unpacker.decompress(data, _MOST_BYTES)
    if not unpacker.eof or unpacker.unused_data:
        raise NoHeaderError("cut off, or too long")
    return text


def _header(value: Any) -> GgufHeader:
    if value["kept"] != _VERSION:
        raise NoHeaderError("of another Snug")
    skipped = {
        key: Skipped(type_id=_number(type_id, 12), count=_number(count))
        for key, (type_id, count) in value["skipped"].items()
    }
    return GgufHeader(
        version=_number(value["version"]),
        metadata=MappingProxyType(_metadata(value["metadata"])),
        skipped=MappingProxyType(skipped),
        tensors=tuple(_tensor(*row) for row in value["tensors"]),
        alignment=_number(value["alignment"], ALIGNMENT_LIMIT),
        data_offset=_number(value["data_offset"]),
        file_size=_number(value["file_size"]),
    )


def _metadata(found: Mapping[str, Any]) -> dict[str, Value]:
    return {key: _value(value) for key, value in found.items()}


def _value(value: Any) -> Value:
    if isinstance(value, list):
        return tuple(_scalar(item) for item in value)
    return _scalar(value)


def _scalar(value: Any) -> int | float | bool | str:
    if not isinstance(value, int | float | str):
        raise NoHeaderError("a value of no kind")
    return value


def _tensor(name: Any, dims: Any, type_id: Any, offset: Any) -> TensorInfo:
    if not isinstance(name, str) or _number(type_id) not in TENSOR_TYPES:
        raise NoHeaderError("a tensor of no kind")
    sizes = tuple(_number(dim) for dim in dims)
    return TensorInfo(name=name, dims=sizes, type_id=type_id, offset=_number(offset))


def _number(value: Any, limit: int = _COUNT_LIMIT) -> int:
    if type(value) is not int or not 0 <= value <= limit:
        raise NoHeaderError("no number")
    return value
