"""Fresh systems to install on, each made once and kept: what a desktop has, and nothing of ours.

Their packages come from wherever this machine's mmdebstrap looks; signatures are checked. Ubuntu's
keys come out of Debian 13, whose own are on every Debian.
"""

import hashlib
import tarfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile

from devenv import commands
from devenv.places import cache
from linux import needs

_DESKTOP = (
    *("xvfb", "xauth", "x11-utils", "xdotool", "weston", "sqlite3", "desktop-file-utils"),
    *("shared-mime-info", "xdg-utils", "hicolor-icon-theme", "fonts-dejavu-core", "man-db"),
    *("libglib2.0-bin", "libfile-mimeinfo-perl", "procps", "iproute2"),
)
_KEYS = "usr/share/keyrings/ubuntu-archive-keyring.gpg"


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """`suite` as the archive calls it. `keys_from` names the system that brings the archive's."""

    suite: str
    components: tuple[str, ...] = ("main",)
    more: tuple[str, ...] = ()
    keys_from: str = ""


_UBUNTU = ("main", "universe")
SYSTEMS = {
    "bookworm": System(suite="bookworm"),
    "trixie": System(suite="trixie", more=("ubuntu-keyring",)),
    "jammy": System(suite="jammy", components=_UBUNTU, keys_from="trixie"),
    "noble": System(suite="noble", components=_UBUNTU, keys_from="trixie"),
}
"""Debian 12 and 13, Ubuntu 22.04 and 24.04."""


def fresh(name: str) -> Path:
    """The tar of a system. Needs root, mmdebstrap and a network the first time. Raises
    `SetupError`."""
    system = SYSTEMS[name]
    packages = _packages(system)
    kept = _folder() / f"{name}-{_digest((*packages, *system.components))}.tar"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        for older in kept.parent.glob(f"{name}*.tar"):
            older.unlink()
        beside = kept.with_name(f"making-{kept.name}")
        argv: list[str | Path] = ["mmdebstrap", "--variant=minbase"]
        argv += [f"--components={','.join(system.components)}", f"--include={','.join(packages)}"]
        with _keys(system.keys_from) as keys:
            argv += [f"--keyring={keys}"] if keys else []
            commands.run([*argv, system.suite, beside], f"making a fresh {name}")
        beside.replace(kept)
    return kept


def _packages(system: System) -> tuple[str, ...]:
    ours = {name.split()[0] for name in needs.DEBIAN.values()}
    return tuple(sorted(ours | {*_DESKTOP, *system.more}))


@contextmanager
def _keys(name: str) -> Iterator[Path | None]:
    """The archive's keys, if a system has to bring them: where apt's own user can read them."""
    if not name:
        yield None
        return
    with tarfile.open(fresh(name)) as archive, NamedTemporaryFile(suffix=".gpg") as target:
        file = archive.extractfile(f"./{_KEYS}")
        target.write(file.read() if file else b"")
        target.flush()
        Path(target.name).chmod(0o644)
        yield Path(target.name)


def _digest(words: Iterable[str]) -> str:
    return hashlib.sha256(" ".join(words).encode()).hexdigest()[:8]


def _folder() -> Path:
    return cache() / "systems"
