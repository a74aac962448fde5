"""Checks who signed a manifest. Ed25519 (RFC 8032) over its exact bytes, before any is read.

A signature is one line: "ed25519", the key's id, and the 64 bytes in base64.
"""

import base64
import re
from pathlib import Path

from engine.errors import PackRefused
from engine.packs.keys import Keys
from engine.types.packs import PackProblem

LONGEST_BYTES = 200
_LINE = re.compile(rb"ed25519 ([0-9a-f]{16}) ([A-Za-z0-9+/]{86}==)\n")


def check_signed(manifest: bytes, signature: bytes, keys: Keys, path: Path) -> None:
    """Raises `PackRefused` unless one of `keys` signed it. `path` is for the error."""
    line = _LINE.fullmatch(signature)
    if line is None:
        raise PackRefused(path, PackProblem.SIGNATURE_DAMAGED)
    key_id = line[1].decode()
    if key_id not in keys:
        raise PackRefused(path, PackProblem.UNKNOWN_KEY, key_id)
    if not _is_by(keys[key_id], base64.b64decode(line[2]), manifest):
        raise PackRefused(path, PackProblem.SIGNATURE_WRONG, key_id)


def _is_by(key: bytes, signature: bytes, content: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - heavy, and rare
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415
        Ed25519PublicKey,
    )

    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, content)
    except InvalidSignature:
        return False
    return True
