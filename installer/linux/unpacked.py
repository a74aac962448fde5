"""Unpacks an .rpm or the squashfs of an AppDir and lets the program in it test itself.

`python -m linux.unpacked FILE…`.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from devenv import commands
from devenv.errors import SetupError
from freeze.selftest import run_selftest
from linux import tree


def try_out(package: Path) -> None:
    """Raises `SetupError` when something is missing or not well."""
    with tempfile.TemporaryDirectory(prefix="snug unpacked Ω-") as work:
        root = Path(work) / "root"
        if package.suffix == ".rpm":
            _unpack_rpm(package, root)
            program = root / tree.PROGRAM / "snug"
        else:
            commands.run(["unsquashfs", "-q", "-n", "-d", root, package], "unpacking the squashfs")
            program = root / "AppRun"
        commands.say(f"{package.name}: {len(tree.files_of(root))} files")
        run_selftest(program)


def _unpack_rpm(package: Path, root: Path) -> None:
    root.mkdir()
    with package.open("rb") as file, tempfile.TemporaryFile() as archive:
        subprocess.run(["rpm2archive", "-"], stdin=file, stdout=archive, check=False)
        archive.seek(0)
        done = subprocess.run(["tar", "-xz", "-C", root], stdin=archive, check=False)
    if done.returncode != 0:
        msg = f"{package.name} can not be unpacked"
        raise SetupError(msg)


if __name__ == "__main__":
    try:
        for name in sys.argv[1:]:
            try_out(Path(name).absolute())
    except SetupError as error:
        sys.exit(f"snug: {error}")
