"""The disk image that people open to drag Snug into their Applications. Only a Mac can make one."""

import os
import sys
from pathlib import Path

from devenv import commands
from freeze import macho
from freeze.places import executable
from linux.tree import Release
from macos import given, info, pictures, sign

_SETTINGS = Path(__file__).resolve().parent / "settings.py"
_DETACH_TRIES = 12
"""Once a second: Spotlight likes to look at a fresh disk."""


def build(frozen: Path, work: Path, into: Path, release: Release) -> Path:
    """Signed as well, where a certificate was named. Raises `SetupError`."""
    given.tool("hdiutil")
    picture = pictures.background(work / "dmg" / "background.png")
    into.mkdir(parents=True, exist_ok=True)
    target = into / name(release.version, executable(frozen))
    target.unlink(missing_ok=True)
    commands.run(making(frozen.resolve(), picture, target), "making the disk image")
    if os.environ.get(given.IDENTITY):
        sign.sign_image(target, given.identity())
    return target


def name(version: str, program: Path) -> str:
    """Says for which processor: `snug-0.1.0-arm64.dmg`."""
    processors = "-".join(part.processor for part in macho.slices(program))
    return f"snug-{version}-{processors}.dmg"


def making(app: Path, picture: Path, target: Path) -> list[str]:
    defines = {"app": app, "background": picture}
    return [
        *(sys.executable, "-m", "dmgbuild", "--settings", str(_SETTINGS)),
        *("--detach-retries", str(_DETACH_TRIES)),
        *(part for key, value in defines.items() for part in ("-D", f"{key}={value}")),
        *(info.NAME, str(target)),
    ]
