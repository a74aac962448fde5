"""Reads the small text files in which Linux tells about itself.

A file that is absent, forbidden or vanishes while read is empty text: on some system each is.
"""

from pathlib import Path

_MOST_BYTES = 1 << 20


def read_text(path: Path) -> str:
    """The file's text, up to 1 MiB; empty if there is none to be had."""
    try:
        with path.open("rb") as file:
            return file.read(_MOST_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""


def read_number(path: Path) -> int | None:
    return number(read_text(path))


def number(text: str) -> int | None:
    """A whole number of plain ASCII digits, or None ("max", nothing, rubbish)."""
    digits = text.strip()
    if digits.isascii() and digits.removeprefix("-").isdigit() and len(digits) <= 20:
        return int(digits)
    return None
