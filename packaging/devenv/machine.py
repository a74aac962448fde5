"""What decides which engine this machine wants and which build of it runs here."""

import platform
import sysconfig
from pathlib import Path

from devenv.places import SYSTEM

_CARDS = Path("/sys/class/drm")
_GRAPHICS_VENDORS = {"0x1002", "0x10de", "0x8086"}  # AMD, NVIDIA, Intel


def platform_name() -> str:
    """System, architecture and C library: a home folder may be shared by several of them."""
    libc = "".join(platform.libc_ver()) if SYSTEM == "linux" else ""
    return "-".join(filter(None, (sysconfig.get_platform(), libc)))


def has_graphics_card(cards: Path = _CARDS) -> bool:
    """Whether this machine has one that Vulkan may drive. Virtual screens are none."""
    if SYSTEM != "linux":
        return True
    return any(_is_graphics(card) for card in cards.glob("card[0-9]*/device"))


def _is_graphics(card: Path) -> bool:
    try:
        return (card / "vendor").read_text(encoding="ascii").strip() in _GRAPHICS_VENDORS
    except OSError:
        return False
