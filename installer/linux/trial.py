"""Installs a .deb in a fresh Debian 12 that has a desktop's libraries and no network, and lets it
show that it works (`trial.sh`). Needs root, mmdebstrap and a mirror the first time.

`python -m linux.trial DEB NEWER_DEB`.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from devenv import commands
from devenv.errors import SetupError
from devenv.places import cache
from freeze import environment
from linux import needs

_RELEASE = "bookworm"
_DESKTOP = (
    *("xvfb", "xauth", "x11-utils", "desktop-file-utils", "shared-mime-info", "xdg-utils"),
    *("hicolor-icon-theme", "fonts-dejavu-core", "libglib2.0-bin", "libfile-mimeinfo-perl"),
    *("procps", "iproute2", "man-db"),
)
_HERE = Path(__file__).resolve().parent


def run(first: Path, newer: Path) -> None:
    """Raises `SetupError` when a step fails; what was done is printed as it happens."""
    system = _fresh_system()
    with tempfile.TemporaryDirectory(prefix="snug-trial-") as work:
        root = Path(work)
        commands.run(["tar", "-xf", system, "-C", root], "unpacking a fresh Debian")
        for number, package in enumerate((first, newer)):
            shutil.copyfile(package, root / f"{number}.deb")
        shutil.copyfile(environment.starter(), root / "model.gguf")
        shutil.copyfile(_HERE / "trial.sh", root / "trial.sh")
        done = subprocess.run(_apart(root), check=False)
    if done.returncode != 0:
        msg = f"the trial of {first.name} failed"
        raise SetupError(msg)


def _apart(root: Path) -> list[str]:
    """In namespaces of its own: no network, no processes of ours, mounts that end with it."""
    script = (
        'mount -t proc proc "$1/proc";'
        'mount -t tmpfs tmpfs "$1/dev"; mount -t tmpfs tmpfs "$1/tmp";'
        'chmod 1777 "$1/tmp"; mkdir "$1/dev/shm"; chmod 1777 "$1/dev/shm";'
        "for one in null zero full random urandom tty; do"
        ' touch "$1/dev/$one"; mount --bind "/dev/$one" "$1/dev/$one"; done;'
        'exec chroot "$1" bash /trial.sh /0.deb /1.deb /model.gguf'
    )
    kinds = ("--mount", "--net", "--pid", "--ipc", "--fork", "--kill-child")
    return ["unshare", *kinds, "sh", "-eu", "-c", script, "trial", str(root)]


def _fresh_system() -> Path:
    """A minimal Debian with what every desktop has, made once."""
    kept = cache() / "systems" / f"{_RELEASE}.tar"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        packages = {name.split()[0] for name in needs.DEBIAN.values()} | set(_DESKTOP)
        wanted = ",".join(sorted(packages))
        beside = kept.with_name(f"making-{kept.name}")
        argv: list[str | Path] = ["mmdebstrap", "--variant=minbase", f"--include={wanted}"]
        argv += [_RELEASE, beside]
        commands.run(argv, "making a fresh Debian")
        beside.replace(kept)
    return kept


if __name__ == "__main__":
    try:
        run(Path(sys.argv[1]), Path(sys.argv[2]))
    except SetupError as error:
        sys.exit(f"snug: {error}")
