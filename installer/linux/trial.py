"""Installs a .deb in a fresh system that has a desktop's libraries and no network, and lets it show
that it works (`trial.sh`). Needs root and mmdebstrap, and a network the first time.

`python -m linux.trial DEB NEWER_DEB [--system NAME]…`.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from devenv import commands
from devenv.errors import SetupError
from freeze import environment
from linux import systems
from packs import writing

_SCRIPTS = ("trial.sh", "trial_window.sh")
_HERE = Path(__file__).resolve().parent


def run(first: Path, newer: Path, system: str) -> None:
    """Raises `SetupError` when a step fails; what was done is printed as it happens."""
    check_means()
    commands.say(f"{first.name} in a fresh {system}")
    kept = systems.fresh(system)
    with tempfile.TemporaryDirectory(prefix="snug-trial-") as work:
        root = Path(work)
        commands.run(["tar", "-xf", kept, "-C", root], f"unpacking a fresh {system}")
        for number, package in enumerate((first, newer)):
            shutil.copyfile(package, root / f"{number}.deb")
        shutil.copyfile(environment.starter(), root / "model.gguf")
        writing.write(root / "my.pack", b"{}", b"", (), lambda _file: ())
        for name in _SCRIPTS:
            shutil.copyfile(_HERE / name, root / name)
        done = subprocess.run(_apart(root), check=False)
    if done.returncode != 0:
        msg = f"the trial of {first.name} in {system} failed"
        raise SetupError(msg)


def check_means() -> None:
    """Raises `SetupError` where this computer can not keep a system apart, before one is made.
    Skipping would call a package good that nobody has tried."""
    if missing := [tool for tool in ("mmdebstrap", "unshare") if not shutil.which(tool)]:
        raise SetupError(f"the trial of a .deb needs {' and '.join(missing)}")
    if os.geteuid() != 0:
        raise SetupError("the trial of a .deb needs root, who may make a system and go into it")
    mounting = 'mount -t tmpfs tmpfs "$1" && exec chroot / true'
    with tempfile.TemporaryDirectory() as folder:
        argv = [*_NAMESPACES, "sh", "-c", mounting, "trial", folder]
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        msg = "the trial of a .deb needs a computer, or a container with the right (CAP_SYS_ADMIN),"
        raise SetupError(f"{msg} that can keep a system apart: {done.stderr.strip()}")


_NAMESPACES = ("unshare", "--mount", "--net", "--pid", "--ipc", "--fork", "--kill-child")


def _apart(root: Path) -> list[str]:
    """In namespaces of its own: no network, no processes of ours, mounts that end with it."""
    script = (
        'mount -t proc proc "$1/proc";'
        'mount -t tmpfs tmpfs "$1/dev"; mount -t tmpfs tmpfs "$1/tmp";'
        'chmod 1777 "$1/tmp"; mkdir "$1/dev/shm"; chmod 1777 "$1/dev/shm";'
        "for one in null zero full random urandom tty; do"
        ' touch "$1/dev/$one"; mount --bind "/dev/$one" "$1/dev/$one"; done;'
        'exec chroot "$1" bash /trial.sh /0.deb /1.deb /model.gguf /my.pack'
    )
    return [*_NAMESPACES, "sh", "-eu", "-c", script, "trial", str(root)]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m linux.trial", description=__doc__)
    parser.add_argument("deb", type=Path)
    parser.add_argument("newer_deb", type=Path)
    parser.add_argument("--system", choices=systems.SYSTEMS, action="append", default=[])
    arguments = parser.parse_args()
    try:
        for system in arguments.system or ("bookworm",):
            run(arguments.deb, arguments.newer_deb, system)
    except SetupError as error:
        print(f"snug: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
