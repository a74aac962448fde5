"""Folders of installers, packs and a model, to make kits from."""

from pathlib import Path

from kit.build import build
from kit.contents import Asked, collect
from release import names
from tests import ggufs

MADE_S = 1_767_225_600
INSTALLERS = (
    "snug-1.2.3-setup.exe",
    "snug-1.2.3-arm64.dmg",
    "snug_1.2.3_amd64.deb",
    "snug-1.2.3-1.x86_64.rpm",
    "Snug-1.2.3-x86_64.AppImage",
)
PACKS = ("snug-1.2.3-windows-x86_64-cuda13.pack", "snug-1.2.3-linux-x86_64-cuda13.pack")


def filled(folder: Path) -> Path:
    """The same folder, with everything in it."""
    for inside, listed in (("installers", INSTALLERS), ("packs", PACKS)):
        (folder / inside).mkdir()
        for name in listed:
            (folder / inside / name).write_bytes(name.encode())
    for system in names.SYSTEMS:
        (folder / "installers" / names.licences(system)).write_bytes(system.encode())
    (folder / "models").mkdir()
    (folder / "models" / "Tiny.gguf").write_bytes(ggufs.chat())
    return folder


def asked(shelf: Path, *, exfat: bool = False, version: str = "1.2.3") -> Asked:
    return Asked(
        version=version,
        installers=(shelf / "installers",),
        packs=(shelf / "packs",),
        models=(shelf / "models",),
        exfat=exfat,
    )


def made(shelf: Path, into: str = "out") -> Path:
    return build(collect(asked(shelf)), shelf / into, MADE_S)
