"""Asks Windows what kind of disk a path lies on. Only imported there; any thread."""

import ctypes
from pathlib import Path
from typing import Any

_FIXED, _IN_MEMORY = 3, 6
"""DRIVE_FIXED, DRIVE_RAMDISK of GetDriveTypeW."""
_NAME_CHARACTERS = 261


def _kernel() -> Any:  # ctypes.windll exists on Windows only, and type checkers look elsewhere
    return getattr(ctypes, "windll").kernel32  # noqa: B009


def is_removable(path: Path) -> bool:
    """Neither built in nor in memory: sticks, and shares with or without a letter. A disk in a box
    of its own calls itself built in."""
    return _kernel().GetDriveTypeW(root_of(path)) not in (_FIXED, _IN_MEMORY)


def kind_of(path: Path) -> str:
    """The file system, such as "NTFS" or "FAT32"; "" where Windows does not tell."""
    kind = ctypes.create_unicode_buffer(_NAME_CHARACTERS)
    told = _kernel().GetVolumeInformationW(
        root_of(path), None, 0, None, None, None, kind, _NAME_CHARACTERS
    )
    return kind.value if told else ""


def root_of(path: Path) -> str:
    """With the backslash at its end that both calls want."""
    return path.anchor if path.anchor.endswith("\\") else path.anchor + "\\"
