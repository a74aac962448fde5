"""What PyInstaller leaves to do: smaller and older libraries, modes and times that depend on
nothing but the sources."""

import os
import shutil
from pathlib import Path

from devenv import commands
from devenv.places import SYSTEM
from freeze import elf, older, rpath
from freeze.places import INSIDE, executable

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
    target = folder / INSIDE / "models" / file.name
    target.parent.mkdir(exist_ok=True)
    shutil.copyfile(file, target)


def modes_and_times(folder: Path, made_s: int) -> None:
    """Last: whoever builds the same sources gets the same folder."""
    for path in sorted(folder.rglob("*"), reverse=True):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path == executable(folder) else 0o644)
        os.utime(path, (made_s, made_s), follow_symlinks=False)
    folder.chmod(0o755)
    os.utime(folder, (made_s, made_s))
