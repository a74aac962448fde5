"""The AppDir and its squashfs, which `appimage.py` puts behind a runtime."""

import shutil
from pathlib import Path

from devenv import commands
from linux import icons, tree
from linux.tree import Release

ARCHITECTURE = "x86_64"


def build(frozen: Path, work: Path, into: Path, release: Release) -> Path:
    root = work / "Snug.AppDir"
    tree.lay_out(frozen, root, release)
    shutil.copyfile(tree.DATA / "AppRun", root / "AppRun")
    shutil.copyfile(root / "usr/share/applications/snug.desktop", root / "snug.desktop")
    icons.draw(tree.LOGO, 256, root / "snug.png")
    (root / ".DirIcon").symlink_to("snug.png")
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
