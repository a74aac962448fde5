"""The AppDir and its squashfs, which `appimage.py` puts behind a runtime."""

import shutil
from pathlib import Path

from devenv import commands
from linux import icons, tree
from linux.tree import Release

ARCHITECTURE = "x86_64"
RUNTIME_RELEASE = "20251108"
"""Of type2-runtime: a release that stays as it is. "continuous" is made anew every few months."""


def build(frozen: Path, work: Path, into: Path, release: Release) -> Path:
    root = work / "Snug.AppDir"
    tree.lay_out(frozen, root, release)
    shutil.copyfile(tree.DATA / "AppRun", root / "AppRun")
    shutil.copyfile(root / "usr/share/applications/snug.desktop", root / "snug.desktop")
    icons.draw(tree.LOGO, 256, root / "snug.png")
    (root / ".DirIcon").symlink_to("snug.png")
    _tell_of_runtime(root)
    tree.give_time(root, release.made_s)
    (root / "AppRun").chmod(0o755)
    into.mkdir(parents=True, exist_ok=True)
    target = into / f"snug-{release.version}-{ARCHITECTURE}.squashfs"
    target.unlink(missing_ok=True)
    argv: list[str | Path] = ["mksquashfs", root, target, "-comp", "zstd", "-Xcompression-level"]
    argv += ["15", "-root-owned", "-noappend", "-no-progress", "-no-xattrs"]
    fixed = commands.environment(SOURCE_DATE_EPOCH=str(release.made_s))
    commands.run(argv, "building the squashfs", env=fixed)
    return target


def _tell_of_runtime(root: Path) -> None:
    """A part of it is under the LGPL and comes along with every AppImage."""
    text = (tree.DATA / "appimage-runtime").read_text(encoding="utf-8")
    told = root / "usr" / "share" / "doc" / "snug" / "appimage-runtime"
    told.write_text(text.replace("@RUNTIME@", RUNTIME_RELEASE), encoding="utf-8")
