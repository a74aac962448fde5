"""Windows' own word on graphics memory: DXGI, through ctypes and COM's function tables.

The budget is what this process may use before the system starts to move memory to and fro, and
so the truth that a driver's own number is not. `parse_*` are pure; the rest runs in a probe
child. Facts: dxgi.h, dxgi1_4.h.
"""

import ctypes
import struct
import uuid
from collections.abc import Iterator
from typing import Any

from engine.hardware.claims import Opinion

_DESCRIPTION = struct.Struct("<256s4I3QIiI4x")
"""DXGI_ADAPTER_DESC1 on 64 bits: 312 bytes."""
_BUDGET = struct.Struct("<4Q")
"""DXGI_QUERY_VIDEO_MEMORY_INFO: budget, usage, available and current reservation."""
_SOFTWARE = 2
_LOCAL = 0
_FACTORY = uuid.UUID("770aae78-f26f-4dba-a829-253c83d1b387")
_ADAPTER3 = uuid.UUID("645967a4-1392-4310-a798-8053ce3e93fd")
_QUERY_INTERFACE, _RELEASE = 0, 2
_GET_DESC1 = 10
_ENUM_ADAPTERS1 = 12
_QUERY_MEMORY = 14
_MOST_ADAPTERS = 16


def parse_adapter(description: bytes, local: bytes = b"") -> Opinion | None:
    """None for the software renderer and for nonsense. `local` is the answer for its nearest
    memory; a card that shares main memory has little of its own, and its budget is shared."""
    if len(description) < _DESCRIPTION.size:
        return None
    fields = _DESCRIPTION.unpack_from(description)
    name, vendor, dedicated, shared, flags = (fields[i] for i in (0, 1, 5, 7, 10))
    if flags & _SOFTWARE:
        return None
    budget, usage, *_ = _BUDGET.unpack_from(local) if len(local) >= _BUDGET.size else (0, 0)
    return Opinion(
        description=name.decode("utf-16-le", "replace").partition("\0")[0],
        vendor=f"0x{vendor:04x}",
        dedicated_bytes=dedicated,
        shared_bytes=shared,
        free_bytes=max(0, budget - usage) if budget else None,
    )


def read_adapters() -> list[Opinion]:
    """Empty where there is no DXGI."""
    try:
        create = ctypes.WinDLL("dxgi").CreateDXGIFactory1  # type: ignore[attr-defined, unused-ignore]
    except (AttributeError, OSError):
        return []
    factory = ctypes.c_void_p()
    if create(_FACTORY.bytes_le, ctypes.byref(factory)) or not factory:
        return []
    try:
        opinions = [_read(adapter) for adapter in _adapters(factory)]
    finally:
        _call(factory, _RELEASE)
    return [opinion for opinion in opinions if opinion]


def _adapters(factory: ctypes.c_void_p) -> Iterator[ctypes.c_void_p]:
    """Each is released when the next is asked for."""
    for index in range(_MOST_ADAPTERS):
        adapter = ctypes.c_void_p()
        if _call(factory, _ENUM_ADAPTERS1, ctypes.c_uint(index), ctypes.byref(adapter)):
            return
        try:
            yield adapter
        finally:
            _call(adapter, _RELEASE)


def _read(adapter: ctypes.c_void_p) -> Opinion | None:
    description = ctypes.create_string_buffer(_DESCRIPTION.size)
    if _call(adapter, _GET_DESC1, description):
        return None
    return parse_adapter(description.raw, _local_memory(adapter))


def _local_memory(adapter: ctypes.c_void_p) -> bytes:
    newer = ctypes.c_void_p()
    if _call(adapter, _QUERY_INTERFACE, _ADAPTER3.bytes_le, ctypes.byref(newer)):
        return b""
    answer = ctypes.create_string_buffer(_BUDGET.size)
    failed = _call(newer, _QUERY_MEMORY, ctypes.c_uint(0), ctypes.c_int(_LOCAL), answer)
    _call(newer, _RELEASE)
    return b"" if failed else answer.raw


def _call(this: ctypes.c_void_p, index: int, *arguments: Any) -> int:
    """Calls method number `index` of a COM object; 0 is success. A plain int where it counts."""
    table = ctypes.cast(this, ctypes.POINTER(ctypes.POINTER(ctypes.c_void_p)))[0]
    method = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)(table[index] or 0)
    return int(method(this, *arguments))
