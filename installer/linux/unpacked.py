"""Unpacks an .rpm, the squashfs of an AppDir or an AppImage and lets the program in it test itself.

`python -m linux.unpacked FILE…`.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from devenv import commands
from devenv.errors import SetupError
from freeze.selftest import run_selftest
from linux import tree

_OWNERS = "[%{FILEMODES:perms} %{FILEUSERNAME}:%{FILEGROUPNAME} %{FILENAMES}\n]"
_ROOTS = re.compile(r"(?:l\S+|[-d]rw[x-]r-[x-]r-[x-]) root:root .*")


def try_out(package: Path) -> None:
    """Raises `SetupError` when something is missing or not well."""
    with tempfile.TemporaryDirectory(prefix="snug unpacked Ω-") as work:
        root = Path(work) / "squashfs-root"
        if package.suffix == ".rpm":
            _unpack_rpm(package, root)
            program = root / tree.PROGRAM / "snug"
        elif package.suffix == ".AppImage":
            _extract([package, "--appimage-extract"], Path(work))
            program = root / "AppRun"
        else:
            commands.run(["unsquashfs", "-q", "-n", "-d", root, package], "unpacking the squashfs")
            program = root / "AppRun"
        commands.say(f"{package.name}: {len(tree.files_of(root))} files")
        run_selftest(program)


def _extract(argv: list[str | Path], folder: Path) -> None:
    """The AppImage unpacks itself, as it does where nothing can be mounted."""
    done = subprocess.run(argv, cwd=folder, stdout=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        msg = f"{argv[0]} can not unpack itself"
        raise SetupError(msg)


def _unpack_rpm(package: Path, root: Path) -> None:
    root.mkdir()
    _check_owners(package)
    with package.open("rb") as file, tempfile.TemporaryFile() as archive:
        subprocess.run(["rpm2archive", "-"], stdin=file, stdout=archive, check=False)
        archive.seek(0)
        done = subprocess.run(["tar", "-xz", "-C", root], stdin=archive, check=False)
    if done.returncode != 0:
        msg = f"{package.name} can not be unpacked"
        raise SetupError(msg)


def _check_owners(package: Path) -> None:
    """All of it is root's, and nobody else may change it."""
    listed = commands.output(["rpm", "-qp", "--queryformat", _OWNERS, package]).splitlines()
    odd = [line for line in listed if not _ROOTS.fullmatch(line)]
    if not listed or odd:
        msg = f"{package.name} has files that are not only root's: {odd[:3]}"
        raise SetupError(msg)


if __name__ == "__main__":
    try:
        for name in sys.argv[1:]:
            try_out(Path(name).absolute())
    except SetupError as error:
        sys.exit(f"snug: {error}")
