"""Which names a file in a pack may have: only such that mean the same on every system. Pure."""

import re
from collections.abc import Iterable

from engine.types.packs import PackProblem

MANIFEST, SIGNATURE = "manifest.json", "manifest.sig"
OURS = frozenset({MANIFEST, SIGNATURE})

_LONGEST = 120
_DEEPEST = 4
_PART = re.compile(r"[A-Za-z0-9_+-][A-Za-z0-9_.+-]*")
"""Begins with no dot: hidden files, ours among them, are not for packs."""
_DRIVE = re.compile(r"[A-Za-z]:")
_DEVICE = re.compile(
    r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9]|conin\$|conout\$)(?:\..*)?", re.IGNORECASE
)


def problem_of(name: str) -> PackProblem | None:
    """Why it may not be written; None: it may. What leads elsewhere is said to do so, however
    else the name is wrong."""
    parts = name.replace("\\", "/").split("/")
    if not parts[0] or ".." in parts or _DRIVE.match(name):
        return PackProblem.NAME_OUTSIDE
    if name.endswith("/"):
        return PackProblem.FOLDER
    if len(name) > _LONGEST or len(parts) > _DEEPEST:
        return PackProblem.NAME_TOO_LONG
    if any(_DEVICE.fullmatch(part.rstrip(" .")) for part in parts):
        return PackProblem.NAME_RESERVED
    if "\\" in name or any(not _PART.fullmatch(part) or part.endswith(".") for part in parts):
        return PackProblem.NAME_FORBIDDEN
    return None


def collision(names: Iterable[str]) -> tuple[PackProblem, str] | None:
    """The first name that is there twice, or that another one takes the place of."""
    seen: dict[str, str] = {}
    for name in names:
        key = name.lower()
        if key in seen:
            same = seen[key] == name
            return (PackProblem.LISTED_TWICE if same else PackProblem.NAMES_COLLIDE), name
        seen[key] = name
    for name in seen.values():
        folders = name.lower().split("/")[:-1]
        paths = ("/".join(folders[:depth]) for depth in range(1, len(folders) + 1))
        if any(path in seen for path in paths):
            return PackProblem.NAMES_COLLIDE, name
    return None
