"""An icon file of a Mac: PNG pictures one after another, each with a name of four letters. Pure.

Names: https://en.wikipedia.org/wiki/Apple_Icon_Image_format. The two oldest sizes without a retina
twin are left out: Macs do not read PNG in their place, and scale the next one down.
"""

import struct
from collections.abc import Mapping

KINDS = {
    "ic11": 32,
    "ic12": 64,
    "ic07": 128,
    "ic13": 256,
    "ic08": 256,
    "ic14": 512,
    "ic09": 512,
    "ic10": 1024,
}
"""Each kind with its edge in pixels; 11 to 14 and 10 are the doubles for retina screens."""
_HEAD = struct.Struct(">4sI")
_MAGIC = b"icns"


def packed(pictures: Mapping[int, bytes]) -> bytes:
    """`pictures` are the PNGs by their edge in pixels; all of `KINDS` are wanted."""
    body = b"".join(
        _HEAD.pack(kind.encode("ascii"), _HEAD.size + len(pictures[edge])) + pictures[edge]
        for kind, edge in KINDS.items()
    )
    return _HEAD.pack(_MAGIC, _HEAD.size + len(body)) + body
