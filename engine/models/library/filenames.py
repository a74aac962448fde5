"""Which names a file of a model may have in its folder: only such that mean one file, inside that
folder, on every system. Strangers choose these names. Pure."""

import re

_LONGEST_BYTES = 200
"""Of one part; systems allow 255, and we add endings of our own."""
_DEEPEST = 6
_UNWANTED = re.compile(r'[\x00-\x1f\x7f<>:"|?*\\\ud800-\udfff]')
_DEVICE = re.compile(
    r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\..*)?", re.IGNORECASE
)
_OURS = re.compile(r"snug-model\.json.*|.*\.(?:part|journal|lock)", re.IGNORECASE)
"""Files that lie beside a model's own."""


def is_file_name(name: str) -> bool:
    """Whether a file of a model may be called so: a name, or a short path of names with slashes."""
    parts = name.split("/")
    return len(parts) <= _DEEPEST and all(_is_part(part) for part in parts) and not _is_ours(name)


def _is_part(part: str) -> bool:
    """Windows drops dots and blanks at the end, so such a name would mean another file there."""
    if not part or part != part.strip() or part.startswith(".") or part.endswith("."):
        return False
    if _UNWANTED.search(part) or _DEVICE.fullmatch(part):
        return False
    return len(part.encode()) <= _LONGEST_BYTES


def _is_ours(name: str) -> bool:
    return _OURS.fullmatch(name.rpartition("/")[2]) is not None
