"""The list of tensors in a GGUF header: names, shapes, types and places, all checked.

Tensors must lie one after the other without gaps, as llama.cpp demands, so none can overlap
another and the end of the last is the end of the file. Reads through a cursor, on any thread.
"""

from dataclasses import dataclass
from math import prod
from struct import Struct
from typing import NoReturn

from engine.errors import ModelCutOff, ModelTooNew
from engine.models.cursor import Cursor, quoted
from engine.models.ggml_types import RETIRED_TENSOR_TYPES, TENSOR_TYPES, TensorType

NAME_BYTES_LIMIT = 1_024
"""llama.cpp takes 63. Files of other programs have longer ones and deserve a truer name than
"damaged"."""
DIMENSIONS_LIMIT = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class TensorInfo:
    """`dims` run from the fastest; `offset` is in bytes from the header's `data_offset`."""

    name: str
    dims: tuple[int, ...]
    type_id: int
    offset: int

    @property
    def type(self) -> TensorType:
        return TENSOR_TYPES[self.type_id]

    @property
    def elements(self) -> int:
        return prod(self.dims)

    @property
    def size_bytes(self) -> int:
        return self.elements // self.type.block * self.type.block_bytes


def read_tensors(cursor: Cursor, count: int, alignment: int) -> tuple[TensorInfo, ...]:
    """Read `count` descriptions. The data they describe is not looked at."""
    tensors: dict[str, TensorInfo] = {}
    expected_offset = 0
    for _ in range(count):
        tensor = _tensor(cursor)
        if tensor.name in tensors:
            cursor.refuse(f"the tensor {quoted(tensor.name)} is there twice")
        if tensor.offset != expected_offset:
            detail = f"starts at {tensor.offset}, {expected_offset} expected"
            cursor.refuse(f"the tensor {quoted(tensor.name)} {detail}")
        expected_offset = padded(tensor.offset + tensor.size_bytes, alignment)
        tensors[tensor.name] = tensor
    return tuple(tensors.values())


def _tensor(cursor: Cursor) -> TensorInfo:
    name = cursor.text("the length of a tensor's name", NAME_BYTES_LIMIT)
    dims = _dims(cursor, name)
    type_id = _tensor_type(cursor, name)
    block = TENSOR_TYPES[type_id].block
    row = dims[0] if dims else 1
    if row % block:
        cursor.refuse(f"the tensor {quoted(name)} has rows of {row}, not a multiple of {block}")
    return TensorInfo(name=name, dims=dims, type_id=type_id, offset=cursor.u64())


def _dims(cursor: Cursor, name: str) -> tuple[int, ...]:
    count = cursor.u32()
    if count > DIMENSIONS_LIMIT:
        cursor.refuse(f"the tensor {quoted(name)} has {count} dimensions")
    dims = cursor.unpack(Struct(f"<{count}Q"))
    if max(prod(filter(None, dims)), *dims, 0) >= 1 << 63:
        cursor.refuse(f"the tensor {quoted(name)} has impossible dimensions {dims}")
    return dims


def _tensor_type(cursor: Cursor, name: str) -> int:
    type_id = cursor.u32()
    if type_id not in TENSOR_TYPES:
        _refuse_type(cursor, name, type_id)
    return type_id


def _refuse_type(cursor: Cursor, name: str, type_id: int) -> NoReturn:
    tensor = f"the tensor {quoted(name)}"
    if type_id in RETIRED_TENSOR_TYPES:
        cursor.refuse(f"{tensor} has the retired type {RETIRED_TENSOR_TYPES[type_id]}")
    if type_id > 0xFFFF:
        cursor.refuse(f"{tensor} has type {type_id}, which does not exist")
    detail = f"{tensor} has type {type_id}, {max(TENSOR_TYPES)} is the newest"
    raise ModelTooNew(cursor.path, detail)


def check_data(cursor: Cursor, tensors: tuple[TensorInfo, ...], data_offset: int) -> None:
    """`ModelCutOff` if the file ends before its last tensor does. Padding may be missing."""
    if not tensors:
        return
    end = data_offset + tensors[-1].offset + tensors[-1].size_bytes
    if end > cursor.file_size:
        detail = f"the weights need {end} bytes, the file has {cursor.file_size}"
        raise ModelCutOff(cursor.path, detail)


def padded(position: int, alignment: int) -> int:
    """The next multiple of `alignment`, both in bytes."""
    return -(-position // alignment) * alignment
