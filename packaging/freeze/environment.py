"""The build's own Python environment: the locked packages, the engine with everything, PyInstaller.

Apart from `.venv`: what only tests need must not be found by a freeze.
"""

import hashlib
import shutil
import sys
from pathlib import Path

from devenv import commands, engine_wheel, lockfiles, machine, models, system_packages
from devenv.places import LOCKS, STARTER_MANIFEST, cache
from freeze.places import VENV, WORK, program

_STAMP = VENV / "snug-package.txt"
_LOCK = LOCKS / "package.lock"


def ensure() -> None:
    """Ready on return; quick when nothing has changed. Needs `.venv` (for compiling the engine)."""
    wheel = engine_wheel.ready("test")  # with Vulkan, whatever this machine has
    wanted = _key(wheel)
    if _STAMP.exists() and _STAMP.read_text(encoding="utf-8") == wanted:
        return
    commands.say("making the environment of the package")
    shutil.rmtree(VENV, ignore_errors=True)
    WORK.mkdir(parents=True, exist_ok=True)
    python = getattr(sys, "_base_executable", sys.executable)
    commands.run([python, "-m", "venv", VENV], "making the package's environment")
    chosen = WORK / "locked.txt"
    chosen.write_text(lockfiles.without_engine(_LOCK), encoding="utf-8")
    _pip("--require-hashes", "-r", chosen, doing="installing what is packaged")
    _pip(wheel, doing="installing the engine that is packaged")
    system_packages.need_for_window()
    _STAMP.write_text(wanted, encoding="utf-8")


def starter() -> Path:
    """The starter model's file, fetched if need be."""
    return models.placed(STARTER_MANIFEST, cache() / "starter")


def _pip(*arguments: str | Path, doing: str) -> None:
    commands.run([program("python"), "-m", "pip", "install", "--no-deps", *arguments], doing)


def _key(wheel: Path) -> str:
    digest = hashlib.sha256(_LOCK.read_bytes())
    with wheel.open("rb") as file:
        digest.update(hashlib.file_digest(file, "sha256").digest())
    return f"{digest.hexdigest()} {machine.platform_name()} {VENV} {sys.version_info[:2]}"
