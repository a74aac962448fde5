"""Reads just enough of a Windows program or library to tell whether it is signed. Pure on bytes.

Source: "PE Format" of Microsoft's documentation: offsets of the optional header, and the table of
certificates, which is the fifth of the data directories.
"""

from pathlib import Path

_HEADER_AT = 0x3C
_COFF_BYTES = 24
_DIRECTORIES = {0x10B: 96, 0x20B: 112}
"""Where they begin in the optional header, of programs of 32 and 64 bits."""
_CERTIFICATES = 4
_HEAD_BYTES = 4096


def is_program(path: Path) -> bool:
    """Whether Windows would run it or load it."""
    with path.open("rb") as file:
        return _optional_header(file.read(_HEAD_BYTES)) is not None


def is_signed(path: Path) -> bool:
    """Whether it carries a signature, whoever's, valid or not."""
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
    start = _optional_header(head)
    if start is None:
        return False
    magic = int.from_bytes(head[start : start + 2], "little")
    at = start + _DIRECTORIES[magic] + _CERTIFICATES * 8
    count = _number(head, start + _DIRECTORIES[magic] - 4)
    return count > _CERTIFICATES and _number(head, at + 4) > 0


def _number(head: bytes, at: int) -> int:
    return int.from_bytes(head[at : at + 4], "little")


def _optional_header(head: bytes) -> int | None:
    """Where it begins; None for what is no program."""
    if head[:2] != b"MZ" or len(head) < _HEADER_AT + 4:
        return None
    at = _number(head, _HEADER_AT)
    start = at + _COFF_BYTES
    if head[at : at + 4] != b"PE\0\0" or start + 160 > len(head):
        return None
    magic = int.from_bytes(head[start : start + 2], "little")
    return start if magic in _DIRECTORIES else None
