"""macOS's table of named values, through ctypes. Effects only: what they mean is read elsewhere.

A name that this macOS or this processor does not know gives None.
"""

import ctypes
from collections.abc import Iterable
from typing import Any

_MOST_BYTES = 1 << 16


def read_raw(name: str) -> bytes | None:
    """The value's bytes as the kernel keeps them."""
    libc = _libc()
    if libc is None:
        return None
    buffer = ctypes.create_string_buffer(_MOST_BYTES)
    size = ctypes.c_size_t(_MOST_BYTES)
    if libc.sysctlbyname(name.encode(), buffer, ctypes.byref(size), None, ctypes.c_size_t(0)):
        return None
    return buffer.raw[: size.value]


def _libc() -> Any:
    try:
        libc = ctypes.CDLL(None)
    except (OSError, TypeError):
        return None
    return libc if hasattr(libc, "sysctlbyname") else None


def read_all(names: Iterable[str]) -> dict[str, bytes]:
    found = {name: read_raw(name) for name in names}
    return {name: value for name, value in found.items() if value is not None}


def integer(value: bytes | None) -> int | None:
    """Integers are 4 or 8 bytes, little-endian on every Mac that can run us."""
    return int.from_bytes(value, "little", signed=True) if value and len(value) in (4, 8) else None


def text(value: bytes | None) -> str:
    return (value or b"").partition(b"\0")[0].decode("utf-8", "replace").strip()
