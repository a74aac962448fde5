"""The .deb: installs with `dpkg -i` and no network on a desktop system. No maintainer scripts: what
has to be told to the desktop (menu, icons, kinds of files) is done by dpkg's own triggers."""

import gzip
import hashlib
from email.utils import format_datetime
from pathlib import Path

from devenv import commands
from linux import needs, tree
from linux.tree import Release

_RECOMMENDS = (
    "libvulkan1, mesa-vulkan-drivers, gnome-keyring | kwalletmanager,"
    " fonts-dejavu-core | fonts-noto-core, fonts-noto-color-emoji"
)
_DESCRIPTION = """private assistant that fits your computer
 You ask, it answers, and everything stays on your own computer: no account,
 no internet, nothing to set up. A small starter model comes along; larger
 ones can be fetched or brought on a stick, and Snug says beforehand whether
 they fit.
"""


def build(frozen: Path, work: Path, into: Path, release: Release) -> Path:
    root = work / "deb"
    tree.lay_out(frozen, root, release)
    architecture = commands.output(["dpkg", "--print-architecture"]).strip() or "amd64"
    depends = needs.debian_depends(needs.from_system(frozen))
    _to_policy(root, release)
    control = root / "DEBIAN"
    control.mkdir()
    (control / "md5sums").write_text(_md5sums(root), encoding="utf-8")
    (control / "control").write_text(
        _control(release, architecture, depends, _size_kb(root)), encoding="utf-8"
    )
    tree.give_time(root, release.made_s)
    target = into / f"snug_{release.version}_{architecture}.deb"
    into.mkdir(parents=True, exist_ok=True)
    # zstd: a third of the time of xz, since most of it is a model that hardly shrinks.
    argv: list[str | Path] = [
        "dpkg-deb",
        "--root-owner-group",
        "-Zzstd",
        "-z15",
        "--build",
        root,
        target,
    ]
    fixed = commands.environment(SOURCE_DATE_EPOCH=str(release.made_s))
    commands.run(argv, "building the deb", env=fixed)
    return target


def _to_policy(root: Path, release: Release) -> None:
    """What Debian's policy asks for (10.5 and 12.7) and other packages do otherwise."""
    link = root / "usr" / "bin" / "snug"
    link.unlink()
    link.symlink_to(f"/{tree.PROGRAM}/snug")
    changes = root / "usr" / "share" / "doc" / "snug" / "changelog.gz"
    changes.write_bytes(gzip.compress(_changelog(release).encode(), mtime=0))


def _changelog(release: Release) -> str:
    made = format_datetime(release.made)
    return (
        f"snug ({release.version}) stable; urgency=medium\n\n"
        "  * What changed for people is told in the window and by the software centre.\n\n"
        f" -- {tree.MAINTAINER}  {made}\n"
    )


def _control(release: Release, architecture: str, depends: str, size_kb: int) -> str:
    fields = (
        ("Package", "snug"),
        ("Version", release.version),
        ("Architecture", architecture),
        ("Maintainer", tree.MAINTAINER),
        ("Installed-Size", str(size_kb)),
        ("Depends", depends),
        ("Recommends", _RECOMMENDS),
        ("Section", "utils"),
        ("Priority", "optional"),
        ("Description", _DESCRIPTION),
    )
    return "".join(f"{name}: {value}\n" for name, value in fields).rstrip() + "\n"


def _md5sums(root: Path) -> str:
    lines = []
    for path in tree.files_of(root):
        if path.is_file() and not path.is_symlink() and "DEBIAN" not in path.parts:
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "md5").hexdigest()
            lines.append(f"{digest}  {path.relative_to(root).as_posix()}\n")
    return "".join(lines)


def _size_kb(root: Path) -> int:
    return sum(path.lstat().st_size for path in tree.files_of(root)) // 1024 + 1
