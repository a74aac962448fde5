"""Makes of any text a name for a folder or file that means the same on every system and disk, and
that a manifest may hold. Pure."""

import re
import unicodedata
from collections.abc import Callable

from engine.models.library.filenames import is_file_name

_FORBIDDEN = re.compile(r'[<>:"/|?*\\]')
_MOST_BYTES = 150
"""Room for the endings that unfinished files get."""
_KEPT_END = re.compile(r"(?:-\d{5}-of-\d{5})?\.[A-Za-z0-9]{1,8}$")
"""An ending, and the number of a part, without which a split model is not found."""
_PLAIN = "model"


def safe_name(text: str) -> str:
    """`text` itself where that is possible."""
    composed = unicodedata.normalize("NFC", text)  # disks of Apple's older kind take them apart
    printable = "".join(_shown(character) for character in composed)
    name = _shortened(_FORBIDDEN.sub("_", printable))
    return name if is_file_name(name) else _mended(name)


def _shown(character: str) -> str:
    if character.isprintable():
        return character
    return " " if character.isspace() else ""


def _shortened(name: str) -> str:
    end = _KEPT_END.search(name)
    ending = end[0] if end else ""
    room = _MOST_BYTES - len(ending.encode())
    stem = name.removesuffix(ending).encode()[:room].decode("utf-8", "ignore")
    return stem + ending


def _mended(name: str) -> str:
    """For names of devices, hidden files, dots at the end, endings of ours, and nothing at all."""
    bare = name.strip(" .") or _PLAIN
    ways = (bare, f"{_PLAIN} {bare}", f"{bare}_")
    return next(way for way in ways if is_file_name(way))


def free_name(wanted: str, is_taken: Callable[[str], bool]) -> str:
    """`wanted`, or "… 2" and so on."""
    name, number = wanted, 2
    while is_taken(name):
        name, number = f"{wanted} {number}", number + 1
    return name
