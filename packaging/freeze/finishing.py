"""What PyInstaller leaves to do: smaller and older libraries, a Mac's seal, modes and times that
depend on nothing but the sources."""

import os
import shutil
from pathlib import Path

from devenv import commands
from devenv.places import SYSTEM
from freeze import elf, macho, older, rpath
from freeze.places import CODE, DATA, INSIDE, executable, is_bundle, models

_PYTHONS = ("libpython*.so.*", "python3*/lib-dynload/*.so")


def libraries(folder: Path) -> None:
    """Strip only Python's own: others break (numpy's and Qt's have been seen to)."""
    if SYSTEM != "linux":
        return
    for pattern in _PYTHONS:
        files = [path for path in (folder / INSIDE).glob(pattern) if not path.is_symlink()]
        commands.run(["strip", "--strip-unneeded", *files], "stripping Python's libraries")
    for path in sorted((folder / INSIDE).rglob("*.so*")):
        if elf.is_elf(path):
            older.ask_for_older(path)
            rpath.forget_places(path)


def model(folder: Path, file: Path) -> None:
    """The starter model where an installed program looks for it (`app.paths.shared_models`)."""
    target = models(folder)
    target.mkdir(exist_ok=True)
    shutil.copyfile(file, target / file.name)
    if is_bundle(folder):
        (folder / CODE / target.name).symlink_to(Path("..") / Path(DATA).name / target.name)


def seal(folder: Path) -> None:
    """A Mac starts nothing that was changed after it was signed, and we have added to it. This
    signature is nobody's; a release gets a real one (installer/macos/sign.py)."""
    if is_bundle(folder) and SYSTEM == "darwin":
        from macos import sign  # noqa: PLC0415 - only there

        sign.sign(folder, sign.NOBODY)


def modes_and_times(folder: Path, made_s: int) -> None:
    """Last: whoever builds the same sources gets the same folder. Seals do not cover them."""
    follows = os.utime not in os.supports_follow_symlinks  # Windows, where nothing is a link
    for path in sorted(folder.rglob("*"), reverse=True):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or _may_run(folder, path) else 0o644)
        os.utime(path, (made_s, made_s), follow_symlinks=follows)
    folder.chmod(0o755)
    os.utime(folder, (made_s, made_s))


def _may_run(folder: Path, path: Path) -> bool:
    """The program; on a Mac libraries too, as its own tools leave them."""
    return path == executable(folder) or (is_bundle(folder) and macho.is_macho(path))
