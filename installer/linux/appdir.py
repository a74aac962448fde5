"""The AppDir and its squashfs. An AppImage is that squashfs behind a small runtime, which release
runners add (`.github/workflows/release.yml`): it can not be had here."""

import shutil
from pathlib import Path

from devenv import commands
from linux import icons, tree
from linux.tree import Release


def build(frozen: Path, work: Path, into: Path, release: Release) -> Path:
    root = work / "Snug.AppDir"
    tree.lay_out(frozen, root, release)
    (root / "AppRun").symlink_to("opt/snug/snug")
    shutil.copyfile(root / "usr/share/applications/snug.desktop", root / "snug.desktop")
    icons.draw(tree.LOGO, 256, root / "snug.png")
    (root / ".DirIcon").symlink_to("snug.png")
    tree.give_time(root, release.made_s)
    into.mkdir(parents=True, exist_ok=True)
    target = into / f"snug-{release.version}-x86_64.squashfs"
    target.unlink(missing_ok=True)
    argv: list[str | Path] = ["mksquashfs", root, target, "-comp", "zstd", "-Xcompression-level"]
    argv += ["15", "-root-owned", "-noappend", "-no-progress", "-no-xattrs"]
    fixed = commands.environment(SOURCE_DATE_EPOCH=str(release.made_s))
    commands.run(argv, "building the squashfs", env=fixed)
    return target
