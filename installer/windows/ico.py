"""An icon file of Windows: several PNG pictures behind one table. Pure."""

import struct
from collections.abc import Sequence

SIZES = (16, 24, 32, 48, 64, 256)
_HEAD = struct.Struct("<HHH")
_ENTRY = struct.Struct("<BBBBHHII")


def packed(pictures: Sequence[tuple[int, bytes]]) -> bytes:
    """`pictures` are sizes in pixels, at most 256, with the PNG of each."""
    offset = _HEAD.size + _ENTRY.size * len(pictures)
    table, data = b"", b""
    for size, picture in pictures:
        edge = size % 256  # 256 is written as 0
        table += _ENTRY.pack(edge, edge, 0, 0, 1, 32, len(picture), offset + len(data))
        data += picture
    return _HEAD.pack(0, 1, len(pictures)) + table + data
