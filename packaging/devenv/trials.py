"""`dev.py trial`: what `dev.py package` made is used as on somebody else's computer.

Each trial is a program of its own, so that one works by hand too; `installer/README.md` lists them.
"""

import os
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from devenv import commands, system_packages
from devenv.errors import SetupError
from devenv.places import ROOT, program
from freeze import metadata, places


def run(wanted: Sequence[str]) -> int:
    """The exit code. `wanted` are names of `TRIALS`; none of them: all. Raises `SetupError`."""
    if unknown := [name for name in wanted if name not in TRIALS]:
        msg = f"no trial is called {', '.join(unknown)}; there are {', '.join(TRIALS)}"
        raise SetupError(msg)
    started = time.monotonic()
    failed = [name for name in wanted or TRIALS if not _passes(name)]
    commands.say(f"all trials took {time.monotonic() - started:.0f} s")
    if failed:
        commands.say(f"failed: {', '.join(failed)}")
    return 1 if failed else 0


def _passes(name: str) -> bool:
    commands.say(f"--- trial: {name}")
    started = time.monotonic()
    try:
        TRIALS[name]()
    except SetupError as error:
        commands.say(str(error))
        return False
    commands.say(f"{name}: passed after {time.monotonic() - started:.0f} s")
    return True


def _odd_places() -> None:
    """The frozen program itself, where it should not matter: without streams, a bus, a home…"""
    system_packages.need(("xvfb", "xdotool", "weston", "locales", "dbus", "dbus-x11"))
    tried = sorted((ROOT / "tests" / "system").glob("test_packaged*.py"))
    argv: list[str | Path] = [program("python"), "-m", "pytest", "-q", *tried]
    _show(argv, os.environ | {"SNUG_PACKAGED": str(places.FROZEN)})


def _debian() -> None:
    """A fresh Debian without a network: installed, used, upgraded, removed."""
    system_packages.need(("mmdebstrap",))
    newer = places.WORK / "newer"
    version = f"{metadata.project()['version']}.1"
    _module("linux", "deb", "--version", version, "--into", newer)
    _module("linux.trial", _made("*.deb", places.INSTALLERS), _made("*.deb", newer))


def _unpacked() -> None:
    system_packages.need(("rpm", "rpm2cpio", "squashfs-tools"))
    made = [_made(pattern, places.INSTALLERS) for pattern in ("*.rpm", "*.squashfs")]
    _module("linux.unpacked", *made)


def _windows() -> None:
    """The real script under Wine, with a small payload."""
    system_packages.need(("nsis", "wine", "wine64"))
    _module("windows.trial")


TRIALS: Mapping[str, Callable[[], None]] = {
    "places": _odd_places,
    "debian": _debian,
    "unpacked": _unpacked,
    "windows": _windows,
}


def _made(pattern: str, folder: Path) -> Path:
    """The newest such file."""
    found = sorted(folder.glob(pattern), key=lambda path: path.stat().st_mtime)
    if not found:
        msg = f"there is no {pattern} in {folder.name}; `dev.py package` makes it"
        raise SetupError(msg)
    return found[-1]


def _module(name: str, *arguments: str | Path) -> None:
    """A program of `installer/`, in the environment that packages are built in."""
    folders = (ROOT, ROOT / "packaging", ROOT / "installer")
    path = os.pathsep.join(map(str, folders))
    _show([places.program("python"), "-m", name, *arguments], os.environ | {"PYTHONPATH": path})


def _show(argv: Sequence[str | Path], environment: Mapping[str, str]) -> None:
    """With its output where the person looks. Raises `SetupError` when it fails."""
    done = subprocess.run(argv, cwd=ROOT, env=environment, check=False)
    if done.returncode != 0:
        msg = f"{' '.join(map(str, argv[1:4]))}… ended with {done.returncode}"
        raise SetupError(msg)
