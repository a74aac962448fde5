"""Graphics cards as the Linux kernel shows them under /sys/class/drm: a second opinion.

amdgpu tells its own memory (`vram`, on an APU a carve-out that MemTotal lacks) and what it may
borrow (`gtt`); other drivers tell little. Reading needs no rights and touches no driver library.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path

from engine.hardware.claims import Opinion
from engine.hardware.files import number, read_text

_CARD = re.compile(r"card\d+")
_FILES = (
    "vendor",
    "mem_info_vram_total",
    "mem_info_vram_used",
    "mem_info_gtt_total",
    "mem_info_gtt_used",
)


def parse_card(files: Mapping[str, str], pci_id: str, driver: str) -> Opinion:
    """`files` are the texts of the card's device folder by name."""
    vram, gtt = _bytes(files, "mem_info_vram_total"), _bytes(files, "mem_info_gtt_total")
    vram_used = min(_bytes(files, "mem_info_vram_used") or 0, vram or 0)
    gtt_used = min(_bytes(files, "mem_info_gtt_used") or 0, gtt or 0)
    return Opinion(
        id=pci_id.lower(),
        vendor=files.get("vendor", "").strip().lower(),
        dedicated_bytes=vram,
        dedicated_used_bytes=vram_used,
        shared_bytes=gtt,
        shared_used_bytes=gtt_used,
        free_bytes=None if vram is None else vram - vram_used,
        driver=driver,
    )


def _bytes(files: Mapping[str, str], name: str) -> int | None:
    value = number(files.get(name, ""))
    return value if value is not None and value >= 0 else None


def read_cards(sys: Path = Path("/sys")) -> list[Opinion]:
    folder = sys / "class" / "drm"
    try:
        cards = sorted(path for path in folder.iterdir() if _CARD.fullmatch(path.name))
    except OSError:
        return []
    return [_read_card(card / "device", sys) for card in cards]


def _read_card(device: Path, sys: Path) -> Opinion:
    files = {name: read_text(device / name) for name in _FILES}
    return parse_card(files, device.resolve().name, _driver(device, sys))


def _driver(device: Path, sys: Path) -> str:
    """A driver of the kernel's own has the kernel's version."""
    name = (device / "driver").resolve().name if (device / "driver").exists() else ""
    version = read_text(sys / "module" / name / "version").strip() if name else ""
    return f"{name} {version or os.uname().release}" if name else ""
