"""What a stick can hold. FAT32 is what sticks are sold with, and exFAT has the same names. Pure."""

import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

FAT32_LARGEST_BYTES = 2**32 - 1
"""4 GiB less one byte: what FAT32's directory entry can say of a file's size."""
_LONGEST = 255  # UTF-16 units, of FAT's long names and of exFAT's
_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f"*/:<>?\\|]')
_DEVICE = re.compile(
    r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\..*)?", re.IGNORECASE
)


class KitMistake(ValueError):
    """What a person has to put right before a kit can be made; the text says what and how."""


def check_name(name: str) -> None:
    """Raises `KitMistake` for a file's name that a stick, Windows or SHA256SUMS can not hold."""
    if reason := _reason(name):
        msg = f"{name!r} can not be on a stick: {reason}. Give the file another name."
        raise KitMistake(msg)


def _reason(name: str) -> str:
    if found := _FORBIDDEN.search(name):
        return f"names there have no {found[0]!r}"
    if not name or name.startswith((".", " ")) or name.endswith((".", " ")):
        return "names there begin and end with no dot and no space"
    if _DEVICE.fullmatch(name):
        return "on Windows that is the name of a device"
    if not _is_text(name):
        return "it is not readable text"
    if len(name.encode("utf-16-le")) // 2 > _LONGEST:
        return f"it is longer than {_LONGEST} letters"
    return ""


def _is_text(name: str) -> bool:
    """False for bytes that only a Linux file system can hold."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def check_collisions(names: Iterable[str]) -> None:
    """Raises `KitMistake` for two names that are one where capitals do not count or accents are
    written differently. `names` have their folders, with slashes."""
    seen: dict[str, str] = {}
    for name in names:
        key = unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
        if other := seen.get(key):
            same = "the same name" if other == name else "names that are one on a stick"
            msg = f"two files have {same}: {other} and {name}. Rename one, or leave it out."
            raise KitMistake(msg)
        seen[key] = name


def check_size(path: Path, size_bytes: int, *, exfat: bool) -> None:
    """Raises `KitMistake` for a file that FAT32 can not hold, unless the stick is `exfat`."""
    if exfat or size_bytes <= FAT32_LARGEST_BYTES:
        return
    msg = (
        f"{path.name} has {size_bytes / 1e9:.1f} GB. Sticks as they are sold (FAT32) hold no file"
        " above 4.29 GB. Format the stick as exFAT, which Windows, macOS and Linux read, and say"
        " --exfat; or take a smaller version of the model, or one in several parts."
    )
    raise KitMistake(msg)
