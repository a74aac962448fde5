"""Notices that graphics drivers came, went or changed, without starting any of them.

The text means nothing but "the same as before"; asked at every start, so it only looks at names
and times of a few files.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from engine.hardware import drm
from engine.hardware.files import read_text
from engine.hardware.system import this_system
from engine.types.hardware import System

_ICD = Path("vulkan/icd.d")
_VARIABLES = (
    "VK_DRIVER_FILES",
    "VK_ADD_DRIVER_FILES",
    "VK_ICD_FILENAMES",
    "VK_LOADER_DRIVERS_SELECT",
)
"""Which drivers the Vulkan loader takes (its LoaderInterfaceArchitecture.md)."""
_NVIDIA = Path("driver/nvidia/version")
_WINDOWS_FILES = (
    "System32/DriverStore/FileRepository",
    "System32/vulkan-1.dll",
    "System32/nvcuda.dll",
)
"""The first is a folder that changes with every driver that is installed."""


def installed_drivers(
    environment: Mapping[str, str] = os.environ,
    *,
    system: System | None = None,
    root: Path = Path("/"),
) -> str:
    """Another text when something changed that a device may depend on."""
    match system or this_system():
        case System.LINUX:
            parts = [*_linux(environment, root)]
        case System.WINDOWS:
            folder = Path(environment.get("SYSTEMROOT", "C:\\Windows"))
            parts = [_stamp(folder / name) for name in _WINDOWS_FILES]
        case System.MACOS:  # drivers come with the system
            parts = [os.uname().release]
    parts += [f"{name}={environment[name]}" for name in _VARIABLES if name in environment]
    return "\n".join(parts)


def _linux(environment: Mapping[str, str], root: Path) -> Iterator[str]:
    for folder in _icd_folders(environment, root):
        yield from (_stamp(path) for path in _listed(folder))
    for card in drm.read_cards(root / "sys"):
        yield f"{card.id} {card.driver}"
    yield read_text(root / "proc" / _NVIDIA).partition("\n")[0]


def _icd_folders(environment: Mapping[str, str], root: Path) -> list[Path]:
    """Where the Vulkan loader looks for drivers, under `root` where the place is fixed."""
    home = Path(environment.get("HOME", "/nonexistent"))
    own = [
        environment.get("XDG_CONFIG_HOME") or home / ".config",
        environment.get("XDG_DATA_HOME") or home / ".local/share",
    ]
    shared = environment.get("XDG_CONFIG_DIRS") or "/etc/xdg"
    shared += ":" + (environment.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share")
    fixed = [root / "etc", root / "usr/local/etc"]
    named = [root / place.lstrip("/") for place in shared.split(":") if place]
    return [Path(place) / _ICD for place in (*own, *fixed, *named)]


def _listed(folder: Path) -> list[Path]:
    try:
        return sorted(folder.glob("*.json"))
    except OSError:
        return []


def _stamp(path: Path) -> str:
    try:
        return f"{path} {path.stat().st_mtime_ns}"
    except OSError:
        return f"{path} -"
