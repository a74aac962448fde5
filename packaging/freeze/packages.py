"""Everything that this system can make out of the frozen folder, one after another."""

import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from devenv import commands, system_packages
from devenv.places import SYSTEM
from freeze import build, environment, metadata, places, times
from linux import appdir, deb, rpm
from linux.tree import Release
from macos import dmg
from windows import nsis

FREEZE = "freeze"
Build = Callable[[Path, Path, Path, Release], Path]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """`tool` makes it, and `package` of Debian brings that. None of `systems` else can make it."""

    build: Build
    tool: str
    package: str
    systems: tuple[str, ...] = ("linux",)


KINDS = {
    "deb": Kind(build=deb.build, tool="dpkg-deb", package="dpkg"),
    "rpm": Kind(build=rpm.build, tool="rpmbuild", package="rpm"),
    "appdir": Kind(build=appdir.build, tool="mksquashfs", package="squashfs-tools"),
    "nsis": Kind(build=nsis.build, tool="makensis", package="nsis", systems=("linux", "win32")),
    "dmg": Kind(build=dmg.build, tool="hdiutil", package="", systems=("darwin",)),
}


def make(wanted: Sequence[str]) -> None:
    """`wanted` are names of `KINDS`, and "freeze" for the folder alone; none of them: all. Raises
    `SetupError`."""
    made_s = times.of_sources()
    started = time.monotonic()
    build.build(environment.starter(), made_s)
    release = Release(version=metadata.project()["version"], made_s=made_s)
    for name in wanted or KINDS:
        if name != FREEZE:
            _make(name, KINDS[name], release)
    commands.say(f"all of it took {time.monotonic() - started:.0f} s")


def _make(name: str, kind: Kind, release: Release) -> None:
    if SYSTEM not in kind.systems:
        return
    if not shutil.which(kind.tool) and SYSTEM == "linux":
        system_packages.install([kind.package])
    if not shutil.which(kind.tool):
        commands.say(f"no {name}: {kind.tool} is missing")
        return
    started = time.monotonic()
    made = kind.build(places.FROZEN, places.WORK, places.INSTALLERS, release)
    size_mb = made.stat().st_size / 1e6
    commands.say(f"{made.name}: {size_mb:.1f} MB after {time.monotonic() - started:.0f} s")
